package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.kinds.Resources;
import dev.sluice.cli.schedule.OutageAuditor.Place;
import dev.sluice.cli.schedule.OutageObjects.Creation;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.ControlPlaneException;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
@Timeout(7200)
@SuppressWarnings("NullAway.Init") // set before all tests
class MultiKueueOutageE2E {
  private static final String QUEUE = "shared";
  private static final long SEED = Long.getLong("sluice.test.multikueueSeed", 20261126);
  private static final int OBJECTS = Tier.number("sluice.test.multikueueObjects", 4, 8);
  private static final int OUTAGES = Tier.number("sluice.test.multikueueOutages", 4, 4);

  /** Four kinds of jobs, or one: Jobs. */
  private static final int KINDS = Integer.getInteger("sluice.test.multikueueKinds", 4);

  /** Seconds from outage to outage; none: one after the other, with changes in between. */
  private static final int PACE = Integer.getInteger("sluice.test.multikueuePace", 0);

  /** Minutes until all must have ended. */
  private static final int BOUND = Integer.getInteger("sluice.test.multikueueMinutes", 90);

  /** Seconds after which a worker out of reach is lost, as one is then; none: in no outage. */
  private static final int LOST = Integer.getInteger("sluice.test.multikueueLostSeconds", 0);

  private static final int ROOM = PACE > 0 ? 100 : 40;

  /** Where outages follow one another soon, so must the next leader. */
  private static final int LEASE_SECONDS = PACE > 0 ? 4 : 15;

  private static final String CONFIGURATION =
      """
      namespace: %s
      integrations: {frameworks: [batch/job, pod, jobset.x-k8s.io/jobset]}
      multiKueue: {workerLostTimeout: %ds}
      """
          .formatted(Fleet.HOME, LOST > 0 ? LOST : 900);

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  private static Random random;
  private static OutageAuditor auditor;
  private static Outages out;
  private static Instant listed;

  /** How many were created: when these have finished, nothing changes any more. */
  private static volatile int expected;

  /** A second try begins anew: what was finished in the first one does not count. */
  @BeforeAll
  static void clusters() throws IOException {
    random = new Random(SEED);
    auditor = new OutageAuditor(MultiKueueOutageE2E::runs, InstantSource.system());
    out = new Outages(FLEET, auditor, random);
    listed = Instant.MIN;
    expected = OBJECTS;
    FLEET.serve(Resources.text("kinds/jobset.yaml"), "jobsets.jobset.x-k8s.io");
    FLEET.queueOf(ROOM, QUEUE);
    FLEET.workers.keySet().forEach(MultiKueueOutageE2E::foreign);
    out.start(CONFIGURATION, LEASE_SECONDS);
  }

  @AfterAll
  static void theSchedulersEnd() {
    out.close();
  }

  /** Whether a job that was let run on a worker still does. */
  private static boolean runs(Place place) {
    String namespace = "/namespaces/" + Fleet.NAMESPACE + "/";
    String collection = place.collection();
    String path =
        collection.contains(namespace)
            ? collection
            : collection.substring(0, collection.lastIndexOf('/'))
                + namespace
                + collection.substring(collection.lastIndexOf('/') + 1);
    try {
      ApiClient.Response answer = out.api(place.worker()).get(path + "/" + place.name());
      JsonNode object = answer.json();
      return answer.isSuccess()
          && object.at("/metadata/uid").asText().equals(place.uid())
          && object.at("/metadata/deletionTimestamp").isMissingNode()
          && OutageObjects.isLetRun(collection, object)
          && !OutageObjects.hasEnded(collection, object);
    } catch (ControlPlaneException _) {
      return false; // it is away
    }
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
    FLEET
        .api(worker)
        .await(Fleet.job("foreign"), Fleet.AMPLE, it -> ApiClient.hasCondition(it, "Suspended"));
  }

  private static String foreignRevision(String worker) {
    JsonNode metadata =
        FLEET.api(worker).get(Fleet.job("foreign")).orThrow().json().path("metadata");
    return metadata.path("uid").asText() + " " + metadata.path("resourceVersion").asText();
  }

  /** Creates an object, or finds that it is there; not if the manager is away. */
  private static boolean create(Creation creation) {
    try {
      int status = out.api("").create(creation.collection(), creation.body()).status();
      return status == 201 || status == 409;
    } catch (ControlPlaneException _) {
      return false;
    }
  }

  private static Queue<Creation> creations(int from, int until) {
    Queue<Creation> all = new ConcurrentLinkedQueue<>();
    for (int i = from; i < until; i++) {
      all.addAll(OutageObjects.creations(i, KINDS, QUEUE));
    }
    return all;
  }

  /** Creates some of them, if the manager is there. */
  private static void createSome(Queue<Creation> all) {
    for (int i = 0; i < ROOM && !all.isEmpty(); i++) {
      if (!create(all.peek())) {
        return;
      }
      all.remove();
    }
  }

  /** Lets a third of what runs on the workers end, as kubelets and operators would tell. */
  private static void work() {
    FLEET.workers.keySet().forEach(MultiKueueOutageE2E::work);
  }

