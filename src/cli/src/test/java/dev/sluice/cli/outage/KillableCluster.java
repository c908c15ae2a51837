package dev.sluice.cli.outage;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.devcluster.Installing;
import dev.sluice.cli.process.Release;
import dev.sluice.cli.process.SchedulerConfiguration;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.Nodes;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.ControlPlaneException;
import dev.sluice.controlplane.Poll;
import dev.sluice.controlplane.Ports;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Target;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A whole control plane with simulated nodes in which the webhook server and schedulers are
 * processes of their own, so that each can be killed.
 */
final class KillableCluster implements AutoCloseable {
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int NODES = 4;

  private final Path folder;
  private final ControlPlane controlPlane;
  private final Path configuration;
  private final Replica webhook;
  private final List<Replica> schedulers = new ArrayList<>();

  KillableCluster(Path folder, Set<ControlPlane.Part> parts) throws IOException {
    this.folder = folder;
    this.controlPlane =
        ControlPlane.start(
            ControlPlane.Options.apiServer()
                .withParts(parts)
                .withDirectory(folder.resolve("control-plane")));
    this.configuration = SchedulerConfiguration.write(folder, 3, "");
    int port = Ports.free();
    this.webhook = webhook(port);
    Installing.into(
        api(),
        Installation.into(new Target.Url(URI.create("https://127.0.0.1:" + port)))
            .trusting(authority()));
    for (int i = 0; i < NODES && parts.contains(ControlPlane.Part.KWOK); i++) {
      Nodes.create(api(), "node-" + i, 64, Map.of()).orThrow();
    }
  }

  private Replica webhook(int port) throws IOException {
    return start(
        "serve",
        "--host=127.0.0.1",
        "--port=" + port,
        "--http-port=0",
        "--no-inject",
        "--warm-up=0s",
        "--drain-delay=0s",
        "--data=" + folder.resolve("data"));
  }

  private Replica start(String command, String... flags) throws IOException {
    return new Replica(SluiceProcess.startFromClasses(folder, args(command, flags)));
  }

  private String[] args(String command, String... flags) {
    List<String> args =
        new ArrayList<>(List.of(command, "--kubeconfig=" + controlPlane.kubeconfig()));
    args.addAll(List.of(flags));
    return args.toArray(String[]::new);
  }

  private String authority() throws IOException {
    Path made = folder.resolve("data").resolve("certs").resolve("ca.crt");
    Poll.until(SOON, PAUSE, () -> Files.exists(made));
    return Files.readString(made);
  }

  ApiClient api() {
    return controlPlane.client();
  }

  ControlPlane controlPlane() {
    return controlPlane;
  }

  Replica webhook() {
    return webhook;
  }

  /** Starts a scheduler more; they end with {@link #stopSchedulers}. */
  Replica schedule(String... flags) throws IOException {
    List<String> args = new ArrayList<>(List.of("--config=" + configuration));
    args.addAll(List.of(flags));
    Replica replica = start("schedule", args.toArray(String[]::new));
    schedulers.add(replica);
    return replica;
  }

  /** Starts a scheduler of that release, with its plain port there. */
  Replica schedule(Release release, int httpPort) throws IOException {
    Replica replica =
        new Replica(
            SluiceProcess.startRelease(
                release,
                folder,
                args("schedule", "--config=" + configuration, "--http-port=" + httpPort)));
    schedulers.add(replica);
    return replica;
  }

  /** Stops a scheduler as a rollout does, and waits until it has ended. */
  void retire(Replica scheduler) throws InterruptedException {
    schedulers.remove(scheduler);
    scheduler.process().terminate(SOON);
  }

  void stopSchedulers() {
    schedulers.forEach(Replica::close);
    schedulers.clear();
  }

  /** Restarts the processes of ours that have ended by themselves. */
  void revive() {
    webhook.revive();
    schedulers.forEach(Replica::revive);
  }

  /** Creates an object, trying until it is stored: the server that is asked may just be dead. */
  void create(String collection, String body) {
    if (!Poll.until(SOON, PAUSE, () -> tryToCreate(collection, body))) {
      throw new ControlPlaneException(
          ControlPlaneException.Reason.TIMED_OUT,
          "cannot be created in " + collection + ": " + body);
    }
  }

  /** Whether it is stored now; a refusal that will not end, unlike "later", is thrown. */
  boolean tryToCreate(String collection, String body) {
    ApiClient.Response response = api().create(collection, body);
    boolean isStored = response.isSuccess() || response.status() == 409;
    if (!isStored && response.status() / 100 == 4 && response.status() != 429) {
      response.orThrow();
    }
    return isStored;
  }

  void createNamespace(String name) {
    create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
  }

  /** Creates an object of ours, without a namespace. */
  void create(ApiKind kind, String name, String spec) {
    create(kind, "", name, spec);
  }

  /** Creates an object of ours. */
  void create(ApiKind kind, String namespace, String name, String spec) {
    create(
        Kueue.collection(kind, ApiVersion.HUB, namespace),
        Kueue.object(kind, ApiVersion.HUB, name, "\"spec\":" + spec));
  }

  /** Creates the ClusterQueues of a tree and its cohorts, all on one flavor. */
  void create(QueueNode tree, String flavor) {
    create(ApiKind.RESOURCE_FLAVOR, flavor, "{}");
    createNode(tree, flavor);
  }

  private void createNode(QueueNode node, String flavor) {
    String parent = node.parent() == null ? "" : node.parent();
    if (!node.children().isEmpty()) {
      create(
          ApiKind.COHORT,
          node.name(),
          parent.isEmpty() ? "{}" : "{\"parentName\":\"%s\"}".formatted(parent));
      node.children().forEach(child -> createNode(child, flavor));
      return;
    }
    String limits =
        (node.limit() == null ? "" : ",\"borrowingLimit\":%d".formatted(node.limit()))
            + (node.lent() == null ? "" : ",\"lendingLimit\":%d".formatted(node.lent()));
    create(
        ApiKind.CLUSTER_QUEUE,
        node.name(),
        """
        {"namespaceSelector":{},%s"resourceGroups":[{"coveredResources":["cpu"],"flavors":[
        {"name":"%s","resources":[{"name":"cpu","nominalQuota":%d%s}]}]}],"preemption":{
        "withinClusterQueue":"LowerPriority","reclaimWithinCohort":"Any"}}\
        """
            .formatted(
                parent.isEmpty() ? "" : "\"cohortName\":\"%s\",".formatted(parent),
                flavor,
                node.cpu(),
                limits));
  }

  /** The last lines of what our processes said. */
  String tail() {
    StringBuilder text = new StringBuilder("webhook\n").append(webhook.process().tail());
    for (Replica scheduler : schedulers) {
      text.append("\nscheduler\n").append(scheduler.process().tail());
    }
    return text.toString();
  }

  @Override
  public void close() {
    stopSchedulers();
    webhook.close();
    controlPlane.close();
  }
}
