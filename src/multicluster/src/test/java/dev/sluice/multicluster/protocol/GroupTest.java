package dev.sluice.multicluster.protocol;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.multicluster.copy.JobCopies;
import dev.sluice.multicluster.dispatch.External;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A group of Pods: each has a copy, and all copies are on one worker. */
class GroupTest {
  private static final GroupVersionKind POD = new GroupVersionKind("", "v1", "Pod");
  private static final Optional<RemoteJobs> REMOTE =
      JobKinds.standard().stream()
          .filter(it -> it.kind().equals(POD))
          .findFirst()
          .flatMap(Scene::remote);

  private final Scene scene = new Scene("a", "b");
  private final List<JsonNode> pods = new ArrayList<>();

  GroupTest() {
    scene
        .workload
        .withObject("/metadata/annotations")
        .put("kueue.x-k8s.io/is-group-workload", "true");
    scene.workload.withObject("/metadata").putArray("ownerReferences");
    scene.at("a").jobs.clear();
    scene.at("b").jobs.clear();
    add("p0", "Pending");
    add("p1", "Pending");
  }

  private void add(String name, String phase) {
    scene
        .workload
        .withObject("/metadata")
        .withArrayProperty("ownerReferences")
        .addObject()
        .put("apiVersion", "v1")
        .put("kind", "Pod")
        .put("name", name)
        .put("uid", name + "-uid");
    pods.add(
        json(
            """
            {'apiVersion': 'v1', 'kind': 'Pod',
             'metadata': {'name': '%s', 'namespace': 'ns', 'uid': '%s-uid', 'resourceVersion': '5'},
             'spec': {'schedulingGates': [{'name': 'kueue.x-k8s.io/admission'}]},
             'status': {'phase': '%s'}}
            """
                .formatted(name, name, phase)));
    members();
    scene.at("a").jobs.put(name, Presence.absent());
    scene.at("b").jobs.put(name, Presence.absent());
  }

  private void members() {
    scene.owner = Optional.of(new Owner(POD, REMOTE, Optional.empty(), false, pods));
  }

  private ObjectNode podAt(String cluster, String name) {
    JsonNode local =
        pods.stream().filter(it -> Worker.nameOf(it).equals(name)).findFirst().orElseThrow();
    ObjectNode copy = new JobCopies(Scene.US, true).of(REMOTE.orElseThrow(), local, scene.workload);
    copy.withObject("/metadata").put("uid", cluster + "-" + name).put("resourceVersion", "4");
    scene.at(cluster).jobs.put(name, new Presence.Present(copy));
    return copy;
  }

  @Test
  void allMembersAreMadeOnTheWorkerThatAdmits() {
    scene.nominated("a", "b").admittedAt("a");

    assertThat(Scene.at(scene.plan(), "a")).containsExactly("create Pod", "create Pod");
  }

  @Test
  void itIsChosenWhenAllMembersAreThere() {
    scene.nominated("a", "b").admittedAt("a");
    podAt("a", "p0");
    assertThat(scene.checkAfter(scene.plan())).isEqualTo("unchanged");

    podAt("a", "p1");

    assertThat(scene.checkAfter(scene.plan())).startsWith("Ready: ");
  }

  @Test
  void aMemberThatFailedHereIsNotMadeAgainThere() {
    pods.clear();
    add("p0", "Failed");
    add("p1", "Pending");
    scene.nominated("a", "b").admittedAt("a");

    assertThat(Scene.at(scene.plan(), "a")).containsExactly("create Pod");
  }

  @Test
  void aGroupOfWhichAllHaveFailedWaitsForOthers() {
    pods.clear();
    add("p0", "Failed");
    add("p1", "Failed");

    Plan plan = scene.nominated("a", "b").plan();

    assertThat(plan.remote()).isEmpty();
    assertThat(plan.sentence()).contains("no job here is to run there");
  }

  @ParameterizedTest
  @CsvSource({"Pending, 1", "Succeeded, 0", "Failed, 0"})
  void aReplacementIsMadeWhereTheOthersAre(String phase, int created) {
    scene.chosen("a").admittedAt("a");
    podAt("a", "p0");
    podAt("a", "p1");
    add("p2", phase);

    assertThat(Scene.at(scene.plan(), "a").stream().filter("create Pod"::equals)).hasSize(created);
  }

  @Test
  void aMemberThatWentHereGoesThere() {
    scene.chosen("a").admittedAt("a");
    podAt("a", "p0");
    podAt("a", "p1");
    pods.remove(1);
    members();

    assertThat(Scene.at(scene.plan(), "a")).containsExactly("delete Pod a-p1");
  }

  @Test
  void podsThatTheWorkerKeepsForReplacementsGoWithTheirWorkload() {
    scene
        .copyAt("a")
        .withObject("/metadata")
        .putArray("finalizers")
        .add("kueue.x-k8s.io/resource-in-use");
    scene.dispatcher = new External();
    ObjectNode pod = podAt("a", "p0");

    assertThat(Scene.at(scene.nominated("b").plan(), "a")).containsExactly("delete Pod a-p0");

    pod.withObject("/metadata").put("deletionTimestamp", "2026-11-24T09:00:00Z");

    assertThat(Scene.at(scene.plan(), "a"))
        .as("the worker takes its own finalizer away once it has let go of the Pods")
        .containsExactly("delete Workload a-w");
  }
}
