package dev.sluice.cli.takeover;

import java.util.List;
import java.util.stream.Stream;

/** The commands of a switch, in order. Each is one line or a pipe of lines for a shell. */
final class Steps {
  static final String DEFAULT_KUEUE = "kueue-system";
  static final String DEFAULT_SLUICE = "sluice-system";

  private static final String CONFIG = "controller_manager_config.yaml";
  private static final String KUBECTL = "kubectl ";

  /** The server and the scheduler, and the server of the visibility API. */
  private static final String OURS = "-l app.kubernetes.io/part-of=sluice";

  private Steps() {}

  /**
   * One step.
   *
   * @param title what it does
   * @param commands as they are typed
   */
  record Step(String title, List<String> commands) {
    Step {
      commands = List.copyOf(commands);
    }
  }

  /**
   * From Kueue to Sluice.
   *
   * @param cluster the flags by which sluice and kubectl find the cluster; empty or begins with a
   *     space
   */
  static List<Step> there(Side kueue, Side sluice, String cluster) {
    String namespace = kueue.namespace();
    return steps(
        cluster,
        new Step(
            "Keep the Configuration of Kueue",
            List.of(
                "kubectl -n %s get configmap kueue-manager-config -o jsonpath='{.data.controller_manager_config\\.yaml}' > %s"
                    .formatted(namespace, CONFIG))),
        new Step(
            "Look once more; feature gates of its command line are for sluice install, too",
            List.of(
                "sluice takeover --check --config %s%s%s"
                    .formatted(CONFIG, namespaces(kueue, sluice), cluster))),
        new Step(
            "Stop Kueue, and wait until it has ended: from here on nothing is admitted",
            List.of(
                kueue.stop(),
                "kubectl -n %s wait --for=delete pod -l control-plane=controller-manager --timeout=120s"
                    .formatted(namespace))),
        new Step(
            "Delete its webhooks, which nobody answers any more",
            List.of(
                "kubectl delete mutatingwebhookconfiguration kueue-mutating-webhook-configuration",
                "kubectl delete validatingwebhookconfiguration"
                    + " kueue-validating-webhook-configuration")),
        new Step(
            "Install Sluice: it reads all Workloads before its first decision",
            List.of(
                "sluice install --config %s%s | kubectl apply --server-side --force-conflicts -f -"
                    .formatted(CONFIG, flag("--namespace", sluice, DEFAULT_SLUICE)),
                "kubectl -n %s rollout status deployment/%s"
                    .formatted(sluice.namespace(), sluice.deployment()))),
        new Step("See that all is well", List.of("sluice doctor" + cluster)));
  }

  /** From Sluice back to Kueue. */
  static List<Step> back(Side kueue, Side sluice, String cluster) {
    return steps(
        cluster,
        new Step(
            "Move stored objects: Kueue's CRDs have no v1alpha1",
            List.of("sluice migrate" + cluster)),
        new Step(
            "Stop Sluice, and wait until it has ended: from here on nothing is admitted",
            List.of(
                "kubectl -n %s scale deployment %s --replicas=0"
                    .formatted(sluice.namespace(), OURS),
                "kubectl -n %s wait --for=delete pod %s --timeout=120s"
                    .formatted(sluice.namespace(), OURS))),
        new Step(
            "Delete its webhooks; a server that runs would create them again",
            List.of(
                "kubectl delete mutatingwebhookconfiguration sluice-mutating",
                "kubectl delete validatingwebhookconfiguration sluice-validating")),
        new Step(
            "Make Kueue the owner of what Sluice has written",
            List.of("sluice migrate --hand-back" + cluster)),
        new Step(
            "Delete the APIServices, since Kueue's do not fit our CA bundle",
            List.of(
                "kubectl delete apiservice v1beta1.visibility.kueue.x-k8s.io"
                    + " v1beta2.visibility.kueue.x-k8s.io")),
        new Step(
            "Apply your release of Kueue, CRDs included",
            List.of(
                "kubectl apply --server-side --force-conflicts -f KUEUE_RELEASE.yaml",
                "kubectl -n %s scale deployment %s --replicas=1"
                    .formatted(kueue.namespace(), kueue.deployment()))));
  }

  /** With kubectl for the same cluster as sluice. */
  private static List<Step> steps(String cluster, Step... steps) {
    return Stream.of(steps)
        .map(
            step ->
                new Step(
                    step.title(),
                    step.commands().stream()
                        .map(it -> it.replace(KUBECTL, "kubectl" + cluster + " "))
                        .toList()))
        .toList();
  }

  private static String namespaces(Side kueue, Side sluice) {
    return flag("--kueue-namespace", kueue, DEFAULT_KUEUE)
        + flag("--sluice-namespace", sluice, DEFAULT_SLUICE);
  }

  private static String flag(String name, Side side, String usual) {
    return side.namespace().equals(usual) ? "" : " " + name + " " + side.namespace();
  }

  /** The steps as a shell takes them. */
  static String text(List<Step> steps) {
    var text = new StringBuilder();
    int number = 1;
    for (Step step : steps) {
      text.append("# %d. %s%n".formatted(number++, step.title()));
      step.commands().forEach(it -> text.append(it).append(System.lineSeparator()));
    }
    return text.toString();
  }
}
