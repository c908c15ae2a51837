package dev.sluice.lifecycle.place;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ResourceVersion;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.SchedulingGates;
import dev.sluice.api.workload.PodSetUpdate;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.quota.topology.Levels;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A pod of a workload whose pods are placed by topology, as the API server has it. */
public record GatedPod(JsonNode tree) {

  private static final String MANAGER = "kueue";
  private static final String REPORTER = "kueue-tas-node-controller";

  /** The PodSet it belongs to. */
  public String podSet() {
    return tree.at("/metadata/labels").path(Labels.POD_SET).asText();
  }

  /** The workload it belongs to, in its namespace; empty for none. */
  public String workload() {
    return tree.at("/metadata/annotations").path(Annotations.WORKLOAD).asText();
  }

  /** The first of the workloads that its job had since it started; empty for none. */
  public String slice() {
    return tree.at("/metadata/annotations").path(Annotations.WORKLOAD_SLICE_NAME).asText();
  }

  public String namespace() {
    return tree.at("/metadata/namespace").asText();
  }

  String name() {
    return tree.at("/metadata/name").asText();
  }

  /** Whether it may still run. */
  boolean isLive() {
    return !succeeded() && !phase().equals("Failed");
  }

  /** Whether it waits to be placed. A pod that is being deleted does not wait. */
  public boolean isGated() {
    return !isLeaving() && gates().anyMatch(this::isOurs);
  }

  /** Whether it waits until its job has quota for as many pods. */
  boolean waitsForSlice() {
    return !isLeaving() && isHeldForSlice();
  }

  /** Whether it is still gated because it has no quota yet. */
  boolean isHeldForSlice() {
    return gates().anyMatch(GatedPod::isOfSlices);
  }

  private static boolean isOfSlices(JsonNode gate) {
    return gate.path("name").asText().equals(SchedulingGates.ELASTIC_JOB);
  }

  /** Whether it was placed, by us or by its own node selector. */
  boolean isPlaced() {
    return gates().noneMatch(this::isOurs);
  }

  private boolean isLeaving() {
    return tree.path("metadata").has("deletionTimestamp");
  }

  /** Whether it has succeeded. */
  public boolean succeeded() {
    return phase().equals("Succeeded");
  }

  private String phase() {
    return tree.at("/status/phase").asText();
  }

  /** The hostname that it is bound to; empty where it is bound to none. */
  public String host() {
    return tree.at("/spec/nodeSelector").path(Levels.HOSTNAME).asText();
  }

  /** Whether it has its place and waits for a node to take it. */
  public boolean isBoundOnly() {
    return phase().equals("Pending")
        && tree.at("/spec/nodeName").asText().isEmpty()
        && tree.at("/spec/schedulingGates").isEmpty()
        && !isLeaving();
  }

  /** Whether it has not ended and is not being deleted. */
  public boolean stays() {
    return isLive() && !isLeaving();
  }

  /** Whether a node has it and it {@linkplain #stays stays}. */
  public boolean goesOn() {
    return stays() && !tree.at("/spec/nodeName").asText().isEmpty();
  }

  /** The version at which it was last written; the latest of all if that is no number. */
  public long version() {
    return ResourceVersion.number(tree.at("/metadata/resourceVersion").asText())
        .orElse(Long.MAX_VALUE);
  }

  /** Fails the pod, which can never start on its node, unless it has changed; with an event. */
  public List<Write> fail(Instant now) {
    String message = "The pod cannot start on its node " + host();
    return List.of(
        PodWrites.failed(tree, "TerminatedByKueue", "UnschedulableOnAssignedNode", message, now),
        new Write.Event(ref(), REPORTER, "Warning", EventReasons.POD_TERMINATED_BY_KUEUE, message));
  }

  private ObjectRef ref() {
    return PodWrites.ref(tree);
  }

  private Stream<JsonNode> gates() {
    return tree.at("/spec/schedulingGates").valueStream();
  }

  private boolean isOurs(JsonNode gate) {
    return gate.path("name").asText().equals(SchedulingGates.TOPOLOGY);
  }

  /** A number in a label, which numbers the pods; empty where there is none. */
  OptionalInt number(String label) {
    return number(tree.at("/metadata/labels").path(label));
  }

  /** The offset of the pod indexes of its PodSet; 0 by default. */
  int offset() {
    return number(tree.at("/metadata/annotations").path(Annotations.POD_INDEX_OFFSET)).orElse(0);
  }

  private static OptionalInt number(JsonNode text) {
    try {
      int number = Integer.parseInt(text.asText());
      return number < 0 ? OptionalInt.empty() : OptionalInt.of(number);
    } catch (NumberFormatException _) {
      return OptionalInt.empty();
    }
  }

  /** Whether the pod is bound to that domain. */
  boolean isIn(List<String> levels, List<String> values) {
    return domain(levels).equals(values);
  }

  /** The values of the levels that the pod is bound to; empty texts for none. */
  List<String> domain(List<String> levels) {
    JsonNode selector = tree.at("/spec/nodeSelector");
    return levels.stream().map(level -> selector.path(level).asText()).toList();
  }

  /** Binds it to that domain and removes its gate, in one write, unless it has changed. */
  Write place(List<String> levels, List<String> values) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode spec = patch.putObject("spec");
    ObjectNode selector = spec.putObject("nodeSelector");
    for (int i = 0; i < levels.size(); i++) {
      selector.put(levels.get(i), values.get(i));
    }
    keepGates(spec, gate -> !isOurs(gate));
    return patch(patch);
  }

  /**
   * Removes its quota gate, and adds the updates of the checks of its set, unless it has changed.
   * Its labels and annotations are kept.
   *
   * @return empty if the pod contradicts the updates of a check
   */
  Optional<Write> letGo(List<PodSetUpdate> updates) {
    ObjectNode changed = tree.deepCopy();
    ObjectNode metadata = Patches.child(changed, "metadata");
    ObjectNode spec = Patches.child(changed, "spec");
    keepGates(spec, gate -> !isOfSlices(gate));
    for (PodSetUpdate update : updates) {
      addMissing(update.labels(), metadata, "labels");
      addMissing(update.annotations(), metadata, "annotations");
      if (!addMissing(update.nodeSelector(), spec, "nodeSelector")) {
        return Optional.empty();
      }
      update.tolerations().forEach(it -> addToleration(HubObjects.write(it), spec));
    }
    return Optional.of(patch(Patches.between(tree, changed)));
  }

  /** Adds the entries whose keys are not there; whether all that are there are the same. */
  private static boolean addMissing(Map<String, String> entries, ObjectNode parent, String map) {
    boolean same = true;
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      ObjectNode there = Patches.child(parent, map);
      String before = there.path(entry.getKey()).asText(entry.getValue());
      there.put(entry.getKey(), before);
      same &= before.equals(entry.getValue());
    }
    return same;
  }

  private static void addToleration(JsonNode toleration, ObjectNode spec) {
    ArrayNode list = Patches.list(spec, "tolerations");
    if (list.valueStream().noneMatch(toleration::equals)) {
      list.add(toleration);
    }
  }

  private void keepGates(ObjectNode spec, Predicate<JsonNode> which) {
    ArrayNode left = spec.putArray("schedulingGates");
    gates().filter(which).forEach(left::add);
  }

  private Write patch(ObjectNode patch) {
    return new Write.MergePatch(
        ref(), "", patch, MANAGER, tree.at("/metadata/resourceVersion").asText());
  }
}
