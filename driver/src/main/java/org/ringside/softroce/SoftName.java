package org.ringside.softroce;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.ethernet.Cable;
import org.ringside.verbs.Gid;
import org.ringside.verbs.VerbsException;

/**
 * What follows a device's name: {@code DEVICE?ip=192.0.2.7&ip=fd00::7}.
 *
 * @param device the name without options
 * @param addresses of the port, beside the one made of its MAC
 * @param cable of the port; null for none of its own
 * @param capture pcapng file that shall have each frame; null for none
 */
public record SoftName(
        String device, List<Gid> addresses, @Nullable Cable cable, @Nullable Path capture) {
    private static final String IP = "ip=";
    private static final String CAPTURE = "capture=";

    /**
     * Reads a name.
     *
     * @throws VerbsException EINVAL, with what is wrong and what is expected
     */
    public static SoftName parse(String name) throws VerbsException {
        int question = name.indexOf('?');
        if (question < 0) {
            return new SoftName(name, List.of(), null, null);
        }
        List<Gid> addresses = new ArrayList<>();
        Cable cable = null;
        Path capture = null;
        for (String option : name.substring(question + 1).split("&", -1)) {
            try {
                Cable plugged = Cable.parse(option);
                if (plugged != null) {
                    cable = plugged;
                } else if (option.startsWith(IP)) {
                    addresses.add(Gid.parse(option.substring(IP.length())));
                } else if (option.startsWith(CAPTURE) && option.length() > CAPTURE.length()) {
                    capture = Path.of(option.substring(CAPTURE.length()));
                } else {
                    throw wrong(name, "\"" + option + "\" is no option");
                }
            } catch (IllegalArgumentException e) {
                throw wrong(name, String.valueOf(e.getMessage()));
            }
        }
        return new SoftName(name.substring(0, question), List.copyOf(addresses), cable, capture);
    }

    private static VerbsException wrong(String name, String what) {
        return new VerbsException(
                VerbsException.EINVAL,
                "%s: %s; options of a soft-RoCE device: ip=ADDRESS, %s, capture=FILE, joined by &"
                        .formatted(name, what, Cable.SYNTAX));
    }
}
