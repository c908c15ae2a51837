package dev.sluice.bench.flow;

import dev.sluice.bench.engine.Story.Kind;
import dev.sluice.bench.engine.Story.Plot;
import dev.sluice.controlplane.ControlPlane.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** One run of a plot on a cluster, from the probe of the bare API server to the numbers. */
public final class FlowRun {
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Set<String> OURS =
      Set.of("POST", "PUT", "PATCH", "APPLY", "DELETE", "GET", "LIST", "DELETECOLLECTION");

  private final FlowCluster cluster;
  private final Plot plot;
  private final Verb verb;
  private final Duration bound;

  /**
   * A run to come.
   *
   * @param bound after which it is given up
   */
  public FlowRun(FlowCluster cluster, Plot plot, Verb verb, Duration bound) {
    this.cluster = cluster;
    this.plot = plot;
    this.verb = verb;
    this.bound = bound;
  }

  /** Is told how far a run is. */
  public interface Watcher {
    /** So many are at least so far, after that time. */
    void at(int created, int admitted, int finished, int all, Duration time);
  }

  /** What starts the scheduler. */
  public interface Starter {
    /** Starts it and waits until it is ready. */
    SchedulerProcess start(Path kubeconfig) throws IOException;
  }

  /**
   * Runs it.
   *
   * @param probe for how long each part of the probe goes on
   * @throws IOException if it cannot be done, or not within the bound
   */
  public FlowResult play(Duration probe, Starter starter, Watcher watcher) throws IOException {
    cluster.prepare(plot);
    Probe.Rates bare = Probe.measure(cluster, probe);
    try (SchedulerProcess scheduler = starter.start(cluster.schedulerKubeconfig());
        Generator generator = new Generator(cluster.client(), plot, verb)) {
      ProcessUse use =
          new ProcessUse()
              .watching(FlowResult.SCHEDULER, scheduler.handle())
              .watching(FlowResult.API_SERVER, cluster.process(Part.KUBE_APISERVER))
              .watching(FlowResult.ETCD, cluster.process(Part.ETCD))
              .watching(FlowResult.GENERATOR, ProcessHandle.current());
      Map<String, Long> requests = requests();
      Map<String, Long> writes = writes(scheduler);
      use.start();
      long began = generator.start();
      try {
        follow(generator, scheduler, began, watcher);
      } catch (IOException e) {
        cluster.keepLogs();
        throw e;
      }
      ProcessUse.Used used = use.stop();
      return new FlowResult(
          plot,
          Duration.ofNanos(generator.endedAt() - began),
          classes(generator),
          generator.quotaUse(generator.endedAt()),
          used,
          bare,
          generator.calls(),
          generator.rewatches(),
          MetricsText.growth(requests, requests()),
          MetricsText.growth(writes, writes(scheduler)));
    }
  }

  private void follow(Generator generator, SchedulerProcess scheduler, long began, Watcher watcher)
      throws IOException {
    while (!generator.isDone()) {
      Duration time = Duration.ofNanos(System.nanoTime() - began);
      watcher.at(
          generator.created(), generator.admitted(), generator.finished(), generator.size(), time);
      if (!generator.failure().isEmpty()) {
        throw new IOException(generator.failure());
      }
      if (!scheduler.isAlive()) {
        throw new IOException("the scheduler ended: " + Files.readString(scheduler.log()).strip());
      }
      if (time.compareTo(bound) > 0) {
        throw new IOException(
            "%d of %d workloads are finished after %d s; see %s"
                .formatted(
                    generator.finished(), generator.size(), bound.toSeconds(), scheduler.log()));
      }
      sleep();
    }
  }

  private static void sleep() throws IOException {
    try {
      TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private Map<String, Long> requests() {
    String text = cluster.client().get("/metrics").orThrow().body();
    return MetricsText.sums(
        text,
        "apiserver_request_total",
        labels -> {
          String verbOf = labels.getOrDefault("verb", "");
          String sub = labels.getOrDefault("subresource", "");
          String resource = labels.getOrDefault("resource", "");
          return !OURS.contains(verbOf) || resource.isEmpty()
              ? ""
              : verbOf + " " + resource + (sub.isEmpty() ? "" : "/" + sub);
        });
  }

  private static Map<String, Long> writes(SchedulerProcess scheduler) throws IOException {
    return MetricsText.sums(
        scheduler.metrics(),
        "sluice_writes_seconds_count",
        labels -> labels.get("kind") + " " + labels.get("verb") + " " + labels.get("result"));
  }

  private static List<FlowResult.OfClass> classes(Generator generator) {
    List<FlowResult.OfClass> classes = new ArrayList<>();
    for (Kind kind : generator.plot().kinds()) {
      List<Item> parts = generator.parts().stream().filter(part -> part.kind.equals(kind)).toList();
      long[] waits =
          parts.stream().mapToLong(p -> Math.max(0, p.admittedAt - p.createdAt)).sorted().toArray();
      double mean = Arrays.stream(waits).average().orElse(0);
      classes.add(
          new FlowResult.OfClass(
              kind.name(),
              parts.size(),
              Duration.ofNanos(Math.round(mean)),
              at(waits, 0.5),
              at(waits, 0.99),
              parts.stream().mapToInt(p -> p.evictions).sum()));
    }
    return classes;
  }

  private static Duration at(long[] sorted, double share) {
    int rank = Math.clamp((int) Math.ceil(share * sorted.length), 1, sorted.length);
    return Duration.ofNanos(sorted[rank - 1]);
  }
}
