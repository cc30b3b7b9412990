package org.ringside.mlx5;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.CmdInterCompEvent;
import org.ringside.mlx5.layout.CompEvent;
import org.ringside.mlx5.layout.Eqe;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.PagesReqEvent;
import org.ringside.verbs.DeviceException;
import org.ringside.verbs.VerbsException;

/**
 * What a device reports, and what follows from it: finished commands wake their waiters, page
 * requests are served, sickness makes the device dead, the rest goes to the {@link Listener}. At
 * work from the first event queue on, before the device is ready.
 *
 * <p>Threading: events come on the event thread. Pages are served on a thread of their own, since
 * serving waits for a command.
 */
final class DeviceEvents implements EventThread.Handler, AutoCloseable {
    private static final Logger LOG = System.getLogger(DeviceEvents.class.getName());

    private final String device;
    private final CommandQueue commands;
    private final FirmwarePages pages;
    private final HealthWatch health;
    private final BooleanSupplier deviceGone;
    private final ExecutorService pageServer;
    private volatile @Nullable Listener listener;
    private volatile @Nullable String dead;

    /** Who wants to know what is not the driver's own business. Called on the event thread. */
    interface Listener {
        /** A CQ that was armed has completions. */
        void completion(int cqNumber);

        /**
         * Any other event.
         *
         * @param ring memory of the event queue
         * @param at byte offset of the entry's data
         */
        void asyncEvent(int type, int subType, MemorySegment ring, int at);

        /** The device has died. Called once. */
        void died(String why);
    }

    DeviceEvents(
            String device,
            CommandQueue commands,
            FirmwarePages pages,
            HealthWatch health,
            BooleanSupplier deviceGone) {
        this.device = device;
        this.commands = commands;
        this.pages = pages;
        this.health = health;
        this.deviceGone = deviceGone;
        this.pageServer =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread thread = new Thread(task, "mlx5-pages " + device);
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** Events go there from now on. Death that has already come is reported now. */
    synchronized void listen(Listener to) {
        listener = to;
        String why = dead;
        if (why != null) {
            to.died(why);
        }
    }

    /** Whether the device has died or gone. */
    boolean isDead() {
        return dead != null || deviceGone.getAsBoolean();
    }

    @Override
    public void event(EventQueue queue, int at) {
        MemorySegment ring = queue.ring();
        int type = (int) Eqe.EVENT_TYPE.get(ring, at);
        int data = at + Eqe.EVENT_DATA.offset();
        switch (type) {
            case EventType.COMP -> {
                Listener to = listener;
                if (to != null) {
                    to.completion((int) CompEvent.CQ_NUMBER.get(ring, data));
                }
            }
            case EventType.CMD ->
                    commands.completed(
                            (int) CmdInterCompEvent.COMMAND_COMPLETION_VECTOR.get(ring, data));
            case EventType.PAGE_REQUEST ->
                    servePages(
                            (int) PagesReqEvent.FUNCTION_ID.get(ring, data),
                            (int) PagesReqEvent.NUM_PAGES.get(ring, data));
            case EventType.INTERNAL_ERROR -> die("internal error event; " + health.buffer());
            default -> {
                Listener to = listener;
                if (to != null) {
                    to.asyncEvent(type, (int) Eqe.EVENT_SUB_TYPE.get(ring, at), ring, data);
                }
            }
        }
    }

    private void servePages(int functionId, int count) {
        try {
            pageServer.execute(() -> answerPageRequest(functionId, count));
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "{0}: page request while closing", device);
        }
    }

    private void answerPageRequest(int functionId, int count) {
        try {
            pages.request(functionId, count);
        } catch (VerbsException | RuntimeException e) {
            LOG.log(
                    Level.WARNING,
                    "{0}: firmware asked for {1} pages: {2}",
                    device,
                    count,
                    e.getMessage());
        }
    }

    @Override
    public void glance() {
        if (dead == null && deviceGone.getAsBoolean()) {
            die("the device has gone: its socket was closed or it left the bus");
        }
    }

    @Override
    public void tick() {
        commands.lookAtAll();
        if (dead == null) {
            String why = health.look();
            if (why != null) {
                die(why);
            }
        }
    }

    /** From now on everything fails. */
    synchronized void die(String why) {
        if (dead != null) {
            return;
        }
        dead = why;
        LOG.log(Level.ERROR, "{0}: device is dead: {1}", device, why);
        commands.fail(
                new DeviceException(VerbsException.ENODEV, device + ": device is dead: " + why));
        Listener to = listener;
        if (to != null) {
            to.died(why);
        }
    }

    /** Serves no more page requests. */
    @Override
    public void close() {
        pageServer.shutdown();
    }
}
