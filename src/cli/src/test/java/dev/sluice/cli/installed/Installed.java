package dev.sluice.cli.installed;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.cli.Commands;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A whole control plane with all that {@code sluice install} prints, and the two containers of the
 * Deployment as processes beside it: with their arguments, and with a token of their account. Only
 * folders and ports are others, since there is no machine of a cluster to run on.
 */
final class Installed implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String NAMESPACE = "sluice-system";
  private static final String ACCOUNT = "sluice-webhook";
  private static final Duration ESTABLISHED = Duration.ofSeconds(30);
  private static final Map<String, String> COLLECTIONS =
      Map.ofEntries(
          Map.entry("Namespace", "/api/v1/namespaces/"),
          Map.entry("ServiceAccount", "/api/v1/namespaces/%s/serviceaccounts/"),
          Map.entry("ConfigMap", "/api/v1/namespaces/%s/configmaps/"),
          Map.entry("Service", "/api/v1/namespaces/%s/services/"),
          Map.entry("Deployment", "/apis/apps/v1/namespaces/%s/deployments/"),
          Map.entry("ClusterRole", "/apis/rbac.authorization.k8s.io/v1/clusterroles/"),
          Map.entry(
              "ClusterRoleBinding", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/"),
          Map.entry("Role", "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/roles/"),
          Map.entry(
              "RoleBinding", "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/rolebindings/"),
          Map.entry(
              "CustomResourceDefinition",
              "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"),
          Map.entry(
              "MutatingWebhookConfiguration",
              "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/"),
          Map.entry(
              "ValidatingWebhookConfiguration",
              "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/"));

  /** Where the API server finds the server: there is no network of a cluster for its Service. */
  private static final Set<String> LEADING_TO_THE_SERVER =
      Set.of(
          "CustomResourceDefinition",
          "MutatingWebhookConfiguration",
          "ValidatingWebhookConfiguration");

  private final Path folder;
  private final ControlPlane controlPlane;
  private final AuditLog audit;
  private final List<JsonNode> documents = new ArrayList<>();
  private final Container webhook;
  private final Container scheduler;

  /**
   * Installs and starts everything.
   *
   * @param configuration what an operator would have chosen
   */
  Installed(Path folder, String configuration) throws IOException {
    this.folder = folder;
    Path policy =
        Files.writeString(
            folder.resolve("policy.yaml"),
            AuditLog.policy("system:serviceaccount:" + NAMESPACE + ":" + ACCOUNT));
    this.audit = new AuditLog(folder.resolve("audit.log"));
    this.controlPlane =
        ControlPlane.start(
            ControlPlane.Options.wholeCluster()
                .withDirectory(folder.resolve("control-plane"))
                .withApiServerFlags(
                    "--audit-policy-file=" + policy,
                    "--audit-log-path=" + audit.log(),
                    // clusters that have it ask for a right on the owner, too
                    "--enable-admission-plugins=OwnerReferencesPermissionEnforcement"));
    Path chosen = Files.writeString(folder.resolve("config.yaml"), configuration);
    int port = Ports.free();
    install(chosen, "https://127.0.0.1:" + port);
    Path kubeconfig = kubeconfigOfTheAccount();
    Files.createDirectories(folder.resolve("run"));
    this.webhook = container(0, kubeconfig, "--port=" + port, "--host=127.0.0.1", "--warm-up=0s");
    this.scheduler = container(1, kubeconfig);
  }

  private void install(Path configuration, String url) throws IOException {
    for (JsonNode document : printed("--config", configuration.toString())) {
      if (!LEADING_TO_THE_SERVER.contains(document.path("kind").asText())) {
        documents.add(document);
      }
    }
    printed("--config", configuration.toString(), "--url", url).forEach(documents::add);
    for (JsonNode document : documents) {
      String name = document.at("/metadata/name").asText();
      String kind = document.path("kind").asText();
      String collection = requireNonNull(COLLECTIONS.get(kind), kind).formatted(NAMESPACE);
      api().serverSideApply(collection + name, "sluice-install", document.toString()).orThrow();
      if (kind.equals("CustomResourceDefinition")) {
        api().awaitEstablished(name, ESTABLISHED);
      }
    }
  }

  private static JsonNode printed(String... flags) throws IOException {
    List<String> args = new ArrayList<>(List.of("install", "-o", "json"));
    args.addAll(List.of(flags));
    Commands.Ran ran = Commands.run(args.toArray(new String[0]));
    assertThat(ran.code()).as(ran.err()).isZero();
    return JSON.readTree(ran.out()).path("items");
  }

  private Path kubeconfigOfTheAccount() throws IOException {
    String token = api().serviceAccountToken(NAMESPACE, ACCOUNT);
    String admin = Files.readString(controlPlane.kubeconfig());
    return Files.writeString(
        folder.resolve("kubeconfig"), admin.replace(controlPlane.token(), token));
  }

  private Container container(int which, Path kubeconfig, String... more) throws IOException {
    JsonNode container =
        documents.stream()
            .filter(it -> it.path("kind").asText().equals("Deployment"))
            .findFirst()
            .orElseThrow()
            .at("/spec/template/spec/containers/" + which);
    List<String> args = new ArrayList<>();
    for (JsonNode arg : container.path("args")) {
      if (!arg.asText().startsWith("--http-")) {
        args.add(here(arg.asText()));
      }
    }
    int port = Ports.free();
    args.add("--http-port=" + port);
    args.add("--kubeconfig=" + kubeconfig);
    args.addAll(List.of(more));
    return new Container(SluiceProcess.startFromClasses(folder, args.toArray(String[]::new)), port);
  }

  /** The folders of the Pod are below ours. */
  private String here(String arg) {
    return arg.replace("=/var/lib/sluice", "=" + folder.resolve("data"))
        .replace("=/run/sluice", "=" + folder.resolve("run"))
        .replace("=/etc/sluice", "=" + folder);
  }

  ApiClient api() {
    return controlPlane.client();
  }

  AuditLog audit() {
    return audit;
  }

  /** What our account was given. */
  Set<Right> granted() {
    return Right.grantedBy(documents);
  }

  Container webhook() {
    return webhook;
  }

  Container scheduler() {
    return scheduler;
  }

  @Override
  public void close() {
    scheduler.close();
    webhook.close();
    controlPlane.close();
  }
}
