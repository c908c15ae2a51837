package dev.sluice.cli.doctor.multikueue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ClusterException;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Lists;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.cluster.access.AccessException;
import dev.sluice.cluster.access.TargetAccess;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.multicluster.copy.Identity;
import dev.sluice.multicluster.link.LinkSource;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Whether a manager cluster can send jobs to its workers. Each worker is looked at with the login
 * of the manager, which its Secret holds.
 */
public final class MultiKueueCheck implements Check {
  private static final String SYSTEM = "/api/v1/namespaces/kube-system";
  private static final int MOST_NAMED = 5;

  private final Cluster cluster;
  private final Duration bound;
  private final Manager manager;

  /**
   * What the configuration of the manager says.
   *
   * @param namespace where Secrets with kubeconfigs are
   * @param origin the label of its copies
   * @param jobs the kinds of jobs that it manages
   */
  public record Manager(String namespace, String origin, JobSettings jobs) {
    public static Manager of(Configuration configuration, Extensions extensions) {
      return new Manager(
          configuration.namespace(),
          configuration.scheduling().multiKueue().origin(),
          JobSettings.of(configuration, extensions));
    }
  }

  /** A check of that cluster. */
  public MultiKueueCheck(Cluster cluster, Duration bound, Manager manager) {
    this.cluster = cluster;
    this.bound = bound;
    this.manager = manager;
  }

  /** Says nothing on a cluster without MultiKueueClusters. */
  @Override
  public void check(Findings findings) {
    List<JsonNode> clusters = items(ApiKind.MULTI_KUEUE_CLUSTER).orElse(List.of());
    if (clusters.isEmpty()) {
      return;
    }
    String uid = cluster.get(SYSTEM).json().at("/metadata/uid").asText("");
    Set<ObjectKey> queues = sendingQueues();
    Optional<Set<ObjectKey>> workloads =
        items(ApiKind.WORKLOAD)
            .map(it -> it.stream().map(ObjectKey::of).collect(Collectors.toSet()));
    for (JsonNode each : clusters) {
      String name = each.at("/metadata/name").asText();
      link(each, "MultiKueueCluster " + name, findings);
      if (!uid.isEmpty()) {
        worker(each, name, new Identity(manager.origin(), uid), queues, workloads, findings);
      }
    }
    new UnmanagedJobs(cluster, manager.jobs()).check(queues, findings);
  }

  private Optional<List<JsonNode>> items(ApiKind kind) {
    return Lists.all(cluster, "/apis/" + kind.hub().apiVersion() + "/" + kind.plural(), "");
  }

  private static void link(JsonNode cluster, String object, Findings findings) {
    Optional<JsonNode> active = Conditions.find(cluster, ConditionTypes.ACTIVE);
    String message = active.map(it -> it.path("message").asText()).orElse("");
    if (cluster.path("metadata").has("deletionTimestamp")) {
      findings.warning(
          object,
          "is deleted and drains: it goes when nothing of this manager is left on the worker",
          "wait; a worker out of reach is given up after multiKueue.workerLostTimeout");
    }
    if (active.isEmpty()) {
      findings.warning(
          object, "nobody has looked at it yet", "check that `sluice schedule` runs and leads");
    } else if (!Conditions.isTrue(active.get())) {
      findings.error(
          object,
          active.get().path("reason").asText() + ": " + message,
          "see docs/tasks/multicluster.md, The condition Active");
    } else if (message.equals("Connected")) {
      findings.ok(object, "is connected");
    } else {
      findings.warning(
          object,
          message,
          "install what is missing on the worker, or give the account its rights: sluice"
              + " multikueue account");
    }
  }

  private void worker(
      JsonNode object,
      String name,
      Identity us,
      Set<ObjectKey> queues,
      Optional<Set<ObjectKey>> workloads,
      Findings findings) {
    JsonNode source = object.at("/spec/clusterSource/kubeConfig");
    if (!source.path("locationType").asText().equals("Secret")) {
      return; // its file is not here
    }
    Answer secret =
        cluster.get(
            "/api/v1/namespaces/"
                + manager.namespace()
                + "/secrets/"
                + source.path("location").asText());
    if (!secret.isSuccess()) {
      findings.warning(
          "worker " + name,
          "cannot be looked at, its Secret cannot be read: " + secret.message(),
          Remedies.RIGHTS);
      return;
    }
    Optional<ApiServer> server = server(secret.json());
    if (server.isEmpty()) {
      return; // the condition says what is wrong with it
    }
    try (ApiServer open = server.get()) {
      new WorkerCheck(new Cluster(open, bound), name, us, manager.jobs())
          .check(queues, workloads, findings);
    } catch (ClusterException e) {
      findings.warning(
          "worker " + name,
          "cannot be reached from here: " + e.getMessage(),
          "run doctor where the manager runs");
    }
  }

  private static Optional<ApiServer> server(JsonNode secret) {
    try {
      byte[] kubeconfig = Base64.getDecoder().decode(secret.at("/data/kubeconfig").asText(""));
      return LinkSource.of(kubeconfig) instanceof LinkSource.Usable usable
          ? Optional.of(ApiServer.to(TargetAccess.to(usable.target()).access()))
          : Optional.empty();
    } catch (IllegalArgumentException | AccessException _) {
      return Optional.empty();
    }
  }

  /** The LocalQueues whose jobs go to workers. */
  private Set<ObjectKey> sendingQueues() {
    Set<String> checks =
        items(ApiKind.ADMISSION_CHECK).orElse(List.of()).stream()
            .filter(it -> it.at("/spec/controllerName").asText().equals(Controllers.MULTI_KUEUE))
            .map(it -> it.at("/metadata/name").asText())
            .collect(Collectors.toSet());
    Set<String> clusterQueues =
        items(ApiKind.CLUSTER_QUEUE).orElse(List.of()).stream()
            .filter(
                it ->
                    it.at("/spec/admissionChecksStrategy/admissionChecks")
                        .valueStream()
                        .anyMatch(check -> checks.contains(check.path("name").asText())))
            .map(it -> it.at("/metadata/name").asText())
            .collect(Collectors.toSet());
    return items(ApiKind.LOCAL_QUEUE).orElse(List.of()).stream()
        .filter(it -> clusterQueues.contains(it.at("/spec/clusterQueue").asText()))
        .map(ObjectKey::of)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static String named(List<String> names) {
    String first = String.join(", ", names.subList(0, Math.min(MOST_NAMED, names.size())));
    return names.size() > MOST_NAMED
        ? first + " and " + (names.size() - MOST_NAMED) + " more"
        : first;
  }
}
