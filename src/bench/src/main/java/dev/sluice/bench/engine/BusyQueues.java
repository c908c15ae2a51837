package dev.sluice.bench.engine;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A cluster in which all quota is taken and a crowd waits. Whoever is admitted is replaced by
 * another one who waits, so that the crowd stays as large as it is. A tree has up to a hundred
 * queues, ten to a cohort. All flavors but the last one are held for good.
 */
public final class BusyQueues {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final int QUEUES_OF_A_TREE = 100;
  private static final int QUEUES_OF_A_COHORT = 10;
  private static final int NOMINAL = 4;

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private final List<String> queues = new ArrayList<>();
  private final List<Deque<ObjectKey>> running = new ArrayList<>();
  private final List<Workload> templates = new ArrayList<>();
  private final int[] arrived;
  private final Scale scale;
  private Instant now = START;
  private int created;
  private final int[] borrowing;
  private final int[] memory;

  /**
   * How large the cluster is.
   *
   * @param depth the levels of cohorts above a queue
   * @param shapes how many different kinds of workloads wait
   */
  public record Scale(int queues, int depth, int pending, int flavors, int shapes) {
    /** Reads {@code 1000 queues, depth 2, 100000 pending, 2 flavors}, of 4 shapes. */
    public static Scale parse(String text) {
      int[] numbers =
          List.of(text.replaceAll("[^0-9]+", " ").trim().split(" ", -1)).stream()
              .mapToInt(Integer::parseInt)
              .toArray();
      return new Scale(numbers[0], numbers[1], numbers[2], numbers[3], 4);
    }
  }

  BusyQueues(Scale scale) {
    this.scale = scale;
    this.arrived = new int[scale.queues()];
    this.borrowing = new int[scale.queues()];
    this.memory = new int[scale.queues()];
    for (int shape = 0; shape < scale.shapes(); shape++) {
      templates.add(EngineObjects.template(1, shape));
    }
    makeQueues();
    for (int i = 0; i < scale.queues(); i++) {
      occupy(i);
    }
    for (int i = 0; i < scale.pending(); i++) {
      arrive(i % scale.queues());
    }
    settle();
  }

  private void makeQueues() {
    engine.apply(EngineObjects.namespace(), now);
    flavors().forEach(flavor -> engine.apply(EngineObjects.flavor(flavor), now));
    engine.apply(EngineObjects.flavor("spare"), now);
    for (int i = 0; i < scale.queues(); i++) {
      String queue = "queue-" + i;
      queues.add(queue);
      running.add(new ArrayDeque<>());
      put(i);
      engine.apply(EngineObjects.localQueue(queue), now);
    }
    for (int i = 0; i < scale.queues(); i += QUEUES_OF_A_COHORT) {
      for (int level = scale.depth(); level > 1; level--) {
        engine.apply(EngineObjects.cohort(cohort(i, level), cohort(i, level - 1)), now);
      }
    }
  }

  private void put(int queue) {
    engine.apply(
        EngineObjects.clusterQueueWithMemory(
            queues.get(queue),
            cohort(queue, scale.depth()),
            flavors(),
            NOMINAL,
            100 + borrowing[queue],
            memory[queue]),
        now);
  }

  private List<String> flavors() {
    return IntStream.range(0, scale.flavors()).mapToObj(i -> "flavor-" + i).toList();
  }

  /** The cohort of that level above the queue; level 1 is the root. */
  private static String cohort(int queue, int level) {
    return level == 1
        ? "tree-" + queue / QUEUES_OF_A_TREE
        : "cohort-" + queue / QUEUES_OF_A_COHORT + "-" + level;
  }

  private void occupy(int queue) {
    for (int flavor = 0; flavor < scale.flavors(); flavor++) {
      for (int i = 0; i < NOMINAL; i++) {
        Workload workload =
            EngineObjects.holding(
                templates.getFirst(),
                "running-" + created++,
                queues.get(queue),
                "flavor-" + flavor,
                START);
        engine.apply(Change.upserted(ObjectKind.WORKLOAD, workload), now);
        if (flavor == scale.flavors() - 1) {
          running.get(queue).add(ObjectKey.of(workload.metadata()));
        }
      }
    }
  }

  private void arrive(int queue) {
    Workload template = templates.get(arrived[queue]++ % templates.size());
    String name = "waiting-" + created;
    engine.apply(
        Change.upserted(
            ObjectKind.WORKLOAD,
            EngineObjects.workload(template, name, queues.get(queue), START.plusMillis(created++))),
        now);
  }

  QuotaEngine engine() {
    return engine;
  }

  Instant now() {
    return now;
  }

  int queues() {
    return queues.size();
  }

  /** The longest running workload of the queue ends. */
  void finish(int queue) {
    ObjectKey oldest = running.get(queue).remove();
    engine.apply(new Change.Deleted(ObjectKind.WORKLOAD, oldest), now);
  }

  /** The quotas of cpu of the queue change, for which everybody in its tree waits. */
  void editQuota(int queue) {
    borrowing[queue]++;
    put(queue);
  }

  /** The quota of memory of the queue changes, for which no workload waits. */
  void editMemory(int queue) {
    memory[queue]++;
    put(queue);
  }

  /**
   * What happened until nothing moved any more.
   *
   * @param heads how often a cycle looked at somebody
   */
  record Round(int cycles, int heads, int admitted) {}

  /**
   * Cycles until nothing moves any more; whoever is admitted is stored, and then somebody else
   * comes to wait in that place.
   */
  Round settle() {
    now = now.plusMillis(1);
    int cycles = 0;
    int heads = 0;
    List<Integer> admitted = new ArrayList<>();
    CycleResult result;
    do {
      result = engine.cycle(now);
      cycles++;
      heads += result.outcomes().size();
      for (Outcome outcome : result.outcomes()) {
        if (outcome.decision() instanceof Decision.Reserved) {
          engine.apply(new Change.StatusStored(outcome.workload()), now);
          int queue = Integer.parseInt(outcome.clusterQueue().substring("queue-".length()));
          running.get(queue).add(outcome.workload());
          admitted.add(queue);
        }
      }
    } while (result.changed());
    admitted.forEach(this::arrive);
    return new Round(cycles, heads, admitted.size());
  }
}
