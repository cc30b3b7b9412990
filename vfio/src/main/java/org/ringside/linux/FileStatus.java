package org.ringside.linux;

/**
 * What the kernel says of a file.
 *
 * @param device number of the device that holds it; with {@code inode} it tells files apart
 * @param inode number of the file on that device
 * @param size bytes
 * @param mode type and permission bits
 * @param blockSize preferred block size; the page size of a hugetlbfs file
 */
public record FileStatus(long device, long inode, long size, int mode, int blockSize) {
    /** Permission bits alone. */
    public int permissions() {
        return mode & 0xfff;
    }

    /** Whether it is a socket. */
    public boolean isSocket() {
        return (mode & Abi.S_IFMT) == Abi.S_IFSOCK;
    }
}
