package dev.sluice.cli.outage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.Framework;
import dev.sluice.cli.kinds.KindScene;
import dev.sluice.cli.kinds.KindStories;
import dev.sluice.cli.kinds.KindStory;
import dev.sluice.cli.process.SchedulerConfiguration;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Poll;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Jobs of all kinds share queues while schedulers are killed. Their operators are played, so that
 * an API server is all that the jobs need. CONTRIBUTING.md tells how to ask for more jobs and kills
 * than these few.
 */
@FullTier
@NeedsControlPlane
@Timeout(value = 3, unit = TimeUnit.HOURS) // the long form; what is awaited has its own bound
class AllKindsOutageE2E {
  private static final int OBJECTS = Tier.number("sluice.kinds.objects", 15, 30);
  private static final int KILLS = Tier.number("sluice.kinds.kills", 1, 3);
  private static final int AT_A_TIME = 12;
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Each of the jobs asks again this often, so that the API server has time for others. */
  private static final Duration PAUSE_OF_ONE = Duration.ofMillis(400);

  private static final Duration SOON = Duration.ofMinutes(5);
  private static final int LEASE_SECONDS = 3;

  private static final QueueNode TREE =
      QueueNode.cohort(
          "kinds-all",
          List.of(
              QueueNode.queue("kinds-a", 9, 6L, null),
              QueueNode.queue("kinds-b", 9, null, 5L),
              QueueNode.queue("kinds-c", 8, 0L, null)));

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();

  private final List<Replica> schedulers = new ArrayList<>();

  private void startScheduler() throws IOException {
    Path configuration =
        SchedulerConfiguration.write(
            CLUSTER.folder(),
            LEASE_SECONDS,
            KindStories.frameworks(KindStories.all())
                + "featureGates:\n  SparkApplicationIntegration: true\n");
    schedulers.add(
        new Replica(
            SluiceProcess.startFromClasses(
                CLUSTER.folder(),
                "schedule",
                "--kubeconfig=" + CLUSTER.controlPlane().kubeconfig(),
                "--config=" + configuration)));
  }

  private static void createQueues() {
    KindScene.createFlavor(CLUSTER.api());
    Kueue.create(CLUSTER.api(), ApiKind.COHORT, TREE.name(), "{}").orThrow();
    for (QueueNode queue : TREE.queues()) {
      String limits =
          (queue.limit() == null ? "" : ",\"borrowingLimit\":" + queue.limit())
              + (queue.lent() == null ? "" : ",\"lendingLimit\":" + queue.lent());
      String spec =
          """
          {"namespaceSelector":{},"cohortName":"%s","resourceGroups":[{
          "coveredResources":["cpu","memory"],"flavors":[{"name":"%s","resources":[
          {"name":"cpu","nominalQuota":%d%s},{"name":"memory","nominalQuota":"1Ti"}]}]}]}\
          """
              .formatted(TREE.name(), KindScene.FLAVOR, queue.cpu(), limits);
      Kueue.create(CLUSTER.api(), ApiKind.CLUSTER_QUEUE, queue.name(), spec).orThrow();
    }
  }

  private static Map<String, Auditor.Reading> readings(List<KindStory> stories) {
    Map<String, Auditor.Reading> readings = new HashMap<>();
    for (KindStory story : stories) {
      Framework framework = story.framework();
      readings.put(
          "/apis/" + framework.type().apiVersion() + "/" + framework.plural(),
          (job, gone) -> Revision.ofKind(job, gone, story::isSuspended));
    }
    return readings;
  }

  /** As many lives as are asked for, the kinds taking turns. */
  private List<KindLife> lives(List<KindStory> stories) {
    Random random = new Random(Long.getLong("sluice.seed", 11));
    List<KindLife> lives = new ArrayList<>();
    for (int i = 0; i < OBJECTS; i++) {
      KindStory story = stories.get(i % stories.size());
      var scene = new KindScene(CLUSTER.api(), this::await, story, namespace(i));
      List<QueueNode> queues = TREE.queues();
      String queue = queues.get(random.nextInt(queues.size())).name();
      lives.add(KindLife.of(story, scene, queue, random));
    }
    return lives;
  }

