/**
 * The Intel 82574L and its relatives that Linux's e1000e drives: registers in BAR 0 and two rings
 * of 16-byte descriptors in memory.
 *
 * <pre>
 *   receive ring   +------+------+------+      transmit ring   +------+------+------+
 *                  | free | DD   | free |                      | DD   | busy |      |
 *                  +------+------+------+                      +------+------+------+
 *                           ^ next   ^ RDT                       ^ oldest       ^ TDT
 * </pre>
 *
 * <p>Sources: Intel 82574 GbE Controller Family datasheet, revision 3.4; Linux
 * drivers/net/ethernet/intel/e1000e.
 */
@NullMarked
package org.ringside.ethernet.e1000e;

import org.jspecify.annotations.NullMarked;
