package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ringside.verbs.VerbsException;

/**
 * Takes a device's asynchronous events. And looks whether the device is still there: a driver that
 * cannot be torn off its users (rxe before Linux 6.19 or so) tells them nothing when it is removed,
 * its device only goes from sysfs, and the removal waits until they have closed it.
 */
final class EventThread implements Runnable, AutoCloseable {
    private static final int LOOK_MILLIS = 500;

    private final KernelContext owner;
    private final long context;
    private final Path sysfs;
    private final WakeUp wakeUp;
    private final Thread thread;
    private volatile boolean ended;

    /**
     * @param context address of the struct ibv_context
     * @param device address of its struct ibv_device
     */
    EventThread(KernelContext owner, long context, long device) throws VerbsException {
        this.owner = owner;
        this.context = context;
        this.sysfs = Path.of(Raw.getString(device + Abi.Device.DEV_PATH, Abi.Device.PATH_MAX));
        this.wakeUp =
                new WakeUp(
                        owner.libraries(),
                        Raw.getInt(context + Abi.Context.ASYNC_FD),
                        "events of " + owner);
        this.thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("ringside-events-" + owner.deviceName())
                        .unstarted(this);
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        try (Arena arena = Arena.ofConfined()) {
            long event = KernelContext.scratch(arena, Abi.AsyncEvent.SIZE);
            while (!ended) {
                if (wakeUp.await(LOOK_MILLIS)) {
                    take(event);
                } else if (!owner.isLost() && !Files.exists(sysfs)) {
                    owner.lose(
                            "the kernel is removing it (%s has gone); a driver may wait for this process to close it"
                                    .formatted(sysfs));
                }
            }
        }
    }

    private void take(long event) {
        if (ended) {
            return;
        }
        if (owner.verbs().ibv_get_async_event(context, event) != 0) {
            owner.lose("its events cannot be read any more: errno " + Libraries.errno());
            ended = true;
            return;
        }
        int type = Raw.getInt(event + Abi.AsyncEvent.EVENT_TYPE);
        owner.event(type, Raw.getLong(event + Abi.AsyncEvent.ELEMENT));
        owner.verbs().ibv_ack_async_event(event);
    }

    /** Ends the thread and gives back what it waited with. */
    @Override
    public void close() {
        ended = true;
        wakeUp.wake();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        wakeUp.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
