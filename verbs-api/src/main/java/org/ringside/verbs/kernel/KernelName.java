package org.ringside.verbs.kernel;

import org.ringside.verbs.VerbsException;

/**
 * The name of a device as the application gives it: {@code kernel/rxe0} or {@code
 * kernel/rxe0?api=extended}.
 *
 * @param device as the kernel calls it, such as {@code rxe0}
 * @param api which of libibverbs' functions the data path uses
 */
record KernelName(String device, Api api) {
    static final String PREFIX = "kernel/";

    private static final String OPTION = "api=";

    /** Ways to post and poll that libibverbs has. */
    enum Api {
        /** post_send and poll_cq, which each device has: one call for a batch. */
        PLAIN,
        /** struct ibv_qp_ex and ibv_cq_ex where the device has them, a call for each step. */
        EXTENDED
    }

    static KernelName parse(String name) throws VerbsException {
        int question = name.indexOf('?');
        String device = name.substring(PREFIX.length(), question < 0 ? name.length() : question);
        if (device.isEmpty()) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    name + ": no device; name one, as in kernel/rxe0 (\"rdma link\" lists them)");
        }
        return new KernelName(
                device, question < 0 ? Api.PLAIN : api(name, name.substring(question + 1)));
    }

    private static Api api(String name, String option) throws VerbsException {
        return switch (option) {
            case OPTION + "plain" -> Api.PLAIN;
            case OPTION + "extended" -> Api.EXTENDED;
            default ->
                    throw new VerbsException(
                            VerbsException.EINVAL,
                            "%s: unknown option \"%s\"; there is api=plain and api=extended"
                                    .formatted(name, option));
        };
    }
}
