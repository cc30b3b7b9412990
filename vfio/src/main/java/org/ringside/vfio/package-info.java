/** PCI devices in user space: regions, interrupts and DMA memory. */
@NullMarked
package org.ringside.vfio;

import org.jspecify.annotations.NullMarked;
