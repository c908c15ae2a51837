package dev.sluice.quota.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentMapTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyVersionHoldsWhatATreeMapHeldThen(long seed) {
    var random = new Random(seed);
    var model = new TreeMap<Integer, Integer>();
    var map = PersistentMap.<Integer, Integer>empty();
    var versions =
        new ArrayList<Map.Entry<PersistentMap<Integer, Integer>, Map<Integer, Integer>>>();

    for (int step = 0; step < 3000; step++) {
      int key = random.nextInt(200);
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
    assertThat(map.size()).isEqualTo(expected.size());
    if (!expected.isEmpty()) {
      assertThat(map.firstKey()).isEqualTo(expected.keySet().iterator().next());
      assertThat(map.find(map.firstKey())).isEqualTo(map.firstValue());
    }
  }
}
