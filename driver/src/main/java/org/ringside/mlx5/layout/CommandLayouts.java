package org.ringside.mlx5.layout;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which tables belong to which opcode, so that logs and the emulator can take a command apart
 * without knowing it.
 *
 * <p>Inputs and outputs are contiguous here, as before they are cut into inline part and mailboxes.
 */
public final class CommandLayouts {
    private record Pair(Layout in, Layout out) {}

    private static final Map<Integer, Pair> BY_OPCODE =
            Map.<Integer, Pair>ofEntries(
                    entry(Opcode.QUERY_HCA_CAP, QueryHcaCapIn.LAYOUT, QueryHcaCapOut.LAYOUT),
                    entry(Opcode.QUERY_ADAPTER, QueryAdapterIn.LAYOUT, QueryAdapterOut.LAYOUT),
                    entry(Opcode.INIT_HCA, InitHcaIn.LAYOUT, InitHcaOut.LAYOUT),
                    entry(Opcode.TEARDOWN_HCA, TeardownHcaIn.LAYOUT, TeardownHcaOut.LAYOUT),
                    entry(Opcode.ENABLE_HCA, EnableHcaIn.LAYOUT, EnableHcaOut.LAYOUT),
                    entry(Opcode.DISABLE_HCA, DisableHcaIn.LAYOUT, DisableHcaOut.LAYOUT),
                    entry(Opcode.QUERY_PAGES, QueryPagesIn.LAYOUT, QueryPagesOut.LAYOUT),
                    entry(Opcode.MANAGE_PAGES, ManagePagesIn.LAYOUT, ManagePagesOut.LAYOUT),
                    entry(Opcode.SET_HCA_CAP, SetHcaCapIn.LAYOUT, SetHcaCapOut.LAYOUT),
                    entry(Opcode.QUERY_ISSI, QueryIssiIn.LAYOUT, QueryIssiOut.LAYOUT),
                    entry(Opcode.SET_ISSI, SetIssiIn.LAYOUT, SetIssiOut.LAYOUT),
                    entry(
                            Opcode.SET_DRIVER_VERSION,
                            SetDriverVersionIn.LAYOUT,
                            SetDriverVersionOut.LAYOUT),
                    entry(Opcode.CREATE_MKEY, CreateMkeyIn.LAYOUT, CreateMkeyOut.LAYOUT),
                    entry(Opcode.QUERY_MKEY, QueryMkeyIn.LAYOUT, QueryMkeyOut.LAYOUT),
                    entry(Opcode.DESTROY_MKEY, DestroyMkeyIn.LAYOUT, DestroyMkeyOut.LAYOUT),
                    entry(
                            Opcode.QUERY_SPECIAL_CONTEXTS,
                            QuerySpecialContextsIn.LAYOUT,
                            QuerySpecialContextsOut.LAYOUT),
                    entry(Opcode.CREATE_EQ, CreateEqIn.LAYOUT, CreateEqOut.LAYOUT),
                    entry(Opcode.DESTROY_EQ, DestroyEqIn.LAYOUT, DestroyEqOut.LAYOUT),
                    entry(Opcode.QUERY_EQ, QueryEqIn.LAYOUT, QueryEqOut.LAYOUT),
                    entry(Opcode.CREATE_CQ, CreateCqIn.LAYOUT, CreateCqOut.LAYOUT),
                    entry(Opcode.DESTROY_CQ, DestroyCqIn.LAYOUT, DestroyCqOut.LAYOUT),
                    entry(Opcode.QUERY_CQ, QueryCqIn.LAYOUT, QueryCqOut.LAYOUT),
                    entry(Opcode.MODIFY_CQ, ModifyCqIn.LAYOUT, ModifyCqOut.LAYOUT),
                    entry(Opcode.CREATE_QP, CreateQpIn.LAYOUT, CreateQpOut.LAYOUT),
                    entry(Opcode.DESTROY_QP, DestroyQpIn.LAYOUT, DestroyQpOut.LAYOUT),
                    entry(Opcode.RST2INIT_QP, Rst2initQpIn.LAYOUT, Rst2initQpOut.LAYOUT),
                    entry(Opcode.INIT2RTR_QP, Init2rtrQpIn.LAYOUT, Init2rtrQpOut.LAYOUT),
                    entry(Opcode.RTR2RTS_QP, Rtr2rtsQpIn.LAYOUT, Rtr2rtsQpOut.LAYOUT),
                    entry(Opcode.RTS2RTS_QP, Rts2rtsQpIn.LAYOUT, Rts2rtsQpOut.LAYOUT),
                    entry(Opcode.SQERR2RTS_QP, Sqerr2rtsQpIn.LAYOUT, Sqerr2rtsQpOut.LAYOUT),
                    entry(Opcode.QP_2ERR, Qp2errIn.LAYOUT, Qp2errOut.LAYOUT),
                    entry(Opcode.QP_2RST, Qp2rstIn.LAYOUT, Qp2rstOut.LAYOUT),
                    entry(Opcode.QUERY_QP, QueryQpIn.LAYOUT, QueryQpOut.LAYOUT),
                    entry(Opcode.SQD_RTS_QP, Sqd2rtsQpIn.LAYOUT, Sqd2rtsQpOut.LAYOUT),
                    entry(Opcode.MAD_IFC, MadIfcIn.LAYOUT, MadIfcOut.LAYOUT),
                    entry(Opcode.INIT2INIT_QP, Init2initQpIn.LAYOUT, Init2initQpOut.LAYOUT),
                    entry(Opcode.CREATE_SRQ, CreateSrqIn.LAYOUT, CreateSrqOut.LAYOUT),
                    entry(Opcode.DESTROY_SRQ, DestroySrqIn.LAYOUT, DestroySrqOut.LAYOUT),
                    entry(Opcode.QUERY_SRQ, QuerySrqIn.LAYOUT, QuerySrqOut.LAYOUT),
                    entry(Opcode.ARM_RQ, ArmRqIn.LAYOUT, ArmRqOut.LAYOUT),
                    entry(Opcode.CREATE_UMEM, CreateUmemIn.LAYOUT, CreateUmemOut.LAYOUT),
                    entry(Opcode.DESTROY_UMEM, DestroyUmemIn.LAYOUT, DestroyUmemOut.LAYOUT),
                    entry(Opcode.CREATE_UCTX, CreateUctxIn.LAYOUT, CreateUctxOut.LAYOUT),
                    entry(Opcode.DESTROY_UCTX, DestroyUctxIn.LAYOUT, DestroyUctxOut.LAYOUT),
                    entry(Opcode.CREATE_XRC_SRQ, CreateXrcSrqIn.LAYOUT, CreateXrcSrqOut.LAYOUT),
                    entry(Opcode.DESTROY_XRC_SRQ, DestroyXrcSrqIn.LAYOUT, DestroyXrcSrqOut.LAYOUT),
                    entry(Opcode.QUERY_XRC_SRQ, QueryXrcSrqIn.LAYOUT, QueryXrcSrqOut.LAYOUT),
                    entry(Opcode.ARM_XRC_SRQ, ArmXrcSrqIn.LAYOUT, ArmXrcSrqOut.LAYOUT),
                    entry(Opcode.CREATE_RMP, CreateRmpIn.LAYOUT, CreateRmpOut.LAYOUT),
                    entry(Opcode.DESTROY_RMP, DestroyRmpIn.LAYOUT, DestroyRmpOut.LAYOUT),
                    entry(Opcode.MODIFY_RMP, ModifyRmpIn.LAYOUT, ModifyRmpOut.LAYOUT),
                    entry(Opcode.QUERY_RMP, QueryRmpIn.LAYOUT, QueryRmpOut.LAYOUT),
                    entry(Opcode.ATTACH_TO_MCG, AttachToMcgIn.LAYOUT, AttachToMcgOut.LAYOUT),
                    entry(Opcode.DETACH_FROM_MCG, DetachFromMcgIn.LAYOUT, DetachFromMcgOut.LAYOUT),
                    entry(
                            Opcode.QUERY_VPORT_STATE,
                            QueryVportStateIn.LAYOUT,
                            QueryVportStateOut.LAYOUT),
                    entry(
                            Opcode.QUERY_NIC_VPORT_CONTEXT,
                            QueryNicVportContextIn.LAYOUT,
                            QueryNicVportContextOut.LAYOUT),
                    entry(
                            Opcode.MODIFY_NIC_VPORT_CONTEXT,
                            ModifyNicVportContextIn.LAYOUT,
                            ModifyNicVportContextOut.LAYOUT),
                    entry(
                            Opcode.QUERY_ROCE_ADDRESS,
                            QueryRoceAddressIn.LAYOUT,
                            QueryRoceAddressOut.LAYOUT),
                    entry(
                            Opcode.SET_ROCE_ADDRESS,
                            SetRoceAddressIn.LAYOUT,
                            SetRoceAddressOut.LAYOUT),
                    entry(
                            Opcode.QUERY_HCA_VPORT_CONTEXT,
                            QueryHcaVportContextIn.LAYOUT,
                            QueryHcaVportContextOut.LAYOUT),
                    entry(
                            Opcode.MODIFY_HCA_VPORT_CONTEXT,
                            ModifyHcaVportContextIn.LAYOUT,
                            ModifyHcaVportContextOut.LAYOUT),
                    entry(
                            Opcode.QUERY_HCA_VPORT_GID,
                            QueryHcaVportGidIn.LAYOUT,
                            QueryHcaVportGidOut.LAYOUT),
                    entry(
                            Opcode.QUERY_HCA_VPORT_PKEY,
                            QueryHcaVportPkeyIn.LAYOUT,
                            QueryHcaVportPkeyOut.LAYOUT),
                    entry(
                            Opcode.QUERY_VPORT_COUNTER,
                            QueryVportCounterIn.LAYOUT,
                            QueryVportCounterOut.LAYOUT),
                    entry(Opcode.ALLOC_Q_COUNTER, AllocQCounterIn.LAYOUT, AllocQCounterOut.LAYOUT),
                    entry(
                            Opcode.DEALLOC_Q_COUNTER,
                            DeallocQCounterIn.LAYOUT,
                            DeallocQCounterOut.LAYOUT),
                    entry(Opcode.QUERY_Q_COUNTER, QueryQCounterIn.LAYOUT, QueryQCounterOut.LAYOUT),
                    entry(Opcode.ALLOC_PD, AllocPdIn.LAYOUT, AllocPdOut.LAYOUT),
                    entry(Opcode.DEALLOC_PD, DeallocPdIn.LAYOUT, DeallocPdOut.LAYOUT),
                    entry(Opcode.ALLOC_UAR, AllocUarIn.LAYOUT, AllocUarOut.LAYOUT),
                    entry(Opcode.DEALLOC_UAR, DeallocUarIn.LAYOUT, DeallocUarOut.LAYOUT),
                    entry(Opcode.ACCESS_REG, AccessRegisterIn.LAYOUT, AccessRegisterOut.LAYOUT),
                    entry(Opcode.ALLOC_XRCD, AllocXrcdIn.LAYOUT, AllocXrcdOut.LAYOUT),
                    entry(Opcode.DEALLOC_XRCD, DeallocXrcdIn.LAYOUT, DeallocXrcdOut.LAYOUT),
                    entry(
                            Opcode.ALLOC_TRANSPORT_DOMAIN,
                            AllocTransportDomainIn.LAYOUT,
                            AllocTransportDomainOut.LAYOUT),
                    entry(
                            Opcode.DEALLOC_TRANSPORT_DOMAIN,
                            DeallocTransportDomainIn.LAYOUT,
                            DeallocTransportDomainOut.LAYOUT));

