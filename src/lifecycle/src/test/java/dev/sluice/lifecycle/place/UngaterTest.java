package dev.sluice.lifecycle.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UngaterTest {
  private static final ObjectMapper YAML = new YAMLMapper();

  /** Two pods on node n1 and one on n2, numbered by the label index. */
  private static final String ADMITTED =
      """
      metadata: {name: w, namespace: team}
      spec:
        podSets:
        - {name: main, count: 3, template: {spec: {}}, topologyRequest: {required: rack, podIndexLabel: index}}
      status:
        conditions:
        - {type: QuotaReserved, status: "True", reason: r, message: m, lastTransitionTime: "2026-01-01T00:00:00Z"}
        - {type: Admitted, status: "True", reason: r, message: m, lastTransitionTime: "2026-01-01T00:00:00Z"}
        admission:
          clusterQueue: q
          podSetAssignments:
          - name: main
            topologyAssignment:
              levels: [kubernetes.io/hostname]
              slices:
              - domainCount: 2
                podCounts: {individual: [2, 1]}
                valuesPerLevel: [{individual: {roots: [n1, n2]}}]
      """;

  private static Workload workload(String yaml) {
    try {
      return HubObjects.read(Workload.class, YAML.readTree(yaml));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode pod(String name, String index) {
    return pod(name, "main", index);
  }

  private static ObjectNode pod(String name, String podSet, String index) {
    try {
      return (ObjectNode)
          YAML.readTree(
              """
              metadata:
                name: %s
                namespace: team
                uid: u-%s
                resourceVersion: "7"
                labels: {kueue.x-k8s.io/podset: %s%s}
                annotations: {kueue.x-k8s.io/workload: w}
              spec: {schedulingGates: [{name: other}, {name: kueue.x-k8s.io/topology}]}
              status: {phase: Pending}
              """
                  .formatted(
                      name, name, podSet, index.isEmpty() ? "" : ", index: \"" + index + "\""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode on(String node, ObjectNode pod) {
    ObjectNode placed = pod.deepCopy();
    ((ObjectNode) placed.get("spec")).remove("schedulingGates");
    placed.withObject("/spec/nodeSelector").put("kubernetes.io/hostname", node);
    return placed;
  }

  private static Map<String, String> placed(String workload, JsonNode... pods) {
    return placed(workload, List.of(pods));
  }

  /** The node of each pod that is placed. */
  private static Map<String, String> placed(String workload, List<JsonNode> pods) {
    Map<String, String> nodes = new TreeMap<>();
    for (Write write : Ungater.plan(workload(workload), Ungater.of("w", pods))) {
      Write.MergePatch patch = (Write.MergePatch) write;
      assertThat(patch.resourceVersion()).isEqualTo("7");
      assertThat(patch.patch().at("/spec/schedulingGates")).hasToString("[{\"name\":\"other\"}]");
      nodes.put(
          write.target().name(),
          patch.patch().at("/spec/nodeSelector/kubernetes.io~1hostname").asText());
    }
    return nodes;
  }

  @Test
  void nobodyIsSentToTheLastPlacesOfAJobThatShrank() {
    String shrunk =
        ADMITTED
            .replace("count: 3,", "count: 2,")
            .replace("- name: main\n", "- name: main\n      count: 3\n");

    assertThat(placed(shrunk, pod("a", ""), pod("b", ""), pod("c", "")))
        .isEqualTo(Map.of("a", "n1", "b", "n1"));
  }

  @Test
  void numberedPodsGoToTheSlotsInTheOrderOfTheirNumbers() {
    assertThat(placed(ADMITTED, pod("a", "2"), pod("b", "0"), pod("c", "1")))
        .isEqualTo(Map.of("a", "n2", "b", "n1", "c", "n1"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "one has no number, 0, ''",
    "two have the same, 1, 1",
    "one is beyond the last slot, 0, 3",
    "one is no number, 0, x",
  })
  void otherwisePodsGoWhereRoomIs(String why, String first, String second) {
    assertThat(placed(ADMITTED, pod("a", first), pod("b", second), pod("c", "2")).values())
        .as(why)
        .containsExactlyInAnyOrder("n1", "n1", "n2");
  }

  @Test
  void roomThatPodsHaveTakenIsNotGivenAgain() {
    assertThat(placed(ADMITTED, on("n1", pod("a", "")), pod("b", ""), pod("c", "")).values())
        .containsExactlyInAnyOrder("n1", "n2");
    assertThat(placed(ADMITTED, on("n1", pod("a", "")), on("n1", pod("b", "")), pod("c", "")))
        .isEqualTo(Map.of("c", "n2"));
  }

  @Test
  void aPodTooManyStaysGated() {
    assertThat(placed(ADMITTED, pod("a", ""), pod("b", ""), pod("c", ""), pod("d", ""))).hasSize(3);
  }

  @Test
  void aPodThatEndedGivesItsRoomBackAndOneThatIsBeingDeletedStaysAsItIs() {
    ObjectNode ended = on("n2", pod("a", "2"));
    ended.withObject("/status").put("phase", "Failed");
    ObjectNode leaving = pod("b", "1");
    leaving.withObject("/metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");

    assertThat(placed(ADMITTED, ended, leaving, pod("c", "2"))).isEqualTo(Map.of("c", "n2"));
  }

  @Test
  void aFailedNodeGetsNoPodUntilItIsReplaced() {
    String failed = ADMITTED.replace("status:\n", "status:\n  unhealthyNodes: [{name: n1}]\n");

    assertThat(placed(failed, pod("a", "0"), pod("b", "2"))).isEqualTo(Map.of("b", "n2"));
    assertThat(placed(failed, pod("a", ""), pod("b", ""))).isEqualTo(Map.of("a", "n2"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "type: Admitted, status: \"True\" | type: Admitted, status: \"False\"",
        "type: QuotaReserved, | type: Evicted,",
      })
  void nothingIsPlacedOfAWorkloadThatIsNotAdmittedOrHasToGo(String from, String to) {
    assertThat(placed(ADMITTED.replace(from, to), pod("a", "0"))).isEmpty();
  }

  /**
   * A workload of one group with two PodSets, placed on these hosts, one pod each.
   *
   * @param label how the pods of the first are numbered; empty if they are not
   * @param first the hosts of the first; empty for no pods
   */
  private static String group(String label, List<String> first, List<String> second) {
    String index = label.isEmpty() ? "" : ", podIndexLabel: " + label;
    return """
    metadata: {name: w, namespace: team}
    spec:
      podSets:
      - {name: workers, count: %d, template: {spec: {}}, topologyRequest: {required: rack, podSetGroupName: g%s}}
      - {name: leader, count: %d, template: {spec: {}}, topologyRequest: {required: rack, podSetGroupName: g}}
    status:
      conditions:
      - {type: QuotaReserved, status: "True", reason: r, message: m, lastTransitionTime: "2026-01-01T00:00:00Z"}
      - {type: Admitted, status: "True", reason: r, message: m, lastTransitionTime: "2026-01-01T00:00:00Z"}
      admission:
        clusterQueue: q
        podSetAssignments:
        - {name: workers%s}
        - {name: leader%s}
    """
        .formatted(first.size(), index, second.size(), assigned(first), assigned(second));
  }

  private static String assigned(List<String> hosts) {
    return hosts.isEmpty()
        ? ""
        : ", topologyAssignment: {levels: [kubernetes.io/hostname], slices: [{domainCount: %d,"
                .formatted(hosts.size())
            + " podCounts: {universal: 1}, valuesPerLevel: [{individual: {roots: %s}}]}]}"
                .formatted(hosts);
  }

  @Test
  void theLeaderOfAGroupHasTheFirstSlotWhereverItStands() {
    assertThat(
            placed(
                group("index", List.of("n2", "n3"), List.of("n1")),
                pod("w1", "workers", "1"),
                pod("l", "leader", ""),
                pod("w0", "workers", "0")))
        .isEqualTo(Map.of("l", "n1", "w0", "n2", "w1", "n3"));
  }

  /** As in a LeaderWorkerSet, whose leader is number 0. */
  @Test
  void whereTheLeaderHasANumberThoseOfTheOthersGoOnFromThere() {
    assertThat(
            placed(
                group("index", List.of("n2", "n3"), List.of("n1")),
                pod("a", "workers", "2"),
                pod("b", "workers", "1"),
                pod("l", "leader", "0")))
        .isEqualTo(Map.of("l", "n1", "b", "n2", "a", "n3"));
  }

  /** Without numbers; the name of the leader comes last. */
  @Test
  void eachPodSetOfAGroupHasTheRoomThatWasLookedForForIt() {
    assertThat(
            placed(
                group("", List.of("n1", "n2"), List.of("n1")),
                pod("a", "workers", ""),
                pod("b", "workers", ""),
                pod("c", "leader", "")))
        .isEqualTo(Map.of("a", "n1", "b", "n2", "c", "n1"));
  }

  @Test
  void theLeaderOfAGroupIsPlacedAlsoWhereNobodyFollows() {
    String alone = group("index", List.of(), List.of("n1"));

    assertThat(placed(alone, pod("l", "leader", ""))).isEqualTo(Map.of("l", "n1"));
    assertThat(placed(alone, pod("w0", "workers", "0"))).isEmpty();
  }

  @Test
  void killedAfterAnyWriteItEndsInTheSamePlaces() {
    List<JsonNode> pods = Arrays.asList(pod("a", ""), pod("b", ""), pod("c", ""));
    Map<String, String> whole = placed(ADMITTED, pods);
    for (int done = 0; done <= whole.size(); done++) {
      List<JsonNode> now = new ArrayList<>();
      int count = 0;
      for (JsonNode pod : pods) {
        String name = pod.at("/metadata/name").asText();
        now.add(count++ < done ? on(whole.getOrDefault(name, ""), (ObjectNode) pod) : pod);
      }
      Map<String, String> rest = placed(ADMITTED, now);

      assertThat(rest).hasSize(whole.size() - done);
      assertThat(whole).containsAllEntriesOf(rest);
    }
  }

  /** As after a failed node was replaced: the numbers of those that run fit the places no more. */
  @Test
  void podsThatRunElsewhereThanTheirNumbersSayLeaveTheOthersTheRoomThatIsLeft() {
    assertThat(placed(ADMITTED, pod("a", "0"), on("n1", pod("b", "1")), on("n1", pod("c", "2"))))
        .isEqualTo(Map.of("a", "n2"));
  }

  /** Two billion pods on one node, as a pod set of as many; some are there. */
  private static final String HUGE =
      ADMITTED
          .replace("count: 3", "count: 2147483647")
          .replace("domainCount: 2", "domainCount: 1")
          .replace("{individual: [2, 1]}", "{universal: 2147483647}")
          .replace("{individual: {roots: [n1, n2]}}", "{universal: n1}");

  @ParameterizedTest
  @CsvSource({"0, 2147483646", "'', ''"})
  void slotsAreCountedByDomainHoweverManyThereAre(String first, String second) {
    assertThat(placed(HUGE, pod("a", first), pod("b", second)))
        .isEqualTo(Map.of("a", "n1", "b", "n1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{universal: 2147483647}",
        "{individual: [2, 2]}",
        "{individual: [2]}",
        "{individual: [3, 0]}",
      })
  void noPodIsPlacedWherePlacesCannotBe(String counts) {
    String impossible = ADMITTED.replace("{individual: [2, 1]}", counts);

    assertThat(placed(impossible, pod("a", "0"), pod("b", ""))).isEmpty();
  }

  /** Whatever the order and the numbers: as many of a domain as it has slots, and no pod twice. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void noDomainGetsMorePodsThanItHasSlots(long seed) {
    Random random = new Random(seed);
    List<JsonNode> pods = new ArrayList<>();
    Map<String, Integer> there = new TreeMap<>(Map.of("n1", 0, "n2", 0));
    for (int i = 0; i < random.nextInt(7); i++) {
      String index = random.nextBoolean() ? "" : String.valueOf(random.nextInt(4));
      ObjectNode pod = pod("p" + i, index);
      String node = "n" + (1 + random.nextInt(2));
      if (random.nextInt(3) == 0 && there.getOrDefault(node, 0) < (node.equals("n1") ? 2 : 1)) {
        there.merge(node, 1, Integer::sum);
        pods.add(on(node, pod));
      } else {
        pods.add(pod);
      }
    }

    Map<String, String> placed = placed(ADMITTED, pods);

    placed.values().forEach(node -> there.merge(node, 1, Integer::sum));
    assertThat(there.get("n1")).isLessThanOrEqualTo(2);
    assertThat(there.get("n2")).isLessThanOrEqualTo(1);
    assertThat(there.values().stream().mapToInt(Integer::intValue).sum())
        .as("nobody waits while there is room")
        .isEqualTo(Math.min(3, pods.size()));
  }
}