  private static void work(String worker) {
    try {
      OutageObjects.work(out.api(worker), () -> random.nextInt(3) == 0);
    } catch (ControlPlaneException _) {
      // it is away at the moment
    }
  }

  /** What runs on a worker goes on until its manager has taken it for lost and run it elsewhere. */
  private static void lose(String worker) {
    FLEET.await(
        "a Job runs there", () -> !auditor.running(worker, "/apis/batch/v1/jobs").isEmpty());
    int before = auditor.twice();
    out.cutLink(
        worker,
        () -> {
          var _ =
              Poll.until(
                  Duration.ofSeconds(2L * LOST),
                  Duration.ofMillis(100),
                  () -> {
                    work(Fleet.other(worker));
                    return false;
                  });
        });
    FLEET.await("what was lost is let run elsewhere", () -> auditor.twice() > before);
  }

  /** A watch misses what happens while its API server is started, so all are listed at times. */
  private static synchronized boolean areAllFinished() {
    Instant now = Instant.now();
    if (auditor.finished() < expected && listed.isBefore(now.minusSeconds(1 + OBJECTS / 100))) {
      listed = now;
      try {
        out.listWorkloads();
      } catch (ControlPlaneException _) {
        return false; // it is away
      }
    }
    return auditor.finished() >= expected;
  }

  /** Waits for some more changes, and does that meanwhile. */
  private static void goOn(Runnable meanwhile) {
    int until = auditor.revisions() + 1 + random.nextInt(8);
    FLEET.await(
        "it goes on",
        () -> {
          meanwhile.run();
          return auditor.revisions() >= until || areAllFinished();
        });
  }

  /** The same, as long as there may be changes without a link. */
  private static void goOnForAWhile() {
    int until = auditor.revisions() + 1 + random.nextInt(100);
    var _ =
        Poll.until(
            Duration.ofSeconds(PACE), Duration.ofMillis(100), () -> auditor.revisions() >= until);
  }

  private static void workUntilAllAreFinished(Queue<Creation> left) {
    boolean areFinished =
        Poll.until(
            Duration.ofMinutes(BOUND),
            Duration.ofMillis(100),
            () -> {
              createSome(left);
              work();
              return left.isEmpty() && areAllFinished();
            });
    assertThat(areFinished).as(() -> "seed " + SEED + ", not: " + auditor.unfinished()).isTrue();
  }

  /** One outage after the other, and some changes before each. */
  private static void oneAfterTheOther() {
    List<Outages.Kind> outages = Outages.Kind.several(OUTAGES, random);
    int created = 0;
    for (int i = 0; i < outages.size(); i++) {
      int until = OBJECTS * (i + 1) / outages.size();
      creations(created, until).forEach(it -> assertThat(create(it)).isTrue());
      created = until;
      expected = created;
      if (LOST > 0 && i == outages.size() / 2) {
        lose("a");
      }
      goOn(MultiKueueOutageE2E::work);
      out.play(outages.get(i), () -> goOn(MultiKueueOutageE2E::work));
    }
    workUntilAllAreFinished(creations(0, 0));
  }

  /** One outage each few seconds until all are finished, however long each of them lasts. */
  private static void atThatPace() {
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    try (ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        ExecutorService outages = Executors.newVirtualThreadPerTaskExecutor()) {
      var _ =
          clock.scheduleAtFixedRate(
              () -> outages.execute(() -> outage(failures::add)), PACE, PACE, TimeUnit.SECONDS);
      var _ =
          clock.scheduleAtFixedRate(
              () -> outages.execute(out::restartEnded), 1, 1, TimeUnit.SECONDS);
      workUntilAllAreFinished(creations(0, OBJECTS));
      clock.shutdownNow();
    }
    out.restartEnded();
    assertThat(failures).isEmpty();
  }

  /** An outage of any part that is not out. */
  private static void outage(Consumer<String> failure) {
    try {
      out.playAny(MultiKueueOutageE2E::goOnForAWhile);
    } catch (RuntimeException | AssertionError e) {
      failure.accept(e.toString());
    }
  }

  @Test
  void eachJobRunsOnceAndIsFinishedOnceWhateverIsAwayMeanwhile() {
    Map<String, String> foreign = new LinkedHashMap<>();
    FLEET.workers.keySet().forEach(it -> foreign.put(it, foreignRevision(it)));
    Instant began = Instant.now();

    if (PACE > 0) {
      atThatPace();
    } else {
      oneAfterTheOther();
    }

    FLEET.await("nothing is left", () -> OutageObjects.left(FLEET).isEmpty());
    System.out.printf(
        "%d jobs, outages %s, %d revisions on workers, %d let run twice, %d s%n",
        auditor.finished(),
        out.played(),
        auditor.revisions(),
        auditor.twice(),
        Duration.between(began, Instant.now()).toSeconds());
    assertThat(auditor.breaches()).as("seed %d", SEED).isEmpty();
    assertThat(auditor.finished()).isEqualTo(OBJECTS);
    foreign.forEach((worker, it) -> assertThat(foreignRevision(worker)).isEqualTo(it));
  }
}
