package org.ringside.linux;

/**
 * Where the fields of the kernel's structures are, in bytes, on 64-bit Linux (little or big
 * endian). A test compares them with what a C compiler says.
 */
final class Layouts {
    private Layouts() {}

    /** struct sockaddr_un (sys/un.h): the family and a path that ends in NUL. */
    static final class SockaddrUn {
        static final int SIZE = 110;
        static final int FAMILY = 0;
        static final int PATH = 2;
        static final int PATH_MAX = SIZE - PATH - 1;

        private SockaddrUn() {}
    }

    /** struct sockaddr_ll (linux/if_packet.h), with a hardware address of up to 8 bytes. */
    static final class SockaddrLl {
        static final int SIZE = 20;
        static final int FAMILY = 0;
        static final int PROTOCOL = 2;
        static final int IFINDEX = 4;

        private SockaddrLl() {}
    }

    /** struct packet_mreq (linux/if_packet.h). */
    static final class PacketMreq {
        static final int SIZE = 16;
        static final int IFINDEX = 0;
        static final int TYPE = 4;

        private PacketMreq() {}
    }

    /** struct iovec (bits/types/struct_iovec.h). */
    static final class Iovec {
        static final int SIZE = 16;
        static final int BASE = 0;
        static final int LEN = 8;

        private Iovec() {}
    }

    /** struct msghdr (bits/socket.h). */
    static final class Msghdr {
        static final int SIZE = 56;
        static final int NAME = 0;
        static final int NAMELEN = 8;
        static final int IOV = 16;
        static final int IOVLEN = 24;
        static final int CONTROL = 32;
        static final int CONTROLLEN = 40;
        static final int FLAGS = 48;

        private Msghdr() {}
    }

    /** struct cmsghdr (bits/socket.h); entries are aligned to 8. */
    static final class Cmsghdr {
        static final int SIZE = 16;
        static final int LEN = 0;
        static final int LEVEL = 8;
        static final int TYPE = 12;
        static final int DATA = 16;

        private Cmsghdr() {}

        /** Bytes that an entry with so much data takes in the buffer (CMSG_SPACE). */
        static int space(int dataBytes) {
            return SIZE + align(dataBytes);
        }

        static int align(int bytes) {
            return (bytes + 7) & ~7;
        }
    }

    /** struct statx (linux/stat.h): the same on every architecture, which struct stat is not. */
    static final class Statx {
        static final int SIZE = 256;
        static final int BLKSIZE = 4;
        static final int MODE = 28;
        static final int INO = 32;
        static final int FILE_SIZE = 40;
        static final int DEV_MAJOR = 136;
        static final int DEV_MINOR = 140;

        private Statx() {}
    }

    /** struct rlimit64 (sys/resource.h). */
    static final class Rlimit {
        static final int SIZE = 16;
        static final int CUR = 0;
        static final int MAX = 8;

        private Rlimit() {}
    }

    /** struct ucred (sys/socket.h). */
    static final class Ucred {
        static final int SIZE = 12;
        static final int PID = 0;
        static final int UID = 4;
        static final int GID = 8;

        private Ucred() {}
    }
}
