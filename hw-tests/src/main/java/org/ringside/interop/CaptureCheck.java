package org.ringside.interop;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Icrc;
import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.Verdict;

/**
 * Checks the ICRC of each RoCEv2 frame of a capture file (the classic pcap that QEMU's filter-dump
 * and tcpdump write), since no dissector does. Prints counts by sender and opcode; exit status 1
 * when one frame is wrong, or there is none.
 */
public final class CaptureCheck {
    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int MAGIC_MICROSECONDS = 0xa1b2c3d4;

    private final Frame frame = new Frame(Arena.ofAuto().allocate(1 << 16, 64));
    private final Packet packet = new Packet();
    private final Icrc icrc = new Icrc();
    private final Map<String, Integer> byOpcode = new TreeMap<>();
    private final Map<String, Integer> right = new TreeMap<>();
    private int roce;
    private int others;
    private int wrong;

    private CaptureCheck() {}

    /** See the class; the argument is the file. */
    @SuppressWarnings("SystemOut") // A program's output.
    public static void main(String[] args) throws IOException {
        CaptureCheck check = new CaptureCheck();
        check.read(Path.of(args[0]));
        check.byOpcode.forEach(
                (name, count) -> System.out.printf(Locale.ROOT, "%-44s %d%n", name, count));
        check.right.forEach(
                (mac, count) ->
                        System.out.printf(
                                Locale.ROOT,
                                "%-44s %d%n",
                                "ICRC right, frames sent by " + mac,
                                count));
        System.out.printf(
                Locale.ROOT, "%-44s %d%n", "ICRC wrong or malformed, frames", check.wrong);
        System.out.printf(Locale.ROOT, "%-44s %d%n", "frames that are not RoCEv2", check.others);
        System.exit(check.wrong == 0 && check.roce > 0 ? 0 : 1);
    }

    private void read(Path file) throws IOException {
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        if (all.remaining() < FILE_HEADER || all.getInt(0) != MAGIC_MICROSECONDS) {
            throw new IOException(file + " is no little-endian pcap with microseconds");
        }
        int at = FILE_HEADER;
        while (at + RECORD_HEADER <= all.capacity()) {
            int length = all.getInt(at + 8);
            at += RECORD_HEADER;
            if (length < 0 || at + length > all.capacity()) {
                break; // The writer was stopped in the middle of a record.
            }
            frame.length(length);
            frame.bytes().put(0, all, at, length);
            look();
            at += length;
        }
    }

    private void look() {
        Verdict verdict = packet.parse(frame);
        if (verdict == Verdict.NOT_ROCE) {
            others++;
            return;
        }
        roce++;
        String from = Ethernet.text(Ethernet.source(frame.bytes()));
        if (verdict != Verdict.ROCE || !icrc.matches(packet)) {
            wrong++;
            return;
        }
        right.merge(from, 1, Integer::sum);
        byOpcode.merge(from + " " + packet.opcode(), 1, Integer::sum);
    }
}