    private CommandLayouts() {}

    private static Map.Entry<Integer, Pair> entry(int opcode, Layout in, Layout out) {
        return Map.entry(opcode, new Pair(in, out));
    }

    /** The table of a command's input; null when there is none for this opcode. */
    public static @Nullable Layout in(int opcode) {
        Pair pair = BY_OPCODE.get(opcode);
        return pair == null ? null : pair.in;
    }

    /** The table of a command's output; null when there is none for this opcode. */
    public static @Nullable Layout out(int opcode) {
        Pair pair = BY_OPCODE.get(opcode);
        return pair == null ? null : pair.out;
    }

    /** The table of a register; null when there is none for it. */
    public static @Nullable Layout register(int registerId) {
        return switch (registerId) {
            case Register.HOST_ENDIANNESS -> HostEndianness.LAYOUT;
            case Register.PMTU -> PmtuReg.LAYOUT;
            case Register.PTYS -> PtysReg.LAYOUT;
            case Register.PAOS -> PaosReg.LAYOUT;
            case Register.PVLC -> PvlcReg.LAYOUT;
            case Register.NODE_DESC -> NodeDescReg.LAYOUT;
            default -> null;
        };
    }

    /** The table of a {@link CapabilityGroup}; null when there is none for it. */
    public static @Nullable Layout capability(int group) {
        return switch (group) {
            case CapabilityGroup.GENERAL -> CmdHcaCap.LAYOUT;
            case CapabilityGroup.GENERAL_2 -> CmdHcaCap2.LAYOUT;
            case CapabilityGroup.ODP -> OdpCap.LAYOUT;
            case CapabilityGroup.ATOMIC -> AtomicCaps.LAYOUT;
            case CapabilityGroup.ROCE -> RoceCap.LAYOUT;
            default -> null;
        };
    }

