package org.ringside.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.linux.Layouts.Cmsghdr;
import org.ringside.linux.Layouts.Iovec;
import org.ringside.linux.Layouts.Msghdr;
import org.ringside.linux.Layouts.PacketMreq;
import org.ringside.linux.Layouts.Rlimit;
import org.ringside.linux.Layouts.SockaddrLl;
import org.ringside.linux.Layouts.SockaddrUn;
import org.ringside.linux.Layouts.Statx;
import org.ringside.linux.Layouts.Ucred;

class LayoutsTest {
    @Test
    void shouldAgreeWithTheHeadersOnStructures(@TempDir Path folder) throws Exception {
        new CompilerProbe()
                .include("sys/socket.h")
                .include("sys/un.h")
                .include("sys/uio.h")
                .include("sys/resource.h")
                .include("sys/stat.h")
                .include("poll.h")
                .include("linux/if_packet.h")
                .size("sockaddr_un", SockaddrUn.SIZE)
                .offset("sockaddr_un", "sun_family", SockaddrUn.FAMILY)
                .offset("sockaddr_un", "sun_path", SockaddrUn.PATH)
                .size("iovec", Iovec.SIZE)
                .offset("iovec", "iov_base", Iovec.BASE)
                .offset("iovec", "iov_len", Iovec.LEN)
                .size("msghdr", Msghdr.SIZE)
                .offset("msghdr", "msg_name", Msghdr.NAME)
                .offset("msghdr", "msg_namelen", Msghdr.NAMELEN)
                .offset("msghdr", "msg_iov", Msghdr.IOV)
                .offset("msghdr", "msg_iovlen", Msghdr.IOVLEN)
                .offset("msghdr", "msg_control", Msghdr.CONTROL)
                .offset("msghdr", "msg_controllen", Msghdr.CONTROLLEN)
                .offset("msghdr", "msg_flags", Msghdr.FLAGS)
                .size("cmsghdr", Cmsghdr.SIZE)
                .offset("cmsghdr", "cmsg_len", Cmsghdr.LEN)
                .offset("cmsghdr", "cmsg_level", Cmsghdr.LEVEL)
                .offset("cmsghdr", "cmsg_type", Cmsghdr.TYPE)
                .expect("CMSG_SPACE(12)", Cmsghdr.space(12))
                .expect("CMSG_LEN(12)", Cmsghdr.DATA + 12)
                .size("statx", Statx.SIZE)
                .offset("statx", "stx_blksize", Statx.BLKSIZE)
                .offset("statx", "stx_mode", Statx.MODE)
                .offset("statx", "stx_ino", Statx.INO)
                .offset("statx", "stx_size", Statx.FILE_SIZE)
                .offset("statx", "stx_dev_major", Statx.DEV_MAJOR)
                .offset("statx", "stx_dev_minor", Statx.DEV_MINOR)
                .size("rlimit", Rlimit.SIZE)
                .offset("rlimit", "rlim_cur", Rlimit.CUR)
                .offset("rlimit", "rlim_max", Rlimit.MAX)
                .size("ucred", Ucred.SIZE)
                .offset("ucred", "pid", Ucred.PID)
                .offset("ucred", "uid", Ucred.UID)
                .offset("ucred", "gid", Ucred.GID)
                .size("sockaddr_ll", SockaddrLl.SIZE)
                .offset("sockaddr_ll", "sll_family", SockaddrLl.FAMILY)
                .offset("sockaddr_ll", "sll_protocol", SockaddrLl.PROTOCOL)
                .offset("sockaddr_ll", "sll_ifindex", SockaddrLl.IFINDEX)
                .size("packet_mreq", PacketMreq.SIZE)
                .offset("packet_mreq", "mr_ifindex", PacketMreq.IFINDEX)
                .offset("packet_mreq", "mr_type", PacketMreq.TYPE)
                .size("pollfd", PollSet.POLLFD_SIZE)
                .offset("pollfd", "events", PollSet.EVENTS)
                .offset("pollfd", "revents", PollSet.REVENTS)
                .check(folder);
    }

    @Test
    void shouldAgreeWithTheHeadersOnFlags(@TempDir Path folder) throws Exception {
        CompilerProbe probe =
                new CompilerProbe()
                        .include("fcntl.h")
                        .include("poll.h")
                        .include("sys/eventfd.h")
                        .include("sys/mman.h")
                        .include("sys/resource.h")
                        .include("sys/socket.h")
                        .include("sys/stat.h")
                        .include("linux/memfd.h");
        for (var field : Abi.class.getFields()) {
            probe.expect(field.getName(), ((Number) field.get(null)).longValue());
        }
        probe.check(folder);
    }

    @Test
    void shouldAgreeWithTheHeadersOnErrors(@TempDir Path folder) throws Exception {
        CompilerProbe probe = new CompilerProbe().include("errno.h").include("string.h");
        for (var field : Errno.class.getFields()) {
            int errno = field.getInt(null);
            probe.expect(field.getName(), errno);
            String described = Errno.describe(errno);
            assertThat(Errno.name(errno)).isEqualTo(field.getName());
            String text = described.substring(described.indexOf(')') + 2);
            probe.expect("!strcmp(strerror(" + errno + "), \"" + text + "\")", 1);
        }
        probe.check(folder);
        assertThat(Errno.describe(200)).isEqualTo("errno 200");
        assertThat(Errno.name(200)).isEqualTo("errno 200");
    }
}
