/**
 * PCI configuration space of an emulated function.
 *
 * <pre>
 *   0x000  header, type 0                     {@link org.ringside.emulator.pci.HeaderType0}
 *   0x040  power management                   {@link org.ringside.emulator.pci.PowerManagement}
 *   0x060  PCI Express                        {@link org.ringside.emulator.pci.PciExpress}
 *   0x09c  MSI-X                              {@link org.ringside.emulator.pci.MsixCapability}
 *   0x100  extended space, empty
 * </pre>
 *
 * <p>Source: PCI Local Bus Specification 3.0 chapter 6, PCI Express Base Specification chapter 7,
 * PCI Bus Power Management Interface Specification 1.2 chapter 3.
 */
@NullMarked
package org.ringside.emulator.pci;

import org.jspecify.annotations.NullMarked;
