package dev.sluice.cli.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Framework;
import dev.sluice.cli.kinds.KindStories;
import dev.sluice.cli.kinds.KindStory;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
  private static final int FATES = 4;

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();

  private static Map<String, Auditor.Reading> readings() {
    Map<String, Auditor.Reading> readings = new HashMap<>();
    for (KindStory story : KindStories.all()) {
      Framework framework = story.framework();
      readings.put(
          "/apis/" + framework.type().apiVersion() + "/" + framework.plural(),
          (job, gone) -> Revision.ofKind(job, gone, story::isSuspended));
    }
    return readings;
  }

  /** As many lives as are asked for, the kinds taking turns. */
  private static List<KindLife> lives(SharedQueues queues) {
    List<KindStory> stories = KindStories.all();
    Random random = new Random(Long.getLong("sluice.seed", 11));
    List<KindLife> lives = new ArrayList<>();
    for (int i = 0; i < OBJECTS; i++) {
      KindStory story = stories.get(i % stories.size());
      lives.add(queues.life(story, namespace(i), random.nextInt(FATES), random));
    }
    return lives;
  }

  private static String namespace(int life) {
    return "life-" + life;
  }

  private static Set<String> namespaces() {
    Set<String> namespaces = new HashSet<>();
    for (int i = 0; i < OBJECTS; i++) {
      namespaces.add(namespace(i));
    }
    return namespaces;
  }

  @Test
  void killedAtRandomMomentsNoKindLosesAJobOrLeavesQuotaBehind() throws IOException {
    long began = System.nanoTime();
    try (SharedQueues queues = new SharedQueues(CLUSTER);
        Auditor auditor = new Auditor(CLUSTER.api(), namespaces(), readings())) {
      List<Replica> schedulers = List.of(queues.startScheduler(), queues.startScheduler());
      Killer killer =
          new Killer(null, schedulers, KILLS, OBJECTS, new Random(Long.getLong("sluice.seed", 5)));

      queues.play(
          lives(queues),
          Duration.ofSeconds(300 + 5L * OBJECTS + 20L * KILLS),
          killer::look,
          killer::isDone);

      queues.await(
          "nothing is reserved",
          () -> {
            schedulers.forEach(Replica::revive);
            return queues.areEmpty() && auditor.isUpToDate();
          },
          () -> auditor.missed().toString());
      Laws.Verdict verdict = auditor.judge(List.of(SharedQueues.TREE));
      System.out.printf(
          "%d jobs of %d kinds in %d s: %d kills, %d ended by themselves, %d revisions seen, at"
              + " most %d thousandths of a cpu held, %d evictions%n",
          OBJECTS,
          KindStories.all().size(),
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
    }
  }
}
