package org.ringside.emulator.mlx5;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All objects of one kind, by number. Numbers go round: one that was freed comes again only after
 * all others were used, so that a late CQE or doorbell for the old object cannot hit a new one.
 *
 * @param <T> kind of object
 */
final class ObjectTable<T extends HwObject> {
    private static final int INITIAL = 64;

    private final String kind;
    private final int first;
    private final int limit;
    private final boolean lowestFirst;
    private final Caller caller;
    private boolean shared;
    private @Nullable HwObject[] slots = new HwObject[INITIAL];
    private int next;
    private int size;

    /**
     * @param kind for messages
     * @param first lowest number, not 0: drivers and doorbell polling take 0 for "none"
     * @param limit number behind the highest
     * @param caller for whom commands are: what it may name
     */
    ObjectTable(String kind, int first, int limit, Caller caller) {
        this(kind, first, limit, caller, false);
    }

    private ObjectTable(String kind, int first, int limit, Caller caller, boolean lowestFirst) {
        this.kind = kind;
        this.first = first;
        this.limit = limit;
        this.caller = caller;
        this.lowestFirst = lowestFirst;
        this.next = first;
    }

    /** A table that reuses the lowest free number at once. */
    static <T extends HwObject> ObjectTable<T> lowestFirst(
            String kind, int first, int limit, Caller caller) {
        return new ObjectTable<>(kind, first, limit, caller, true);
    }

    /** User contexts may name the driver's objects too, but not destroy them. */
    ObjectTable<T> shared() {
        shared = true;
        return this;
    }

    /** Gives the object a number, and to the caller. */
    int add(T object) {
        if (size == limit - first) {
            throw Refusal.of(Reason.NONE_LEFT, "all %d %ss are in use", size, kind);
        }
        int index = lowestFirst ? first : next;
        while (at(index) != null) {
            index = index + 1 == limit ? first : index + 1;
        }
        next = index + 1 == limit ? first : index + 1;
        if (index >= slots.length) {
            slots = Arrays.copyOf(slots, Math.max(index + 1, 2 * slots.length));
        }
        slots[index] = object;
        size++;
        object.index(index);
        object.belongTo(caller.context(), caller.shares());
        return index;
    }

    /** The object, or null. */
    @SuppressWarnings("unchecked") // Only add() stores, and it takes a T.
    @Nullable T find(long index) {
        return index < 0 || index >= slots.length ? null : (T) slots[(int) index];
    }

    /** The object that a command names. */
    T get(long index) {
        T object = find(index);
        if (object == null) {
            throw Refusal.of(Reason.NO_SUCH_OBJECT, "there is no %s 0x%x", kind, index);
        }
        boolean forAll = object.isShared() || shared && object.owner() == null;
        if (!caller.owns(object) && !forAll) {
            throw ofAnother(object);
        }
        return object;
    }

    private Refusal ofAnother(T object) {
        HwObject owner = object.owner();
        return Refusal.of(
                Reason.NOT_OWNER,
                "%s 0x%x belongs to %s",
                kind,
                object.index(),
                owner == null ? "the driver" : "uid 0x%x".formatted(owner.index()));
    }

    /** Takes an object out of the table if no other uses it. */
    T remove(long index) {
        T object = get(index);
        if (!caller.owns(object)) {
            throw ofAnother(object);
        }
        if (object.users() > 0) {
            throw Refusal.of(
                    Reason.IN_USE, "%s 0x%x is used by %d others", kind, index, object.users());
        }
        slots[(int) index] = null;
        object.leaveOwner();
        size--;
        return object;
    }

    /** How many there are. */
    int size() {
        return size;
    }

    /** All of them, by number. */
    List<T> list() {
        List<T> all = new ArrayList<>(size);
        for (int i = first; i < slots.length; i++) {
            T object = find(i);
            if (object != null) {
                all.add(object);
            }
        }
        return all;
    }

    /** Drops all of them; numbers go on from where they are. */
    void clear() {
        Arrays.fill(slots, null);
        size = 0;
    }

    String kind() {
        return kind;
    }

    private @Nullable HwObject at(int index) {
        return index < slots.length ? slots[index] : null;
    }
}
