package org.ringside.verbs;

/**
 * What a peer has to know of a QP to connect to it. Applications exchange it by any means they
 * like.
 *
 * @param qpNumber 24 bits
 * @param psn the first packet sequence number that the QP sends, 24 bits
 * @param lid LID of its port, 0 on Ethernet
 * @param gid GID of its port that the QP uses
 */
public record Endpoint(int qpNumber, int psn, int lid, Gid gid) {
    public Endpoint {
        Checks.bits("QP number", qpNumber, 24);
        Checks.bits("PSN", psn, 24);
        Checks.bits("LID", lid, 16);
    }
}
