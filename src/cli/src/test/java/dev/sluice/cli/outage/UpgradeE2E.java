package dev.sluice.cli.outage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.process.Release;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.Pages;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.Poll;
import dev.sluice.controlplane.Ports;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs flow while two schedulers are upgraded and rolled back, one after the other. The next
 * release has another version and one field more in its definitions, which are there before it and
 * stay after the rollback.
 */
@FullTier
@NeedsControlPlane
@Timeout(3_600)
@SuppressWarnings("NullAway.Init") // set before all tests
class UpgradeE2E {
  private static final int JOBS = Tier.number("sluice.upgrade.jobs", 16, 24);
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final String NAMESPACE = "rolled";
  private static final String FIELD = "ofTheNextRelease";
  private static final QueueNode TREE =
      QueueNode.cohort(
          "rolled-all",
          List.of(
              QueueNode.queue("rolled-a", 2, 2L, null), QueueNode.queue("rolled-b", 3, null, 2L)));

  @TempDir private static Path folder;
  private static KillableCluster cluster;
  private static JobFlow flow;

  /** A scheduler, and where its metrics are. */
  private record Started(Replica replica, int port) {}

  @BeforeAll
  static void start() throws IOException {
    cluster = new KillableCluster(folder, EnumSet.allOf(Part.class));
    Submissions.createPriorityClass(cluster);
    flow = new JobFlow(cluster);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void nothingIsLostOrAdmittedTwiceAndNewFieldsAreKept() throws Exception {
    Release older = Release.of("0.1.0", folder);
    Release newer = Release.of("0.2.0", folder);
    serveTheFieldOfTheNextRelease(); // its definitions come first
    createAWorkloadWithTheField();
    flow.create(NAMESPACE, TREE);
    try (Auditor auditor = new Auditor(cluster.api(), Set.of(NAMESPACE))) {
      Submissions submissions =
          new Submissions(cluster, NAMESPACE, TREE.queues(), JOBS, new Random(3));
      List<Started> schedulers = new ArrayList<>(List.of(schedule(older), schedule(older)));
      awaitComplete(JOBS / 4, submissions, auditor);
      roll(schedulers, newer);
      awaitComplete(JOBS / 2, submissions, auditor);
      roll(schedulers, older);

      awaitComplete(JOBS, submissions, auditor);
      flow.awaitTheEnd(NAMESPACE, TREE, auditor, JOBS);
      theFieldIsKeptAtEachVersion();
    }
  }

  private static Started schedule(Release release) throws IOException {
    int port = Ports.free();
    Started started = new Started(cluster.schedule(release, port), port);
    assertThat(Poll.until(SOON, PAUSE, () -> tells(started, release)))
        .as(started.replica().process().tail())
        .isTrue();
    return started;
  }

  private static boolean tells(Started scheduler, Release release) {
    try {
      return Pages.read(scheduler.port(), "/metrics")
          .contains("git_version=\"%s\"".formatted(release.version()));
    } catch (IOException _) {
      return false; // it does not answer yet
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** A new one is there before an old one goes, as in a rollout. */
  private static void roll(List<Started> schedulers, Release release) throws Exception {
    for (int i = 0; i < schedulers.size(); i++) {
      Started fresh = schedule(release);
      cluster.retire(schedulers.set(i, fresh).replica());
    }
  }

  private static void awaitComplete(int jobs, Submissions submissions, Auditor auditor) {
    flow.await(
        Duration.ofSeconds(120 + 2L * JOBS),
        auditor,
        () -> {
          submissions.submit(auditor.complete());
          return auditor.complete() >= jobs;
        });
  }

  private static void serveTheFieldOfTheNextRelease() {
    String path =
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + ApiKind.WORKLOAD.crdName();
    StringBuilder patch = new StringBuilder();
    JsonNode versions = cluster.api().get(path).orThrow().json().at("/spec/versions");
    for (int i = 0; i < versions.size(); i++) {
      patch
          .append(patch.isEmpty() ? "[" : ",")
          .append(
              """
              {"op":"add","path":"/spec/versions/%d/schema/openAPIV3Schema/properties/spec\
              /properties/%s","value":{"type":"string"}}\
              """
                  .formatted(i, FIELD));
    }
    cluster.api().jsonPatch(path, patch.append("]").toString()).orThrow();
  }

  /** In a queue of its own, so that it is admitted, and nobody waits for its end. */
  private static void createAWorkloadWithTheField() {
    QueueNode queue = QueueNode.queue("next", 1, null, null);
    flow.create("next", queue);
    assertThat(Poll.until(SOON, PAUSE, UpgradeE2E::isStoredWithTheField)).isTrue();
  }

  /** The API server takes a moment to serve a changed definition. */
  private static boolean isStoredWithTheField() {
    String collection = Kueue.collection(ApiKind.WORKLOAD, ApiVersion.HUB, "next");
    cluster.create(
        collection,
        Kueue.object(
            ApiKind.WORKLOAD,
            ApiVersion.HUB,
            "kept",
            """
            "spec":{"queueName":"next","%s":"yes","podSets":[{"name":"main","count":1,"template":{
            "spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i","resources":{
            "requests":{"cpu":"1"}}}]}}}]}\
            """
                .formatted(FIELD)));
    boolean isStored =
        cluster.api().get(collection + "/kept").orThrow().json().path("spec").has(FIELD);
    if (!isStored) {
      cluster.api().delete(collection + "/kept").orThrow();
    }
    return isStored;
  }

  private static void theFieldIsKeptAtEachVersion() {
    for (ApiVersion version : ApiKind.WORKLOAD.versions()) {
      JsonNode found =
          cluster
              .api()
              .get(Kueue.collection(ApiKind.WORKLOAD, version, "next") + "/kept")
              .orThrow()
              .json();
      assertThat(found.path("spec").path(FIELD).asText()).as("%s", version).isEqualTo("yes");
      assertThat(ApiClient.hasCondition(found, "Admitted")).as("%s", found).isTrue();
    }
  }
}
