package org.ringside.verbs;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A provider's objects that only remember what was called, for the rules that verbs-api keeps by
 * itself.
 */
final class FakeContext extends Context {
    final List<String> calls = new ArrayList<>();
    boolean refuseQp;
    private int numbers;

    FakeContext(String name) {
        super(name);
    }

    @Override
    public DeviceAttributes attributes() {
        return new DeviceAttributes(
                "1", 1, 2, 3, 8, 64, 4, 8, 256, 8, 1L << 20, 8, 1L << 20, 64, 4, 4, 1, 1);
    }

    @Override
    public boolean isLost() {
        return false;
    }

    @Override
    public @Nullable AsyncEvent pollEvent() {
        return null;
    }

    @Override
    public @Nullable AsyncEvent awaitEvent(Duration timeout) {
        return null;
    }

    @Override
    protected PortAttributes doQueryPort(int number) {
        return new PortAttributes(PortAttributes.LinkLayer.ETHERNET, true, Mtu.MTU_1024, 0, 2);
    }

    @Override
    protected Gid doQueryGid(int port, int index) {
        return new Gid(1, index);
    }

    @Override
    protected DeviceBuffer doAllocate(long size) {
        MemorySegment memory = java.lang.foreign.Arena.ofAuto().allocate(size);
        return new DeviceBuffer(this, size) {
            @Override
            public MemorySegment memory() {
                return memory;
            }

            @Override
            protected void doClose() {
                calls.add("close buffer");
            }
        };
    }

    @Override
    protected ProtectionDomain doCreatePd() {
        int number = ++numbers;
        return new ProtectionDomain(this, number) {
            @Override
            protected void doClose() {
                calls.add("close pd " + number);
            }
        };
    }

    @Override
    protected CompletionChannel doCreateCompletionChannel(int vector) {
        return new CompletionChannel(this, vector) {
            @Override
            public @Nullable CompletionQueue await(Duration timeout) {
                return null;
            }

            @Override
            protected void doClose() {
                calls.add("close channel");
            }
        };
    }

    @Override
    protected CompletionQueue doCreateCq(int entries, @Nullable CompletionChannel channel) {
        return new FakeCq(this, ++numbers, entries);
    }

    @Override
    protected MemoryRegion doRegister(
            ProtectionDomain pd, MemorySegment memory, long address, Set<Access> access) {
        int key = ++numbers << 8;
        return new MemoryRegion(pd, memory, key, key) {
            @Override
            protected void doClose() {
                calls.add("close mr");
            }
        };
    }

    @Override
    protected QueuePair doCreateQp(ProtectionDomain pd, QpOptions options) throws VerbsException {
        if (refuseQp) {
            throw new VerbsException(VerbsException.ENOMEM, "no more QPs");
        }
        return new FakeQp(pd, options, ++numbers);
    }

    @Override
    protected void doClose() {
        calls.add("close device");
    }
}
