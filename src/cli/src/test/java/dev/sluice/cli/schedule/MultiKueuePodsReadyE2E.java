package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The manager waits for Pods on its workers only so long. */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(600)
class MultiKueuePodsReadyE2E {
  private static final String QUEUE = "shared";

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  @BeforeAll
  static void schedulers() {
    Configuration plain = Configuration.defaults(Fleet.HOME);
    FLEET.workers.values().forEach(it -> FLEET.opened(InProcessScheduler.of(it, plain)));
    FLEET.startManager(impatient());
    FLEET.openQueue(QUEUE);
  }

  private static Configuration impatient() {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    ObjectNode wait = document.put("namespace", Fleet.HOME).putObject("waitForPodsReady");
    wait.put("timeout", "15s").putObject("requeuingStrategy").put("backoffBaseSeconds", 1);
    return ConfigurationReader.excerpt(document);
  }

  private static boolean wasEvicted(String job) {
    return FLEET
        .workload(job)
        .filter(
            it ->
                it.at("/status/schedulingStats/evictions")
                    .valueStream()
                    .anyMatch(e -> e.path("reason").asText().equals("PodsReadyTimeout")))
        .isPresent();
  }

  private static Optional<String> uid(String job) {
    String worker = FLEET.chosen(job);
    return Optional.of(worker)
        .filter(it -> !it.isEmpty())
        .map(it -> FLEET.api(it).get(Fleet.job(job)).json().at("/metadata/uid").asText(""))
        .filter(it -> !it.isEmpty());
  }

  /** Lets all Pods on the workers be ready, as a kubelet would tell. */
  private static void makeReady() {
    for (String worker : FLEET.workers.keySet()) {
      for (JsonNode pod : FLEET.items(worker, Fleet.pods())) {
        if (pod.at("/status/phase").asText().equals("Pending")) {
          FLEET
              .api(worker)
              .mergePatch(
                  Fleet.pods() + "/" + pod.at("/metadata/name").asText() + "/status",
                  """
                  {"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}\
                  """);
        }
      }
    }
  }

  @Test
  void aJobWhosePodsDoNotComeUpThereIsStoppedAndRunsAgain() {
    FLEET.createJob("slow", QUEUE);
    FLEET.runs("slow");
    String first = uid("slow").orElseThrow();

    FLEET.await("it is evicted here", () -> wasEvicted("slow"));
    FLEET.await("it runs anew", () -> uid("slow").filter(it -> !it.equals(first)).isPresent());
    FLEET.await(
        "its Pods are ready here, too",
        () -> {
          makeReady();
          return FLEET.api().get(Fleet.job("slow")).json().at("/status/ready").asInt() == 1;
        });
    String last = uid("slow").orElseThrow();

    assertThat(last).isNotEqualTo(first);
    FLEET.succeed(FLEET.chosen("slow"), "slow");
    FLEET.finishes("slow");
    FLEET.leavesNothingElsewhere("slow");
  }
}
