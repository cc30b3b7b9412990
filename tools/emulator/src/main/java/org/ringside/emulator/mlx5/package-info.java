/**
 * Firmware and registers of the emulated ConnectX: initialization segment, command queue, pages,
 * objects, event queues, doorbells, health. What QPs do with their WQEs is elsewhere.
 *
 * <pre>
 *   BAR0  0x000000  initialization segment        traps     ConnectX -> InitSegment
 *         0x010000  UAR 16: EQ doorbells          traps     ConnectX -> Doorbells
 *         0x011000  UAR 17 ... last               memory    Doorbells polls, or trap
 *   BAR2  0x000000  MSI-X table, then PBA         the server's
 *
 *   doorbell vector -> CommandQueue -> CommandTable -> *Commands -> ObjectTable, EventQueue ...
 *                          |  parked until pages come
 *                          +-> output, mailboxes, signatures, ownership bit, CMD EQE
 * </pre>
 *
 * <p>The model is an examiner: what real firmware refuses is refused with a status and a syndrome
 * (see {@link org.ringside.emulator.mlx5.Reason}), what real hardware would suffer in silence is
 * ignored or answered as hardware would, and both leave a {@link
 * org.ringside.emulator.mlx5.Finding}.
 *
 * <p>All state since the last reset hangs on one object, so a reset is a new object. Everything
 * runs on the agent's thread.
 */
@NullMarked
package org.ringside.emulator.mlx5;

import org.jspecify.annotations.NullMarked;
