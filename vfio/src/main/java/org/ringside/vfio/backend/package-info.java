/**
 * What the back ends share: a back end knows how to read and write a region, how to map a file
 * range, and how to tell the IOMMU of one range. Everything above that is here, once.
 *
 * <pre>
 *             VfioDevice of group, of user
 *        |             |                |
 *   RegionMmio    PciConfigSpace    PooledDmaSpace --> RangeAllocator (IOVA)
 *    |      |          |             |         |
 *  mapped  RegionAccess (by call)  DmaPool   DmaMapper (one range in, one range out)
 *                                    |
 *                                  DmaBlock (memfd)
 * </pre>
 *
 * <p>Not exported: applications see {@link org.ringside.vfio} only.
 */
@NullMarked
package org.ringside.vfio.backend;

import org.jspecify.annotations.NullMarked;
