package org.ringside.verbs.cm;

import org.ringside.verbs.VerbsException;

/**
 * For providers: what a {@link org.ringside.verbs.Context} implements whose connections another one
 * manages, as a kernel does for its devices.
 */
public interface CmProvider {
    /**
     * Makes the connection manager of a port.
     *
     * @param port port number from 1
     */
    ConnectionManager createConnectionManager(int port) throws VerbsException;
}
