package org.ringside.verbs;

/**
 * What a device can do, as it says itself (subset of struct ibv_device_attr).
 *
 * @param firmwareVersion as the vendor writes it
 * @param vendorId PCI or IEEE vendor id
 * @param vendorPartId PCI device id
 * @param nodeGuid GUID of the node
 * @param maxQp queue pairs
 * @param maxQpWr work requests in one queue
 * @param maxSge scatter/gather entries of one work request
 * @param maxCq completion queues
 * @param maxCqe entries of one CQ
 * @param maxMr memory regions
 * @param maxMrSize bytes of one memory region
 * @param maxPd protection domains
 * @param maxMessageSize bytes of one message
 * @param maxInline bytes of inline data in one work request
 * @param maxRdAtomic READs and atomics outstanding at a QP as initiator
 * @param maxDestRdAtomic the same as responder
 * @param completionVectors interrupt vectors for completion channels
 * @param ports number of ports
 */
public record DeviceAttributes(
        String firmwareVersion,
        int vendorId,
        int vendorPartId,
        long nodeGuid,
        int maxQp,
        int maxQpWr,
        int maxSge,
        int maxCq,
        int maxCqe,
        int maxMr,
        long maxMrSize,
        int maxPd,
        long maxMessageSize,
        int maxInline,
        int maxRdAtomic,
        int maxDestRdAtomic,
        int completionVectors,
        int ports) {}
