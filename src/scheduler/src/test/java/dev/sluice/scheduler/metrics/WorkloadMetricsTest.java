package dev.sluice.scheduler.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cluster.view.ObjectChange;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkloadMetricsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final WorkloadMetrics metrics = new WorkloadMetrics(registry, () -> "standalone");

  private static String condition(String type, boolean yes, String reason, int second) {
    return """
    {"type":"%s","status":"%s","reason":"%s","message":"",
    "lastTransitionTime":"2026-11-21T12:00:%02dZ"}\
    """
        .formatted(type, yes ? "True" : "False", reason, second);
  }

  private static Optional<JsonNode> workload(int evictions, String... conditions) {
    try {
      return Optional.of(
          JSON.readTree(
              """
              {"metadata":{"name":"w","namespace":"ns","creationTimestamp":"2026-11-21T12:00:00Z"},
              "spec":{"queueName":"lq"},"status":{"admission":{"clusterQueue":"cq"},
              "schedulingStats":{"evictions":[{"reason":"Preempted","count":%d}]},
              "conditions":[%s]}}\
              """
                  .formatted(evictions, String.join(",", conditions))));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private double count(String name) {
    var counter = registry.find(name).counter();
    return counter == null ? 0 : counter.count();
  }

  @Test
  void countsAnEvictionEachTimeAndTheWorkloadOnce() {
    String admitted = condition("Admitted", true, "Admitted", 2);
    String evicted = condition("Evicted", true, "Preempted", 9);
    metrics.seen(new ObjectChange(workload(0, admitted), workload(1, admitted, evicted)));
    metrics.seen(new ObjectChange(workload(1, admitted), workload(2, admitted, evicted)));

    assertThat(count("kueue.evicted.workloads")).isEqualTo(2);
    assertThat(count("kueue.evicted.workloads.once")).isEqualTo(1);
  }

  @Test
  void timesFromReadyToEvictedAndFromEvictedToFree() {
    String reserved = condition("QuotaReserved", true, "QuotaReserved", 1);
    String ready = condition("PodsReady", true, "Started", 4);
    String evicted = condition("Evicted", true, "DeactivatedDueToAdmissionCheck", 9);
    String free = condition("QuotaReserved", false, "Pending", 12);
    metrics.seen(
        new ObjectChange(workload(0, reserved, ready), workload(1, reserved, ready, evicted)));
    metrics.seen(
        new ObjectChange(workload(1, reserved, ready, evicted), workload(1, free, evicted)));

    var readyFor = registry.get("kueue.pods.ready.to.evicted.time").timer();
    assertThat(readyFor.totalTime(TimeUnit.SECONDS)).isEqualTo(5);
    assertThat(readyFor.getId().getTag("underlying_cause")).isEqualTo("AdmissionCheck");
    var latency = registry.get("kueue.workload.eviction.latency").timer();
    assertThat(latency.totalTime(TimeUnit.SECONDS)).isEqualTo(3);
    assertThat(latency.getId().getTag("reason")).isEqualTo("Deactivated");
  }

  @Test
  void countsSlicesThatWereReplacedAndNoOtherEnds() {
    metrics.seen(
        new ObjectChange(
            workload(0), workload(0, condition("Finished", true, "WorkloadSliceReplaced", 3))));
    metrics.seen(
        new ObjectChange(workload(0), workload(0, condition("Finished", true, "Succeeded", 3))));

    assertThat(count("kueue.replaced.workload.slices")).isEqualTo(1);
    assertThat(count("kueue.finished.workloads")).isEqualTo(2);
  }
}
