package dev.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.process.Shell;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator types the commands of the pages about a cluster, in the order of a cluster's life:
 * install, upgrade, an emergency, coming from Kueue, uninstall. The Pods of the Deployments are
 * simulated; a server and a scheduler run beside the cluster.
 */
@FullTier
@NeedsControlPlane({Part.KUBE_CONTROLLER_MANAGER, Part.KUBE_SCHEDULER, Part.KWOK})
@EnabledIf(value = "hasKubectl", disabledReason = "kubectl is not on the PATH")
@Timeout(900)
class ClusterPagesE2E {
  /** What needs another machine or program, or is run by a test of its own. */
  private static final List<String> ELSEWHERE =
      List.of(
          "./sluice image", // ImageIT
          "kind load",
          "sudo ",
          "docker ",
          "skopeo ",
          "crane ",
          "helm ", // RenderedPackagesE2E, with the next one
          "kubectl apply --server-side -k",
          "./sluice serve", // RegistrationE2E, with the next one
          "./sluice install --url");

  private static final String DELETE_MUTATING =
      "kubectl delete mutatingwebhookconfiguration sluice-mutating";
  private static final String DELETE_KINDS =
      "kubectl delete crd -l app.kubernetes.io/part-of=sluice";
  private static final String UNINSTALL =
      "./sluice install | kubectl delete --ignore-not-found -f -";

  /** What of Kueue is in a cluster, as far as the page about moving names it. */
  private static final String KUEUE =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: kueue-system}
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: kueue-manager-config, namespace: kueue-system}
      data:
        controller_manager_config.yaml: |
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          integrations:
            frameworks: [batch/job]
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: kueue-controller-manager, namespace: kueue-system}
      spec:
        selector: {matchLabels: {control-plane: controller-manager}}
        template:
          metadata: {labels: {control-plane: controller-manager}}
          spec: {containers: [{name: manager, image: example.com/kueue}]}
      ---
      apiVersion: admissionregistration.k8s.io/v1
      kind: MutatingWebhookConfiguration
      metadata: {name: kueue-mutating-webhook-configuration}
      ---
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingWebhookConfiguration
      metadata: {name: kueue-validating-webhook-configuration}
      """;

  @TempDir private Path folder;

  static boolean hasKubectl() {
    return Shell.has("kubectl");
  }

  private static List<String> commands(String page) {
    List<String> commands = new ArrayList<>(Page.read(Page.ROOT.resolve(page)).commands());
    commands.removeIf(line -> ELSEWHERE.stream().anyMatch(line::startsWith));
    if (!Shell.has("yq")) {
      commands.removeIf(line -> line.contains("yq "));
    }
    assertThat(commands).as(page).isNotEmpty();
    return commands;
  }

  @Test
  void everyLineOfThePagesAboutAClusterWorks() throws Exception {
    String data = folder.resolve("data").toString();
    try (var cluster = SluiceProcess.start(folder, "dev-cluster", "--data", data)) {
      cluster.awaitOut("export KUBECONFIG=").awaitOut("health ");
      Terminal terminal = Terminal.in(folder, cluster.printedKubeconfig());
      List<String> install = commands("docs/getting-started/cluster.md");
      int uninstall = install.indexOf(DELETE_KINDS);
      assertThat(install.get(uninstall + 1)).isEqualTo(UNINSTALL);

      install.subList(0, uninstall).forEach(terminal::type);
      assertThat(terminal.type("kubectl get workloads")).contains("job-two-pods");

      Files.writeString(folder.resolve("kueue.yaml"), KUEUE);
      terminal.type("kubectl apply -f kueue.yaml");
      commands("docs/getting-started/from-kueue.md").forEach(terminal::type);
      assertThat(folder.resolve("queues.yaml")).content().contains("cluster-queue");

      commands("docs/tasks/upgrade.md").forEach(terminal::type);

      keepingRegistration(terminal, commands("docs/tasks/emergencies.md"));
      keepingRegistration(terminal, install.subList(uninstall + 2, install.size()));
      terminal.type(DELETE_KINDS);
      terminal.type(UNINSTALL);
      cluster.terminate(Duration.ofMinutes(1));
    }
  }

  /** A server in the cluster would register itself again; the one beside it does not. */
  private static void keepingRegistration(Terminal terminal, List<String> commands) {
    assertThat(commands).contains(DELETE_MUTATING);
    String kept = "mutatingwebhookconfiguration/sluice-mutating";
    String also = "validatingwebhookconfiguration/sluice-validating";
    terminal.type("kubectl get %s %s -o yaml > registration.yaml".formatted(kept, also));
    commands.forEach(terminal::type);
    terminal.type("sed -i '/resourceVersion:/d; /uid:/d' registration.yaml");
    terminal.type("kubectl create -f registration.yaml");
  }
}
