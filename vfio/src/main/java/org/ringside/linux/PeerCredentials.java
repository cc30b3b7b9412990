package org.ringside.linux;

/**
 * Who is on the other end of a UNIX socket (SO_PEERCRED).
 *
 * @param pid process that connected or listened
 * @param uid its effective user
 * @param gid its effective group
 */
public record PeerCredentials(int pid, int uid, int gid) {}
