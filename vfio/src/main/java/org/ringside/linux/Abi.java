package org.ringside.linux;

/**
 * Flags of the system calls in {@link SystemCalls}, with the kernel's names. Source:
 * include/uapi/asm-generic of Linux; x86-64 and aarch64 agree on all of them.
 */
public final class Abi {
    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = 0x40;
    public static final int O_EXCL = 0x80;
    public static final int O_NONBLOCK = 0x800;
    public static final int O_CLOEXEC = 0x80000;

    public static final int PROT_NONE = 0;
    public static final int PROT_READ = 1;
    public static final int PROT_WRITE = 2;
    public static final int MAP_SHARED = 0x01;
    public static final int MAP_PRIVATE = 0x02;
    public static final int MAP_FIXED = 0x10;
    public static final int MAP_ANONYMOUS = 0x20;
    public static final int MAP_NORESERVE = 0x4000;
    public static final int MAP_FIXED_NOREPLACE = 0x100000;
    public static final int MAP_POPULATE = 0x8000;

    /**
     * Not inherited by a child that forks: a copy-on-write page would part from the one that the
     * device holds.
     */
    public static final int MADV_DONTFORK = 10;

    public static final int MADV_HUGEPAGE = 14;

    public static final int MFD_CLOEXEC = 0x1;
    public static final int MFD_ALLOW_SEALING = 0x2;
    public static final int MFD_HUGETLB = 0x4;

    /** Together with {@link #MFD_HUGETLB}: pages of 2 MiB (log2 of the size in bits 26 to 31). */
    public static final int MFD_HUGE_2MB = 21 << 26;

    public static final int EFD_CLOEXEC = 0x80000;
    public static final int EFD_NONBLOCK = 0x800;

    public static final short POLLIN = 0x1;
    public static final short POLLOUT = 0x4;
    public static final short POLLERR = 0x8;
    public static final short POLLHUP = 0x10;
    public static final short POLLNVAL = 0x20;

    public static final int SHUT_RD = 0;
    public static final int SHUT_WR = 1;
    public static final int SHUT_RDWR = 2;

    public static final int SOL_SOCKET = 1;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;
    public static final int SO_SNDTIMEO = 21;

    public static final int F_GETFD = 1;
    public static final int F_SETFD = 2;
    public static final int F_GETFL = 3;
    public static final int F_SETFL = 4;
    public static final int FD_CLOEXEC = 1;

    public static final int RLIMIT_NOFILE = 7;
    public static final int RLIMIT_MEMLOCK = 8;

    /** Type bits of {@link FileStatus#mode()}. */
    public static final int S_IFMT = 0xf000;

    public static final int S_IFSOCK = 0xc000;
    public static final int S_IFREG = 0x8000;
    public static final int S_IFCHR = 0x2000;
    public static final int S_IFIFO = 0x1000;

    private Abi() {}
}
