package org.ringside.vfio.backend;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.ringside.vfio.VfioException;

/** A region in an array; fails on demand. */
final class FakeAccess implements RegionAccess {
    final ByteBuffer bytes;
    int reads;
    int writes;
    int readOnlyBits;
    @Nullable VfioException failure;

    FakeAccess(int size) {
        bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public long read(long offset, int width) throws VfioException {
        reads++;
        fail();
        long value = 0;
        for (int i = 0; i < width; i++) {
            value |= (bytes.get((int) offset + i) & 0xffL) << 8 * i;
        }
        return value;
    }

    @Override
    public void write(long offset, int width, long value) throws VfioException {
        writes++;
        fail();
        for (int i = 0; i < width; i++) {
            bytes.put((int) offset + i, (byte) ((value & ~readOnlyBits) >>> 8 * i));
        }
    }

    private void fail() throws VfioException {
        if (failure != null) {
            throw failure;
        }
    }
}
