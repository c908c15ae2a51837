package dev.sluice.quota.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotMapTest {
  private record Pair(SnapshotMap<Integer, Integer> map, Map<Integer, Integer> model) {
    Pair fork() {
      return new Pair(map.fork(), new TreeMap<>(model));
    }

    void change(Random random, int value) {
      int key = random.nextInt(300);
      if (random.nextInt(3) > 0) {
        map.put(key, value);
        model.put(key, value);
      } else {
        assertThat(map.remove(key)).isEqualTo(model.remove(key));
      }
      assertThat(map.get(key)).isEqualTo(model.get(key));
    }
  }

  private static Map<Integer, Integer> content(PersistentMap<Integer, Integer> snapshot) {
    Map<Integer, Integer> content = new LinkedHashMap<>();
    snapshot.forEach(entry -> content.put(entry.getKey(), entry.getValue()));
    return content;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void snapshotsOfMapsAndForksAreSortedAndStayAsTheyWere(long seed) {
    var random = new Random(seed);
    List<Pair> pairs = new ArrayList<>();
    pairs.add(new Pair(new SnapshotMap<>(), new TreeMap<>()));
    Map<PersistentMap<Integer, Integer>, Map<Integer, Integer>> taken = new LinkedHashMap<>();
    for (int step = 0; step < 6_000; step++) {
      Pair pair = pairs.get(random.nextInt(pairs.size()));
      pair.change(random, step);
      if (step % 1_000 == 500) {
        pairs.add(pair.fork());
      }
      if (random.nextInt(20) == 0) {
        taken.put(pair.map().snapshot(), new TreeMap<>(pair.model()));
      }
    }

    taken.forEach(
        (snapshot, model) ->
            assertThat(new ArrayList<>(content(snapshot).entrySet()))
                .isEqualTo(new ArrayList<>(model.entrySet())));
  }
}
