/** The bit layouts of ConnectX structures. */
@NullMarked
package org.ringside.mlx5.layout;

import org.jspecify.annotations.NullMarked;
