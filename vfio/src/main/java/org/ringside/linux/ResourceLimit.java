package org.ringside.linux;

/**
 * A resource limit of this process, see getrlimit(2).
 *
 * @param soft the limit that holds, unsigned; {@link #INFINITE} for none
 * @param hard up to where the process may raise the soft limit, unsigned
 */
public record ResourceLimit(long soft, long hard) {
    /** No limit (RLIM_INFINITY). */
    public static final long INFINITE = -1L;

    /** Whether there is no limit. */
    public boolean isInfinite() {
        return soft == INFINITE;
    }
}
