package dev.sluice.api.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.read.HubObjects;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImpossiblePlacementTest {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES, JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .build();

  private static <T> T read(Class<T> type, String json) {
    try {
      return HubObjects.read(type, JSON.readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private static PodSet podSet(int count, String request) {
    String more = request.isEmpty() ? "" : ", topologyRequest: {" + request + "}";
    return read(
        PodSet.class, "{name: 'main', count: " + count + ", template: {spec: {}}" + more + "}");
  }

  private static String problem(PodSetAssignment assignment, PodSet podSet) {
    return ImpossiblePlacement.of(assignment, podSet).map(ImpossiblePlacement::text).orElse("");
  }

  /** The assignment is for three pods. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          as many as it is for   | levels: ['h'], slices: [{domainCount: 2, valuesPerLevel: [{individual: {roots: ['a', 'b']}}], podCounts: {individual: [1, 2]}}] |
          two slices             | levels: ['h'], slices: [{domainCount: 1, valuesPerLevel: [{universal: 'a'}], podCounts: {universal: 1}}, {domainCount: 2, valuesPerLevel: [{individual: {prefix: 'p', roots: ['a', 'b']}}], podCounts: {universal: 1}}] |
          two levels             | levels: ['r', 'h'], slices: [{domainCount: 3, valuesPerLevel: [{universal: 'r'}, {individual: {roots: ['a', 'b', 'c']}}], podCounts: {universal: 1}}] |
          too few pods           | levels: ['h'], slices: [{domainCount: 2, valuesPerLevel: [{individual: {roots: ['a', 'b']}}], podCounts: {universal: 1}}] | slices: 2: must have places for the 3 pods of the assignment
          too many pods          | levels: ['h'], slices: [{domainCount: 2, valuesPerLevel: [{individual: {roots: ['a', 'b']}}], podCounts: {universal: 2}}] | slices: 4: must have places for the 3 pods of the assignment
          no pods                | levels: ['h'], slices: []                                                                            | slices: 0: must have places for the 3 pods of the assignment
          two billion pods       | levels: ['h'], slices: [{domainCount: 1, valuesPerLevel: [{universal: 'a'}], podCounts: {universal: 2147483647}}] | slices: 2147483647: must have places for the 3 pods of the assignment
          more than an int       | levels: ['h'], slices: [{domainCount: 2, valuesPerLevel: [{universal: 'a'}], podCounts: {universal: 2147483647}}] | slices: 4294967294: must have places for at most 2147483647 pods
          two billion domains    | levels: ['h'], slices: [{domainCount: 2147483647, valuesPerLevel: [{universal: 'a'}], podCounts: {universal: 1}}] | slices: 2147483647: must stand for at most 100000 domains
          no level               | levels: [], slices: []                                                                             | levels: must have at least one level
          a level without values | levels: ['r', 'h'], slices: [{domainCount: 1, valuesPerLevel: [{universal: 'a'}], podCounts: {universal: 3}}] | slices[0].valuesPerLevel: 1: must have an entry for each of the 2 levels
          a value too many       | levels: ['h'], slices: [{domainCount: 1, valuesPerLevel: [{universal: 'a'}, {universal: 'b'}], podCounts: {universal: 3}}] | slices[0].valuesPerLevel: 2: must have an entry for each of the 1 levels
          no value               | levels: ['h'], slices: [{domainCount: 1, valuesPerLevel: [{}], podCounts: {universal: 3}}]           | slices[0].valuesPerLevel[0]: must have either universal or individual
          both values            | levels: ['h'], slices: [{domainCount: 1, valuesPerLevel: [{universal: 'a', individual: {roots: ['a']}}], podCounts: {universal: 3}}] | slices[0].valuesPerLevel[0]: must have either universal or individual
          too few values         | levels: ['h'], slices: [{domainCount: 3, valuesPerLevel: [{individual: {roots: ['a', 'b']}}], podCounts: {universal: 1}}] | slices[0].valuesPerLevel[0].individual.roots: 2: must have an entry for each of the 3 domains
          too many values        | levels: ['h'], slices: [{domainCount: 1, valuesPerLevel: [{individual: {roots: ['a', 'b']}}], podCounts: {universal: 3}}] | slices[0].valuesPerLevel[0].individual.roots: 2: must have an entry for each of the 1 domains
          too few counts         | levels: ['h'], slices: [{domainCount: 2, valuesPerLevel: [{individual: {roots: ['a', 'b']}}], podCounts: {individual: [3]}}] | slices[0].podCounts.individual: 1: must have an entry for each of the 2 domains
          no counts              | levels: ['h'], slices: [{domainCount: 1, valuesPerLevel: [{universal: 'a'}], podCounts: {}}]           | slices[0].podCounts: must have either universal or individual
          both counts            | levels: ['h'], slices: [{domainCount: 1, valuesPerLevel: [{universal: 'a'}], podCounts: {universal: 3, individual: [3]}}] | slices[0].podCounts: must have either universal or individual
          a count of nothing     | levels: ['h'], slices: [{domainCount: 2, valuesPerLevel: [{individual: {roots: ['a', 'b']}}], podCounts: {individual: [3, 0]}}] | slices[0].podCounts.individual[1]: 0: must be at least 1
          a count below nothing  | levels: ['h'], slices: [{domainCount: 2, valuesPerLevel: [{individual: {roots: ['a', 'b']}}], podCounts: {individual: [4, -1]}}] | slices[0].podCounts.individual[1]: -1: must be at least 1
          counts of nothing      | levels: ['h'], slices: [{domainCount: 1, valuesPerLevel: [{universal: 'a'}], podCounts: {universal: 0}}] | slices[0].podCounts.universal: 0: must be at least 1
          no domain              | levels: ['h'], slices: [{domainCount: 1, valuesPerLevel: [{universal: 'a'}], podCounts: {universal: 3}}, {domainCount: 0, valuesPerLevel: [{individual: {roots: []}}], podCounts: {universal: 1}}] | slices[1].domainCount: 0: must be at least 1
          """)
  void aPlacementIsForThePodsOfItsAssignmentAndWellFormed(
      String name, String topology, String problem) {
    String assignment = "{name: 'main', count: 3, topologyAssignment: {" + topology + "}}";

    assertThat(problem(read(PodSetAssignment.class, assignment), podSet(9, "")))
        .isEqualTo(problem == null ? "" : problem);
  }

  @ParameterizedTest(name = "{0} assigned, the pod set has {1}, asks for {2}, {3} are placed")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          count: 3 | 5 |                                                        | 3 | true
          count: 3 | 5 |                                                        | 5 | false
                   | 5 |                                                        | 5 | true
                   | 5 |                                                        | 3 | false
          count: 0 | 5 |                                                        | 0 | true
          count: 5 | 5 | podSetSliceRequiredTopology: 'r', podSetSliceSize: 2     | 5 | true
          count: 5 | 5 | podSetSliceRequiredTopology: 'r', podSetSliceSize: 2     | 4 | true
          count: 5 | 5 | podSetSliceRequiredTopology: 'r', podSetSliceSize: 2     | 3 | false
          count: 4 | 5 | podSetSliceRequiredTopology: 'r', podSetSliceSize: 2     | 2 | false
          count: 7 | 7 | podsetSliceRequiredTopologyConstraints: [{topology: 'r', size: 4}, {topology: 'h', size: 2}] | 4 | true
          count: 7 | 7 | podsetSliceRequiredTopologyConstraints: [{topology: 'r', size: 4}, {topology: 'h', size: 2}] | 6 | false
          count: 5 | 5 | podSetSliceSize: 0                                     | 5 | true
          """)
  void placesAreForAllPodsOrForWholeSlicesOfThem(
      String count, int pods, String request, int placed, boolean possible) {
    String slices =
        placed == 0
            ? ""
            : "{domainCount: 1, valuesPerLevel: [{universal: 'a'}], podCounts: {universal: %d}}"
                .formatted(placed);
    String assignment =
        "{name: 'main'%s, topologyAssignment: {levels: ['h'], slices: [%s]}}"
            .formatted(count == null ? "" : ", " + count, slices);
    String asked = request == null ? "" : request;

    assertThat(problem(read(PodSetAssignment.class, assignment), podSet(pods, asked)).isEmpty())
        .isEqualTo(possible);
  }

  @ParameterizedTest(name = "{0} of 3 placed, {1}: possible {2}")
  @CsvSource({
    "2, Ready, true",
    "3, Ready, true",
    "4, Ready, false",
    "2, Pending, false",
  })
  void placesThatWereFoundLaterMayBeForFewerPods(int placed, String delayed, boolean possible) {
    String assignment =
        """
        {name: 'main', count: 3, delayedTopologyRequest: '%s', topologyAssignment: {levels: ['h'],
        slices: [{domainCount: 1, valuesPerLevel: [{universal: 'a'}], podCounts: {universal: %d}}]}}\
        """
            .formatted(delayed, placed);

    assertThat(problem(read(PodSetAssignment.class, assignment), podSet(3, "")).isEmpty())
        .isEqualTo(possible);
  }

  @Test
  void anAdmissionNamesTheFieldOfTheFirstPodSetWithImpossiblePlaces() {
    Admission admission =
        read(
            Admission.class,
            """
            {clusterQueue: 'q', podSetAssignments: [{name: 'other', count: 1}, {name: 'main', count: 2,
            topologyAssignment: {levels: ['h'], slices: [{domainCount: 1,
            valuesPerLevel: [{universal: 'a'}], podCounts: {universal: 1}}]}}]}\
            """);

    assertThat(ImpossiblePlacement.of(admission, List.of(podSet(2, ""))))
        .map(ImpossiblePlacement::text)
        .contains(
            "status.admission.podSetAssignments[1].topologyAssignment.slices: 1: must have places"
                + " for the 2 pods of the assignment");
  }

  @Test
  void sumsThatDoNotFitStayAtTheEnd() {
    var slice =
        new TopologyAssignmentSlice(
            Integer.MAX_VALUE,
            List.of(new TopologyAssignmentSliceLevelValues("a", null)),
            new TopologyAssignmentSlicePodCounts(Integer.MAX_VALUE, List.of()));

    var size =
        TopologyAssignmentSize.of(
            new TopologyAssignment(List.of("h"), Collections.nCopies(1000, slice)));

    assertThat(size).isEqualTo(new TopologyAssignmentSize(2_147_483_647_000L, Long.MAX_VALUE));
  }
}
