package org.ringside.mlx5.layout;

/**
 * One named part of a {@link Layout}. Bits are counted as the manual's tables print them, from the
 * most significant bit of the first dword: bit 0 is 0x00:31, bit 31 is 0x00:0, bit 32 is 0x04:31.
 */
public sealed interface Member permits Field, ArrayField, StructField {
    /** The manual's name, in lower case. */
    String name();

    /** Bits from the start of the structure. */
    long bitOffset();

    /** Bits that it takes there; 0 for an open list, which lies behind the fixed part. */
    long bitWidth();
}
