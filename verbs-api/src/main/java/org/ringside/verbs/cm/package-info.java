/**
 * Connection management: a QP finds its peer by an IP address and a port, as sockets do, and the
 * two agree on what their connection needs (IBTA vol. 1, chapter 12; Annex A11 for IP addresses in
 * it). It speaks what rdma_cm speaks, so the other end may be any program on librdmacm.
 *
 * <pre>
 *   client                                     server
 *   connect ---- REQ: QP, PSN, data --------&gt;  CmListener.await, CmRequest.accept
 *           &lt;--- REP: QP, PSN, data ----------
 *           ---- RTU -----------------------&gt;  both have a CmConnection
 *   disconnect - DREQ ---------------------&gt;
 *           &lt;--- DREP ------------------------
 *
 *   resolve ---- SIDR_REQ ------------------&gt;  CmRequest.acceptDatagrams
 *           &lt;--- SIDR_REP: QP, Q_Key ---------
 * </pre>
 */
@NullMarked
package org.ringside.verbs.cm;

import org.jspecify.annotations.NullMarked;
