package org.ringside.emulator.device;

/** What the bus offers a function. Everything is called on the agent's thread. */
public interface FunctionHost {
    /**
     * Memory of the host, as the function may reach it now. The same object for the life of the
     * function.
     */
    HostMemory dma();

    /**
     * Fires a vector. A message that cannot be sent, as no one has enabled the vector or bus master
     * is off, is dropped and counted, as on the bus.
     *
     * @param vector 0 to {@link MsixSpec#vectors()} - 1
     */
    void raise(int vector);

    /** Messages dropped by {@link #raise} since the function is attached. */
    long droppedInterrupts();

    /** The agent that drives the function. */
    DeviceAgent agent();
}
