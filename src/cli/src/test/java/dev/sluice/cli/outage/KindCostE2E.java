package dev.sluice.cli.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Framework;
import dev.sluice.cli.kinds.KindStories;
import dev.sluice.cli.kinds.KindStory;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.cli.testcluster.Pages;
import dev.sluice.controlplane.Ports;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What a Workload costs the scheduler in processor time and in writes: Jobs alone, and jobs of all
 * kinds, in turns and in one run. Short turns only tell a cost of another order;
 * docs/contributing/benchmarks.md says how long ones are run, and those of each kind.
 */
@FullTier
@NeedsControlPlane
@Timeout(value = 1, unit = TimeUnit.HOURS) // the long form
class KindCostE2E {
  /** How many jobs are in each turn. */
  private static final int JOBS = Tier.number("sluice.kinds.cost", 15, 15);

  /** How many jobs of each kind are in a turn of that kind alone, which is only reported. */
  private static final int OF_EACH = Tier.number("sluice.kinds.each", 0, 0);

  /** By how much more a Workload of any kind may cost. */
  private static final double MOST = JOBS < 200 ? 4 : 1.1;

  private static final int TURNS = 2;

  private static final Pattern WRITES =
      Pattern.compile("sluice_writes_seconds_count\\{(.*)} ([0-9.e+]+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern LABEL = Pattern.compile("(kind|verb|result)=\"([^\"]*)\"");

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();

  /** Processor time, how many Workloads it was for, and what was written by kind and verb. */
  private record Cost(Duration time, int workloads, Map<String, Long> writes) {
    static final Cost NONE = new Cost(Duration.ZERO, 0, Map.of());

    Cost plus(Cost other) {
      Map<String, Long> sums = new TreeMap<>(writes);
      other.writes.forEach((what, count) -> sums.merge(what, count, Long::sum));
      return new Cost(time.plus(other.time), workloads + other.workloads, sums);
    }

    double millis() {
      return time.toNanos() / 1e6 / workloads;
    }

    String text(String what) {
      StringBuilder text = new StringBuilder();
      long all = writes.values().stream().mapToLong(it -> it).sum();
      text.append(
          "%s: %.1f ms, %.2f writes for each of %d Workloads"
              .formatted(what, millis(), (double) all / workloads, workloads));
      writes.forEach(
          (write, count) ->
              text.append(
                  count == 0 ? "" : "; %.2f %s".formatted((double) count / workloads, write)));
      return text.toString();
    }
  }

  private final int port = Ports.free();

  private static Duration used(Replica scheduler) {
    return ProcessHandle.of(scheduler.process().pid())
        .flatMap(it -> it.info().totalCpuDuration())
        .orElseThrow();
  }

  /** What the scheduler has written so far, such as {@code patch Workload done}. */
  private Map<String, Long> written() throws IOException, InterruptedException {
    Map<String, Long> written = new TreeMap<>();
    var lines = WRITES.matcher(Pages.read(port, "/metrics"));
    while (lines.find()) {
      Map<String, String> labels = new TreeMap<>();
      var label = LABEL.matcher(lines.group(1));
      while (label.find()) {
        labels.put(label.group(1), label.group(2));
      }
      String what =
          "%s %s %s".formatted(labels.get("verb"), labels.get("kind"), labels.get("result"));
      written.merge(what, (long) Double.parseDouble(lines.group(2)), Long::sum);
    }
    return written;
  }

  private Cost play(
      SharedQueues queues, Replica scheduler, String turn, int jobs, List<KindStory> stories)
      throws IOException, InterruptedException {
    Random random = new Random(1);
    List<KindLife> lives = new ArrayList<>();
    int workloads = 0;
    for (int i = 0; i < jobs; i++) {
      KindStory story = stories.get(i % stories.size());
      lives.add(queues.life(story, turn + "-" + i, 0, random));
      workloads += story.workloads();
    }
    Duration before = used(scheduler);
    Map<String, Long> writtenBefore = written();
    queues.play(lives, Duration.ofSeconds(300 + 5L * jobs), _ -> {}, () -> true);
    queues.await("nothing is reserved", queues::areEmpty, () -> "");
    Map<String, Long> writes = written();
    writtenBefore.forEach((what, count) -> writes.merge(what, -count, Long::sum));
    return new Cost(used(scheduler).minus(before), workloads, writes);
  }

  @Test
  void aWorkloadOfAnyKindCostsNoMoreThanThatOfAJob() throws IOException, InterruptedException {
    List<KindStory> jobs =
        KindStories.all().stream().filter(it -> it.framework() == Framework.JOB).toList();
    Cost ofJobs = Cost.NONE;
    Cost ofAll = Cost.NONE;
    try (SharedQueues queues = new SharedQueues(CLUSTER)) {
      Replica scheduler = queues.startScheduler(port);
      play(queues, scheduler, "warm-up", JOBS, KindStories.all());
      for (int turn = 0; turn < TURNS; turn++) {
        ofJobs = ofJobs.plus(play(queues, scheduler, "jobs-" + turn, JOBS, jobs));
        ofAll = ofAll.plus(play(queues, scheduler, "all-" + turn, JOBS, KindStories.all()));
      }
      for (KindStory story : OF_EACH == 0 ? List.<KindStory>of() : KindStories.all()) {
        String kind = story.framework().plural();
        System.out.println(
            play(queues, scheduler, "each-" + kind, OF_EACH, List.of(story)).text(kind));
      }
      assertThat(scheduler.endings()).isZero();
    }

    System.out.println(ofJobs.text("Jobs alone"));
    System.out.println(ofAll.text("all kinds"));
    assertThat(ofAll.millis()).isLessThan(MOST * ofJobs.millis());
  }
}
