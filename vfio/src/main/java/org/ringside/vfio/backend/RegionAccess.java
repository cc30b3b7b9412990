package org.ringside.vfio.backend;

import org.ringside.vfio.VfioException;

/**
 * Access to one region by call: a pread on the device's descriptor, or a message to the peer.
 * Offsets are in bytes from the start of the region; values are in CPU order, in the low bytes of a
 * long, zero-extended.
 */
public interface RegionAccess {
    /**
     * Reads once.
     *
     * @param width 1, 2, 4 or 8 bytes
     */
    long read(long offset, int width) throws VfioException;

    /**
     * Writes once.
     *
     * @param width 1, 2, 4 or 8 bytes
     * @param value in the low bytes; the others are ignored
     */
    void write(long offset, int width, long value) throws VfioException;
}
