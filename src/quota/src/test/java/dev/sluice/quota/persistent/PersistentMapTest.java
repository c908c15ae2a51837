package dev.sluice.quota.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentMapTest {
  private static final int KEYS = 200;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyVersionHoldsWhatATreeMapHeldThen(long seed) {
    var random = new Random(seed);
    var model = new TreeMap<Integer, Integer>();
    var map = PersistentMap.<Integer, Integer>empty();
    var versions =
        new ArrayList<Map.Entry<PersistentMap<Integer, Integer>, Map<Integer, Integer>>>();

    for (int step = 0; step < 3000; step++) {
      int key = random.nextInt(KEYS);
      if (random.nextInt(3) > 0) {
        model.put(key, step);
        map = map.with(key, step);
      } else {
        model.remove(key);
        map = map.without(key);
      }
      if (step % 100 == 0) {
        versions.add(Map.entry(map, new TreeMap<>(model)));
      }
    }

    assertThat(versions).allSatisfy(v -> assertSame(v.getKey(), v.getValue()));
  }

  private static void assertSame(
      PersistentMap<Integer, Integer> map, Map<Integer, Integer> expected) {
    var entries = new ArrayList<Map.Entry<Integer, Integer>>();
    map.forEach(entries::add);
    assertThat(entries).isEqualTo(List.copyOf(expected.entrySet()));
    for (int leftOut = 0; leftOut <= entries.size(); leftOut += 7) {
      var rest = new ArrayList<Map.Entry<Integer, Integer>>();
      map.iterator(leftOut).forEachRemaining(rest::add);
      assertThat(rest).isEqualTo(entries.subList(leftOut, entries.size()));
    }
    for (int key = -1; key <= KEYS; key += 3) {
      assertThat(map.rank(key)).isEqualTo(new TreeMap<>(expected).headMap(key).size());
    }
    var sorted =
        PersistentMap.ofSorted(
            List.copyOf(expected.keySet()), key -> Objects.requireNonNull(expected.get(key)));
    assertThat(sorted).containsExactlyElementsOf(map);
    assertThat(map.size()).isEqualTo(expected.size());
    if (!expected.isEmpty()) {
      assertThat(map.firstKey()).isEqualTo(expected.keySet().iterator().next());
      assertThat(map.find(map.firstKey())).isEqualTo(map.firstValue());
    }
  }
}
