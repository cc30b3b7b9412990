package org.ringside.linux;

import java.util.Map;
import java.util.TreeMap;

/**
 * Error numbers of Linux. Source: include/uapi/asm-generic/errno-base.h and errno.h (x86-64 and
 * aarch64 share them); texts as strerror(3) gives them.
 */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int E2BIG = 7;
    public static final int EBADF = 9;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EFAULT = 14;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int ENODEV = 19;
    public static final int ENOTDIR = 20;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int ENOTTY = 25;
    public static final int ENOSPC = 28;
    public static final int EPIPE = 32;
    public static final int ERANGE = 34;
    public static final int ENAMETOOLONG = 36;
    public static final int ENOSYS = 38;
    public static final int EPROTO = 71;
    public static final int EOVERFLOW = 75;
    public static final int EBADFD = 77;
    public static final int ENOTSOCK = 88;
    public static final int EMSGSIZE = 90;
    public static final int EPROTOTYPE = 91;
    public static final int EPROTONOSUPPORT = 93;
    public static final int EOPNOTSUPP = 95;
    public static final int EADDRINUSE = 98;
    public static final int ENETDOWN = 100;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int ENOTCONN = 107;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;
    public static final int ECANCELED = 125;

    private static final Map<Integer, Entry> ENTRIES = new TreeMap<>();

    static {
        add(EPERM, "EPERM", "Operation not permitted");
        add(ENOENT, "ENOENT", "No such file or directory");
        add(EINTR, "EINTR", "Interrupted system call");
        add(EIO, "EIO", "Input/output error");
        add(ENXIO, "ENXIO", "No such device or address");
        add(E2BIG, "E2BIG", "Argument list too long");
        add(EBADF, "EBADF", "Bad file descriptor");
        add(EAGAIN, "EAGAIN", "Resource temporarily unavailable");
        add(ENOMEM, "ENOMEM", "Cannot allocate memory");
        add(EACCES, "EACCES", "Permission denied");
        add(EFAULT, "EFAULT", "Bad address");
        add(EBUSY, "EBUSY", "Device or resource busy");
        add(EEXIST, "EEXIST", "File exists");
        add(ENODEV, "ENODEV", "No such device");
        add(ENOTDIR, "ENOTDIR", "Not a directory");
        add(EINVAL, "EINVAL", "Invalid argument");
        add(ENFILE, "ENFILE", "Too many open files in system");
        add(EMFILE, "EMFILE", "Too many open files");
        add(ENOTTY, "ENOTTY", "Inappropriate ioctl for device");
        add(ENOSPC, "ENOSPC", "No space left on device");
        add(EPIPE, "EPIPE", "Broken pipe");
        add(ERANGE, "ERANGE", "Numerical result out of range");
        add(ENAMETOOLONG, "ENAMETOOLONG", "File name too long");
        add(ENOSYS, "ENOSYS", "Function not implemented");
        add(EPROTO, "EPROTO", "Protocol error");
        add(EOVERFLOW, "EOVERFLOW", "Value too large for defined data type");
        add(EBADFD, "EBADFD", "File descriptor in bad state");
        add(ENOTSOCK, "ENOTSOCK", "Socket operation on non-socket");
        add(EMSGSIZE, "EMSGSIZE", "Message too long");
        add(EPROTOTYPE, "EPROTOTYPE", "Protocol wrong type for socket");
        add(EPROTONOSUPPORT, "EPROTONOSUPPORT", "Protocol not supported");
        add(EOPNOTSUPP, "EOPNOTSUPP", "Operation not supported");
        add(EADDRINUSE, "EADDRINUSE", "Address already in use");
        add(ENETDOWN, "ENETDOWN", "Network is down");
        add(ECONNRESET, "ECONNRESET", "Connection reset by peer");
        add(ENOBUFS, "ENOBUFS", "No buffer space available");
        add(ENOTCONN, "ENOTCONN", "Transport endpoint is not connected");
        add(ETIMEDOUT, "ETIMEDOUT", "Connection timed out");
        add(ECONNREFUSED, "ECONNREFUSED", "Connection refused");
        add(ECANCELED, "ECANCELED", "Operation canceled");
    }

    private Errno() {}

    private static void add(int number, String name, String text) {
        ENTRIES.put(number, new Entry(name, text));
    }

    /**
     * The symbol, such as {@code "EPERM"}; {@code "errno 200"} when this class does not know it.
     */
    public static String name(int errno) {
        Entry entry = ENTRIES.get(errno);
        return entry == null ? "errno " + errno : entry.name;
    }

    /** Symbol, number and text, such as {@code "EPERM (1) Operation not permitted"}. */
    public static String describe(int errno) {
        Entry entry = ENTRIES.get(errno);
        return entry == null ? "errno " + errno : entry.name + " (" + errno + ") " + entry.text;
    }

    private record Entry(String name, String text) {}
}
