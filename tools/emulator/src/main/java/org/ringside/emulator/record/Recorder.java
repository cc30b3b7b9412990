package org.ringside.emulator.record;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.CmdQueueEntry;
import org.ringside.mlx5.layout.CommandFields;
import org.ringside.mlx5.layout.CommandIn;
import org.ringside.mlx5.layout.Cqe64;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.DeliveryStatus;
import org.ringside.mlx5.layout.Eqe;
import org.ringside.mlx5.layout.ErrCqe;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.FieldMap;
import org.ringside.mlx5.layout.HealthBuffer;
import org.ringside.mlx5.layout.InitialSeg;
import org.ringside.mlx5.layout.Layout;
import org.ringside.mlx5.layout.Opcode;

/**
 * What one function and its driver tell each other, to a {@link Recording}.
 *
 * <p>Commands and register stores are in the file at once, what the data path does when its buffer
 * is full or the recording closes.
 *
 * <p>Threading: the function's agent.
 */
public final class Recorder {
    private final Recording recording;
    private final String function;

    /**
     * @param function its name in each line
     */
    public Recorder(Recording recording, String function) {
        this.recording = recording;
        this.function = function;
    }

    /** Something happened to the function as a whole, or was done to it. */
    public void note(String kind, String name) {
        recording.write(recording.line(function, kind, name), true);
    }

    /**
     * A command was answered.
     *
     * @param entry the queue entry as the driver wrote it
     * @param in its input; null when it was not delivered
     * @param out its output, as long as the driver has room
     */
    public void command(
            int slot,
            int deliveryStatus,
            MemorySegment entry,
            @Nullable MemorySegment in,
            MemorySegment out) {
        JsonLine line =
                recording
                        .line(function, "command", in == null ? "undelivered" : opcode(in))
                        .put("slot", slot)
                        .put("delivery", DeliveryStatus.name(deliveryStatus))
                        .put("entry", fields(CmdQueueEntry.LAYOUT, entry));
        if (in != null) {
            CommandFields input = CommandFields.in(in);
            CommandFields output = CommandFields.out(in, out);
            line.put("in", input.values())
                    .put("inFields", input.count())
                    .put("out", output.values())
                    .put("outFields", output.count());
        }
        recording.write(line, true);
    }

    private static String opcode(MemorySegment in) {
        if (in.byteSize() < CommandIn.LAYOUT.byteSize()) {
            return "short";
        }
        int opcode = (int) CommandIn.OPCODE.get(in, 0);
        String name = Opcode.name(opcode);
        return name.equals("?") ? "0x" + Integer.toHexString(opcode) : name;
    }

    /**
     * A register of the initialization segment was read or written.
     *
     * @param value in the manual's (big-endian) order
     */
    public void register(boolean write, int offset, int value) {
        JsonLine line =
                recording
                        .line(
                                function,
                                write ? "write" : "read",
                                "0x" + Integer.toHexString(offset))
                        .put("value", "0x%08x".formatted(value))
                        .put("fields", registerFields(offset, value));
        recording.write(line, write);
    }

    private static Map<String, String> registerFields(int offset, int value) {
        Map<String, String> fields = new LinkedHashMap<>();
        int health = InitialSeg.HEALTH_BUFFER.offset();
        boolean inHealth = offset >= health && offset < health + HealthBuffer.LAYOUT.byteSize();
        Layout layout = inHealth ? HealthBuffer.LAYOUT : InitialSeg.LAYOUT;
        int at = inHealth ? offset - health : offset;
        for (Field field : layout.fields()) {
            if (field.dword() == at && field.extract(value) != 0) {
                fields.put(field.name(), field.format(field.extract(value)));
            }
        }
        return fields;
    }

    /**
     * A doorbell in a UAR page, or what is none.
     *
     * @param uar page number
     * @param offset in the page
     * @param width bytes of the store; those in shared memory are seen as a whole
     * @param value in the manual's (big-endian) order
     * @param polled whether it was found in shared memory, where a later one may have hidden it
     */
    public void doorbell(int uar, int offset, int width, long value, boolean polled) {
        UarStore store = UarStore.of(offset, value);
        JsonLine line =
                recording
                        .line(function, "doorbell", store.name())
                        .put("uar", UarStore.hex(uar))
                        .put("offset", "0x" + Integer.toHexString(offset))
                        .put("width", width)
                        .put("seen", polled ? "polled" : "trapped")
                        .put("value", "0x" + Long.toHexString(value))
                        .put("fields", store.fields());
        recording.write(line, false);
    }

    /** An EQE was written, with its owner bit. */
    public void eqe(int eqn, int index, MemorySegment eqe) {
        int type = (int) Eqe.EVENT_TYPE.get(eqe, 0);
        Map<String, String> fields = fields(Eqe.LAYOUT, eqe);
        Layout data = Eqe.data(type);
        if (data != null) {
            fields.remove(Eqe.EVENT_DATA.name());
            FieldMap.collect(
                    fields, data.name() + '.', data, eqe, Eqe.EVENT_DATA.offset(), data.byteSize());
        }
        JsonLine line =
                recording
                        .line(function, "eqe", EventType.name(type))
                        .put("eqn", UarStore.hex(eqn))
                        .put("index", index)
                        .put("fields", fields);
        recording.write(line, false);
    }

    /** A CQE was written, with its owner bit. */
    public void cqe(int cqn, int index, MemorySegment cqe) {
        int opcode = (int) Cqe64.OPCODE.get(cqe, 0);
        boolean failed = opcode == CqeOpcode.REQ_ERR || opcode == CqeOpcode.RESP_ERR;
        JsonLine line =
                recording
                        .line(function, "cqe", CqeOpcode.name(opcode))
                        .put("cqn", UarStore.hex(cqn))
                        .put("index", index)
                        .put("fields", fields(failed ? ErrCqe.LAYOUT : Cqe64.LAYOUT, cqe));
        recording.write(line, false);
    }

    private static Map<String, String> fields(Layout layout, MemorySegment segment) {
        Map<String, String> fields = new LinkedHashMap<>();
        FieldMap.collect(fields, "", layout, segment, 0, layout.byteSize());
        return fields;
    }

    /** The function goes; its part of the recording is complete. */
    public void close() {
        recording.release();
    }
}
