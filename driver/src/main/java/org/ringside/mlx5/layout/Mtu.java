package org.ringside.mlx5.layout;

/**
 * Path MTU codes: {@link Qpc#MTU}.
 *
 * <p>Source: Linux mlx5_ifc.h {@code MLX5_QPC_MTU_}; IBTA volume 1, 9.2.
 */
public final class Mtu {
    public static final int MTU_256 = 1;
    public static final int MTU_512 = 2;
    public static final int MTU_1024 = 3;
    public static final int MTU_2048 = 4;
    public static final int MTU_4096 = 5;
    public static final int RAW_ETHERNET = 7;

    private static final Names NAMES = Names.of(Mtu.class);

    private Mtu() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int code) {
        return NAMES.name(code);
    }

    /** Payload bytes per packet of codes 1 to 5. */
    public static int bytes(int code) {
        if (code < MTU_256 || code > MTU_4096) {
            throw new IllegalArgumentException("no MTU code: " + code);
        }
        return 128 << code;
    }
}
