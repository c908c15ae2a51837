package dev.sluice.bench.dispatch;

import static dev.sluice.bench.dispatch.JobLives.SENT;

import dev.sluice.bench.dispatch.JobLives.Lives;
import dev.sluice.bench.flow.FlowCluster;
import dev.sluice.bench.flow.MetricsText;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * The lives of Jobs on workers, with and without one more worker that is in trouble, in turn. That
 * one admits nothing, so the Jobs run on the others either way.
 */
public final class BesideRun {
  private static final String TROUBLED = "troubled";

  private final FleetClusters fleet;
  private final JobLives lives;
  private final Duration late;

  /**
   * What was measured in one turn.
   *
   * @param lives at the steady rate
   * @param atOnce Jobs a second that had waited in a queue
   * @param heapBytes of the manager's scheduler, in use at the end of the steady rate
   * @param threads of the manager's scheduler at that moment
   */
  public record Turn(Lives lives, double atOnce, long heapBytes, int threads) {}

  /**
   * The turns, as many with the troubled worker as without.
   *
   * @param reached requests for Workloads and jobs that reached the troubled worker
   */
  public record Result(List<Turn> without, List<Turn> with, long reached) {
    public Result {
      without = List.copyOf(without);
      with = List.copyOf(with);
    }

    /** The median over these turns. */
    public static double median(List<Turn> turns, ToDoubleFunction<Turn> figure) {
      double[] sorted = turns.stream().mapToDouble(figure).sorted().toArray();
      int middle = sorted.length / 2;
      return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
  }

  /**
   * A run that was not begun.
   *
   * @param jobs how many live each time
   * @param rate Jobs to create in a second
   * @param bound after which each time is given up
   * @param late how late the answers of the troubled worker are
   */
  public BesideRun(FleetClusters fleet, int jobs, double rate, Duration bound, Duration late) {
    this.fleet = fleet;
    this.late = late;
    lives = new JobLives(fleet.manager(), jobs, rate, bound);
  }

  /**
   * Measures.
   *
   * @param turns of each sort; the sort that begins changes
   * @throws IOException if not all Jobs are finished within the bound
   */
  public Result play(int turns) throws IOException {
    fleet.awaitCheck();
    List<Turn> without = new ArrayList<>();
    List<Turn> with = new ArrayList<>();
    try (FlowCluster troubled = FlowCluster.bare();
        TroubledLink link = new TroubledLink(troubled.server().getPort())) {
      String kubeconfig = Files.readString(troubled.kubeconfig());
      String server = troubled.server().toString();
      String way = server.replaceFirst(":\\d+$", ":" + link.port());
      fleet.addIdle(TROUBLED, troubled, kubeconfig.replace(server, way));
      fleet.awaitConnected(TROUBLED);
      Map<String, Long> before = RequestCounts.of(troubled);
      lives.steady(SENT, fleet.workers()); // to warm up
      lives.awaitEmpty(fleet.workers());
      for (int i = 0; i < 2 * turns; i++) {
        if (i % 4 == 0 || i % 4 == 3) {
          without.add(turn(fleet.workers()));
        } else {
          with.add(turnInTrouble(troubled, link));
        }
      }
      long reached =
          MetricsText.growth(before, RequestCounts.of(troubled)).values().stream()
              .mapToLong(Long::longValue)
              .sum();
      return new Result(without, with, reached);
    }
  }

  private Turn turnInTrouble(FlowCluster troubled, TroubledLink link) throws IOException {
    fleet.awaitConnected(TROUBLED);
    fleet.use(Set.of(TROUBLED));
    link.delay(late);
    try {
      return turn(fleet.workers());
    } finally {
      link.delay(Duration.ZERO);
      fleet.use(Set.of());
      lives.awaitEmpty(List.of(troubled));
    }
  }

  private Turn turn(Collection<FlowCluster> there) throws IOException {
    Lives steady = lives.steady(SENT, there);
    long heap = fleet.scheduler().liveHeap();
    int threads = fleet.scheduler().threads();
    double atOnce = lives.atOnce(SENT, there);
    lives.awaitEmpty(there);
    return new Turn(steady, atOnce, heap, threads);
  }
}
