/** The {@code ringside} command. */
@NullMarked
package org.ringside.cli;

import org.jspecify.annotations.NullMarked;
