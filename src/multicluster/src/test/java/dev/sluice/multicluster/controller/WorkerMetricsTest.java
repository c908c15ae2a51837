package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.multicluster.link.ReportedWorkers;
import dev.sluice.multicluster.protocol.Link;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gauges of workers that come and go. */
class WorkerMetricsTest {
  private static final String CONNECTED = "sluice.worker.connected";
  private static final int ROUNDS = 2_000;

  @TempDir Path folder;

  private static void measure(Clusters clusters) {
    clusters.metrics.measure("a", clusters.requestQueues, new LeftOutCounts());
  }

  private static int gauges(Clusters clusters) {
    return clusters.registry.find(CONNECTED).gauges().size();
  }

  @Test
  void aWorkerThatGoesAndReturnsWhileItIsMeasuredIsMeasuredAsItIsLast() throws Exception {
    try (Clusters clusters = new Clusters(folder);
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      for (int i = 0; i < ROUNDS; i++) {
        ReportedWorkers.report(clusters.workers, "a", new Link.Connecting(), Optional.empty());
        var measured = other.submit(() -> measure(clusters));
        ReportedWorkers.remove(clusters.workers, "a");
        measure(clusters);
        measured.get();

        assertThat(gauges(clusters)).as("after it went, round %d", i).isZero();
      }
      ReportedWorkers.report(clusters.workers, "a", new Link.Connecting(), Optional.empty());
      measure(clusters);
      assertThat(gauges(clusters)).isOne();
    }
  }
}
