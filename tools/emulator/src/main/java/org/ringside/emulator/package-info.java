/**
 * Emulated ConnectX devices, for applications and tests: {@link org.ringside.emulator.Emulator}
 * serves one on a socket, {@link org.ringside.emulator.EmulatedProvider} opens one in this process
 * by a name such as {@code emulated}.
 *
 * <pre>
 *   Verbs.open("emulated/a?doorbells=trapped")
 *        |
 *        v
 *   EmulatedProvider --> Emulator: ConnectX on an agent, vfio-user server, private socket
 *        |                               ^
 *        +--> the VFIO driver --socket---+
 * </pre>
 */
@NullMarked
package org.ringside.emulator;

import org.jspecify.annotations.NullMarked;
