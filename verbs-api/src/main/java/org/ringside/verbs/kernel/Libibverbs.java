package org.ringside.verbs.kernel;

import com.sun.jna.Library;

/**
 * The functions that libibverbs exports, by their names in C; see their manual pages. Objects and
 * structures ({@link Abi}) are passed by address. Those that return a pointer return 0 and set
 * errno when they fail, most others return the error number.
 */
@SuppressWarnings("MethodName") // they are the library's
interface Libibverbs extends Library {
    String FILE = "libibverbs.so.1";

    long ibv_get_device_list(long numDevices);

    void ibv_free_device_list(long list);

    long ibv_open_device(long device);

    int ibv_close_device(long context);

    int ibv_query_device(long context, long attributes);

    int ibv_query_port(long context, byte port, long attributes);

    int ibv_query_gid(long context, byte port, int index, long gid);

    long ibv_alloc_pd(long context);

    int ibv_dealloc_pd(long pd);

    long ibv_reg_mr(long pd, long address, long length, int access);

    int ibv_dereg_mr(long mr);

    long ibv_create_comp_channel(long context);

    int ibv_destroy_comp_channel(long channel);

    int ibv_get_cq_event(long channel, long cq, long cqContext);

    void ibv_ack_cq_events(long cq, int events);

    long ibv_create_cq(long context, int entries, long cqContext, long channel, int vector);

    int ibv_destroy_cq(long cq);

    long ibv_create_qp(long pd, long attributes);

    long ibv_qp_to_qp_ex(long qp);

    int ibv_modify_qp(long qp, long attributes, int mask);

    int ibv_query_qp(long qp, long attributes, int mask, long initAttributes);

    int ibv_destroy_qp(long qp);

    int ibv_get_async_event(long context, long event);

    void ibv_ack_async_event(long event);

    String ibv_event_type_str(int type);
}
