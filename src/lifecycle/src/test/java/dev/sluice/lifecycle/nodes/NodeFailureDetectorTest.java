package dev.sluice.lifecycle.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.core.Node;
import dev.sluice.api.flavor.Toleration;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.place.GatedPod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A workload of three pods, two placed on node n1 and one on n2. */
class NodeFailureDetectorTest {
  private static final ObjectMapper YAML = new YAMLMapper();
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final NodeSettings DEFAULT = new NodeSettings(true, true, true, false);
  private static final String TAINT = "{key: gone, value: \"yes\", effect: NoExecute}";

  private final Map<String, Node> nodes = new HashMap<>();
  private final List<GatedPod> pods = new ArrayList<>();
  private String level = "kubernetes.io/hostname";
  private String reclaimable = "";
  private String tolerations = "[]";
  private NodeSettings settings = DEFAULT;
  private Instant missed = NOW;
  private long reached = 50;

  NodeFailureDetectorTest() {
    node("n1", "\"True\"", NOW, "");
    node("n2", "\"True\"", NOW, "");
  }

  private static ObjectNode tree(String yaml) {
    try {
      return (ObjectNode) YAML.readTree(yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void node(String name, String ready, Instant since, String taint) {
    nodes.put(
        name,
        HubObjects.read(
            Node.class,
            tree(
                """
                metadata: {name: %s}
                spec: {taints: [%s]}
                status: {conditions: [{type: Ready, status: %s, lastTransitionTime: "%s"}]}
                """
                    .formatted(name, taint, ready, since))));
  }

  private Workload workload() {
    return HubObjects.read(
        Workload.class,
        tree(
            """
            metadata: {name: w, namespace: team, resourceVersion: "50"}
            spec:
              podSets:
              - {name: main, count: 3, template: {spec: {tolerations: %s}}}
            status:
              reclaimablePods: [%s]
              admission:
                clusterQueue: q
                podSetAssignments:
                - name: main
                  count: 3
                  flavors: {cpu: f}
                  topologyAssignment:
                    levels: [%s]
                    slices:
                    - domainCount: 2
                      podCounts: {individual: [2, 1]}
                      valuesPerLevel: [{individual: {roots: [n1, n2]}}]
            """
                .formatted(tolerations, reclaimable, level)));
  }

  /** A pod in that state on that node. */
  private void pod(String host, String state) {
    ObjectNode pod =
        tree(
            """
            metadata:
              name: p%d
              namespace: team
              uid: u
              resourceVersion: "%d"
              labels: {kueue.x-k8s.io/podset: main}
              annotations: {kueue.x-k8s.io/workload: w}
            spec: {nodeSelector: {kubernetes.io/hostname: %s}}
            status: {phase: %s}
            """
                .formatted(
                    pods.size(),
                    state.equals("later") ? 60 : 40,
                    host,
                    switch (state) {
                      case "succeeded" -> "Succeeded";
                      case "failed" -> "Failed";
                      case "waiting", "later", "gated" -> "Pending";
                      default -> "Running";
                    }));
    switch (state) {
      case "gated" -> {
        pod.withObject("/spec").remove("nodeSelector");
        pod.withObject("/spec")
            .putArray("schedulingGates")
            .addObject()
            .put("name", "kueue.x-k8s.io/topology");
      }
      case "waiting", "later" -> {} // bound, and on no node
      case "leaving" -> {
        pod.withObject("/metadata").put("deletionTimestamp", NOW.toString());
        pod.withObject("/spec").put("nodeName", host);
      }
      default -> pod.withObject("/spec").put("nodeName", host);
    }
    pods.add(new GatedPod(pod));
  }

  private Health answer() {
    return new NodeFailureDetector(
            workload(),
            settings,
            host -> Host.of(nodes.get(host), missed, missed),
            _ -> List.<Toleration>of(),
            pods,
            reached,
            NOW)
        .answer();
  }

  private void onBoth(String onFirst) {
    pod("n1", onFirst);
    pod("n1", onFirst);
    pod("n2", "running");
  }

  @ParameterizedTest(name = "node {0}, its pods {1}: {2}")
  @CsvSource({
    "ready, running, ''",
    "ready, failed, ''",
    "not ready, running, ''", // it may come back
    "not ready, leaving, n1",
    "not ready, failed, n1",
    "unknown, leaving, n1",
    "tainted, running, ''",
    "tainted, leaving, n1",
    "tainted, failed, n1",
    "without condition, failed, n1",
    "gone, failed, n1",
    "gone, leaving, n1",
    "gone, running, ''",
    "not ready, succeeded, ''", // their work is done
    "gone, succeeded, ''",
  })
  void aNodeFailsForAWorkloadOnceNoPodOfItGoesOnThere(String node, String pod, String failed) {
    set(node);
    onBoth(pod);

    assertThat(answer().failed()).isEqualTo(failed.isEmpty() ? List.of() : List.of(failed));
  }

  private void set(String node) {
    switch (node) {
      case "not ready" -> node("n1", "\"False\"", NOW, "");
      case "unknown" -> node("n1", "Unknown", NOW, "");
      case "tainted" -> node("n1", "\"True\"", NOW, TAINT);
      case "gone" -> nodes.remove("n1");
      case "without condition" ->
          nodes.put("n1", HubObjects.read(Node.class, tree("metadata: {name: n1}")));
      default -> {} // as it is
    }
  }

  private void since(String node, int ago) {
    missed = NOW.minusSeconds(ago);
    if (node.equals("not ready")) {
      node("n1", "\"False\"", missed, "");
    }
  }

  /** They cannot run yet, and need not fail: to a Job that would be a failed attempt. */
  @ParameterizedTest
  @ValueSource(strings = {"not ready", "tainted", "gone"})
  void aNodeThatPodsHaveBeenSentToMayBlink(String node) {
    pod("n1", "waiting");
    pod("n2", "running");
    set(node);

    since(node, 10);
    assertThat(answer()).isEqualTo(new Health(List.of(), List.of(), Optional.of(in(30))));

    since(node, 40);
    assertThat(answer().failed()).containsExactly("n1");
    assertThat(answer().stranded()).isNotEmpty();
  }

  private static Instant in(int seconds) {
    return NOW.plusSeconds(seconds);
  }

  /** As a write may do of which its sender heard nothing, and that was carried out late. */
  @Test
  void aPodThatGotAPlaceJustTakenFromItsWorkloadIsEndedOnceThatIsCertain() {
    node("n3", "\"True\"", NOW, "");
    pod("n3", "later");

    reached = 59;
    assertThat(answer()).isEqualTo(new Health(List.of(), List.of(), Optional.of(in(2))));

    reached = 60;
    assertThat(answer().stranded()).hasSize(2);
  }

  @Test
  void aPodOfAPodSetThatIsNotPlacedMayWaitForWhateverNodeItNames() {
    pod("n3", "waiting");
    nodes.remove("n3");
    missed = NOW.minusSeconds(60);
    relabelled(pods.removeLast());

    assertThat(answer().stranded()).isEmpty();
  }

  private void relabelled(GatedPod pod) {
    ObjectNode tree = pod.tree().deepCopy();
    tree.withObject("/metadata/labels").put("kueue.x-k8s.io/podset", "other");
    pods.add(new GatedPod(tree));
  }

  @Test
  void aNodeThatIsGoneIsWaitedForWhilePodsGoOnThere() {
    nodes.remove("n1");
    onBoth("running");

    missed = NOW.minusSeconds(30);
    assertThat(answer().failed()).isEmpty();
    assertThat(answer().again()).contains(NOW.plusSeconds(10));

    missed = NOW.minusSeconds(40);
    assertThat(answer().failed()).containsExactly("n1");
    assertThat(answer().again()).isEmpty();
  }

  @Test
  void beforeItHasPodsANodeFailsAtOnce() {
    nodes.remove("n1");
    node("n2", "\"False\"", NOW, "");

    assertThat(answer().failed()).containsExactly("n1", "n2");
  }

  @ParameterizedTest(name = "on termination {0}, on taints {1}, over time {2}, {3} for {4} s: {5}")
  @CsvSource({
    "true, false, false, tainted, 0, ''",
    "false, true, false, tainted, 0, n1",
    "false, true, false, not ready, 60, ''",
    "false, false, true, not ready, 29, ''",
    "false, false, true, not ready, 30, n1",
    "false, false, false, gone, 0, n1",
  })
  void theGatesSayWhatCounts(
      boolean termination, boolean taints, boolean time, String node, int ago, String failed) {
    settings = new NodeSettings(true, termination, taints, time);
    set(node);
    if (node.equals("not ready")) {
      node("n1", "\"False\"", NOW.minusSeconds(ago), "");
    }
    onBoth("failed");

    assertThat(answer().failed()).isEqualTo(failed.isEmpty() ? List.of() : List.of(failed));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[{key: gone, operator: Exists}]", "[{operator: Exists}]"})
  void aTaintThatPodsTolerateIsNoFailure(String tolerated) {
    tolerations = tolerated;
    set("tainted");
    onBoth("failed");

    assertThat(answer().failed()).isEmpty();
  }

  @Test
  void aTaintThatPodsTolerateForATimeIsOneOnceTheyAreGone() {
    tolerations = "[{key: gone, operator: Exists, tolerationSeconds: 300}]";
    set("tainted");
    onBoth("running");
    assertThat(answer().failed()).isEmpty();

    pods.clear();
    onBoth("leaving");
    assertThat(answer().failed()).containsExactly("n1");
  }

  /** A new node has such a taint for some seconds after it has become ready. */
  @Test
  void aTaintThatPodsTolerateForATimeIsNoFailureBeforeOneOfThemHasBegun() {
    tolerations = "[{key: gone, operator: Exists, tolerationSeconds: 300}]";
    set("tainted");
    assertThat(answer().failed()).as("no Pod is there yet").isEmpty();

    pod("", "gated");
    assertThat(answer().failed()).isEmpty();

    tolerations = "[]";
    assertThat(answer().failed()).as("nobody could run there").containsExactly("n1");
  }

  @Test
  void aNodeIsMissedAgainWhenPodsWaitForTheirPlaces() {
    set("gone");
    onBoth("succeeded");
    pod("", "gated");

    assertThat(answer().failed()).containsExactly("n1");
  }

  @Test
  void aNodeIsNotMissedForPodsThatWereGivenBack() {
    set("gone");
    pod("n2", "running");
    reclaimable = "{name: main, count: 2}";

    assertThat(answer().failed()).isEmpty();
  }

  @Test
  void widerDomainsHaveNoNodesThatFail() {
    level = "rack";
    nodes.clear();

    assertThat(answer()).isEqualTo(Health.GOOD);
  }

  @ParameterizedTest(name = "node {0} for {1} s, pod {2} on {3}: ended {4}")
  @CsvSource({
    "ready, 0, waiting, n1, false",
    "not ready, 0, waiting, n1, false", // it may only blink
    "not ready, 39, waiting, n1, false",
    "not ready, 40, waiting, n1, true",
    "tainted, 39, waiting, n1, false",
    "tainted, 40, waiting, n1, true",
    "gone, 39, waiting, n1, false",
    "gone, 40, waiting, n1, true",
    "not ready, 60, running, n1, false",
    "ready, 0, waiting, n3, true", // it was placed there before, and is not any more
    "ready, 60, later, n3, false", // we may not know its place yet
    "ready, 0, running, n3, false",
  })
  void podsThatCanNeverStartWhereTheyAreBoundAreEnded(
      String node, int ago, String state, String host, boolean ended) {
    node("n3", "\"True\"", NOW, "");
    set(node);
    since(node, ago);
    pod(host, state);

    List<Write> writes = answer().stranded();

    assertThat(writes).hasSize(ended ? 2 : 0);
    if (ended) {
      Write.Apply end = (Write.Apply) writes.getFirst();
      assertThat(end.subresource()).isEqualTo("status");
      assertThat(end.body().at("/status/phase").asText()).isEqualTo("Failed");
      assertThat(end.body().at("/metadata/resourceVersion").asText())
          .as("it may have started meanwhile")
          .isEqualTo("40");
      assertThat(end.body().at("/status/conditions/0/type").asText())
          .isEqualTo("TerminatedByKueue");
      assertThat(end.body().at("/status/conditions/0/reason").asText())
          .isEqualTo("UnschedulableOnAssignedNode");
      assertThat(((Write.Event) writes.get(1)).reason()).isEqualTo("PodTerminatedByKueue");
    }
  }
}
