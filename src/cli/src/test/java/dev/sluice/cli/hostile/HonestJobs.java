package dev.sluice.cli.hostile;

import dev.sluice.api.ApiKind;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlaneException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Submits a Job every second to a queue that always has room, as users do, and removes it when it
 * was told to run. Each must be told so in bounded time.
 */
final class HonestJobs implements AutoCloseable {
  static final String NAMESPACE = "honest";
  private static final String QUEUE = "honest";
  private static final Duration BOUND = Knobs.read().bound(Duration.ofSeconds(60));
  private static final String JOBS = "/apis/batch/v1/namespaces/" + NAMESPACE + "/jobs";
  private static final int MOST_TOLD = 5;

  private final ApiClient api;
  private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
  private int number;
  private int started;
  private int badCount;
  private double longest;
  private volatile long lastStarted = System.nanoTime();
  private final List<String> bad = new ArrayList<>();

  HonestJobs(ApiClient api) {
    this.api = api;
    api.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + NAMESPACE + "\"}}").orThrow();
    Kueue.create(api, ApiKind.RESOURCE_FLAVOR, "honest", "{}").orThrow();
    Kueue.create(api, ApiKind.CLUSTER_QUEUE, "honest", Kueue.clusterQueue("honest", 1_000_000))
        .orThrow();
    Kueue.create(api, ApiKind.LOCAL_QUEUE, NAMESPACE, QUEUE, Kueue.localQueue("honest")).orThrow();
  }

  /** Submits from now on. */
  void start() {
    var _ = clock.scheduleWithFixedDelay(this::submit, 0, 1, TimeUnit.SECONDS);
  }

  private void submit() {
    String name = "job-" + number++;
    long began = System.nanoTime();
    try {
      api.create(JOBS, job(name)).orThrow();
      api.await(JOBS + "/" + name, BOUND, job -> !job.at("/spec/suspend").asBoolean(true));
      note((System.nanoTime() - began) / 1e9);
      api.delete(JOBS + "/" + name);
    } catch (ControlPlaneException e) {
      complain(name + ": " + Answered.brief("" + e.getMessage()));
    }
  }

  /** Whether a Job was told to run after that moment, by {@link System#nanoTime}. */
  boolean hasStartedAfter(long nanos) {
    return lastStarted - nanos > 0;
  }

  private synchronized void note(double seconds) {
    started++;
    lastStarted = System.nanoTime();
    longest = Math.max(longest, seconds);
  }

  private synchronized void complain(String what) {
    badCount++;
    if (bad.size() < MOST_TOLD) {
      bad.add(what);
    }
  }

  private static String job(String name) {
    return """
    {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%s","labels":{\
    "kueue.x-k8s.io/queue-name":"%s"}},"spec":{"template":{"spec":{"restartPolicy":"Never",\
    "containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}}\
    """
        .formatted(name, QUEUE);
  }

  /** What was not admitted in time since the last call; empty if all was. */
  synchronized String takeBad() {
    String told = badCount == 0 ? "" : badCount + " honest Jobs were not admitted: " + bad;
    badCount = 0;
    bad.clear();
    return told;
  }

  /** How it went since the last call. */
  synchronized String takeTally() {
    String told = String.format(Locale.ROOT, "%d honest Jobs, longest %.1f s", started, longest);
    started = 0;
    longest = 0;
    return told;
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
