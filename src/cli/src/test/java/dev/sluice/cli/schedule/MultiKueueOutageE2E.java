package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.kinds.Resources;
import dev.sluice.cli.testcluster.WatchedRevisions;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.ControlPlaneException;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Jobs of four kinds run on other clusters, while schedulers of all clusters are killed between any
 * two steps, API servers are stopped, and links are cut, again and again.
 */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(3600)
class MultiKueueOutageE2E {
  private static final String QUEUE = "shared";
  private static final long SEED = Long.getLong("sluice.test.multikueueSeed", 20261126);
  private static final int OBJECTS = Tier.number("sluice.test.multikueueObjects", 4, 8);
  private static final int OUTAGES = Tier.number("sluice.test.multikueueOutages", 4, 4);
  private static final String CONFIGURATION =
      """
      namespace: %s
      integrations: {frameworks: [batch/job, pod, jobset.x-k8s.io/jobset]}
      """
          .formatted(Fleet.HOME);

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  private static final OutageAuditor AUDITOR = new OutageAuditor();
  private static final Map<String, SchedulerBeside> SCHEDULERS = new LinkedHashMap<>();
  private static final Random RANDOM = new Random(SEED);

  /** Sorts of outages, with how many of forty are of the sort. */
  private enum Outage {
    MANAGERS_SCHEDULER(15),
    WORKERS_SCHEDULER(10),
    API_SERVER(10),
    LINK(5);

    private final int share;

    Outage(int share) {
      this.share = share;
    }

    /** How many of so many are of the sort: one at least. */
    int of(int outages) {
      return Math.max(1, outages * share / 40);
    }
  }

  @BeforeAll
  static void clusters() throws IOException {
    FLEET.serve(Resources.text("kinds/jobset.yaml"), "jobsets.jobset.x-k8s.io");
    FLEET.queueOf(40, QUEUE);
    SCHEDULERS.put("", new SchedulerBeside(FLEET.manager, CONFIGURATION));
    FLEET.workers.forEach(
        (name, cluster) -> {
          SCHEDULERS.put(name, new SchedulerBeside(cluster, CONFIGURATION));
          foreign(name);
          watch(name);
        });
    watch("");
    for (SchedulerBeside scheduler : SCHEDULERS.values()) {
      scheduler.start();
    }
  }

  /** Watches from now on: an API server that was restarted does not know what was before. */
  private static void watch(String cluster) {
    WatchedRevisions watch =
        cluster.isEmpty()
            ? new WatchedRevisions(
                FLEET.api(),
                List.of(Fleet.workloads()),
                (_, object, gone) -> AUDITOR.here(object, gone))
            : new WatchedRevisions(
                FLEET.api(cluster),
                List.of("/apis/batch/v1/jobs", Fleet.jobSets(), "/api/v1/pods"),
                (collection, object, _) -> AUDITOR.there(cluster, collection, object));
    FLEET.opened(List.of(watch));
  }

  @AfterAll
  static void theSchedulersEnd() {
    SCHEDULERS.values().forEach(SchedulerBeside::kill);
  }

  private static SchedulerBeside scheduler(String cluster) {
    return SCHEDULERS.entrySet().stream()
        .filter(it -> it.getKey().equals(cluster))
        .findFirst()
        .orElseThrow()
        .getValue();
  }

