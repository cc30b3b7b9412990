/** The driver for ConnectX devices. */
@NullMarked
package org.ringside.mlx5;

import org.jspecify.annotations.NullMarked;
