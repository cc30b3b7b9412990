package org.ringside.emulator.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DmaFault;

/**
 * Copies between two {@link SgList}s: straight from memory to memory where both sides are mapped
 * here, else in pieces through a buffer.
 */
final class Mover {
    /** Everything was copied. */
    static final int OK = 0;

    /** The side that is read cannot be reached. */
    static final int SOURCE_FAULT = 1;

    /** The side that is written cannot be reached. */
    static final int TARGET_FAULT = 2;

    private static final int BOUNCE_BYTES = 64 << 10;

    private final MemorySegment bounce = Arena.ofAuto().allocate(BOUNCE_BYTES, 64);
    private @Nullable DmaFault fault;

    /** Why the last copy did not end {@link #OK}. */
    String why() {
        return fault == null ? "no fault" : fault.getMessage();
    }

    /**
     * Copies {@code bytes} bytes from {@code skip} on, in both lists, which have as many.
     *
     * @return {@link #OK} or which side failed
     */
    int copy(SgList from, SgList to, long skip, long bytes) {
        try {
            move(from, to, skip, bytes);
            return OK;
        } catch (DmaFault e) {
            fault = e;
            return e.isWrite() ? TARGET_FAULT : SOURCE_FAULT;
        }
    }

    private void move(SgList from, SgList to, long skip, long bytes) {
        int source = piece(from, skip);
        int target = piece(to, skip);
        long sourceDone = skip - before(from, source);
        long targetDone = skip - before(to, target);
        long left = bytes;
        while (left > 0) {
            if (sourceDone == from.length(source)) {
                source++;
                sourceDone = 0;
                continue;
            }
            if (targetDone == to.length(target)) {
                target++;
                targetDone = 0;
                continue;
            }
            long chunk =
                    Math.min(
                            left,
                            Math.min(
                                    from.length(source) - sourceDone,
                                    to.length(target) - targetDone));
            long moved =
                    move(
                            from.key(source),
                            from.inline(),
                            from.address(source) + sourceDone,
                            to.key(target),
                            to.inline(),
                            to.address(target) + targetDone,
                            chunk);
            sourceDone += moved;
            targetDone += moved;
            left -= moved;
        }
    }

    /** Piece that holds a byte of the list; the last one for the byte after the end. */
    private static int piece(SgList list, long offset) {
        int piece = 0;
        long at = offset;
        while (piece < list.size() - 1 && at >= list.length(piece)) {
            at -= list.length(piece++);
        }
        return piece;
    }

    private static long before(SgList list, int piece) {
        long bytes = 0;
        for (int i = 0; i < piece; i++) {
            bytes += list.length(i);
        }
        return bytes;
    }

    /** Moves what is in one piece on both sides; returns how much. */
    private long move(
            @Nullable MkeyState fromKey,
            MemorySegment fromInline,
            long from,
            @Nullable MkeyState toKey,
            MemorySegment toInline,
            long to,
            long bytes) {
        long chunk = bytes;
        MemorySegment source = fromInline;
        long sourceAt = from;
        if (fromKey != null) {
            chunk = Math.min(chunk, fromKey.run(from));
        }
        if (toKey != null) {
            chunk = Math.min(chunk, toKey.run(to));
        }
        if (fromKey != null) {
            long iova = fromKey.iova(from);
            source = fromKey.window().open(iova, chunk, false);
            sourceAt = fromKey.window().offset(iova);
        }
        MemorySegment target = toInline;
        long targetAt = to;
        if (toKey != null) {
            long iova = toKey.iova(to);
            target = toKey.window().open(iova, chunk, true);
            targetAt = toKey.window().offset(iova);
        }
        if (source != null && target != null) {
            MemorySegment.copy(source, sourceAt, target, targetAt, chunk);
            return chunk;
        }
        chunk = Math.min(chunk, BOUNCE_BYTES);
        if (fromKey == null) {
            MemorySegment.copy(fromInline, from, bounce, 0, chunk);
        } else {
            fromKey.window().memory().read(fromKey.iova(from), bounce, 0, chunk);
        }
        if (toKey == null) {
            MemorySegment.copy(bounce, 0, toInline, to, chunk);
        } else {
            toKey.window().memory().write(toKey.iova(to), bounce, 0, chunk);
        }
        return chunk;
    }
}
