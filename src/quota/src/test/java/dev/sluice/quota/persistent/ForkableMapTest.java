package dev.sluice.quota.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForkableMapTest {
  /** A key of which many have the same hash, or one that differs in its highest bits only. */
  private record Key(int number) {
    @Override
    public int hashCode() {
      return number % 3 == 0 ? number / 9 : number << 27;
    }
  }

  private record Pair(ForkableMap<Key, Integer> map, Map<Key, Integer> model) {
    Pair fork() {
      return new Pair(map.fork(), new HashMap<>(model));
    }

    void change(Random random, int value) {
      var key = new Key(random.nextInt(400));
      if (random.nextInt(3) > 0) {
        assertThat(map.put(key, value)).isEqualTo(model.put(key, value));
      } else {
        assertThat(map.remove(key)).isEqualTo(model.remove(key));
      }
      assertThat(map.get(key)).isEqualTo(model.get(key));
    }

    void assertSame() {
      Map<Key, Integer> content = new HashMap<>();
      map.forEach(content::put);
      assertThat(content).isEqualTo(model);
      assertThat(map.size()).isEqualTo(model.size());
      assertThat(map.isEmpty()).isEqualTo(model.isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void mapsAndForksOfThemHoldWhatHashMapsWould(long seed) {
    var random = new Random(seed);
    List<Pair> pairs = new ArrayList<>();
    pairs.add(new Pair(new ForkableMap<>(), new HashMap<>()));
    for (int step = 0; step < 20_000; step++) {
      pairs.get(random.nextInt(pairs.size())).change(random, step);
      if (step % 500 == 0) {
        Pair fork = pairs.get(random.nextInt(pairs.size())).fork();
        if (pairs.size() > 8) {
          pairs.remove(random.nextInt(pairs.size()));
        }
        pairs.add(fork);
      }
      if (step % 100 == 0) {
        pairs.forEach(Pair::assertSame);
      }
    }
  }

  @Test
  void anEmptiedMapTakesEntriesAgain() {
    var map = new ForkableMap<String, Integer>();
    map.put("a", 1);
    map.remove("a");
    map.put("b", 2);

    assertThat(map.get("a")).isNull();
    assertThat(map.getOrDefault("b", 0)).isEqualTo(2);
    assertThat(map.containsKey("b")).isTrue();
  }

  @Test
  void anIndexHasTheValuesOfAKeyInOrder() {
    var index = new ForkableIndex<String, Integer>();
    index.add("a", 2);
    index.add("a", 1);
    index.add("a", 2);
    ForkableIndex<String, Integer> fork = index.fork();
    fork.remove("a", 1);

    assertThat(index.of("a")).containsExactly(1, 2);
    assertThat(fork.of("a")).containsExactly(2);
    assertThat(fork.remove("a", 1)).isFalse();
    assertThat(fork.removeAll("a")).containsExactly(2);
    assertThat(fork.containsKey("a")).isFalse();
    assertThat(fork.isEmpty()).isTrue();
    assertThat(index.contains("a", 1)).isTrue();
    assertThat(index.keys()).containsExactly("a");
  }
}
