package dev.sluice.lifecycle.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workloads that are split into variants under concurrent admission, and the variants. */
class SplitWorkloadTest extends LifeStory {
  private static final String PARENT =
      QUEUED.replace(
          "\"name\":\"w\"",
          "\"name\":\"w\",\"labels\":{\"kueue.x-k8s.io/concurrent-admission-parent\":\"true\"}");

  private static final String VARIANT =
      QUEUED.replace(
          "\"name\":\"w\"",
          """
          "name":"w-variant-a","finalizers":["kueue.x-k8s.io/resource-in-use"],
          "annotations":{"kueue.x-k8s.io/workload-allowed-resource-flavors":"a"},
          "ownerReferences":[{"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","name":"w",
          "uid":"u","controller":true}]\
          """);

  private void withoutTheGate() {
    settings =
        new LifeSettings(
            settings.podsReady(),
            settings.afterFinished(),
            settings.finishOrphans(),
            settings.gated(),
            false,
            settings.detail());
  }

  private static List<String> words(List<Write> writes) {
    return writes.stream()
        .map(it -> it instanceof Write.MergePatch patch ? "patch " + patch.patch() : "delete")
        .toList();
  }

  @Test
  void aVariantHasTheChecksOfTheClusterQueueAndItsParentHasNone() {
    clusterQueue = read(ClusterQueue.class, CHECKED);

    assertThat(live(workload(VARIANT, "{}")).status().admissionChecks()).hasSize(2);
    assertThat(live(workload(PARENT, "{}")).status().admissionChecks()).isEmpty();
  }

  @Test
  void theParentHasToBeReadyInTimeAndAVariantHasNoPodsThatCouldBe() {
    now = T.plus(Duration.ofMinutes(31));

    assertThat(told(live(workload(PARENT, "{" + ADMITTED + "}")), "Evicted"))
        .isEqualTo("True PodsReadyTimeout: Exceeded the PodsReady timeout ns/w");
    assertThat(live(workload(VARIANT, "{" + ADMITTED + "}")).status().condition("Evicted"))
        .isEmpty();
  }

  @Test
  void aVariantFromBeforeTheGateWasSwitchedOffIsDeleted() {
    Workload variant = workload(VARIANT, "{" + ADMITTED + "}");
    assertThat(reconcile(variant).writes()).isEmpty();

    withoutTheGate();

    assertThat(words(reconcile(variant).writes()))
        .containsExactly("patch {\"metadata\":{\"finalizers\":[]}}", "delete");
  }

  @Test
  void withoutTheGateAWorkloadThatWasSplitIsLikeAnyOther() {
    clusterQueue = read(ClusterQueue.class, CHECKED);
    withoutTheGate();

    assertThat(live(workload(PARENT, "{}")).status().admissionChecks()).hasSize(2);
  }
}
