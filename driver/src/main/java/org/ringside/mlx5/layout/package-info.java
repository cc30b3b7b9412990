/**
 * The bit layouts of ConnectX structures, once for all: the driver fills them in, the emulator
 * takes them apart, logs print them.
 *
 * <pre>
 *   CreateQpIn.LAYOUT                     place = dword offset : bits, most significant first
 *   0x00 | opcode      31-16 | uid  15-0 |
 *   0x04 |                   | op_mod    |     CreateQpIn.OPCODE.set(memory, base, Opcode.CREATE_QP);
 *    ... |                               |
 *   0x18 | qpc: Qpc.LAYOUT               |     long qpc = base + CreateQpIn.QPC.offset();
 *   0x1c |         pd             23-0   |     Qpc.PD.set(memory, qpc, pd);
 *    ... |                               |
 *  0x110 | pas[]: open list              |     CreateQpIn.PAS.set(memory, base, i, iova);
 * </pre>
 *
 * <p>A class is one structure of the manual under the manual's name: {@code
 * mlx5_ifc_create_qp_in_bits} of Linux is {@link org.ringside.mlx5.layout.CreateQpIn}. Exceptions:
 * {@code cmd_if_box} is {@link org.ringside.mlx5.layout.CmdMailbox}, {@code cmd_in} and {@code
 * cmd_out} are {@link org.ringside.mlx5.layout.CommandIn} and {@link
 * org.ringside.mlx5.layout.CommandOut}, {@code register_host_endianness} is {@link
 * org.ringside.mlx5.layout.HostEndianness}. {@link org.ringside.mlx5.layout.CommandLayouts} finds
 * the tables of an opcode.
 *
 * <p>Posting and polling use the byte offsets of {@link org.ringside.mlx5.layout.WqeLayout}, {@link
 * org.ringside.mlx5.layout.Cqe64}, {@link org.ringside.mlx5.layout.Eqe}, {@link
 * org.ringside.mlx5.layout.DoorbellRecord} and {@link org.ringside.mlx5.layout.Uar} instead of
 * fields. Codes (opcodes, statuses, states) are int constants with a {@code name(int)} for logs.
 */
@NullMarked
package org.ringside.mlx5.layout;

import org.jspecify.annotations.NullMarked;