  /** A Job of somebody else. */
  private static void foreign(String worker) {
    FLEET
        .api(worker)
        .create(
            Fleet.jobs(),
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"foreign","labels":{
            "kueue.x-k8s.io/multikueue-origin":"another"}},"spec":{"suspend":true,"template":{
            "spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}\
            """)
        .orThrow();
  }

  private static String foreignUid(String worker) {
    return FLEET
        .api(worker)
        .get(Fleet.job("foreign"))
        .orThrow()
        .json()
        .at("/metadata/uid")
        .asText();
  }

  /** Creates one of the four kinds, in turn. */
  private static void create(int number) {
    switch (number % 4) {
      case 0 -> FLEET.createJob("job-" + number, QUEUE);
      case 1 -> {
        String set = OutageObjects.jobSet("set-" + number, QUEUE);
        FLEET.api().create(Fleet.jobSets(), set).orThrow();
      }
      case 2 ->
          FLEET.api().create(Fleet.pods(), OutageObjects.pod("pod-" + number, QUEUE)).orThrow();
      default -> {
        for (String member : List.of("-0", "-1")) {
          String group = "group-" + number;
          String pod = OutageObjects.member(group + member, group, QUEUE);
          FLEET.api().create(Fleet.pods(), pod).orThrow();
        }
      }
    }
  }

  /** Lets a third of what runs on the workers end, as kubelets and operators would tell. */
  private static void work() {
    for (String worker : FLEET.workers.keySet()) {
      try {
        OutageObjects.work(FLEET.api(worker), () -> RANDOM.nextInt(3) == 0);
      } catch (ControlPlaneException _) {
        // it is away at the moment
      }
    }
  }

  private static boolean areAllFinished() {
    FLEET
        .api()
        .get(Fleet.workloads())
        .orThrow()
        .json()
        .path("items")
        .forEach(it -> AUDITOR.here(it, false));
    return AUDITOR.finished() >= OBJECTS;
  }

  /** Waits for some more changes. */
  private static void goOn() {
    int until = AUDITOR.revisions() + 1 + RANDOM.nextInt(8);
    FLEET.await(
        "it goes on",
        () -> {
          work();
          return AUDITOR.revisions() >= until || areAllFinished();
        });
  }

  private static String anyWorker() {
    return RANDOM.nextBoolean() ? "a" : "b";
  }

  private static void restart(String cluster) throws IOException {
    AUDITOR.outage("scheduler of " + (cluster.isEmpty() ? "the manager" : cluster));
    scheduler(cluster).kill();
    scheduler(cluster).start();
  }

  private static void play(Outage outage) throws IOException {
    switch (outage) {
      case MANAGERS_SCHEDULER -> restart("");
      case WORKERS_SCHEDULER -> restart(anyWorker());
      case API_SERVER -> {
        String cluster = RANDOM.nextInt(3) == 0 ? "" : anyWorker();
        AUDITOR.outage(OutageAuditor.API_SERVER + (cluster.isEmpty() ? "the manager" : cluster));
        var controlPlane =
            (cluster.isEmpty() ? FLEET.manager : FLEET.cluster(cluster)).controlPlane();
        controlPlane.stopApiServer();
        controlPlane.restartApiServer();
        FLEET.await(
            "it answers",
            () -> {
              watch(cluster);
              return true;
            });
        restart(cluster); // one that loses its Lease ends, and nothing else starts it here
      }
      case LINK -> {
        String worker = anyWorker();
        AUDITOR.outage(OutageAuditor.LINK + worker);
        String secret = "/api/v1/namespaces/" + Fleet.HOME + "/secrets/" + worker;
        JsonNode data = FLEET.api().get(secret).orThrow().json().path("data");
        FLEET.api().mergePatch(secret, "{\"data\":{\"kubeconfig\":\"\"}}").orThrow();
        goOn();
        FLEET.api().mergePatch(secret, "{\"data\":" + data + "}").orThrow();
        AUDITOR.outage(OutageAuditor.LINK + worker + " is back");
      }
    }
  }

  private static List<Outage> outages() {
    List<Outage> all = new ArrayList<>();
    for (Outage outage : Outage.values()) {
      all.addAll(Collections.nCopies(outage.of(OUTAGES), outage));
    }
    Collections.shuffle(all, RANDOM);
    return all;
  }

  @Test
  void eachJobRunsOnceAndIsFinishedOnceWhateverIsAwayMeanwhile() throws IOException {
    Map<String, String> foreign = new LinkedHashMap<>();
    FLEET.workers.keySet().forEach(it -> foreign.put(it, foreignUid(it)));
    List<Outage> outages = outages();
    int created = 0;

    for (int i = 0; i < outages.size(); i++) {
      int until = OBJECTS * (i + 1) / outages.size();
      IntStream.range(created, until).forEach(MultiKueueOutageE2E::create);
      created = until;
      goOn();
      play(outages.get(i));
    }
    FLEET.await(
        Fleet.AMPLE.plusSeconds(2L * OBJECTS),
        "all are finished, seed " + SEED,
        () -> {
          work();
          return areAllFinished();
        });

    FLEET.await("nothing is left", () -> OutageObjects.left(FLEET).isEmpty());
    assertThat(AUDITOR.breaches()).as("seed %d", SEED).isEmpty();
    assertThat(AUDITOR.finished()).isEqualTo(OBJECTS);
    foreign.forEach((worker, uid) -> assertThat(foreignUid(worker)).isEqualTo(uid));
  }
}
