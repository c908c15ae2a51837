package dev.sluice.lifecycle.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.lifecycle.store.ObjectLookup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which pods have the places of a workload. */
class WorkloadPodsTest {
  private static final ObjectMapper YAML = new YAMLMapper();
  private static final ObjectKey GROWN = new ObjectKey("team", "grown");

  /** Pods by name. */
  private record Lookup(Map<String, JsonNode> byName) implements ObjectLookup {
    @Override
    public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
      return Optional.ofNullable(byName.get(name));
    }

    @Override
    public List<JsonNode> controlledBy(GroupKind kind, String uid) {
      return List.of();
    }
  }

  private final Map<String, JsonNode> objects = new TreeMap<>();
  private final WorkloadPods pods = new WorkloadPods(new Lookup(objects));

  private void put(String name, String workload, String slice, String gates) {
    String annotations =
        "kueue.x-k8s.io/workload: "
            + workload
            + (slice.isEmpty() ? "" : ", kueue.x-k8s.io/workload-slice-name: " + slice);
    try {
      JsonNode pod =
          YAML.readTree(
              """
              metadata: {name: %s, namespace: team, annotations: {%s}}
              spec: {schedulingGates: [%s]}
              """
                  .formatted(name, annotations, gates));
      objects.put(name, pod);
      pods.note(new ObjectChange(Optional.empty(), Optional.of(pod)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void somePods() {
    put("runs", "first", "first", "");
    put("waits-for-a-place", "first", "first", "{name: kueue.x-k8s.io/topology}");
    put(
        "waits-for-quota",
        "first",
        "first",
        "{name: kueue.x-k8s.io/topology}, {name: kueue.x-k8s.io/elastic-job}");
    put("of-another", "grown", "", "");
  }

  private List<String> placedBy(String origin) {
    return pods.placedBy(GROWN, origin).stream().map(GatedPod::name).toList();
  }

  @Test
  void thoseOfAJobThatGrewAreFoundWhicheverOfItsWorkloadsTheyNameUnlessTheyWaitForQuota() {
    assertThat(placedBy("first")).containsExactly("runs", "waits-for-a-place");
  }

  @Test
  void thoseOfAnotherNameTheWorkload() {
    assertThat(placedBy("")).containsExactly("of-another");
  }
}
