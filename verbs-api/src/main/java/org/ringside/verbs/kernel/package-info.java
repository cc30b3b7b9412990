/**
 * The provider for devices of the Linux kernel, {@code kernel/rxe0}: verbs on rdma-core's
 * libibverbs.
 *
 * <pre>
 *   set-up, rare      KernelContext, KernelQp.do...   JNA   libibverbs (exported functions)
 *   data path         KernelQp, PlainCq, ExtendedCq   FFM   function pointers of ibv_context.ops,
 *                                                           ibv_qp_ex and ibv_cq_ex
 * </pre>
 *
 * <p>What is inline in infiniband/verbs.h has no symbol; it is a call through a pointer in an
 * object of the library, and so it is here. All offsets are in {@link
 * org.ringside.verbs.kernel.Abi}.
 *
 * <p>A work request carries a {@link org.ringside.verbs.kernel.Tag} of ours to the device and back;
 * the application's number waits in the queue that it was posted to.
 */
@NullMarked
package org.ringside.verbs.kernel;

import org.jspecify.annotations.NullMarked;
