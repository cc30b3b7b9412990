/** The system calls of Linux that device access needs. */
@NullMarked
package org.ringside.linux;

import org.jspecify.annotations.NullMarked;
