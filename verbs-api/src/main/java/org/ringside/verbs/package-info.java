/** The RDMA verbs that applications call. */
@NullMarked
package org.ringside.verbs;

import org.jspecify.annotations.NullMarked;
