package dev.sluice.bench.dispatch;

import static dev.sluice.bench.dispatch.FleetClusters.ALONE;
import static dev.sluice.bench.dispatch.JobLives.SENT;

import dev.sluice.bench.dispatch.JobLives.Lives;
import dev.sluice.bench.flow.FlowCluster;
import dev.sluice.bench.flow.MetricsText;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The lives of Jobs on one cluster by itself, and on worker clusters, beside each other. */
public final class FleetRun {
  private final FleetClusters fleet;
  private final JobLives lives;

  /**
   * What was measured.
   *
   * @param alone at the steady rate, of one cluster by itself
   * @param sent the same of the workers
   * @param here requests to the manager meanwhile, by verb and resource
   * @param there the same to all workers
   * @param aloneAtOnce Jobs a second from the moment at which a queue was let go in which all of
   *     them waited, until the last one was finished, of one cluster by itself
   * @param sentAtOnce the same of the workers
   */
  public record Result(
      Lives alone,
      Lives sent,
      Map<String, Long> here,
      Map<String, Long> there,
      double aloneAtOnce,
      double sentAtOnce) {
    public Result {
      here = Map.copyOf(here);
      there = Map.copyOf(there);
    }
  }

  /**
   * A run that was not begun.
   *
   * @param jobs how many live each time
   * @param rate Jobs to create in a second
   * @param bound after which each half is given up
   */
  public FleetRun(FleetClusters fleet, int jobs, double rate, Duration bound) {
    this.fleet = fleet;
    lives = new JobLives(fleet.manager(), jobs, rate, bound);
  }

  /**
   * Measures.
   *
   * @throws IOException if not all Jobs are finished within the bound
   */
  public Result play() throws IOException {
    FlowCluster manager = fleet.manager();
    fleet.awaitCheck();
    List<FlowCluster> there = fleet.workers();
    Lives alone = lives.steady(ALONE, List.of(manager));
    Map<String, Long> hereBefore = RequestCounts.of(manager);
    Map<String, Long> thereBefore = RequestCounts.of(there);
    Lives sent = lives.steady(SENT, there);
    lives.awaitEmpty(there);
    return new Result(
        alone,
        sent,
        MetricsText.growth(hereBefore, RequestCounts.of(manager)),
        MetricsText.growth(thereBefore, RequestCounts.of(there)),
        lives.atOnce(ALONE, List.of(manager)),
        lives.atOnce(SENT, there));
  }
}
