package dev.sluice.cli.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import org.junit.jupiter.api.Test;

class TakeoverCommandTest {
  @Test
  void stopsTheOneBeforeItStartsTheOther() {
    Commands.Ran there = Commands.run("takeover", "--print");
    assertThat(there.code()).as(there.err()).isZero();
    assertThat(there.out())
        .containsSubsequence(
            "kubectl -n kueue-system scale deployment kueue-controller-manager --replicas=0",
            "--for=delete pod",
            "kubectl delete mutatingwebhookconfiguration kueue-mutating-webhook-configuration",
            "sluice install --config controller_manager_config.yaml | kubectl apply",
            "sluice doctor");
    Commands.Ran back = Commands.run("takeover", "--print", "--back");
    assertThat(back.out())
        .containsSubsequence(
            "sluice migrate",
            "kubectl -n sluice-system scale deployment -l app.kubernetes.io/part-of=sluice"
                + " --replicas=0",
            "kubectl -n sluice-system wait --for=delete pod -l app.kubernetes.io/part-of=sluice",
            "kubectl delete mutatingwebhookconfiguration sluice-mutating",
            "sluice migrate --hand-back",
            "kubectl apply --server-side --force-conflicts -f KUEUE_RELEASE.yaml");
  }

  @Test
  void namesOtherNamespacesAndTheClusterInItsCommands() {
    Commands.Ran printed =
        Commands.run(
            "takeover", "--print", "--kueue-namespace=queues", "--kubeconfig=/tmp/cluster.yaml");
    assertThat(printed.out())
        .contains(
            "kubectl --kubeconfig /tmp/cluster.yaml -n queues scale",
            "| kubectl --kubeconfig /tmp/cluster.yaml apply",
            "--kueue-namespace queues --kubeconfig /tmp/cluster.yaml",
            "sluice doctor --kubeconfig /tmp/cluster.yaml");
    assertThat(printed.out()).as("a command for another cluster").doesNotContain("kubectl -n");
  }

  @Test
  void namesTheNamespaceOfSluice() {
    Commands.Ran ran = Commands.run("takeover", "--print", "--sluice-namespace=queues");

    assertThat(ran.out())
        .contains("--sluice-namespace queues", "--namespace queues | kubectl apply")
        .doesNotContain("sluice-system");
  }

  @Test
  void wantsToKnowWhatToDo() {
    assertThat(Commands.run("takeover").code()).isEqualTo(2);
    assertThat(Commands.run("takeover", "--check", "--print").code()).isEqualTo(2);
  }
}
