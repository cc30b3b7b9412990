package org.ringside.emulator.transport;

import java.util.Arrays;

/**
 * A byte range that a device reaches through a list of physical (IO virtual) pages, as CREATE_QP,
 * CREATE_CQ and CREATE_MKEY describe one.
 *
 * <pre>
 *   pages[0]                pages[1]                pages[2]
 *   +-----------------------+-----------------------+----------------
 *   |      |<-- start, byte 0 of the range     ...  |  ... length -->|
 *   +-----------------------+-----------------------+----------------
 * </pre>
 *
 * <p>Immutable.
 */
public final class PageList {
    private final long[] pages;
    private final int pageShift;
    private final long start;
    private final long length;
    private final boolean contiguous;

    /**
     * @param pages IO virtual addresses, each aligned to its size
     * @param pageShift log2 of the page size in bytes: 12 for 4 KiB
     * @param start offset of the range in the first page
     * @param length of the range in bytes
     * @throws IllegalArgumentException when the pages do not hold the range, or are not aligned
     */
    public PageList(long[] pages, int pageShift, long start, long length) {
        if (pageShift < 6 || pageShift > 62) {
            throw new IllegalArgumentException("no page has 2^" + pageShift + " bytes");
        }
        long pageSize = 1L << pageShift;
        if (start < 0 || start >= pageSize) {
            throw new IllegalArgumentException(
                    "offset 0x%x is not inside of a page of 0x%x bytes".formatted(start, pageSize));
        }
        if (length < 0 || pagesFor(start, length, pageShift) > pages.length) {
            throw new IllegalArgumentException(
                    "%d pages of 0x%x bytes do not hold 0x%x bytes at offset 0x%x"
                            .formatted(pages.length, pageSize, length, start));
        }
        boolean inOnePiece = true;
        for (int i = 0; i < pages.length; i++) {
            if ((pages[i] & (pageSize - 1)) != 0) {
                throw new IllegalArgumentException(
                        "page %d at IOVA 0x%x is not aligned to 0x%x bytes"
                                .formatted(i, pages[i], pageSize));
            }
            inOnePiece &= i == 0 || pages[i] == pages[i - 1] + pageSize;
        }
        this.pages = pages.clone();
        this.pageShift = pageShift;
        this.start = start;
        this.length = length;
        this.contiguous = inOnePiece;
    }

    /** Pages needed for a range; at least 0. */
    public static long pagesFor(long start, long length, int pageShift) {
        if (length == 0) {
            return 0;
        }
        long pageSize = 1L << pageShift;
        // Written so that no sum overflows for a range of almost 2^63 bytes.
        long whole = length >>> pageShift;
        long rest = (length & (pageSize - 1)) + start;
        return whole + (rest >>> pageShift) + ((rest & (pageSize - 1)) == 0 ? 0 : 1);
    }

    /** Bytes of the range. */
    public long length() {
        return length;
    }

    /** Whether the range is one range of IO virtual addresses too. */
    public boolean isContiguous() {
        return contiguous;
    }

    /** IO virtual address of a byte of the range. */
    public long iova(long offset) {
        long at = start + offset;
        return pages[(int) (at >>> pageShift)] + (at & ((1L << pageShift) - 1));
    }

    /** How many bytes from {@code offset} on have consecutive IO virtual addresses; at least 1. */
    public long run(long offset) {
        if (contiguous) {
            return length - offset;
        }
        long toPageEnd = (1L << pageShift) - ((start + offset) & ((1L << pageShift) - 1));
        return Math.min(toPageEnd, length - offset);
    }

    @Override
    public String toString() {
        String list = pages.length <= 4 ? hex(pages) : hex(Arrays.copyOf(pages, 4)) + " ...";
        return "0x%x bytes at 0x%x of %d pages of 0x%x: %s"
                .formatted(length, start, pages.length, 1L << pageShift, list);
    }

    private static String hex(long[] values) {
        StringBuilder text = new StringBuilder();
        for (long value : values) {
            text.append(text.isEmpty() ? "0x" : " 0x").append(Long.toHexString(value));
        }
        return text.toString();
    }
}
