package org.ringside.verbs;

/** Path MTU, payload bytes of one packet (IBTA vol. 1, 9.4; codes as in enum ibv_mtu). */
public enum Mtu {
    MTU_256(1, 256),
    MTU_512(2, 512),
    MTU_1024(3, 1024),
    MTU_2048(4, 2048),
    MTU_4096(5, 4096);

    private final int code;
    private final int bytes;

    Mtu(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** The code that IBTA, verbs and the device use. */
    public int code() {
        return code;
    }

    public int bytes() {
        return bytes;
    }

    /** The MTU of a code 1 to 5. */
    public static Mtu ofCode(int code) {
        if (code < 1 || code > values().length) {
            throw new IllegalArgumentException("MTU code " + code + ", expected 1 to 5");
        }
        return values()[code - 1];
    }
}
