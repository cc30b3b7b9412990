package org.ringside.vfio.pci;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ringside.linux.Errno;
import org.ringside.vfio.VfioException;

/**
 * Where a function is: domain, bus, device, function.
 *
 * @param domain PCI segment; 16 bits, more behind VMD
 * @param bus 0 to 255
 * @param device 0 to 31
 * @param function 0 to 7
 */
public record PciAddress(int domain, int bus, int device, int function)
        implements Comparable<PciAddress> {
    private static final Pattern PATTERN =
            Pattern.compile("(?:([0-9a-fA-F]{4,8}):)?([0-9a-fA-F]{2}):([0-9a-fA-F]{2})\\.([0-7])");

    /** Whether the text has the form of an address: {@code 0000:3b:00.2} or {@code 3b:00.2}. */
    public static boolean matches(String text) {
        return PATTERN.matcher(text).matches();
    }

    /** Reads {@code 0000:3b:00.2}, or {@code 3b:00.2} in domain 0. */
    public static PciAddress parse(String text) throws VfioException {
        Matcher matcher = PATTERN.matcher(text);
        if (!matcher.matches()) {
            throw invalid(text);
        }
        String domain = matcher.group(1);
        int device = Integer.parseInt(matcher.group(3), 16);
        if (device > 31) {
            throw invalid(text);
        }
        return new PciAddress(
                domain == null ? 0 : Integer.parseUnsignedInt(domain, 16),
                Integer.parseInt(matcher.group(2), 16),
                device,
                Integer.parseInt(matcher.group(4)));
    }

    private static VfioException invalid(String text) {
        return new VfioException(
                Errno.EINVAL,
                ("\"%s\" is no PCI address. Give bus, device and function in hex, such as"
                                + " 0000:3b:00.2 or 3b:00.2; lspci -D lists them")
                        .formatted(text));
    }

    @Override
    public int compareTo(PciAddress other) {
        return toString().compareTo(other.toString());
    }

    /** As sysfs and lspci -D write it. */
    @Override
    public String toString() {
        return "%04x:%02x:%02x.%d".formatted(domain, bus, device, function);
    }
}
