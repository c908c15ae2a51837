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

  private Workload takenOverAfterADay(Duration ago, String conditions) {
    leadsSince = T.plus(Duration.ofDays(1));
    now = leadsSince.plus(ago);
    return live(workload(OF_A_JOB, "{" + ADMITTED.replace("}],", "}" + conditions + "],") + "}"));
  }

  private Workload takenOverAfterADay(String conditions) {
    return takenOverAfterADay(Duration.ofSeconds(1), conditions);
  }

  @Test
  void haveTheWholeTimeoutFromTheTakeoverUntilTheirPodsWereLookedAt() {
    Workload soon = takenOverAfterADay(Duration.ofMinutes(30).minusSeconds(1), "");
    Workload late = takenOverAfterADay(Duration.ofMinutes(30), "");

    assertThat(soon.status().condition("Evicted")).isEmpty();
    assertThat(late.status().condition("Evicted").orElseThrow().reason())
        .isEqualTo("PodsReadyTimeout");
  }

  @Test
  void runOnIfTheirPodsAreReady() {
    Workload ready = takenOverAfterADay("," + condition("PodsReady True Started"));

    assertThat(ready.status().condition("Evicted")).isEmpty();
  }

  @Test
  void areEvictedIfTheirPodsAreNotReady() {
    Workload late = takenOverAfterADay("," + condition("PodsReady False WaitForStart"));

    assertThat(late.status().condition("Evicted").orElseThrow().reason())
        .isEqualTo("PodsReadyTimeout");
  }
}
