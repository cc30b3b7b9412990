/** PCI functions as sysfs shows them, and which driver has them. */
@NullMarked
package org.ringside.vfio.pci;

import org.jspecify.annotations.NullMarked;
