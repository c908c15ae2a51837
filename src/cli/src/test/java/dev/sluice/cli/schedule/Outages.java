package dev.sluice.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.testcluster.WatchedRevisions;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.ControlPlaneException;
import dev.sluice.controlplane.Poll;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The schedulers, API servers, and links of a fleet, which this class kills, stops, and cuts, and
 * brings back; it watches all clusters for an auditor. The manager's name is empty. Thread-safe;
 * one outage of one part at a time.
 */
final class Outages implements AutoCloseable {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final String MANAGER = "";

  /**
   * Sorts of outages, with how many of forty are of the sort, and how often a part is out of this
   * sort at a pace: the less, the more processor time it takes to start what was out.
   */
  enum Kind {
    MANAGERS_SCHEDULER(15, 2, true, false),
    WORKERS_SCHEDULER(10, 2, false, true),
    API_SERVER(10, 1, true, true),
    LINK(5, 8, false, true);

    private final int share;
    private final int atAPace;
    private final boolean isOfManagers;
    private final boolean isOfWorkers;

    Kind(int share, int atAPace, boolean isOfManagers, boolean isOfWorkers) {
      this.share = share;
      this.atAPace = atAPace;
      this.isOfManagers = isOfManagers;
      this.isOfWorkers = isOfWorkers;
    }

    /** How many of so many are of the sort: one at least. */
    private int of(int outages) {
      return Math.max(1, outages * share / 40);
    }

    /** So many outages of all sorts, in any order. */
    static List<Kind> several(int outages, Random random) {
      List<Kind> all = new ArrayList<>();
      for (Kind kind : values()) {
        all.addAll(Collections.nCopies(kind.of(outages), kind));
      }
      Collections.shuffle(all, random);
      return all;
    }
  }

  private final Fleet fleet;
  private final OutageAuditor auditor;
  private final Random random;
  private final Map<String, SchedulerBeside> schedulers = new LinkedHashMap<>();

  /** Asking a control plane for its client waits while its API server is started. */
  private final Map<String, ApiClient> clients = new LinkedHashMap<>();

  private final Map<String, ReentrantLock> parts = new ConcurrentHashMap<>();
  private final Map<String, WatchedRevisions> watches = new ConcurrentHashMap<>();
  private final Map<Kind, Integer> played = new EnumMap<>(Kind.class);

  Outages(Fleet fleet, OutageAuditor auditor, Random random) {
    this.fleet = fleet;
    this.auditor = auditor;
    this.random = random;
  }

  /** Starts all schedulers, and watches all clusters. */
  void start(String configuration, int leaseSeconds) throws IOException {
    clients.put(MANAGER, fleet.api());
    schedulers.put(MANAGER, new SchedulerBeside(fleet.manager, configuration, leaseSeconds));
    fleet.workers.forEach(
        (name, cluster) -> {
          clients.put(name, cluster.api());
          schedulers.put(name, new SchedulerBeside(cluster, configuration, leaseSeconds));
        });
    clients.keySet().forEach(this::watch);
    for (SchedulerBeside scheduler : schedulers.values()) {
      scheduler.start();
    }
  }

  ApiClient api(String cluster) {
    return Optional.ofNullable(clients.get(cluster)).orElseThrow();
  }

  private SchedulerBeside scheduler(String cluster) {
    return Optional.ofNullable(schedulers.get(cluster)).orElseThrow();
  }

  /** Watches from now on: an API server that was restarted does not know what was before. */
  private void watch(String cluster) {
    List<String> collections =
        cluster.isEmpty()
            ? List.of(Fleet.workloads())
            : List.of("/apis/batch/v1/jobs", Fleet.jobSets(), "/api/v1/pods");
    WatchedRevisions watch =
        new WatchedRevisions(
            api(cluster), collections, (it, object, gone) -> tell(cluster, it, object, gone));
    Optional.ofNullable(watches.put(cluster, watch)).ifPresent(WatchedRevisions::close);
    collections.forEach(it -> list(cluster, it));
  }

  private void tell(String cluster, String collection, JsonNode object, boolean isGone) {
    if (cluster.isEmpty()) {
      auditor.here(object, isGone);
    } else {
      auditor.there(cluster, collection, object, isGone);
    }
  }

  private void list(String cluster, String collection) {
    Set<String> gone = auditor.running(cluster, collection);
    for (JsonNode object : api(cluster).get(collection).orThrow().json().path("items")) {
      tell(cluster, collection, object, false);
      gone.remove(object.at("/metadata/uid").asText());
    }
    auditor.gone(cluster, gone);
  }

  /** Tells the auditor how the Workloads of the manager are. */
  void listWorkloads() {
    list(MANAGER, Fleet.workloads());
  }

  /**
   * An outage of one part, from its begin to its end.
   *
   * @param meanwhile what happens until a link that was cut comes back
   */
  void play(Kind kind, Runnable meanwhile) {
    String worker = random.nextBoolean() ? "a" : "b";
    String cluster =
        switch (kind) {
          case MANAGERS_SCHEDULER -> MANAGER;
          case API_SERVER -> random.nextInt(3) == 0 ? MANAGER : worker;
          case WORKERS_SCHEDULER, LINK -> worker;
        };
    play(kind, cluster, meanwhile, () -> {});
  }

