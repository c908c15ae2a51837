package dev.sluice.cli.installed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A whole control plane with all that {@code sluice install} prints, and the containers of the
 * Deployments as processes beside it: with their arguments, and with tokens of their accounts. Only
 * folders and ports are others, since there is no machine of a cluster to run on.
 */
final class Installed implements AutoCloseable {
  /** Options that say where a container listens, which is elsewhere here. */
  private static final List<String> ADDRESSES = List.of("--http-", "--host=", "--port=");

  private static final String NAMESPACE = "sluice-system";

  /** The accounts of the containers. */
  static final List<String> ACCOUNTS = List.of("sluice-webhook", "sluice-scheduler", "sluice-see");

  private final Path folder;
  private final ControlPlane controlPlane;
  private final AuditLog audit;
  private final List<JsonNode> documents = new ArrayList<>();
  private final Container webhook;
  private final Container scheduler;
  private final Container see;
  private final int seePort = Ports.free();

  /**
   * Installs and starts everything.
   *
   * @param configuration what an operator would have chosen
   */
  Installed(Path folder, String configuration) throws Exception {
    this(folder, configuration, _ -> {});
  }

  /** What is in the cluster before Sluice comes. */
  @FunctionalInterface
  interface Before {
    void accept(ApiClient api) throws Exception;
  }

  /**
   * Installs and starts everything in a cluster that is not empty.
   *
   * @param configuration what an operator would have chosen
   */
  Installed(Path folder, String configuration, Before before) throws Exception {
    this.folder = folder;
    Path policy =
        Files.writeString(
            folder.resolve("policy.yaml"),
            AuditLog.policy(ACCOUNTS.stream().map(Installed::user).toList()));
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
    before.accept(api());
    Path chosen = Files.writeString(folder.resolve("config.yaml"), configuration);
    int port = Ports.free();
    String url = "https://127.0.0.1:" + port;
    documents.addAll(Printed.leadingTo(url, "--config", chosen.toString()));
    Printed.apply(api(), documents);
    Files.createDirectories(folder.resolve("run"));
    this.webhook =
        container(
            "sluice-webhook",
            0,
            ACCOUNTS.get(0),
            "--port=" + port,
            "--host=127.0.0.1",
            "--warm-up=0s",
            "--url=" + url);
    this.scheduler = container("sluice-webhook", 1, ACCOUNTS.get(1));
    this.see = container("sluice-see", 0, ACCOUNTS.get(2), "--port=" + seePort, "--host=127.0.0.1");
  }

  private static String user(String account) {
    return "system:serviceaccount:" + NAMESPACE + ":" + account;
  }

  private Path kubeconfigOf(String account) throws IOException {
    return Printed.kubeconfig(
        controlPlane, api().serviceAccountToken(NAMESPACE, account), folder.resolve(account));
  }

  private Container container(String deployment, int which, String account, String... more)
      throws IOException {
    JsonNode container =
        documents.stream()
            .filter(it -> it.path("kind").asText().equals("Deployment"))
            .filter(it -> it.at("/metadata/name").asText().equals(deployment))
            .findFirst()
            .orElseThrow()
            .at("/spec/template/spec/containers/" + which);
    List<String> args = new ArrayList<>();
    for (JsonNode arg : container.path("args")) {
      if (ADDRESSES.stream().noneMatch(arg.asText()::startsWith)) {
        args.add(here(arg.asText()));
      }
    }
    int port = Ports.free();
    args.add("--http-port=" + port);
    args.add("--kubeconfig=" + kubeconfigOf(account));
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

  /** The way to the cluster for an administrator. */
  Path kubeconfig() {
    return controlPlane.kubeconfig();
  }

  AuditLog audit() {
    return audit;
  }

  /** What an account was given and never asked for. */
  Set<Right> idle(String account) {
    Set<Right> idle = Right.grantedBy(documents, account);
    idle.removeAll(audit.used(user(account)));
    idle.removeIf(Right::isOfAnotherWrite);
    return idle;
  }

  Container webhook() {
    return webhook;
  }

  Container scheduler() {
    return scheduler;
  }

  Container see() {
    return see;
  }

  /** The HTTPS port of the visibility API. */
  int seePort() {
    return seePort;
  }

  @Override
  public void close() {
    see.close();
    scheduler.close();
    webhook.close();
    controlPlane.close();
  }
}
