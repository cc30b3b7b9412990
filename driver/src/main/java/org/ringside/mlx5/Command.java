package org.ringside.mlx5;

import java.lang.foreign.MemorySegment;
import org.ringside.mlx5.layout.ArrayField;
import org.ringside.mlx5.layout.CommandIn;
import org.ringside.mlx5.layout.CommandOut;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.Layout;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.StructField;

/**
 * One firmware command with room for its answer, in ordinary memory; {@link CommandQueue} copies it
 * to and from what the device sees. It prints itself decoded.
 *
 * <p>Not thread safe; used once.
 */
final class Command {
    private final int opcode;
    private final Layout inLayout;
    private final Layout outLayout;
    private final MemorySegment in;
    private final MemorySegment out;

    /** A command of fixed size. */
    Command(int opcode, Layout in, Layout out) {
        this(opcode, in, in.byteSize(), out, out.byteSize());
    }

    /** A command with a list at the end of its input or output. */
    Command(int opcode, Layout in, int inBytes, Layout out, int outBytes) {
        this.opcode = opcode;
        this.inLayout = in;
        this.outLayout = out;
        this.in = MemorySegment.ofArray(new byte[inBytes]);
        this.out = MemorySegment.ofArray(new byte[outBytes]);
        CommandIn.OPCODE.set(this.in, 0, opcode);
    }

    int opcode() {
        return opcode;
    }

    MemorySegment in() {
        return in;
    }

    MemorySegment out() {
        return out;
    }

    Command opMod(int opMod) {
        CommandIn.OP_MOD.set(in, 0, opMod);
        return this;
    }

    Command set(Field field, long value) {
        field.set(in, 0, value);
        return this;
    }

    Command set(Field field, boolean value) {
        field.set(in, 0, value);
        return this;
    }

    /** Sets a field of an inner structure. */
    Command set(StructField struct, Field field, long value) {
        field.set(in, struct.offset(), value);
        return this;
    }

    Command set(StructField struct, Field field, boolean value) {
        field.set(in, struct.offset(), value);
        return this;
    }

    /** Sets an element of a list. */
    Command set(ArrayField list, int index, long value) {
        list.set(in, 0, index, value);
        return this;
    }

    long get(Field field) {
        return field.get(out, 0);
    }

    long get(StructField struct, Field field) {
        return field.get(out, struct.offset());
    }

    long get(ArrayField list, int index) {
        return list.get(out, 0, index);
    }

    /** Firmware's verdict, {@link CommandStatus}. */
    int status() {
        return (int) CommandOut.STATUS.get(out, 0);
    }

    /** Firmware's own number for the cause. */
    int syndrome() {
        return (int) CommandOut.SYNDROME.get(out, 0);
    }

    /** The opcode's name. */
    String name() {
        return Opcode.name(opcode);
    }

    /** The input, decoded. */
    String decodeIn() {
        return inLayout.decode(in, 0, in.byteSize());
    }

    /** The answer, decoded. */
    String decodeOut() {
        return outLayout.decode(out, 0, out.byteSize());
    }

    @Override
    public String toString() {
        return decodeIn() + " -> " + decodeOut();
    }
}
