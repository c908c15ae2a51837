package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A controller of the operators says which workers a Job is offered to. The test plays it. */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(600)
class MultiKueueDispatcherE2E {
  private static final String QUEUE = "shared";
  private static final String HELD = "held";
  private static final String DISPATCHER = "example.com/dispatcher";
  private static final Configuration PLAIN = Configuration.defaults(Fleet.HOME);

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  @BeforeAll
  static void schedulers() {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("namespace", Fleet.HOME);
    document.putObject("multiKueue").put("dispatcherName", DISPATCHER);
    FLEET.workers.values().forEach(it -> FLEET.opened(InProcessScheduler.of(it, PLAIN)));
    FLEET.startManager(ConfigurationReader.excerpt(document));
    FLEET.openQueue(QUEUE);
    FLEET.openQueue(HELD);
    FLEET.stopPolicy("a", HELD, "Hold");
  }

  private static JsonNode status(String job) {
    return FLEET.workload(job).orElseThrow().path("status");
  }

  /** Creates a Job, and waits until its Workload waits for the dispatcher. */
  private static void create(String job, String queue) {
    FLEET.createJob(job, queue);
    isTold(job, "a: not nominated; b: not nominated");
  }

  private static void isTold(String job, String words) {
    FLEET.await(
        job + " is told " + words,
        () ->
            FLEET
                .workload(job)
                .filter(it -> it.at("/status/admissionChecks/0/message").asText().contains(words))
                .isPresent());
  }

  /** Writes the nominations in place of those that the dispatcher wrote before. */
  private static void nominate(String job, String... clusters) {
    String name = SampleJobs.name(FLEET.workload(job).orElseThrow());
    ObjectNode applied = JsonNodeFactory.instance.objectNode();
    applied.put("apiVersion", "kueue.x-k8s.io/v1beta2").put("kind", "Workload");
    applied.putObject("metadata").put("name", name).put("namespace", Fleet.NAMESPACE);
    ArrayNode names = applied.putObject("status").putArray("nominatedClusterNames");
    List.of(clusters).forEach(names::add);
    FLEET
        .api()
        .serverSideApply(Fleet.workloads() + "/" + name + "/status", DISPATCHER, applied.toString())
        .orThrow();
  }

  private static void awaitCopy(String worker, String job) {
    FLEET.await("a copy is on " + worker, () -> !FLEET.left(worker, job).isEmpty());
  }

  @Test
  void aJobIsOfferedToAndRunsOnTheNominatedClusterAndTheNominationsGo() {
    create("nominated", HELD);

    nominate("nominated", "a");
    awaitCopy("a", "nominated");
    assertThat(FLEET.left("b", "nominated")).isEmpty();
    assertThat(status("nominated").path("nominatedClusterNames").toString()).isEqualTo("[\"a\"]");
    FLEET.stopPolicy("a", HELD, "None");

    assertThat(FLEET.runs("nominated")).isEqualTo("a");
    assertThat(status("nominated").has("nominatedClusterNames")).isFalse();
    assertThat(FLEET.left("b", "nominated")).isEmpty();
    FLEET.stopPolicy("a", HELD, "Hold");
    FLEET.succeed("a", "nominated");
    FLEET.finishes("nominated");
    FLEET.leavesNothingElsewhere("nominated");
  }

  @Test
  void aClusterThatIsNoLongerNominatedLosesItsCopy() {
    create("moved", HELD);
    nominate("moved", "a");
    awaitCopy("a", "moved");

    nominate("moved", "b");

    assertThat(FLEET.runs("moved")).isEqualTo("b");
    FLEET.leavesNothingOn("a", "moved");
  }

  @Test
  void anUnknownClusterIsToldAndTheOthersGetTheJob() {
    create("misled", QUEUE);

    nominate("misled", "nowhere");
    isTold("misled", "nominated cluster nowhere is unknown");

    nominate("misled", "b", "nowhere");
    assertThat(FLEET.runs("misled")).isEqualTo("b");
    assertThat(status("misled").has("nominatedClusterNames")).isFalse();
    FLEET.hasNothing("a", "misled");
  }
}
