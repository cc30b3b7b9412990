/**
 * Keys of a device in software: memory regions and windows over memory of this process, for a
 * {@link org.ringside.roce.Transport} with no hardware behind it.
 */
@NullMarked
package org.ringside.roce.memory;

import org.jspecify.annotations.NullMarked;
