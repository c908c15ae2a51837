package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.multicluster.apiserver.MemoryObjects;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pods with the finalizer of a worker's scheduler are deleted while that scheduler is down. */
@FullTier
@Timeout(240)
class HeldPodsTest {
  private static final String PODS = JobFamily.POD_GROUP.collection();
  private static final String FINALIZER = "kueue.x-k8s.io/managed";
  private static final List<String> WORKLOADS = List.of("group", "plain");

  @TempDir private Path folder;
  private InMemoryFleet fleet;

  @BeforeEach
  void aManagerWithAWorker() {
    fleet = new InMemoryFleet(folder, JobFamily.configuration(), JobFamily.more());
    fleet.start("a");
    fleet.connect("a");
    fleet.awaitActive("a", "Connected");
  }

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  private static void until(Callable<Boolean> condition) {
    await().atMost(InMemoryFleet.AMPLE).until(condition);
  }

  /** The Pods of the group, and the one without a group. */
  private static List<String> pods() {
    return Stream.concat(JobFamily.POD_GROUP.members("group").stream(), Stream.of("plain"))
        .map(it -> PODS + "/" + it)
        .toList();
  }

  private MemoryObjects here() {
    return fleet.clusters.manager.objects();
  }

  private MemoryObjects there() {
    return fleet.worker("a").objects();
  }

  private void create() {
    pods()
        .forEach(
            it -> here().put(PODS, JobFamily.POD_GROUP.object(it.substring(PODS.length() + 1))));
    fleet.workload("group", JobFamily.POD_GROUP.owners("group"), JobFamily.POD_GROUP.annotations());
    fleet.workload(
        "plain",
        "{'apiVersion': 'v1', 'kind': 'Pod', 'name': 'plain', 'uid': 'plain-job',"
            + " 'controller': true}",
        "");
  }

  /** What the worker's scheduler and its kubelets have done before it went down. */
  private static void run(ObjectNode pod) {
    pod.withObjectProperty("metadata").putArray("finalizers").add(FINALIZER);
    ObjectNode status = pod.withObjectProperty("status").put("phase", "Running");
    status.putArray("conditions").addObject().put("type", "PodScheduled").put("status", "True");
    pod.withObjectProperty("spec").put("nodeName", "node");
  }

  private boolean isBeingDeleted(String path) {
    return there().find(path).filter(it -> it.at("/metadata").has("deletionTimestamp")).isPresent();
  }

  private List<String> finalizers() {
    return pods().stream()
        .flatMap(it -> there().find(it).stream())
        .flatMap(it -> it.at("/metadata/finalizers").valueStream())
        .map(JsonNode::asText)
        .toList();
  }

  @Test
  void theyKeepItUntilTheSchedulerIsBackAndGoThenWithTheirWorkloads() {
    create();
    for (String workload : WORKLOADS) {
      fleet.awaitCopy("a", workload);
      fleet.admit("a", workload);
      there()
          .edit(
              Clusters.WORKLOADS + "/" + workload,
              it ->
                  it.withObjectProperty("metadata")
                      .putArray("finalizers")
                      .add("kueue.x-k8s.io/resource-in-use"));
    }
    until(() -> pods().stream().allMatch(it -> there().find(it).isPresent()));
    pods().forEach(it -> there().edit(it, HeldPodsTest::run));

    WORKLOADS.forEach(it -> here().remove(Clusters.WORKLOADS + "/" + it));
    pods().forEach(here()::remove);

    until(() -> pods().stream().allMatch(this::isBeingDeleted));
    fleet.restart(); // the next process does not know what the first one did
    fleet.awaitActive("a", "Connected");
    fleet.job("other");
    fleet.awaitCopy("a", "other");
    assertThat(finalizers()).hasSize(3).containsOnly(FINALIZER);
    assertThat(fleet.worker("a").calls("PATCH " + PODS)).isEmpty();

    pods().forEach(there()::remove); // the scheduler is back, and lets them go

    until(() -> WORKLOADS.stream().noneMatch(it -> fleet.has("a", Clusters.WORKLOADS + "/" + it)));
    assertThat(fleet.worker("a").deletions())
        .allMatch(it -> it.contains("\"Background\"") && it.contains("\"uid\""));
  }
}
