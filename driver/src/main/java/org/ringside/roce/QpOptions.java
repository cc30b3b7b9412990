package org.ringside.roce;

import org.ringside.roce.packet.Service;

/**
 * What a QP is from its creation on.
 *
 * @param number its QPN, 24 bits; chosen by who owns the numbers
 * @param service RC, UC or UD
 * @param pd protection domain
 * @param sendDepth requests that may be under way at once, a power of two
 * @param maxSges entries of a list
 * @param maxInline bytes of inline data
 * @param qkey of UD
 */
public record QpOptions(
        int number, Service service, int pd, int sendDepth, int maxSges, int maxInline, int qkey) {
    /** For most. */
    public static QpOptions of(int number, Service service, int pd) {
        return new QpOptions(number, service, pd, 64, 4, 64, 0);
    }

    /** The same with another Q_Key. */
    public QpOptions withQkey(int key) {
        return new QpOptions(number, service, pd, sendDepth, maxSges, maxInline, key);
    }
}
