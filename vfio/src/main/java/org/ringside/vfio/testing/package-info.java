/** Stand-ins for devices, for tests of code that drives them. */
@NullMarked
package org.ringside.vfio.testing;

import org.jspecify.annotations.NullMarked;
