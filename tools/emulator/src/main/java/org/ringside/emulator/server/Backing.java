package org.ringside.emulator.server;

/**
 * A file behind DMA ranges, shared by all ranges of the same file: clients map one memfd in a
 * thousand pieces.
 */
abstract class Backing {
    private final Key key;
    private int references = 1;

    Backing(Key key) {
        this.key = key;
    }

    /**
     * What makes two descriptors interchangeable.
     *
     * @param device number of the device
     * @param inode number of the file
     * @param accessMode O_RDONLY or O_RDWR
     * @param mapped whether it is reached by mmap
     */
    record Key(long device, long inode, int accessMode, boolean mapped) {}

    final Key key() {
        return key;
    }

    final Backing retain() {
        references++;
        return this;
    }

    /** Gives one reference back; true when it was the last, and the file is closed. */
    final boolean release() {
        if (--references > 0) {
            return false;
        }
        close();
        return true;
    }

    /** Bytes of the file that can be reached. */
    abstract long size();

    abstract void close();
}
