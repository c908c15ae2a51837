package dev.sluice.cli.devcluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.cli.multikueue.WorkerAccount;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.json.yaml.YamlWriter;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A manager cluster and its workers on loopback, with a scheduler each, connected as an operator
 * would. Not thread-safe, but for {@link #close}.
 */
public final class DevFleet implements AutoCloseable {
  /** The context and the folder of the manager. */
  public static final String MANAGER = "manager";

  private static final String FIELD_MANAGER = "sluice-dev-cluster";
  private static final Duration TOKEN = Duration.ofDays(30);
  private static final Duration CONNECTED = Duration.ofMinutes(2);

  private final Chosen chosen;
  private final Path folder;
  private final Map<String, DevCluster> clusters = new LinkedHashMap<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  private DevFleet(Chosen chosen, Path folder) {
    this.chosen = chosen;
    this.folder = folder;
  }

  /** Without clusters yet; files go into that folder. */
  public static DevFleet of(Chosen chosen, Path folder) {
    return new DevFleet(chosen, folder);
  }

  /** Takes over the manager, which runs. */
  public void manager(DevCluster cluster) {
    add(MANAGER, cluster);
  }

  /** Takes over a worker, which runs. */
  public void worker(String name, DevCluster cluster) {
    add(name, cluster);
  }

  private void add(String name, DevCluster cluster) {
    clusters.put(name, cluster);
    open.add(cluster);
    open.add(cluster.schedule(chosen, Optional.empty()));
  }

  private List<String> workers() {
    return contexts().stream().filter(it -> !it.equals(MANAGER)).toList();
  }

  /** The contexts of the kubeconfig, the manager first. */
  public List<String> contexts() {
    return List.copyOf(clusters.keySet());
  }

  private ControlPlane controlPlane(String name) {
    DevCluster cluster = clusters.get(name);
    if (cluster == null) {
      throw new IllegalStateException("there is no cluster " + name);
    }
    return cluster.controlPlane();
  }

  private ApiClient client(String name) {
    return controlPlane(name).client();
  }

  /**
   * Makes queues, accounts and Secrets, and waits until the manager is connected with all workers.
   */
  public void connect() {
    for (String worker : workers()) {
      WorkerAccount.documents(JobSettings.of(chosen.configuration(), chosen.extensions()))
          .forEach(it -> apply(client(worker), it));
      FleetObjects.queues(false).forEach(it -> apply(client(worker), it));
    }
    String home = chosen.configuration().namespace();
    apply(client(MANAGER), FleetObjects.namespace(home));
    for (String worker : workers()) {
      apply(client(MANAGER), FleetObjects.secret(home, worker, login(worker)));
      apply(client(MANAGER), FleetObjects.cluster(worker));
    }
    apply(client(MANAGER), FleetObjects.config(workers()));
    apply(client(MANAGER), FleetObjects.check());
    FleetObjects.queues(true).forEach(it -> apply(client(MANAGER), it));
    write(kubeconfig(), kubeconfigText());
    write(job(), YamlWriter.write(FleetObjects.job()));
    awaitConnected();
  }

  private static void apply(ApiClient client, ObjectNode document) {
    client
        .serverSideApply(FleetObjects.path(document), FIELD_MANAGER, document.toString())
        .orThrow();
  }

  private void awaitConnected() {
    for (String worker : workers()) {
      JsonNode cluster =
          client(MANAGER)
              .await(
                  FleetObjects.path(FleetObjects.cluster(worker)),
                  CONNECTED,
                  it -> Conditions.isTrue(it, ConditionTypes.ACTIVE))
              .json();
      if (!Conditions.isTrue(cluster, ConditionTypes.ACTIVE)) {
        throw new CommandException(worker + " is not connected: " + cluster.path("status"));
      }
    }
  }

  /** The kubeconfig of the manager's account on a worker. */
  private String login(String worker) {
    String token =
        client(worker)
            .create(WorkerAccount.TOKEN_PATH, WorkerAccount.tokenRequest(TOKEN))
            .orThrow()
            .json()
            .at("/status/token")
            .asText();
    ObjectNode root = emptyKubeconfig("worker");
    addContext(root, "worker", controlPlane(worker), token);
    return YamlWriter.write(root);
  }

  private static ObjectNode emptyKubeconfig(String context) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("apiVersion", "v1").put("kind", "Config").put("current-context", context);
    root.putArray("clusters");
    root.putArray("users");
    root.putArray("contexts");
    return root;
  }

  private static void addContext(
      ObjectNode root, String name, ControlPlane controlPlane, String token) {
    entry(root, "clusters", name)
        .putObject("cluster")
        .put("server", controlPlane.server().toString())
        .put(
            "certificate-authority-data",
            Base64.getEncoder().encodeToString(controlPlane.caPem().getBytes(UTF_8)));
    entry(root, "users", name).putObject("user").put("token", token);
    entry(root, "contexts", name).putObject("context").put("cluster", name).put("user", name);
  }

  private static ObjectNode entry(ObjectNode root, String list, String name) {
    return ((ArrayNode) root.path(list)).addObject().put("name", name);
  }

  private String kubeconfigText() {
    ObjectNode root = emptyKubeconfig(MANAGER);
    clusters.forEach(
        (name, cluster) ->
            addContext(root, name, cluster.controlPlane(), cluster.controlPlane().token()));
    return YamlWriter.write(root);
  }

  /** Writes a file that only its owner may read. */
  static void write(Path file, String text) {
    try {
      Files.deleteIfExists(file);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file with a context for each cluster, which only its owner may read. */
  public Path kubeconfig() {
    return folder.resolve("kubeconfig");
  }

  /** A file with a Job for the manager. */
  public Path job() {
    return folder.resolve("job.yaml");
  }

  /** Stops what was started, the last first. */
  @Override
  public void close() {
    for (AutoCloseable each : open.reversed()) {
      try {
        each.close();
      } catch (Exception e) {
        throw new IllegalStateException("a cluster does not stop", e);
      }
    }
  }
}
