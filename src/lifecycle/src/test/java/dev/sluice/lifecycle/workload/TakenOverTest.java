package dev.sluice.lifecycle.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.workload.Workload;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Workloads of jobs that another controller admitted, which did not wait for pods. */
class TakenOverTest extends LifeStory {
  private static final String OF_A_JOB =
      QUEUED.replace(
          "\"uid\":\"u\",",
          "\"uid\":\"u\",\"ownerReferences\":[{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\","
              + "\"name\":\"j\",\"uid\":\"ju\",\"controller\":true}],");

  private Workload afterADay(String conditions) {
    now = T.plus(Duration.ofDays(1));
    return live(workload(OF_A_JOB, "{" + ADMITTED.replace("}],", "}" + conditions + "],") + "}"));
  }

  @Test
  void runOnUntilTheirPodsWereLookedAt() {
    assertThat(afterADay("").status().condition("Evicted")).isEmpty();
  }

  @Test
  void runOnIfTheirPodsAreReady() {
    Workload ready = afterADay("," + condition("PodsReady True Started"));

    assertThat(ready.status().condition("Evicted")).isEmpty();
  }

  @Test
  void areEvictedIfTheirPodsAreNotReady() {
    Workload late = afterADay("," + condition("PodsReady False WaitForStart"));

    assertThat(late.status().condition("Evicted").orElseThrow().reason())
        .isEqualTo("PodsReadyTimeout");
  }
}