  private static String namespace(int life) {
    return "life-" + life;
  }

  private void await(String what, BooleanSupplier condition, Supplier<String> more) {
    assertThat(Poll.until(SOON, PAUSE_OF_ONE, condition))
        .as(() -> what + "\n" + tail() + "\n" + more.get())
        .isTrue();
  }

  private String tail() {
    return String.join("\n", schedulers.stream().map(it -> it.process().tail()).toList());
  }

  private static boolean isEmpty(QueueNode queue) {
    JsonNode status =
        CLUSTER
            .api()
            .get(Kueue.path(ApiKind.CLUSTER_QUEUE, ApiVersion.HUB, queue.name()))
            .orThrow()
            .json()
            .path("status");
    return status.path("reservingWorkloads").asInt(-1) == 0
        && status.path("pendingWorkloads").asInt(-1) == 0
        && status.at("/flavorsReservation/0/resources/0/total").asText().equals("0");
  }

  @Test
  void killedAtRandomMomentsNoKindLosesAJobOrLeavesQuotaBehind() throws IOException {
    List<KindStory> stories = KindStories.all();
    KindStories.serve(CLUSTER.api(), stories);
    createQueues();
    Set<String> namespaces = new HashSet<>();
    for (int i = 0; i < OBJECTS; i++) {
      namespaces.add(namespace(i));
    }
    long began = System.nanoTime();
    try (Auditor auditor = new Auditor(CLUSTER.api(), namespaces, readings(stories))) {
      startScheduler();
      startScheduler();
      Killer killer =
          new Killer(null, schedulers, KILLS, OBJECTS, new Random(Long.getLong("sluice.seed", 5)));

      live(lives(stories), killer);

      await(
          "nothing is reserved",
          () -> {
            schedulers.forEach(Replica::revive);
            return TREE.queues().stream().allMatch(AllKindsOutageE2E::isEmpty)
                && auditor.isUpToDate();
          },
          () -> auditor.missed().toString());
      Laws.Verdict verdict = auditor.judge(List.of(TREE));
      System.out.printf(
          "%d jobs of %d kinds in %d s: %d kills, %d ended by themselves, %d revisions seen, at"
              + " most %d thousandths of a cpu held, %d evictions%n",
          OBJECTS,
          stories.size(),
          (System.nanoTime() - began) / 1_000_000_000,
          killer.ofSchedulers(),
          schedulers.stream().mapToInt(Replica::endings).sum(),
          auditor.history().size(),
          verdict.most(),
          verdict.evictions());
      if (!verdict.breaches().isEmpty()) { // too long for a message
        auditor.history().forEach(it -> System.out.println(it.revision()));
      }
      assertThat(verdict.breaches()).isEmpty();
      assertThat(auditor.missed()).isEmpty();
      assertThat(verdict.most()).isPositive();
    } finally {
      schedulers.forEach(Replica::close);
    }
  }

  /** Returns once all lives are over; the first that fails ends it. */
  private void live(List<KindLife> lives, Killer killer) {
    ExecutorService players = Executors.newFixedThreadPool(AT_A_TIME);
    try {
      List<CompletableFuture<Void>> all =
          lives.stream().map(it -> CompletableFuture.runAsync(it, players)).toList();
      boolean isOver =
          Poll.until(
              Duration.ofSeconds(300 + 5L * OBJECTS + 20L * KILLS),
              PAUSE,
              () -> {
                all.stream()
                    .filter(CompletableFuture::isCompletedExceptionally)
                    .forEach(CompletableFuture::join);
                int done = Math.toIntExact(all.stream().filter(it -> it.isDone()).count());
                killer.look(done);
                schedulers.forEach(Replica::revive);
                return done == OBJECTS && killer.isDone();
              });
      assertThat(isOver).as(this::tail).isTrue();
    } finally {
      players.shutdownNow();
    }
  }
}