    /**
     * A command's input for logs.
     *
     * @param length bytes of it
     */
    public static String describeIn(MemorySegment in, long base, long length) {
        if (length < CommandIn.LAYOUT.byteSize()) {
            return "command of " + length + " bytes";
        }
        int opcode = (int) CommandIn.OPCODE.get(in, base);
        Layout layout = in(opcode);
        String text = (layout == null ? CommandIn.LAYOUT : layout).decode(in, base, length);
        Layout inner = inner(in.asSlice(base, length), true);
        return withPayload(text, inner, in, base, length);
    }

    /**
     * A command's output for logs.
     *
     * @param in the input that it answers, at least {@link AccessRegisterIn}'s 16 bytes
     * @param length bytes of the output
     */
    public static String describeOut(
            MemorySegment in, long inBase, MemorySegment out, long outBase, long length) {
        if (length < CommandOut.LAYOUT.byteSize()) {
            return "answer of " + length + " bytes";
        }
        int opcode = (int) CommandIn.OPCODE.get(in, inBase);
        Layout layout = out(opcode);
        if (CommandOut.STATUS.isSet(out, outBase) || layout == null) {
            return Opcode.name(opcode) + " " + CommandOut.LAYOUT.decode(out, outBase, length);
        }
        Layout inner = inner(in.asSlice(inBase), false);
        return withPayload(layout.decode(out, outBase, length), inner, out, outBase, length);
    }

