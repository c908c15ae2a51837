package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.write.Write;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.json.tree.Keep;
import dev.sluice.multicluster.apiserver.MemoryApiServer;
import dev.sluice.multicluster.copy.Identity;
import dev.sluice.multicluster.link.ReportedWorkers;
import dev.sluice.multicluster.link.Workers;
import dev.sluice.multicluster.protocol.Link;
import dev.sluice.multicluster.view.WorkerKinds;
import dev.sluice.multicluster.view.WorkerView;
import dev.sluice.scheduler.ControllerPorts;
import dev.sluice.scheduler.jobs.RemoteStops;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.workload.CheckAnswers;
import dev.sluice.scheduler.workload.Nominations;
import dev.sluice.scheduler.write.Sender;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** A manager and workers, each an API server on loopback, and the ports of controllers. */
final class Clusters implements AutoCloseable {
  static final Identity US = new Identity("multikueue", "us");
  static final String WORKLOADS = "/apis/kueue.x-k8s.io/v1beta2/namespaces/ns/workloads";
  static final String JOBS = "/apis/batch/v1/namespaces/ns/jobs";
  static final String MULTI_KUEUE_CLUSTERS = "/apis/kueue.x-k8s.io/v1beta2/multikueueclusters";
  static final String CONFIGS = "/apis/kueue.x-k8s.io/v1beta2/multikueueconfigs";

  final MemoryApiServer manager;
  final Workers workers = new Workers();
  final List<Write.Event> events = new CopyOnWriteArrayList<>();
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final Supervisor supervisor = new Supervisor();
  final ControllerPorts ports;
  final WorkerMetrics metrics;
  final WorkerRequestQueues requestQueues;

  /** Whether this replica writes. */
  volatile boolean leads = true;

  /** What the controllers take for the time. */
  volatile InstantSource time = InstantSource.system();

  /** Is told every change that the manager's watch shows. */
  volatile BiConsumer<GroupKind, ObjectChange> changed = (_, _) -> {};

  private final Path folder;
  private final List<AutoCloseable> open = new ArrayList<>();

  /** A worker's API server, and what is watched of it. */
  record WorkerSide(MemoryApiServer server, WorkerView view) {
    boolean has(String path) {
      return server.objects().find(path).isPresent();
    }
  }

  Clusters(Path folder) {
    this(folder, List.of());
  }

  /** The same, with a watch of these kinds beside those that all managers have. */
  Clusters(Path folder, List<WatchedKind> more) {
    this(folder, more, new MemoryApiServer());
    open.addFirst(manager);
  }

  /** The same for a manager's API server that is there already, and goes on after the close. */
  Clusters(Path folder, List<WatchedKind> more, MemoryApiServer manager) {
    this.folder = folder;
    this.manager = manager;
    Connection connection = Connection.to(manager.kubeconfig(below("manager")));
    open.add(connection);
    Objects[] objects = new Objects[1];
    WatchedView view =
        new WatchedView(
            connection,
            Stream.concat(
                    Stream.of(
                        watched(ApiKind.WORKLOAD.hub(), "workloads"),
                        watched(ApiKind.MULTI_KUEUE_CLUSTER.hub(), "multikueueclusters"),
                        watched(ApiKind.MULTI_KUEUE_CONFIG.hub(), "multikueueconfigs"),
                        watched(ApiKind.ADMISSION_CHECK.hub(), "admissionchecks"),
                        watched(new GroupVersionKind("batch", "v1", "Job"), "jobs"),
                        watched(new GroupVersionKind("", "v1", "Namespace"), "namespaces")),
                    more.stream())
                .toList(),
            WatchTimes.EAGER,
            new Random(1),
            (kind, change) -> {
              objects[0].seen(kind, change);
              changed.accept(kind, change);
            },
            supervisor);
    objects[0] = new Objects(view);
    open.add(view);
    view.start();
    InstantSource clock = () -> time.instant();
    Sender sender = new Sender(connection, () -> leads, events::add, (_, _, _) -> {});
    ports =
        new ControllerPorts(
            connection,
            objects[0],
            new Outbox(sender, objects[0], clock),
            new RemoteStops(objects[0]),
            new Nominations(),
            CheckAnswers.ALONE,
            () -> leads,
            () -> "leader",
            clock,
            1,
            registry,
            supervisor);
    metrics = new WorkerMetrics(registry, workers);
    requestQueues = new WorkerRequestQueues(ports, workers, metrics);
    open.add(requestQueues);
  }

  static WatchedKind watched(GroupVersionKind type, String plural) {
    return new WatchedKind(type, Optional.of(plural), Keep.ALL, false);
  }

  Path below(String name) {
    try {
      return Files.createDirectories(folder.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A worker that is connected. */
  WorkerSide worker(String name, MemoryApiServer server) {
    Connection connection = Connection.to(server.kubeconfig(below(name)));
    WorkerView view =
        new WorkerView(
            connection,
            WorkerKinds.of(
                "multikueue", JobSettings.of(Configuration.defaults("home"), Extensions.DEFAULT)),
            (_, _) -> {},
            supervisor);
    open.add(server);
    open.add(connection);
    open.add(view);
    ReportedWorkers.report(workers, name, new Link.Connected(true), Optional.of(view));
    return new WorkerSide(server, view);
  }

  WorkerSide worker(String name) {
    return worker(name, new MemoryApiServer());
  }

  /** The worker of that name is out of reach since then. */
  void lose(String name, Instant since) {
    ReportedWorkers.report(
        workers, name, new Link.Lost(since, "refused", Optional.empty()), Optional.empty());
  }

  /** The text of an object that a manager made on a worker. */
  static String copy(String name, String manager) {
    String mark =
        manager.isEmpty() ? "" : "'sluice.dev/multikueue-manager': '%s',".formatted(manager);
    return """
    {'metadata': {'name': '%s', 'namespace': 'ns',
      'labels': {'kueue.x-k8s.io/multikueue-origin': 'multikueue'},
      'annotations': {%s 'kueue.x-k8s.io/prebuilt-workload-name': '%s'}}}\
    """
        .formatted(name, mark, name);
  }

  Optional<JsonNode> cluster(String name) {
    return manager.objects().find(MULTI_KUEUE_CLUSTERS + "/" + name);
  }

  /** The reasons of the events so far. */
  List<String> reasons() {
    return events.stream().map(Write.Event::reason).toList();
  }

  @Override
  public void close() {
    for (AutoCloseable each : open.reversed()) {
      try {
        each.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
