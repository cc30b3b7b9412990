package org.ringside.verbs;

/** State of a queue pair (IBTA vol. 1, 10.3.1). */
public enum QpState {
    RESET,
    INIT,
    RTR,
    RTS,
    SQD,
    SQE,
    ERR
}
