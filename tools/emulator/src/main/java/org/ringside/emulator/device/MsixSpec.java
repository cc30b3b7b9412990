package org.ringside.emulator.device;

/**
 * Where the MSI-X structures of a function lie (PCI Local Bus 3.0, 6.8.2). The server answers
 * accesses to them itself; the model never sees one.
 *
 * @param vectors 1 to 2048
 * @param tableBar BAR of the table
 * @param tableOffset of 16 bytes per vector; 8-byte aligned
 * @param pbaBar BAR of the pending bit array
 * @param pbaOffset of 8 bytes per 64 vectors; 8-byte aligned
 */
public record MsixSpec(int vectors, int tableBar, int tableOffset, int pbaBar, int pbaOffset) {
    public MsixSpec {
        if (vectors < 1 || vectors > 2048) {
            throw new IllegalArgumentException("a function has 1 to 2048 vectors, not " + vectors);
        }
        if (((tableOffset | pbaOffset) & 7) != 0 || tableOffset < 0 || pbaOffset < 0) {
            throw new IllegalArgumentException(
                    "table 0x%x and PBA 0x%x must be 8-byte aligned"
                            .formatted(tableOffset, pbaOffset));
        }
    }

    /** Bytes of the table. */
    public int tableSize() {
        return vectors * 16;
    }

    /** Bytes of the pending bit array. */
    public int pbaSize() {
        return (vectors + 63) / 64 * 8;
    }
}
