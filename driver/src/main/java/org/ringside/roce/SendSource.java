package org.ringside.roce;

/** A send queue, from the requester's side. */
public interface SendSource {
    /**
     * Takes the next request that was posted, in order.
     *
     * @param into filled when there is one; was not cleared
     * @return whether there was one
     */
    boolean next(SendRequest into);
}
