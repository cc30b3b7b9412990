/**
 * What a device and its driver told each other, in a file: one event a line, a JSON object each,
 * decoded by the layout tables. {@link org.ringside.emulator.record.Recording} writes, {@link
 * org.ringside.emulator.record.RecordedEvent} reads.
 *
 * <pre>
 *   {"t":0.104211,"fn":"a","kind":"command","name":"ALLOC_PD","slot":"0","delivery":"OK",
 *    "entry":{"type":"7",...},"in":{"opcode":"ALLOC_PD(0x800)"},"inFields":"4",
 *    "out":{"pd":"1"},"outFields":"3"}
 * </pre>
 *
 * t are seconds since the file was opened, fn the function. All values but t are strings; a field
 * that is zero has no entry; {@code inFields} tells how many there are, and {@code raw} has all
 * bytes where the tables do not cover them. Lines are in the order in which the device saw or did
 * things; a command's line is written when it is answered.
 */
@NullMarked
package org.ringside.emulator.record;

import org.jspecify.annotations.NullMarked;
