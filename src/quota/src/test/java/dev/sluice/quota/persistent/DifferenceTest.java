package dev.sluice.quota.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.quota.persistent.Difference.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DifferenceTest {
  private static final int KEYS = 300;

  private static PersistentMap<Integer, Object> changed(
      PersistentMap<Integer, Object> map, Random random, int changes) {
    PersistentMap<Integer, Object> changed = map;
    for (int i = 0; i < changes; i++) {
      int key = random.nextInt(KEYS);
      changed = random.nextBoolean() ? changed.with(key, new Object()) : changed.without(key);
    }
    return changed;
  }

  private static List<Change<Integer, Object>> expected(
      PersistentMap<Integer, Object> before, PersistentMap<Integer, Object> after) {
    var keys = new TreeSet<Integer>();
    before.keys().forEach(keys::add);
    after.keys().forEach(keys::add);
    List<Change<Integer, Object>> expected = new ArrayList<>();
    for (Integer key : keys) {
      if (!Objects.equals(before.find(key), after.find(key))) {
        expected.add(new Change<>(key, before.find(key), after.find(key)));
      }
    }
    return expected;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void isWhatOneMapHasAndTheOtherHasNot(long seed) {
    var random = new Random(seed);
    var map = changed(PersistentMap.empty(), random, KEYS);
    for (int step = 0; step < 200; step++) {
      var next = changed(map, random, random.nextInt(40));
      var expected = expected(map, next);

      assertThat(Difference.between(map, next, KEYS)).contains(expected);
      assertThat(Difference.between(map, next, expected.size())).contains(expected);
      if (!expected.isEmpty()) {
        assertThat(Difference.between(map, next, expected.size() - 1)).isEmpty();
      }
      map = next;
    }
  }

  @Test
  void ofUnrelatedMapsIsFoundToo() {
    var one = changed(PersistentMap.empty(), new Random(1), KEYS);
    var other = changed(PersistentMap.empty(), new Random(2), KEYS);

    assertThat(Difference.between(one, other, 2 * KEYS)).contains(expected(one, other));
    assertThat(Difference.between(PersistentMap.empty(), other, KEYS))
        .contains(expected(PersistentMap.empty(), other));
    assertThat(Difference.between(one, PersistentMap.empty(), KEYS))
        .contains(expected(one, PersistentMap.empty()));
  }
}