  /** An outage of the link to that worker, while that happens. */
  void cutLink(String worker, Runnable meanwhile) {
    play(Kind.LINK, worker, meanwhile, () -> {});
  }

  /** The same of any part that is not out. */
  void playAny(Runnable meanwhile) {
    List<Runnable> parts = new ArrayList<>();
    boolean[] isPlayed = new boolean[1];
    for (String cluster : clients.keySet()) {
      for (Kind kind : Kind.values()) {
        if (cluster.isEmpty() ? kind.isOfManagers : kind.isOfWorkers) {
          Runnable part =
              () -> isPlayed[0] = play(kind, cluster, meanwhile, () -> awaitLeader(cluster));
          parts.addAll(Collections.nCopies(kind.atAPace, part));
        }
      }
    }
    Collections.shuffle(parts, random);
    for (Runnable part : parts) {
      if (!isPlayed[0]) {
        part.run();
      }
    }
  }

  private boolean play(Kind kind, String cluster, Runnable meanwhile, Runnable afterAStart) {
    return switch (kind) {
      case MANAGERS_SCHEDULER, WORKERS_SCHEDULER ->
          alone(
              kind,
              cluster,
              () -> {
                restart(cluster);
                afterAStart.run();
              });
      case API_SERVER ->
          alone(
              kind,
              cluster,
              () -> {
                restartApiServer(cluster);
                afterAStart.run();
              });
      case LINK -> alone(kind, "link to " + cluster, () -> cut(cluster, meanwhile));
    };
  }

  /** A scheduler is out until the next one leads, so that none is killed that never worked. */
  private void awaitLeader(String cluster) {
    var _ = // one that could not keep its Lease is started again elsewhere
        Poll.until(
            BOUND, PAUSE, () -> scheduler(cluster).hasLed() || scheduler(cluster).hasEnded());
  }

  private boolean alone(Kind kind, String part, Runnable outage) {
    ReentrantLock lock = parts.computeIfAbsent(part, _ -> new ReentrantLock());
    if (!lock.tryLock()) {
      return false;
    }
    try {
      synchronized (played) {
        played.merge(kind, 1, Integer::sum);
      }
      outage.run();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** How many there were of each sort. */
  Map<Kind, Integer> played() {
    synchronized (played) {
      return new EnumMap<>(played);
    }
  }

  /** Starts each scheduler again that has ended because it lost its Lease, as a Deployment does. */
  void restartEnded() {
    schedulers.forEach(
        (cluster, scheduler) -> {
          ReentrantLock lock = parts.computeIfAbsent(cluster, _ -> new ReentrantLock());
          if (lock.tryLock()) {
            try {
              if (scheduler.hasEnded()) {
                start(cluster);
              }
            } finally {
              lock.unlock();
            }
          }
        });
  }

  private void restart(String cluster) {
    auditor.outage("scheduler of " + name(cluster));
    scheduler(cluster).kill();
    start(cluster);
  }

  private void start(String cluster) {
    try {
      scheduler(cluster).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(String cluster) {
    return cluster.isEmpty() ? "the manager" : cluster;
  }

  private void restartApiServer(String cluster) {
    auditor.outage("API server of " + name(cluster));
    auditor.away(cluster);
    ControlPlane controlPlane =
        (cluster.isEmpty() ? fleet.manager : fleet.cluster(cluster)).controlPlane();
    controlPlane.stopApiServer();
    Optional.ofNullable(watches.remove(cluster)).ifPresent(WatchedRevisions::close);
    controlPlane.restartApiServer();
    until("the API server of " + name(cluster) + " answers", () -> watch(cluster));
    auditor.back(cluster);
    auditor.outage("API server of " + name(cluster) + " is back");
    restart(cluster); // one that loses its Lease ends
  }

  private void cut(String worker, Runnable meanwhile) {
    String secret = "/api/v1/namespaces/" + Fleet.HOME + "/secrets/" + worker;
    ApiClient here = api(MANAGER);
    List<JsonNode> data = new ArrayList<>();
    until("its Secret", () -> data.add(here.get(secret).orThrow().json().path("data")));
    auditor.outage("link to " + worker);
    auditor.away(worker);
    String none = "{\"data\":{\"kubeconfig\":\"\"}}";
    until("no link to " + worker, () -> here.mergePatch(secret, none).orThrow());
    try {
      meanwhile.run();
    } finally {
      String all = "{\"data\":" + data.getLast() + "}";
      until("a link to " + worker, () -> here.mergePatch(secret, all).orThrow());
      auditor.back(worker);
      auditor.outage("link to " + worker + " is back");
    }
  }

  /** Tries until an API server, which may be away, has answered. */
  private static void until(String what, Runnable call) {
    boolean isDone =
        Poll.until(
            BOUND,
            PAUSE,
            () -> {
              try {
                call.run();
                return true;
              } catch (ControlPlaneException _) {
                return false;
              }
            });
    if (!isDone) {
      throw new AssertionError(what);
    }
  }

  @Override
  public void close() {
    watches.values().forEach(WatchedRevisions::close);
    schedulers.values().forEach(SchedulerBeside::kill);
  }
}
