/**
 * The provider of devices that are driven over VFIO: which there are, and which driver is for each.
 */
@NullMarked
package org.ringside.provider;

import org.jspecify.annotations.NullMarked;
