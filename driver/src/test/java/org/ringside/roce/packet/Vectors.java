package org.ringside.roce.packet;

import java.lang.foreign.Arena;
import java.util.HexFormat;

/**
 * IP packets that others made: Linux's rdma_rxe 6.12 on the wire between two machines, a ConnectX-4
 * Lx, and the unit tests of scapy.
 */
enum Vectors {
    SCAPY_UC_SEND_ONLY(
            "45010040 04784000 4011b4d5 c0a80007 c0a80007 c00012b7 002caca2"
                    + "2460ffff 000000d3 00cf1710 4630818b e28935d9 0e9a9550 5401be88 5e500000"
                    + "78f353f3"),
    SCAPY_UC_SEND_ONLY_V6(
            "6e21face 002c11ff 20220000000000000000000000001023 20230000000000000000000000001024"
                    + "c00012b7 002ce7c5 2460ffff 000000d3 00cf1710"
                    + "4630818b e28935d9 0e9a9550 5401be88 5e500000 3e5b743b"),
    CONNECTX_CNP(
            "45c2003c 718c4000 40119161 0a0011010a001201 000012b7 00280000"
                    + "8100ffff 40000118 00000000 00000000000000000000000000000000 82fd002a"),
    RXE_ACK(
            "45000030 be194000 401168a1 0a0000010a000002 cc0712b7 001c0000"
                    + "1100ffff 00000011 0010c03c 1f000001 49f641a8"),
    RXE_RNR_NAK(
            "45000030 58314000 4011ce89 0a0000010a000002 c16912b7 001c0000"
                    + "1100ffff 00000013 00111111 2c000000 2b19ea33"),
    RXE_NAK_ACCESS(
            "45000030 52624000 4011d458 0a0000010a000002 c12112b7 001c0000"
                    + "1100ffff 00000011 00111112 62000001 76a27f82"),
    RXE_WRITE_ONLY_PAD_3(
            "45000040 e77f4000 40113f2b 0a0000010a000002 c2a412b7 002c0000"
                    + "0a30ffff 0000001a 8051d06e 000055d86dbde000 000011b4 00000001 01000000"
                    + "01161b40"),
    RXE_READ_REQUEST(
            "4500003c be1a4000 40116894 0a0000010a000002 cc0712b7 00280000"
                    + "0c00ffff 00000011 80702359 000055959c24a0d0 00000568 00000064 6404aad5"),
    RXE_FETCH_ADD(
            "45000048 79cc4000 4011acd6 0a0000020a000001 c21112b7 00340000"
                    + "1400ffff 00000017 806a9454 000055ceb822b000 00000c7d 0000000000000001"
                    + "0000000000000000 cd33816f"),
    RXE_ATOMIC_ACK(
            "45000038 dd214000 40114991 0a0000010a000002 c21112b7 00240000"
                    + "1200ffff 00000017 006a9454 1f000001 d709c6d01f000cd6 35b538b4");

    private static final String MACS = "5254000000025254000000010800";
    private static final String MACS_V6 = "52540000000252540000000186dd";

    private final String frame;

    Vectors(String packet) {
        String hex = packet.replace(" ", "");
        frame = (hex.charAt(0) == '6' ? MACS_V6 : MACS) + hex;
    }

    /** The whole Ethernet frame. */
    byte[] bytes() {
        return HexFormat.of().parseHex(frame);
    }

    Frame frame() {
        return frameOf(bytes());
    }

    static Frame frameOf(byte[] bytes) {
        Frame frame = new Frame(Arena.ofAuto().allocate(Frame.CAPACITY, 8));
        frame.copyOf(bytes);
        return frame;
    }
}
