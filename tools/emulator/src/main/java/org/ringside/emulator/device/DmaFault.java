package org.ringside.emulator.device;

/**
 * A DMA that the IOMMU would refuse. Has no stack trace: which command or WQE named the address is
 * what matters, and the model knows that.
 */
public final class DmaFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason {
        /** Some of the range is not mapped. */
        NOT_MAPPED("is not mapped"),
        /** The mapping does not allow the device to read. */
        NOT_READABLE("is not readable by the device"),
        /** The mapping does not allow the device to write. */
        NOT_WRITABLE("is not writable by the device"),
        /** Bus Master Enable is off, or the function sleeps in D3. */
        NOT_BUS_MASTER("came while bus master was off"),
        /** An address that is not aligned to the width of the access. */
        MISALIGNED("is not naturally aligned"),
        /** The file behind the mapping, or the client, failed the access. */
        FAILED("failed in the client"),
        /** The client has gone. */
        CLIENT_GONE("found no client");

        private final String text;

        Reason(String text) {
            this.text = text;
        }
    }

    private final Reason reason;
    private final long iova;
    private final long length;
    private final boolean write;

    public DmaFault(Reason reason, long iova, long length, boolean write) {
        super(null, null, false, false);
        this.reason = reason;
        this.iova = iova;
        this.length = length;
        this.write = write;
    }

    /** Why. */
    public Reason reason() {
        return reason;
    }

    /** First byte of the access that failed. */
    public long iova() {
        return iova;
    }

    /** Bytes of the access that failed. */
    public long length() {
        return length;
    }

    /** Whether the device wanted to write. */
    public boolean isWrite() {
        return write;
    }

    @Override
    public String getMessage() {
        return "DMA %s of %d bytes at IOVA 0x%x %s"
                .formatted(write ? "write" : "read", length, iova, reason.text);
    }
}
