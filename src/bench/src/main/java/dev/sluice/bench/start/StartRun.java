package dev.sluice.bench.start;

import dev.sluice.bench.flow.FlowCluster;
import dev.sluice.bench.load.LoadClient;
import dev.sluice.bench.load.Percentiles;
import dev.sluice.bench.load.Protocol;
import dev.sluice.bench.load.Sample;
import dev.sluice.bench.load.ServerMemory;
import dev.sluice.bench.load.Window;
import dev.sluice.bench.objects.AdmissionCase;
import dev.sluice.controlplane.ApiClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Starts {@code sluice serve} many times, and then loads the last one. */
public final class StartRun {
  private static final int CREATING = 16;
  private static final long SEED = 1;

  /** What comes right after a start: as many in a second as of a busy cluster. */
  private static final int FIRST_RATE = 100;

  /** Before each start: what the one before has left to others to do is over by then. */
  private static final Duration QUIET = Duration.ofSeconds(2);

  private static final Window FIRST = new Window(Duration.ZERO, Duration.ofSeconds(1));

  private final String program;
  private final FlowCluster cluster;
  private final Path folder;
  private final Duration rest;
  private int begun;

  /**
   * What one start took.
   *
   * @param answer until {@code /healthz} was good
   * @param ready until {@code /readyz} was good
   * @param first the reviews of the second after that
   */
  public record Start(Duration answer, Duration ready, Percentiles first) {}

  /**
   * What it holds when no request comes.
   *
   * @param starts each start, in order
   * @param residentBytes of the last one, when it had rested after it was ready
   */
  public record Idle(List<Start> starts, long residentBytes) {
    public Idle {
      starts = List.copyOf(starts);
    }
  }

  /**
   * What it holds under load.
   *
   * @param idleBytes before the first review
   * @param residentBytes after the last one; a JVM gives little back
   */
  public record Loaded(long idleBytes, Sample sample, long residentBytes) {}

  /**
   * Nothing is started yet.
   *
   * @param program the launcher
   * @param folder for certificates and logs; empty
   * @param rest how long a server is left alone before its memory is read
   */
  public StartRun(String program, FlowCluster cluster, Path folder, Duration rest) {
    this.program = program;
    this.cluster = cluster;
    this.folder = folder;
    this.rest = rest;
  }

  /**
   * Starts it so many times, one after the other, and once before: the launcher may have to build.
   * An API server that has just got CRDs is busy for a while, so there is a rest after that one.
   */
  public Idle idle(int starts) throws IOException {
    List<Start> all = new ArrayList<>();
    try (ServeProcess server = start()) {
      server.awaitPage("/readyz");
    }
    pause(rest);
    for (int i = 1; i < starts; i++) {
      try (ServeProcess server = start()) {
        all.add(timed(server));
      }
      pause(QUIET);
    }
    try (ServeProcess server = start()) {
      all.add(timed(server));
      return new Idle(all, restingBytes(server));
    }
  }

  /** Creates Workloads, so that the view of the next server has them. */
  public void create(int workloads) throws IOException {
    ApiClient client = cluster.client();
    List<Future<?>> creations = new ArrayList<>();
    try (var pool = Executors.newFixedThreadPool(CREATING)) {
      for (int i = 0; i < workloads; i++) {
        String body = workload("workload-" + i);
        creations.add(
            pool.submit(
                () ->
                    client
                        .create("/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads", body)
                        .orThrow()));
      }
      for (Future<?> creation : creations) {
        creation.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a Workload cannot be created", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Sends reviews of Jobs at that rate. */
  public Loaded load(int perSecond, Window window) throws IOException {
    try (ServeProcess server = start()) {
      server.awaitPage("/readyz");
      long before = restingBytes(server);
      Sample sample = send(server, perSecond, window);
      return new Loaded(before, sample, ServerMemory.residentOf(server.handle()));
    }
  }

  private static Sample send(ServeProcess server, int perSecond, Window window) throws IOException {
    try (LoadClient client =
        new LoadClient(server.target(), server.handle(), Protocol.ONE_HTTP2_CONNECTION)) {
      return client.atRate(AdmissionCase.JOB_VALIDATION.corpus(SEED), perSecond, window);
    }
  }

  private ServeProcess start() throws IOException {
    begun++;
    return ServeProcess.start(program, cluster.kubeconfig(), folder.resolve("serve-" + begun));
  }

  private static Start timed(ServeProcess server) throws IOException {
    Duration answer = server.awaitPage("/healthz");
    Duration ready = server.awaitPage("/readyz");
    Sample first = send(server, FIRST_RATE, FIRST);
    if (first.failed() > 0) {
      throw new IOException("one of the first reviews failed: " + first.firstFailure());
    }
    return new Start(answer, ready, first.latency());
  }

  private static void pause(Duration time) throws IOException {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private long restingBytes(ServeProcess server) throws IOException {
    pause(rest); // what it does after the start is over by then
    return ServerMemory.residentOf(server.handle());
  }

  private static String workload(String name) {
    return """
    {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload",
    "metadata":{"name":"%s","namespace":"default","labels":{"app":"%s"}},
    "spec":{"queueName":"queue","priority":10,"podSets":[{"name":"main","count":4,
    "template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"none",
    "command":["python","train.py","--epochs","10"],"env":[{"name":"MODE","value":"train"}],
    "resources":{"requests":{"cpu":"2","memory":"4Gi"},"limits":{"memory":"4Gi"}}}]}}}]}}\
    """
        .formatted(name, name);
  }
}
