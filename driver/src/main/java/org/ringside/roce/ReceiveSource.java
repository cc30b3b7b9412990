package org.ringside.roce;

/** A receive queue, of one QP or shared, from the responder's side. */
public interface ReceiveSource {
    /**
     * Takes the next request that was posted, in order.
     *
     * @param into filled when there is one; was not cleared
     * @return whether there was one
     */
    boolean next(ReceiveRequest into);

    /** Whether other QPs take from it too: then a QP in error leaves it alone. */
    boolean isShared();
}
