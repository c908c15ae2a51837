package dev.sluice.quota.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.workload.ImpossiblePlacement;
import dev.sluice.api.workload.TopologyAssignment;
import dev.sluice.api.workload.TopologyAssignmentSize;
import dev.sluice.api.workload.TopologyAssignmentSlice;
import dev.sluice.api.workload.TopologyAssignmentSliceLevelIndividualValues;
import dev.sluice.api.workload.TopologyAssignmentSliceLevelValues;
import dev.sluice.api.workload.TopologyAssignmentSlicePodCounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Laws over random assignments, friendly and hostile. */
class AssignmentCodecTest {
  private static final List<Integer> HOSTILE =
      List.of(Integer.MIN_VALUE, -1, 0, 1, 2, 1000, 99_999, 100_000, 100_001, Integer.MAX_VALUE);

  static LongStream seeds() {
    return LongStream.range(0, 500);
  }

  /** Lists that fit, and small numbers. */
  private static TopologyAssignment friendly(Random random) {
    int levels = 1 + random.nextInt(3);
    List<TopologyAssignmentSlice> slices = new ArrayList<>();
    for (int i = 0; i < random.nextInt(5); i++) {
      int domains = 1 + random.nextInt(6);
      slices.add(
          new TopologyAssignmentSlice(
              domains, values(random, levels, domains), counts(random, domains)));
    }
    return new TopologyAssignment(names(levels), slices);
  }

  private static List<String> names(int levels) {
    return IntStream.range(0, levels).mapToObj(i -> "level-" + i).toList();
  }

  private static List<TopologyAssignmentSliceLevelValues> values(
      Random random, int levels, int domains) {
    List<TopologyAssignmentSliceLevelValues> values = new ArrayList<>();
    for (int level = 0; level < levels; level++) {
      values.add(
          random.nextBoolean()
              ? new TopologyAssignmentSliceLevelValues("v" + random.nextInt(3), null)
              : new TopologyAssignmentSliceLevelValues(
                  null,
                  new TopologyAssignmentSliceLevelIndividualValues(
                      random.nextBoolean() ? "p-" : null,
                      random.nextBoolean() ? ".s" : null,
                      random.ints(domains, 0, 9).mapToObj(String::valueOf).toList())));
    }
    return values;
  }

  private static TopologyAssignmentSlicePodCounts counts(Random random, int domains) {
    return random.nextBoolean()
        ? new TopologyAssignmentSlicePodCounts(1 + random.nextInt(4), List.of())
        : new TopologyAssignmentSlicePodCounts(null, random.ints(domains, 1, 5).boxed().toList());
  }

  /** Anything that the types allow, in a few slices or in a thousand. */
  private static TopologyAssignment hostile(Random random) {
    List<TopologyAssignmentSlice> slices = new ArrayList<>();
    int levels = random.nextInt(3);
    int count = random.nextInt(4) == 0 ? 1000 : random.nextInt(4);
    for (int i = 0; i < count; i++) {
      int values = random.nextInt(8) == 0 ? random.nextInt(3) : levels;
      slices.add(
          new TopologyAssignmentSlice(
              any(random),
              values(random, values, random.nextInt(4)),
              random.nextBoolean()
                  ? new TopologyAssignmentSlicePodCounts(any(random), List.of())
                  : counts(random, random.nextInt(4))));
    }
    return new TopologyAssignment(names(levels), slices);
  }

  private static int any(Random random) {
    return HOSTILE.get(random.nextInt(HOSTILE.size()));
  }

  /** The domains one by one, as the schema describes them. */
  private static List<PodPlacement.Domain> expanded(TopologyAssignment assignment) {
    List<PodPlacement.Domain> domains = new ArrayList<>();
    for (TopologyAssignmentSlice slice : assignment.slices()) {
      for (int i = 0; i < slice.domainCount(); i++) {
        List<String> values = new ArrayList<>();
        for (TopologyAssignmentSliceLevelValues level : slice.valuesPerLevel()) {
          var each = level.individual();
          values.add(
              each == null
                  ? level.universal()
                  : (each.prefix() == null ? "" : each.prefix())
                      + each.roots().get(i)
                      + (each.suffix() == null ? "" : each.suffix()));
        }
        Integer same = slice.podCounts().universal();
        domains.add(
            new PodPlacement.Domain(
                values, same == null ? slice.podCounts().individual().get(i) : same));
      }
    }
    return domains;
  }

  private static Map<List<String>, Integer> sums(List<PodPlacement.Domain> domains) {
    Map<List<String>, Integer> sums = new LinkedHashMap<>();
    domains.forEach(it -> sums.merge(it.values(), it.pods(), Integer::sum));
    return sums;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theSizeFoundWithoutExpandingIsThatAfterExpanding(long seed) {
    TopologyAssignment assignment = friendly(new Random(seed));
    List<PodPlacement.Domain> expanded = expanded(assignment);

    assertThat(ImpossiblePlacement.of(assignment)).isEmpty();
    assertThat(TopologyAssignmentSize.of(assignment))
        .isEqualTo(
            new TopologyAssignmentSize(
                expanded.size(), expanded.stream().mapToLong(PodPlacement.Domain::pods).sum()));
    assertThat(sums(AssignmentCodec.decode(assignment).domains()))
        .as("domains in their order, with their pods")
        .containsExactlyEntriesOf(sums(expanded));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whateverIsStoredMakesNoMoreDomainsThanTheBoundAndThanItsLists(long seed) {
    TopologyAssignment assignment = hostile(new Random(seed));

    PodPlacement placement = AssignmentCodec.decode(assignment);

    assertThat(placement.domains())
        .hasSizeLessThanOrEqualTo(
            Math.min(TopologyAssignmentSize.MAX_DOMAINS, lengths(assignment)));
    if (ImpossiblePlacement.of(assignment).isEmpty()) {
      assertThat(placement.pods()).isEqualTo(TopologyAssignmentSize.of(assignment).pods());
    } else {
      assertThat(placement.domains()).isEmpty();
    }
  }

  /** As much as is written: a slice for each, and the longest list of each. */
  private static int lengths(TopologyAssignment assignment) {
    int sum = 0;
    for (TopologyAssignmentSlice slice : assignment.slices()) {
      int longest = 1;
      for (TopologyAssignmentSliceLevelValues level : slice.valuesPerLevel()) {
        var each = level.individual();
        longest = Math.max(longest, each == null ? 1 : each.roots().size());
      }
      sum += longest;
    }
    return sum;
  }
}
