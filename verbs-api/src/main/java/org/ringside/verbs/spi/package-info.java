/** What a provider of verbs implements. */
@NullMarked
package org.ringside.verbs.spi;

import org.jspecify.annotations.NullMarked;
