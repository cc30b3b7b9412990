/**
 * Holds what two drivers say to one model of a device against each other: by purpose, field by
 * field, with a table of arguments for what differs.
 *
 * <pre>
 *   recording --&gt; Life --&gt; Subject --&gt; Steps --+
 *                                              +--&gt; Comparison --&gt; Report
 *   recording --&gt; Life --&gt; Subject --&gt; Steps --+        ^
 *                                          Arguments ---+
 * </pre>
 */
@NullMarked
package org.ringside.cli.compare;

import org.jspecify.annotations.NullMarked;
