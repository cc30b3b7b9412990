/** JMH benchmarks. */
@NullMarked
package org.ringside.benchmarks;

import org.jspecify.annotations.NullMarked;
