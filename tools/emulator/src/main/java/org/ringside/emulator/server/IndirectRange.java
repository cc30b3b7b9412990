package org.ringside.emulator.server;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A range whose bytes have to be fetched: single values go through a scratch buffer. */
abstract class IndirectRange extends DmaRange {
    private final MemorySegment scratch;

    IndirectRange(long first, long last, int access) {
        this(first, last, access, Arena.ofAuto().allocate(Long.BYTES, Long.BYTES));
    }

    /** A part of another range shares its scratch buffer: one thread uses both. */
    IndirectRange(long first, long last, int access, MemorySegment scratch) {
        super(first, last, access);
        this.scratch = scratch;
    }

    final MemorySegment scratch() {
        return scratch;
    }

    @Override
    final int getInt(long iova) {
        read(iova, scratch, 0, Integer.BYTES);
        return scratch.get(ValueLayout.JAVA_INT, 0);
    }

    @Override
    final void putInt(long iova, int value) {
        scratch.set(ValueLayout.JAVA_INT, 0, value);
        write(iova, scratch, 0, Integer.BYTES);
    }

    @Override
    final long getLong(long iova) {
        read(iova, scratch, 0, Long.BYTES);
        return scratch.get(ValueLayout.JAVA_LONG, 0);
    }

    @Override
    final void putLong(long iova, long value) {
        scratch.set(ValueLayout.JAVA_LONG, 0, value);
        write(iova, scratch, 0, Long.BYTES);
    }
}
