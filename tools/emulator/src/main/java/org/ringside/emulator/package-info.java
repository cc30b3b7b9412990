/** A ConnectX model that serves vfio-user clients. */
@NullMarked
package org.ringside.emulator;

import org.jspecify.annotations.NullMarked;
