package dev.sluice.multicluster.link;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.check.ClusterSource;
import dev.sluice.api.check.KubeConfig;
import dev.sluice.api.check.LocationType;
import dev.sluice.api.check.MultiKueueCluster;
import dev.sluice.api.check.MultiKueueClusterStatus;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.StatusWrite;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.link.LinkSource.Unusable;
import dev.sluice.multicluster.view.WorkerKinds;
import dev.sluice.scheduler.ControllerPorts;
import dev.sluice.scheduler.store.Kinds;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.write.WriteResult;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a link to the worker of each MultiKueueCluster and writes its condition Active. Each link
 * has a queue and a thread of its own: a worker that does not answer does not delay the others.
 */
public final class MultiKueueClusterController implements Controller {
  private static final GroupKind CLUSTER = ApiKind.MULTI_KUEUE_CLUSTER.groupKind();
  private static final Duration UNTIL_SECRETS_ARE_LISTED = Duration.ofMillis(200);
  private static final String SYSTEM = "kube-system";

  private final ControllerPorts ports;
  private final KubeconfigFiles files;
  private final KubeconfigSecrets secrets;
  private final Incarnations incarnations;
  private final WorkerKinds kinds;
  private final LinkTimes times;
  private final Workers workers;
  private final Map<String, LinkQueue> queues = new ConcurrentHashMap<>();

  /** The queue, the thread and the link of one MultiKueueCluster. */
  private final class LinkQueue implements AutoCloseable {
    private final WorkQueue<String> work;
    private @Nullable WorkerLink link; // of the queue's thread

    LinkQueue(String name) {
      this.work = new WorkQueue<>("link-" + name, 1, key -> look(this, key), ports.supervisor());
    }

    @Override
    public void close() {
      work.close();
      WorkerLink open = link;
      if (open != null) {
        open.close();
      }
    }
  }

  /**
   * A controller that connects to no worker before this replica leads.
   *
   * @param namespace where Secrets with kubeconfigs are
   * @param folder where files with kubeconfigs are
   * @param validatesPaths whether files elsewhere are refused
   * @param workers is told how each link is
   */
  public MultiKueueClusterController(
      ControllerPorts ports,
      WorkerKinds kinds,
      String namespace,
      Path folder,
      boolean validatesPaths,
      LinkTimes times,
      Workers workers) {
    this.ports = ports;
    this.workers = workers;
    this.kinds = kinds;
    this.times = times;
    this.files = new KubeconfigFiles(folder, validatesPaths);
    this.incarnations = new Incarnations(this::manager, this::clusters);
    this.secrets =
        new KubeconfigSecrets(
            ports.connection(), namespace, _ -> secretsChanged(), ports.supervisor());
  }

  private Optional<String> manager() {
    return ports
        .objects()
        .find(Kinds.NAMESPACE, "", SYSTEM)
        .map(it -> it.path("metadata").path("uid").asText());
  }

  /** Which MultiKueueClusters there are, and whether each has been in use. */
  private Map<String, Boolean> clusters() {
    Map<String, Boolean> clusters = new TreeMap<>();
    for (JsonNode object : ports.objects().all(CLUSTER)) {
      clusters.put(ObjectKey.of(object).name(), CleanupFinalizer.isOn(object));
    }
    return clusters;
  }

  @Override
  public void changed(GroupKind kind, ObjectChange change) {
    if (kind.equals(CLUSTER)) {
      add(ObjectKey.of(change.latest()).name());
    }
  }

  @Override
  public void resync() {
    ports.objects().all(CLUSTER).forEach(it -> add(ObjectKey.of(it).name()));
  }

  private void add(String name) {
    if (ports.leads().getAsBoolean()) {
      queues.computeIfAbsent(name, LinkQueue::new).work.add(name);
    }
  }

  /** Few clusters are there, and a look at one whose Secret is the same does nothing. */
  private void secretsChanged() {
    queues.forEach((name, queue) -> queue.work.add(name));
  }

