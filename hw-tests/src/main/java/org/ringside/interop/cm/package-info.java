/**
 * The other ends of the programs of librdmacm (rdmacm-utils): {@code rping}, {@code ucmatose},
 * {@code udaddy}, by the connection manager and the verbs of a device of ours.
 */
@NullMarked
package org.ringside.interop.cm;

import org.jspecify.annotations.NullMarked;
