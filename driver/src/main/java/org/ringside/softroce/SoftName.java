package org.ringside.softroce;

import java.util.ArrayList;
import java.util.List;
import org.ringside.verbs.Gid;
import org.ringside.verbs.VerbsException;

/**
 * What follows a device's name: {@code DEVICE?ip=192.0.2.7&ip=fd00::7}.
 *
 * @param device the name without options
 * @param addresses of the port, beside the one made of its MAC
 */
public record SoftName(String device, List<Gid> addresses) {
    private static final String IP = "ip=";

    /**
     * Reads a name.
     *
     * @throws VerbsException EINVAL, with what is wrong and what is expected
     */
    public static SoftName parse(String name) throws VerbsException {
        int question = name.indexOf('?');
        if (question < 0) {
            return new SoftName(name, List.of());
        }
        List<Gid> addresses = new ArrayList<>();
        for (String option : name.substring(question + 1).split("&", -1)) {
            if (!option.startsWith(IP)) {
                throw wrong(name, "\"" + option + "\" is no option");
            }
            try {
                addresses.add(Gid.parse(option.substring(IP.length())));
            } catch (IllegalArgumentException e) {
                throw wrong(name, String.valueOf(e.getMessage()));
            }
        }
        return new SoftName(name.substring(0, question), List.copyOf(addresses));
    }

    private static VerbsException wrong(String name, String what) {
        return new VerbsException(
                VerbsException.EINVAL,
                "%s: %s; options of a soft-RoCE device: ip=ADDRESS, several joined by &"
                        .formatted(name, what));
    }
}
