/** The conformance kit that every provider has to pass. */
@NullMarked
package org.ringside.conformance;

import org.jspecify.annotations.NullMarked;
