package org.ringside.mlx5;

import static org.ringside.mlx5.layout.WqeLayout.CTRL_SIZE;
import static org.ringside.mlx5.layout.WqeLayout.DATA_SIZE;
import static org.ringside.mlx5.layout.WqeLayout.RADDR_SIZE;

import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.verbs.DeviceAttributes;
import org.ringside.verbs.VerbsException;
import org.ringside.vfio.VfioException;

/** Device attributes from capabilities, as Linux's mlx5_ib_query_device derives them. */
final class DeviceLimits {
    /** A send WQE has no more, whatever the capability says: larger ones are slow. */
    private static final int MAX_SEND_WQE = 512;

    private DeviceLimits() {}

    static DeviceAttributes attributes(Mlx5Device device) throws VerbsException {
        Capabilities caps = device.caps;
        int sendWqe = (int) Math.min(caps.general(CmdHcaCap.MAX_WQE_SZ_SQ), MAX_SEND_WQE);
        int inWqe = sendWqe - CTRL_SIZE - RADDR_SIZE;
        int recvSges = (int) caps.general(CmdHcaCap.MAX_WQE_SZ_RQ) / DATA_SIZE;
        int ids;
        try {
            ids = device.vfio.config().vendorAndDevice();
        } catch (VfioException e) {
            throw Failures.of(device.name, "reading its PCI ids", e);
        }
        return new DeviceAttributes(
                device.registers.firmwareVersion(),
                ids >>> 16,
                ids & 0xffff,
                device.port.nodeGuid(),
                caps.powerOfTwo(CmdHcaCap.LOG_MAX_QP),
                Math.min(caps.powerOfTwo(CmdHcaCap.LOG_MAX_QP_SZ), 1 << QpShape.MAX_LOG),
                Math.max(1, Math.min(inWqe / DATA_SIZE, recvSges)),
                caps.powerOfTwo(CmdHcaCap.LOG_MAX_CQ),
                caps.powerOfTwo(CmdHcaCap.LOG_MAX_CQ_SZ) - 1,
                caps.powerOfTwo(CmdHcaCap.LOG_MAX_MKEY),
                Long.MAX_VALUE,
                caps.powerOfTwo(CmdHcaCap.LOG_MAX_PD),
                1L << caps.general(CmdHcaCap.LOG_MAX_MSG),
                Math.max(0, inWqe - Integer.BYTES),
                caps.powerOfTwo(CmdHcaCap.LOG_MAX_RA_REQ_QP),
                caps.powerOfTwo(CmdHcaCap.LOG_MAX_RA_RES_QP),
                device.completionVectors(),
                1);
    }
}