    /**
     * The structure behind the first 16 bytes of a command; null when there is none, or none known.
     *
     * @param in the input, or the start of it
     * @param isInput whether it is asked of the input, not of the output
     */
    static @Nullable Layout inner(MemorySegment in, boolean isInput) {
        int opcode = (int) CommandIn.OPCODE.get(in, 0);
        return switch (opcode) {
            case Opcode.ACCESS_REG ->
                    in.byteSize() < AccessRegisterIn.LAYOUT.byteSize()
                            ? null
                            : register((int) AccessRegisterIn.REGISTER_ID.get(in, 0));
            case Opcode.SET_HCA_CAP -> isInput ? capabilityOf(in) : null;
            case Opcode.QUERY_HCA_CAP -> isInput ? null : capabilityOf(in);
            default -> null;
        };
    }

    private static @Nullable Layout capabilityOf(MemorySegment in) {
        return capability((int) CommandIn.OP_MOD.get(in, 0) >>> 1);
    }

    /** Registers and capability blocks follow the first 16 bytes, in both directions. */
    private static String withPayload(
            String text, @Nullable Layout inner, MemorySegment segment, long base, long length) {
        int header = AccessRegisterIn.LAYOUT.byteSize();
        return inner == null || length <= header
                ? text
                : text + " " + inner.decode(segment, base + header, length - header);
    }
}
