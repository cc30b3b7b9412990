package org.ringside.linux;

/**
 * An ioctl request by name, so that an error can say which one failed.
 *
 * @param name as in the kernel header, such as {@code "VFIO_GROUP_GET_STATUS"}
 * @param number the request number
 */
public record Ioctl(String name, long number) {
    @Override
    public String toString() {
        return name;
    }
}
