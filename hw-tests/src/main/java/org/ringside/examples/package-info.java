/**
 * Programs as an application would write them, on the verbs alone. Each is one file that runs by
 * itself, on any device: {@code java -cp "tools/cli/target/lib/*" Echo.java DEVICE ...}.
 */
@NullMarked
package org.ringside.examples;

import org.jspecify.annotations.NullMarked;
