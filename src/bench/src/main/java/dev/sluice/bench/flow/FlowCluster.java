package dev.sluice.bench.flow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.configuration.Extensions.DropManagedFields;
import dev.sluice.bench.engine.Story.Plot;
import dev.sluice.bench.server.Folders;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ApiClient.Response;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.manifests.Manifests;
import dev.sluice.manifests.ServedVersions;
import dev.sluice.manifests.Target;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.server.ListenAddress;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A control plane of etcd and API server with our CRDs, with or without our webhook server. */
public final class FlowCluster implements AutoCloseable {
  private static final Duration ESTABLISHED = Duration.ofSeconds(30);
  private static final String NODES = "/api/v1/nodes";
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String ACCOUNT = "sluice-scheduler";
  private static final ListenAddress ANYWHERE = new ListenAddress("127.0.0.1", 0);

  private final ControlPlane controlPlane;
  private final @Nullable DevCluster webhooks;
  private final @Nullable Path folder;
  private final Path schedulerKubeconfig;

  private FlowCluster(
      ControlPlane controlPlane,
      @Nullable DevCluster webhooks,
      @Nullable Path folder,
      Path schedulerKubeconfig) {
    this.controlPlane = controlPlane;
    this.webhooks = webhooks;
    this.folder = folder;
    this.schedulerKubeconfig = schedulerKubeconfig;
  }

  /**
   * One with nothing but the CRDs: no webhook defaults or checks objects, versions are not
   * converted.
   */
  public static FlowCluster bare() {
    ControlPlane controlPlane =
        ControlPlane.start(ControlPlane.Options.apiServer().withApiServerFlags("--profiling=true"));
    try {
      ApiClient client = controlPlane.client();
      for (ObjectNode crd : new Manifests().crds()) {
        ((ObjectNode) crd.path("spec")).remove("conversion");
        client.create(CRDS, crd.toString()).orThrow();
      }
      for (ObjectNode crd : new Manifests().crds()) {
        client.awaitEstablished(crd.at("/metadata/name").asText(), ESTABLISHED);
      }
      return new FlowCluster(controlPlane, null, null, controlPlane.kubeconfig());
    } catch (RuntimeException e) {
      controlPlane.close();
      throw e;
    }
  }

  /**
   * One with our webhook server, which runs in this process, for admission and conversion.
   *
   * @param drops of which Workloads the server drops managedFields
   */
  public static FlowCluster withWebhooks(DropManagedFields drops) throws IOException {
    Path folder = Files.createTempDirectory("sluice-load");
    DevCluster cluster =
        DevCluster.start(
            folder,
            ControlPlane.Options.apiServer(),
            ServerOptions.builder().listeningOn(ANYWHERE, ANYWHERE).build(),
            new Chosen(
                Configuration.defaults(Target.Service.DEFAULT.namespace()), extensions(drops)),
            _ -> {});
    return new FlowCluster(
        cluster.controlPlane(), cluster, folder, account(cluster.controlPlane(), folder));
  }

  /**
   * A kubeconfig of the account that an installed scheduler has: by its name the API server knows
   * which writes need no review.
   */
  private static Path account(ControlPlane controlPlane, Path folder) throws IOException {
    String namespace = Target.Service.DEFAULT.namespace();
    ApiClient client = controlPlane.client();
    client.create("/api/v1/namespaces", new Manifests().namespace().toString()).orThrow();
    client
        .create(
            "/api/v1/namespaces/" + namespace + "/serviceaccounts",
            "{\"metadata\":{\"name\":\"%s\"}}".formatted(ACCOUNT))
        .orThrow();
    client
        .create(
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
            """
            {"metadata":{"name":"bench"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io",
            "kind":"ClusterRole","name":"cluster-admin"},"subjects":[{"kind":"ServiceAccount",
            "namespace":"%s","name":"%s"}]}\
            """
                .formatted(namespace, ACCOUNT))
        .orThrow();
    String token = client.serviceAccountToken(namespace, ACCOUNT);
    String admin = Files.readString(controlPlane.kubeconfig());
    return Files.writeString(
        folder.resolve("scheduler.kubeconfig"), admin.replace(controlPlane.token(), token));
  }

  /** Serves our kinds at these versions only. */
  public void serve(ServedVersions versions) {
    for (ObjectNode manifest : new Manifests().crds()) {
      String path = CRDS + "/" + manifest.at("/metadata/name").asText();
      ObjectNode crd = (ObjectNode) controlPlane.client().get(path).orThrow().json();
      versions.applyTo(crd);
      controlPlane.client().put(path, crd.toString()).orThrow();
    }
  }

  private static Extensions extensions(DropManagedFields drops) {
    Extensions defaults = Extensions.DEFAULT;
    return new Extensions(
        defaults.podGuard(),
        defaults.quotaFence(),
        defaults.customKinds(),
        defaults.multiKueue(),
        new Extensions.Workloads(drops));
  }

  /** Makes the queues, and all that they need. */
  void prepare(Plot plot) {
    ApiClient client = controlPlane.client();
    client.create("/api/v1/namespaces", FlowObjects.namespace()).orThrow();
    Optional<Hall> hall = Hall.of(plot);
    if (hall.isPresent()) {
      hall.get().nodes().forEach(node -> makeReady(client.create(NODES, node).orThrow()));
      create("topologies", FlowObjects.topology());
    }
    create("resourceflavors", hall.isPresent() ? FlowObjects.placedFlavor() : FlowObjects.flavor());
    int unit = hall.isPresent() ? Hall.CPU_OF_A_NODE : 1;
    for (int cohort = 0; cohort < plot.cohorts(); cohort++) {
      create("cohorts", FlowObjects.cohort("cohort-" + cohort));
      for (int queue = 0; queue < plot.queues(); queue++) {
        String name = queue(cohort, queue);
        create("clusterqueues", FlowObjects.clusterQueue(name, "cohort-" + cohort, unit));
        create(
            "namespaces/" + FlowObjects.NAMESPACE + "/localqueues", FlowObjects.localQueue(name));
      }
    }
  }

  /** A new node is tainted until a controller has seen it ready; here no controller would. */
  private void makeReady(Response node) {
    String path = NODES + "/" + node.json().at("/metadata/name").asText();
    controlPlane.client().mergePatch(path, "{\"spec\":{\"taints\":null}}").orThrow();
  }

  static String queue(int cohort, int queue) {
    return "queue-" + cohort + "-" + queue;
  }

  private void create(String plural, String body) {
    controlPlane.client().create(FlowObjects.API + "/" + plural, body).orThrow();
  }

  /** A client of its administrator. */
  public ApiClient client() {
    return controlPlane.client();
  }

  /** Where its API server listens. */
  public URI server() {
    return controlPlane.server();
  }

  /** The kubeconfig of its administrator. */
  public Path kubeconfig() {
    return controlPlane.kubeconfig();
  }

  /**
   * The kubeconfig of the scheduler: with webhooks its own account, otherwise the administrator.
   */
  Path schedulerKubeconfig() {
    return schedulerKubeconfig;
  }

  /** Something failed: what the processes said stays when this closes. */
  void keepLogs() {
    controlPlane.keepLogs();
  }

  /** The process of a part. */
  ProcessHandle process(Part part) {
    return ProcessHandle.of(controlPlane.pid(part).orElseThrow()).orElseThrow();
  }

  @Override
  public void close() throws IOException {
    if (webhooks != null) {
      webhooks.close();
      Folders.delete(Objects.requireNonNull(folder));
    } else {
      controlPlane.close();
    }
  }
}
