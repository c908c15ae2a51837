package dev.sluice.cli.outage;

import dev.sluice.cli.devcluster.Installing;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Target;
import dev.sluice.testkit.ApiClient;
import dev.sluice.testkit.Poll;
import dev.sluice.testkit.TestkitException;
import dev.sluice.testkit.controlplane.ControlPlane;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A whole control plane with simulated nodes in which the webhook server and schedulers are
 * processes of their own, so that each can be killed.
 */
final class KillableCluster implements AutoCloseable {
  static final String KUEUE = "/apis/kueue.x-k8s.io/v1beta2/";
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
    this.configuration =
        Files.writeString(
            folder.resolve("configuration.yaml"),
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            leaderElection:
              leaderElect: true
              leaseDuration: 3s
              renewDeadline: 2s
              retryPeriod: 500ms
            """);
    int port = freePort();
    this.webhook = webhook(port);
    Installing.into(
        api(),
        Installation.into(new Target.Url(URI.create("https://127.0.0.1:" + port)))
            .trusting(authority()));
    for (int i = 0; i < NODES && parts.contains(ControlPlane.Part.KWOK); i++) {
      addNode("node-" + i);
    }
  }

  private Replica webhook(int port) {
    return new Replica(
        folder.resolve("serve.log"),
        "serve",
        "--kubeconfig",
        controlPlane.kubeconfig().toString(),
        "--host",
        "127.0.0.1",
        "--port",
        Integer.toString(port),
        "--http-port",
        "0",
        "--no-inject",
        "--warm-up",
        "0s",
        "--drain-delay",
        "0s",
        "--data",
        folder.resolve("data").toString());
  }

  private String authority() throws IOException {
    Path made = folder.resolve("data").resolve("certs").resolve("ca.crt");
    Poll.until(SOON, PAUSE, () -> Files.exists(made));
    return Files.readString(made);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private void addNode(String name) {
    api()
        .create(
            "/api/v1/nodes",
            """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"%1$s","labels":{
            "kubernetes.io/hostname":"%1$s"}},"status":{
            "capacity":{"cpu":"64","memory":"256Gi","pods":"250"},
            "allocatable":{"cpu":"64","memory":"256Gi","pods":"250"}}}\
            """
                .formatted(name))
        .orThrow();
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
  Replica schedule(String... flags) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "schedule",
                "--kubeconfig",
                controlPlane.kubeconfig().toString(),
                "--config",
                configuration.toString()));
    args.addAll(List.of(flags));
    Replica replica =
        new Replica(
            folder.resolve("schedule-" + schedulers.size() + ".log"), args.toArray(new String[0]));
    schedulers.add(replica);
    return replica;
  }

  void stopSchedulers() {
    schedulers.forEach(Replica::close);
    schedulers.clear();
  }

  /** Starts anew whatever of ours has ended by itself. */
  void revive() {
    webhook.revive();
    schedulers.forEach(Replica::revive);
  }

  /** Creates an object, trying until it is stored: the server that is asked may just be dead. */
  void create(String collection, String body) {
    if (!Poll.until(SOON, PAUSE, () -> tryToCreate(collection, body))) {
      throw new TestkitException(
          TestkitException.Reason.TIMED_OUT, "cannot be created in " + collection + ": " + body);
    }
  }

  /** Whether it is stored now; a refusal that will not end is thrown. */
  boolean tryToCreate(String collection, String body) {
    ApiClient.Response response = api().create(collection, body);
    if (response.status() / 100 == 4 && response.status() != 409) {
      response.orThrow();
    }
    return response.isSuccess() || response.status() == 409;
  }

  void createNamespace(String name) {
    create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
  }

  /** Creates an object of ours. */
  void create(String collection, String kind, String name, String spec) {
    create(
        KUEUE + collection,
        """
        {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"%s","metadata":{"name":"%s"},"spec":%s}\
        """
            .formatted(kind, name, spec));
  }

  /** Creates the ClusterQueues of a tree and its cohorts, all on one flavor. */
  void create(QueueNode tree, String flavor) {
    create("resourceflavors", "ResourceFlavor", flavor, "{}");
    createNode(tree, flavor);
  }

  private void createNode(QueueNode node, String flavor) {
    String parent = node.parent() == null ? "" : node.parent();
    if (!node.children().isEmpty()) {
      create(
          "cohorts",
          "Cohort",
          node.name(),
          parent.isEmpty() ? "{}" : "{\"parentName\":\"%s\"}".formatted(parent));
      node.children().forEach(child -> createNode(child, flavor));
      return;
    }
    String limits =
        (node.limit() == null ? "" : ",\"borrowingLimit\":%d".formatted(node.limit()))
            + (node.lent() == null ? "" : ",\"lendingLimit\":%d".formatted(node.lent()));
    create(
        "clusterqueues",
        "ClusterQueue",
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
    StringBuilder text = new StringBuilder();
    try (var logs = Files.list(folder)) {
      for (Path log : logs.filter(it -> it.toString().endsWith(".log")).sorted().toList()) {
        List<String> lines = Files.readAllLines(log);
        text.append(log.getFileName()).append('\n');
        lines
            .subList(Math.max(0, lines.size() - 15), lines.size())
            .forEach(line -> text.append("  ").append(line).append('\n'));
      }
    } catch (IOException e) {
      text.append(e);
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
