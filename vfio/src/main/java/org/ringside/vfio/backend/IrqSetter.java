package org.ringside.vfio.backend;

import org.ringside.vfio.VfioException;

/**
 * VFIO_DEVICE_SET_IRQS for one interrupt index, in the way of the back end. Flags as in {@link
 * VfioAbi.IrqSet}.
 */
@FunctionalInterface
public interface IrqSetter {
    /**
     * Sets vectors {@code start} to {@code start + count - 1}.
     *
     * @param fds eventfds, one for each vector, -1 to take a vector out of use; empty for calls
     *     without data
     * @return 0, or how many vectors there are when that is fewer than asked for: none is enabled
     *     then
     */
    int set(int flags, int start, int count, int[] fds) throws VfioException;
}
