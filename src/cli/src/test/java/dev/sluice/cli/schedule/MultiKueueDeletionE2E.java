package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.ADMISSION_CHECK;
import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.MULTI_KUEUE_CONFIG;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * However a Job ends, nothing of it stays on a worker. The ways are played at the same time, each
 * with a Job of its own: while all is well, while a worker is away, and while the manager's
 * scheduler is.
 */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(900)
class MultiKueueDeletionE2E {
  private static final String SHARED = "shared";
  private static final String DRAINED = "drained";
  private static final String LEFT = "left";
  private static final Configuration PLAIN = Configuration.defaults(Fleet.HOME);

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  private static List<AutoCloseable> manager;

  /** How a Job ends, and the queue that it is in. */
  private enum Way {
    FINISHED(SHARED),
    DELETED(SHARED),
    WORKLOAD_DELETED(SHARED),
    DEACTIVATED(SHARED),
    REJECTED(SHARED),
    QUOTA_LOST(DRAINED),
    CLUSTERS_LEFT(LEFT);

    private final String queue;

    Way(String queue) {
      this.queue = queue;
    }

    String job(String round) {
      return round + "-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  @BeforeAll
  static void schedulers() {
    FLEET.workers.values().forEach(it -> FLEET.opened(InProcessScheduler.of(it, PLAIN)));
    manager = Fleet.manager(FLEET.manager, PLAIN);
    Kueue.create(FLEET.api(), MULTI_KUEUE_CONFIG, LEFT, "{\"clusters\":[\"a\",\"b\"]}").orThrow();
    Kueue.create(
            FLEET.api(),
            ADMISSION_CHECK,
            LEFT,
            """
            {"controllerName":"kueue.x-k8s.io/multikueue","parameters":{
            "apiGroup":"kueue.x-k8s.io","kind":"MultiKueueConfig","name":"left"}}\
            """)
        .orThrow();
    FLEET.openQueue(SHARED);
    FLEET.openQueue(DRAINED);
    FleetSetup.queue(
        FLEET.api(),
        LEFT,
        ",\"admissionChecksStrategy\":{\"admissionChecks\":[{\"name\":\"left\"}]}");
    FLEET.workers.keySet().forEach(it -> FLEET.workerQueue(it, LEFT));
  }

  @AfterAll
  static void stop() throws Exception {
    for (AutoCloseable part : manager.reversed()) {
      part.close();
    }
    manager = List.of();
  }

  private static void spec(ApiKind kind, String name, String spec) {
    FLEET
        .api()
        .mergePatch(Kueue.path(kind, ApiVersion.HUB, name), "{\"spec\":%s}".formatted(spec))
        .orThrow();
  }

  private static String path(String job) {
    String name = FLEET.workload(job).orElseThrow().at("/metadata/name").asText();
    return Fleet.workloads() + "/" + name;
  }

  private static void play(Way way, String job) {
    ApiClient api = FLEET.api();
    switch (way) {
      case FINISHED -> {}
      case DELETED -> api.delete(Fleet.job(job)).orThrow();
      case WORKLOAD_DELETED -> {
        api.delete(path(job)).orThrow();
        api.delete(Fleet.job(job)).orThrow();
      }
      case DEACTIVATED -> api.mergePatch(path(job), "{\"spec\":{\"active\":false}}").orThrow();
      case REJECTED ->
          api.mergePatch(
                  path(job) + "/status",
                  """
                  {"status":{"admissionChecks":[{"name":"multikueue","state":"Rejected",
                  "message":"no","lastTransitionTime":"2026-11-25T10:00:00Z"}]}}\
                  """)
              .orThrow();
      case QUOTA_LOST -> spec(CLUSTER_QUEUE, DRAINED, "{\"stopPolicy\":\"HoldAndDrain\"}");
      case CLUSTERS_LEFT -> {
        spec(CLUSTER_QUEUE, LEFT, "{\"stopPolicy\":\"Hold\"}"); // it would wait for others
        spec(MULTI_KUEUE_CONFIG, LEFT, "{\"clusters\":[\"nowhere\"]}");
      }
    }
  }

  /** Lets a Job run for each of the ways. */
  private static Map<Way, String> running(String round) {
    Map<Way, String> jobs = new EnumMap<>(Way.class);
    for (Way way : Way.values()) {
      jobs.put(way, way.job(round));
      FLEET.createJob(way.job(round), way.queue);
    }
    jobs.values().forEach(FLEET::runs);
    return jobs;
  }

  private static void end(Map<Way, String> jobs) {
    jobs.forEach(MultiKueueDeletionE2E::play);
  }

  private static void finishOne(Map<Way, String> jobs) {
    String job = Objects.requireNonNull(jobs.get(Way.FINISHED));
    FLEET.succeed(FLEET.chosen(job), job);
  }

  private static List<String> left() {
    List<String> left = new ArrayList<>();
    for (String worker : FLEET.workers.keySet()) {
      for (String collection : List.of(Fleet.workloads(), Fleet.jobs(), Fleet.pods())) {
        for (JsonNode object : FLEET.items(worker, collection)) {
          left.add(worker + " " + object.at("/metadata/name").asText());
        }
      }
      for (String queue : List.of(SHARED, DRAINED, LEFT)) {
        JsonNode status =
            FLEET.api(worker).get(Kueue.path(CLUSTER_QUEUE, ApiVersion.HUB, queue)).json();
        if (status.at("/status/reservingWorkloads").asInt() > 0) {
          left.add(worker + " has quota of " + queue + " in use");
        }
      }
    }
    return left;
  }

  /** Waits until the workers are empty, and makes room for the next round. */
  private static void leavesNothing(Map<Way, String> jobs) {
    FLEET.await("the workers are empty", () -> left().isEmpty());
    for (String job : jobs.values()) {
      FLEET.api().delete(Fleet.job(job));
    }
    FLEET.await(
        "the manager is empty",
        () -> FLEET.api().get(Fleet.workloads()).orThrow().json().path("items").isEmpty());
    spec(CLUSTER_QUEUE, DRAINED, "{\"stopPolicy\":\"None\"}");
    spec(CLUSTER_QUEUE, LEFT, "{\"stopPolicy\":\"None\"}");
    spec(MULTI_KUEUE_CONFIG, LEFT, "{\"clusters\":[\"a\",\"b\"]}");
    assertThat(left()).isEmpty();
  }

  @Test
  void whileAllIsWellNothingStays() {
    Map<Way, String> jobs = running("well");
    finishOne(jobs);

    end(jobs);

    leavesNothing(jobs);
  }

  @Test
  void whileAWorkerIsAwayNothingStaysWhenItIsBack() {
    Map<Way, String> jobs = running("away");
    finishOne(jobs);

    FLEET.cluster("a").controlPlane().stopApiServer();
    try {
      end(jobs);
      FLEET.await("the other one is empty", () -> isEmpty("b"));
    } finally {
      FLEET.cluster("a").controlPlane().restartApiServer();
    }

    leavesNothing(jobs);
  }

  private static boolean isEmpty(String worker) {
    return FLEET.items(worker, Fleet.jobs()).isEmpty()
        && FLEET.items(worker, Fleet.pods()).isEmpty();
  }

  @Test
  void whileTheManagersSchedulerIsAwayNothingStaysWhenItIsBack() throws Exception {
    Map<Way, String> jobs = running("killed");
    finishOne(jobs);

    stop();
    end(jobs);
    manager = Fleet.manager(FLEET.manager, PLAIN);

    leavesNothing(jobs);
  }
}
