package org.ringside.emulator.pci;

import java.lang.foreign.MemorySegment;
import org.ringside.emulator.device.MsixSpec;

/**
 * The MSI-X table and the pending bit array. The client owns the table: it has the vectors'
 * eventfds and does their masking, so the entries are kept but mean nothing here, and no bit is
 * ever pending.
 *
 * <pre>
 *   entry   0           4           8        12            16
 *          | address lo | address hi | data | vector control |   control bit 0: masked, after reset
 * </pre>
 */
public final class MsixTable {
    private static final int ENTRY = 16;
    private static final int VECTOR_CONTROL = 12;

    private final MsixSpec spec;
    private final ConfigSpace table;
    private final ConfigSpace pending;

    /** The structures of a function, as after reset. */
    public MsixTable(MsixSpec spec) {
        this.spec = spec;
        this.table = new ConfigSpace(spec.tableSize());
        for (int at = 0; at < spec.tableSize(); at += ENTRY) {
            table.define(at, 8, 0, ~3L);
            table.define(at + 8, 4, 0, -1L);
            table.define(at + VECTOR_CONTROL, 4, 1, 1);
        }
        this.pending = new ConfigSpace(spec.pbaSize());
    }

    /** Whether an access of a BAR is one of these structures. */
    public boolean holds(int bar, long offset, int length) {
        return inTable(bar, offset, length) || inPba(bar, offset, length);
    }

    /** Reads a part of them. */
    public void read(int bar, long offset, MemorySegment into, long at, int length) {
        if (inTable(bar, offset, length)) {
            table.read((int) offset - spec.tableOffset(), into, at, length);
        } else {
            pending.read((int) offset - spec.pbaOffset(), into, at, length);
        }
    }

    /** Writes a part of them; pending bits are read-only. */
    public void write(int bar, long offset, MemorySegment from, long at, int length) {
        if (inTable(bar, offset, length)) {
            table.write((int) offset - spec.tableOffset(), from, at, length);
        }
    }

    /** Takes all entries to their reset state: masked. */
    public void reset() {
        table.reset();
    }

    private boolean inTable(int bar, long offset, int length) {
        return bar == spec.tableBar()
                && offset >= spec.tableOffset()
                && offset + length <= spec.tableOffset() + spec.tableSize();
    }

    private boolean inPba(int bar, long offset, int length) {
        return bar == spec.pbaBar()
                && offset >= spec.pbaOffset()
                && offset + length <= spec.pbaOffset() + spec.pbaSize();
    }
}
