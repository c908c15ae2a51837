package dev.sluice.cli.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.Poll;
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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs flow through a whole control plane while parts of ours are killed, or two schedulers believe
 * that they lead. CONTRIBUTING.md tells how to ask for more jobs and kills than these few.
 */
@NeedsControlPlane
@Timeout(value = 3, unit = TimeUnit.HOURS) // the long form; what is awaited has its own bound
@SuppressWarnings("NullAway.Init") // set before all tests
class OutageE2E {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final int MANY_PODS = 3;

  @TempDir private static Path folder;
  private static KillableCluster cluster;
  private static JobFlow flow;

  @BeforeAll
  static void start() throws IOException {
    cluster = new KillableCluster(folder, EnumSet.allOf(Part.class));
    Submissions.createPriorityClass(cluster);
    flow = new JobFlow(cluster);
  }

  @AfterEach
  void stopSchedulers() {
    cluster.stopSchedulers();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void killedAtRandomMomentsNothingIsLostAdmittedTwiceOrLeaked() throws IOException {
    int jobs = Tier.number("sluice.jobs", 8, 24);
    int kills = Tier.number("sluice.kills", 1, 3);
    Random random = new Random(Long.getLong("sluice.seed", 5));
    QueueNode tree =
        QueueNode.cohort(
            "kill-all",
            List.of(
                QueueNode.cohort(
                    "kill-left",
                    List.of(
                        QueueNode.queue("kill-a", 5, 4L, null),
                        QueueNode.queue("kill-b", 5, null, 3L))),
                QueueNode.queue("kill-c", 4, null, null)));
    flow.create("killed", tree);
    long began = System.nanoTime();
    try (Auditor auditor = new Auditor(cluster.api(), Set.of("killed"))) {
      List<Path> recordings = List.of(folder.resolve("first"), folder.resolve("second"));
      List<Replica> schedulers = new ArrayList<>();
      for (Path recording : recordings) {
        schedulers.add(cluster.schedule("--record=" + recording));
      }
      Submissions submissions = new Submissions(cluster, "killed", tree.queues(), jobs, random);
      Killer killer = new Killer(cluster.webhook(), schedulers, kills, jobs, random);

      long end = began + Duration.ofMinutes(Integer.getInteger("sluice.minutes", 600)).toNanos();
      flow.await(
          Duration.ofSeconds(240 + 2L * jobs + 10L * kills),
          auditor,
          () -> {
            int finished = auditor.complete();
            boolean goesOn = System.nanoTime() < end;
            if (goesOn) {
              submissions.submit(finished);
              killer.look(finished);
            }
            cluster.revive();
            return finished == submissions.submitted()
                && (!goesOn || (finished == jobs && killer.isDone()));
          });

      System.out.printf(
          "killed: %d jobs in %d s; killed %d schedulers and %d webhook servers, %d ended by"
              + " themselves%n",
          submissions.submitted(),
          (System.nanoTime() - began) / 1_000_000_000,
          killer.ofSchedulers(),
          killer.ofTheWebhook(),
          schedulers.stream().mapToInt(Replica::endings).sum());
      flow.awaitTheEnd("killed", tree, auditor, submissions.submitted());

      cluster.stopSchedulers();
      var incidents = new Incidents(recordings, folder);
      incidents.requireTheSameDecisions();
      int exported =
          incidents.requireScenariosThatPass(Tier.number("sluice.incidents", 1, 3), random);
      System.out.printf("killed: %d decisions became scenarios%n", exported);
    }
  }

  @FullTier
  @Test
  void aLeaderThatWasHeldUpGoesOnWithWhatCameMeanwhile() throws Exception {
    QueueNode queue = QueueNode.queue("held-a", 9, null, null);
    flow.create("held", queue);
    try (Auditor auditor = new Auditor(cluster.api(), Set.of("held"))) {
      Replica leader = cluster.schedule();
      Submissions submissions = new Submissions(cluster, "held", List.of(queue), 6, new Random(1));
      submissions.submit(1 - Submissions.AHEAD);
      flow.await(SOON, auditor, () -> auditor.complete() == 1);

      leader.process().signal("STOP");
      submissions.submit(0);
      Poll.until(Duration.ofMillis(2_500), PAUSE, () -> false); // longer than renewDeadline
      leader.process().signal("CONT");

      flow.await(SOON, auditor, () -> auditor.complete() == 6);
      flow.awaitTheEnd("held", queue, auditor, 6);
    }
  }

  @FullTier
  @Test
  void twoSchedulersThatBothBelieveThatTheyLeadAdmitNoMoreThanThereIs() throws IOException {
    int jobs = Integer.getInteger("sluice.leaders.jobs", 40);
    Random random = new Random(Long.getLong("sluice.seed", 7));
    QueueNode tree =
        QueueNode.cohort(
            "both-all",
            List.of(
                QueueNode.queue("both-a", 2, 2L, null), QueueNode.queue("both-b", 3, null, 2L)));
    flow.create("both", tree);
    try (Auditor auditor = new Auditor(cluster.api(), Set.of("both"))) {
      cluster.schedule("--leader-elect=false");
      cluster.schedule("--leader-elect=false");
      Submissions submissions = new Submissions(cluster, "both", tree.queues(), jobs, random);

      flow.await(
          Duration.ofSeconds(120 + 2L * jobs),
          auditor,
          () -> {
            submissions.submit(auditor.complete());
            return auditor.complete() == jobs;
          });

      flow.awaitTheEnd("both", tree, auditor, jobs);
    }
  }

  @FullTier
  @Test
  void whatCronJobsMakeRunsOnceAndWaitsForNothingButQuota() throws IOException {
    int minutes = Integer.getInteger("sluice.soak.minutes", 0);
    List<String> namespaces = List.of("soak-1", "soak-2", "soak-3");
    List<QueueNode> queues =
        List.of(QueueNode.queue("soak-a", 1, null, null), QueueNode.queue("soak-b", 1, null, null));
    namespaces.forEach(cluster::createNamespace);
    for (QueueNode queue : queues) {
      cluster.create(queue, "flavor-" + queue.name());
      namespaces.forEach(namespace -> flow.createLocalQueue(namespace, queue));
    }
    try (Auditor auditor = new Auditor(cluster.api(), Set.copyOf(namespaces))) {
      List<Replica> schedulers = List.of(cluster.schedule(), cluster.schedule());
      CronJobs cronJobs =
          new CronJobs(cluster, namespaces, queues, 10, minutes == 0 ? 1 : MANY_PODS);
      int kills = minutes == 0 ? soakByHand(cronJobs, schedulers) : soak(minutes, schedulers);
      cronJobs.stop();

      flow.await(
          Duration.ofMinutes(3),
          auditor,
          () -> {
            cluster.revive();
            return auditor.jobs() >= cronJobs.size() * Math.max(1, minutes - 1)
                && auditor.unfinished().isEmpty()
                && namespaces.stream().allMatch(flow::allFinished)
                && queues.stream().allMatch(it -> it.isEmpty(cluster.api()))
                && auditor.isUpToDate();
          });

      Waits waits = Waits.in(auditor.history());
      Laws.Verdict verdict = auditor.judge(queues);
      System.out.printf(
          "soak: %d Jobs of %d CronJobs, %d kills, %d revisions seen; %s%n",
          auditor.jobs(), cronJobs.size(), kills, auditor.history().size(), waits);
      JobFlow.requireNoBreach(verdict, auditor);
      assertThat(auditor.missed()).isEmpty();
      assertThat(verdict.finishedJobs()).hasSize(auditor.jobs());
      assertThat(waits.handOverP99()).isLessThan(20);
    }
  }

  /** Each part is killed once while a few Jobs go. */
  private static int soakByHand(CronJobs cronJobs, List<Replica> schedulers) {
    for (int i = 0; i < cronJobs.size(); i++) {
      cronJobs.fire(i, 0);
      if (i % 3 == 2) {
        killInTurn(i / 3, schedulers);
      }
    }
    return cronJobs.size() / 3;
  }

  private static int soak(int minutes, List<Replica> schedulers) {
    long end = System.nanoTime() + Duration.ofMinutes(minutes).toNanos();
    int kills = 0;
    while (System.nanoTime() < end) {
      Poll.until(
          Duration.ofSeconds(20),
          PAUSE,
          () -> {
            cluster.revive();
            return false;
          });
      killInTurn(kills++, schedulers);
    }
    return kills;
  }

  private static void killInTurn(int turn, List<Replica> schedulers) {
    switch (turn % 3) {
      case 0 -> schedulers.get(turn / 3 % schedulers.size()).kill();
      case 1 -> cluster.webhook().kill();
      default -> cluster.controlPlane().killAndRestart(Part.KUBE_CONTROLLER_MANAGER);
    }
  }
}
