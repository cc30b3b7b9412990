package org.ringside.vfio.backend;

import org.ringside.vfio.VfioException;

/**
 * The part of DMA that each back end does in its own way. Calls are made one at a time; the range
 * is page aligned, inside the usable ranges and overlaps no other.
 */
public interface DmaMapper {
    /**
     * Lets the device reach a range.
     *
     * @throws VfioException ready for the user: what failed, why, the cure
     */
    void map(DmaRange range) throws VfioException;

    /**
     * Takes back a range exactly as it was mapped. When the device is lost there is nothing to do.
     */
    void unmap(DmaRange range) throws VfioException;
}