  private Result look(LinkQueue queue, String name) {
    Optional<MultiKueueCluster> found = find(name);
    if (found.isEmpty() || !ports.leads().getAsBoolean()) {
      WorkerLink open = queue.link;
      queue.link = null;
      if (open != null) {
        open.close();
      }
      if (found.isEmpty()) {
        incarnations.forget(name);
      }
      return Result.REST; // when it comes again, its change leads here
    }
    MultiKueueCluster cluster = found.get();
    WorkerLink known = queue.link;
    WorkerLink link = known == null ? open(name, cluster) : known;
    queue.link = link;
    if (link.isLoginRefused()) { // the watch of Secrets may be behind
      secret(cluster).ifPresent(secrets::refresh);
    }
    Optional<LinkSource> source = source(cluster.spec().clusterSource());
    if (source.isEmpty()) {
      return new Result.Again(UNTIL_SECRETS_ARE_LISTED);
    }
    if (link.step(source.get())) {
      warnOfPath(cluster);
    }
    if (!write(cluster, link)) {
      return Result.FAILED;
    }
    return pause(cluster, link).<Result>map(Result.Again::new).orElse(Result.REST);
  }

  private Optional<MultiKueueCluster> find(String name) {
    try {
      return ports
          .objects()
          .find(CLUSTER, "", name)
          .map(it -> HubObjects.read(MultiKueueCluster.class, it));
    } catch (MalformedObjectException _) {
      return Optional.empty();
    }
  }

  private WorkerLink open(String name, MultiKueueCluster cluster) {
    return new WorkerLink(
        name,
        Conditions.find(cluster.status().conditions(), ConditionTypes.ACTIVE),
        kinds,
        incarnations,
        times,
        ports.clock(),
        new Random(),
        ports.supervisor(),
        workers,
        () -> add(name));
  }

  /** The source, as a target or a refusal; empty while it is not known. */
  private Optional<LinkSource> source(ClusterSource source) {
    KubeConfig kubeConfig = source.kubeConfig();
    if (kubeConfig == null) {
      return Optional.of(
          new Unusable(
              Reasons.MULTI_KUEUE_CLUSTER_PROFILE_FEATURE_DISABLED,
              "load client config failed: MultiKueueClusterProfile feature gate is disabled"));
    }
    return kubeConfig.locationType() == LocationType.PATH
        ? Optional.of(files.read(kubeConfig.location()))
        : secrets.read(kubeConfig.location());
  }

  private static Optional<String> path(MultiKueueCluster cluster) {
    return location(cluster, true);
  }

  private static Optional<String> secret(MultiKueueCluster cluster) {
    return location(cluster, false);
  }

  private static Optional<String> location(MultiKueueCluster cluster, boolean isPath) {
    return Optional.ofNullable(cluster.spec().clusterSource().kubeConfig())
        .filter(it -> (it.locationType() == LocationType.PATH) == isPath)
        .map(KubeConfig::location);
  }

  private void warnOfPath(MultiKueueCluster cluster) {
    path(cluster)
        .filter(location -> !files.validates() && !files.isBelowFolder(location))
        .ifPresent(
            location ->
                ports
                    .outbox()
                    .send(
                        new Write.Event(
                            ref(cluster),
                            Controllers.MULTI_KUEUE,
                            "Warning",
                            EventReasons.DEPRECATED_PATH_USAGE,
                            "path \"%s\" is not below %s, which will be refused"
                                .formatted(location, files.folder()))));
  }

  private static ObjectRef ref(MultiKueueCluster cluster) {
    var metadata = cluster.metadata();
    return new ObjectRef(ApiKind.MULTI_KUEUE_CLUSTER.hub(), "", metadata.name(), metadata.uid());
  }

  /** Whether the condition is stored as it should be. */
  private boolean write(MultiKueueCluster cluster, WorkerLink link) {
    Instant now = ports.clock().instant().truncatedTo(ChronoUnit.SECONDS);
    Optional<Condition> active = link.state().active(cluster.metadata().generation(), now);
    return active
        .flatMap(
            condition ->
                StatusWrite.between(
                    ref(cluster),
                    cluster.metadata().resourceVersion(),
                    cluster.status(),
                    new MultiKueueClusterStatus(
                        Conditions.with(cluster.status().conditions(), condition)),
                    Controllers.MULTI_KUEUE))
        .map(ports.outbox()::send)
        .map(sent -> sent.isDone() || sent instanceof WriteResult.Missing)
        .orElse(true);
  }

  private Optional<Duration> pause(MultiKueueCluster cluster, WorkerLink link) {
    Optional<Duration> pause = link.pause();
    if (path(cluster).isEmpty()) {
      return pause;
    }
    return pause.filter(it -> it.compareTo(times.files()) < 0).or(() -> Optional.of(times.files()));
  }

  @Override
  public void close() {
    queues.values().forEach(LinkQueue::close);
    secrets.close();
  }
}
