package org.ringside.verbs.cm;

import org.ringside.verbs.AddressHandle;

/**
 * Where datagrams for a service go.
 *
 * @param handle the way there; the caller closes it
 * @param qpNumber number of the QP there
 * @param qkey its Q_Key
 * @param privateData as {@link CmConnection#privateData()}
 */
@SuppressWarnings("ArrayRecordComponent") // What came, handed over; nobody compares such records.
public record CmDatagramPeer(AddressHandle handle, int qpNumber, int qkey, byte[] privateData) {}
