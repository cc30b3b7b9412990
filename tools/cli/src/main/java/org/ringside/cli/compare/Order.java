package org.ringside.cli.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which of the things that two drivers both do come at another place: as few as possible. A place
 * is told by what both do just before.
 */
final class Order {
    static final String FIRST = "first";

    private Order() {}

    /**
     * What is out of order.
     *
     * @param a keys in one driver's order
     * @param b keys in the other's
     * @return for each key out of order what comes before it in {@code a} and in {@code b}
     */
    static Map<String, List<String>> differences(Set<String> a, Set<String> b) {
        List<String> left = a.stream().filter(b::contains).toList();
        List<String> right = b.stream().filter(a::contains).toList();
        Map<String, List<String>> moved = new LinkedHashMap<>();
        Set<Integer> inOrder = longestRise(left.stream().map(right::indexOf).toList());
        for (int i = 0; i < left.size(); i++) {
            String key = left.get(i);
            if (!inOrder.contains(i)) {
                moved.put(key, List.of(before(left, i), before(right, right.indexOf(key))));
            }
        }
        return moved;
    }

    private static String before(List<String> keys, int at) {
        return at == 0 ? FIRST : "after " + keys.get(at - 1);
    }

    /** Indices of a longest rising subsequence of different numbers. */
    private static Set<Integer> longestRise(List<Integer> numbers) {
        int[] length = new int[numbers.size()];
        int[] previous = new int[numbers.size()];
        Arrays.fill(previous, -1);
        int best = -1;
        for (int i = 0; i < length.length; i++) {
            length[i] = 1;
            for (int j = 0; j < i; j++) {
                if (numbers.get(j) < numbers.get(i) && length[j] + 1 > length[i]) {
                    length[i] = length[j] + 1;
                    previous[i] = j;
                }
            }
            if (best < 0 || length[i] > length[best]) {
                best = i;
            }
        }
        List<Integer> rise = new ArrayList<>();
        for (int i = best; i >= 0; i = previous[i]) {
            rise.add(i);
        }
        return new TreeSet<>(rise);
    }
}
