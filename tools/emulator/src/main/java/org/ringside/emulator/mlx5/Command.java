package org.ringside.emulator.mlx5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ringside.mlx5.layout.ArrayField;
import org.ringside.mlx5.layout.CommandIn;
import org.ringside.mlx5.layout.CommandOut;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.Layout;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.StructField;

/** One command that was delivered: its input gathered from the mailboxes, its output to be. */
final class Command {
    private static final int MIN_OUTPUT = CommandOut.LAYOUT.byteSize();

    private MemorySegment in;
    private final MemorySegment out;
    private final int outputLength;
    private String refusal = "";

    /**
     * @param in all of the input
     * @param outputLength bytes that the driver has room for
     */
    Command(MemorySegment in, int outputLength) {
        this.in = in;
        this.outputLength = outputLength;
        this.out = MemorySegment.ofArray(new byte[Math.max(outputLength, MIN_OUTPUT)]);
    }

    int opcode() {
        return (int) CommandIn.OPCODE.get(in, 0);
    }

    int opMod() {
        return (int) CommandIn.OP_MOD.get(in, 0);
    }

    MemorySegment in() {
        return in;
    }

    int inputLength() {
        return (int) in.byteSize();
    }

    MemorySegment out() {
        return out;
    }

    int outputLength() {
        return outputLength;
    }

    /** Takes the input for a longer one that ends with zeroes. */
    void extendInput(int bytes) {
        in = MemorySegment.ofArray(Arrays.copyOf(in.toArray(JAVA_BYTE), bytes));
    }

    /** An input field. */
    long get(Field field) {
        return field.get(in, 0);
    }

    boolean isSet(Field field) {
        return field.isSet(in, 0);
    }

    /** A field of a structure in the input. */
    long get(StructField struct, Field field) {
        return field.get(in, struct.offset());
    }

    boolean isSet(StructField struct, Field field) {
        return field.isSet(in, struct.offset());
    }

    /** Sets an output field. */
    void put(Field field, long value) {
        field.set(out, 0, value);
    }

    /** Sets a field of a structure in the output. */
    void put(StructField struct, Field field, long value) {
        field.set(out, struct.offset(), value);
    }

    /** The list at the end of the input, which must have exactly so many elements. */
    long[] list(ArrayField list, int count) {
        requireInput(list.byteSizeWith(count), list.name() + " of " + count);
        long[] elements = new long[count];
        for (int i = 0; i < count; i++) {
            elements[i] = list.get(in, 0, i);
        }
        return elements;
    }

    /** The input must have so many bytes. */
    void requireInput(int bytes, String because) {
        if (inputLength() != bytes) {
            throw Refusal.of(
                    Reason.INPUT_LENGTH,
                    "input has %d bytes, but %d with %s",
                    inputLength(),
                    bytes,
                    because);
        }
    }

    /** The output must have so many bytes. */
    void requireOutput(int bytes, String because) {
        if (outputLength != bytes) {
            throw Refusal.of(
                    Reason.OUTPUT_LENGTH,
                    "output has %d bytes, but %d with %s",
                    outputLength,
                    bytes,
                    because);
        }
    }

    /** A field that this device wants to be 0. */
    void requireZero(Field field) {
        if (field.isSet(in, 0)) {
            throw Refusal.of(
                    Reason.UNSUPPORTED, "%s is 0x%x, not 0", field.name(), field.get(in, 0));
        }
    }

    /** Fields of a context that this device wants to be 0. */
    void requireZero(StructField struct, Field... fields) {
        for (Field field : fields) {
            if (isSet(struct, field)) {
                throw Refusal.of(
                        Reason.UNSUPPORTED,
                        "%s of %s is 0x%x, not 0",
                        field.name(),
                        struct.name(),
                        get(struct, field));
            }
        }
    }

    /** A field with an upper bound. */
    long atMost(StructField struct, Field field, long max, String limit) {
        long value = get(struct, field);
        if (value > max) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE, "%s is %d, %s is %d", field.name(), value, limit, max);
        }
        return value;
    }

    /** Number of an umem that is to be used instead of pages, or {@link UserMemories#NONE}. */
    long umemId(Field valid, Field id) {
        if (!isSet(valid)) {
            requireZero(id);
            return UserMemories.NONE;
        }
        return get(id);
    }

    /** The same, of a context. */
    long umemId(StructField struct, Field valid, Field id) {
        if (!isSet(struct, valid)) {
            requireZero(struct, id);
            return UserMemories.NONE;
        }
        return get(struct, id);
    }

    /** A context of the input, as the driver gave it. */
    byte[] context(StructField struct) {
        return in.asSlice(struct.offset(), struct.layout().byteSize()).toArray(JAVA_BYTE);
    }

    /** Puts a context into the output. */
    void putContext(StructField struct, byte[] context) {
        MemorySegment.copy(context, 0, out, JAVA_BYTE, struct.offset(), context.length);
    }

    /** As many page addresses as the output has room for. */
    void putPages(ArrayField list, long[] pages) {
        int room = list.count(outputLength);
        for (int i = 0; i < Math.min(room, pages.length); i++) {
            list.set(out, 0, i, pages[i]);
        }
    }

    /** Makes it an error answer: status, syndrome, nothing else. */
    void refuse(Refusal why) {
        refusal = why.text();
        out.fill((byte) 0);
        CommandOut.STATUS.set(out, 0, why.reason().status());
        CommandOut.SYNDROME.set(out, 0, why.reason().syndrome(opcode()));
    }

    /** The command as a finding shows it. */
    String describe(Layout layout) {
        long fixed = layout.byteSize();
        return inputLength() >= fixed ? layout.decode(in, 0, inputLength()) : toString();
    }

    int status() {
        return (int) CommandOut.STATUS.get(out, 0);
    }

    @Override
    public String toString() {
        String text = "%s (0x%x)".formatted(Opcode.name(opcode()), opcode());
        return status() == CommandStatus.OK
                ? text
                : "%s: %s, syndrome 0x%x: %s"
                        .formatted(
                                text,
                                CommandStatus.name(status()),
                                CommandOut.SYNDROME.get(out, 0),
                                refusal);
    }
}
