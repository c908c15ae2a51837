package dev.sluice.cli.doctor.multikueue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Lists;
import dev.sluice.cli.doctor.check.Right;
import dev.sluice.cli.multikueue.WorkerAccount;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.multicluster.copy.Identity;
import dev.sluice.multicluster.copy.OwnershipMarks;
import dev.sluice.scheduler.write.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** One worker cluster, with the login of its manager. */
final class WorkerCheck {
  private static final String WORKLOADS =
      "/apis/" + ApiKind.WORKLOAD.hub().apiVersion() + "/" + ApiKind.WORKLOAD.plural();
  private static final String ACCOUNT =
      "sluice multikueue account | kubectl --context WORKER apply -f -";

  private static final Set<String> READS = Set.of("get", "list", "watch");

  private final Cluster cluster;
  private final String name;
  private final String object;
  private final Identity us;
  private final JobSettings jobs;

  WorkerCheck(Cluster cluster, String name, Identity us, JobSettings jobs) {
    this.cluster = cluster;
    this.name = name;
    this.object = "worker " + name;
    this.us = us;
    this.jobs = jobs;
  }

  /**
   * Looks at it.
   *
   * @param queues the LocalQueues of the manager whose jobs go to workers
   * @param workloads the Workloads of the manager; empty if they cannot be listed
   */
  void check(Set<ObjectKey> queues, Optional<Set<ObjectKey>> workloads, Findings findings) {
    if (!answers(findings)) {
      return;
    }
    rights(queues, findings);
    kinds(findings);
    queues(queues, findings);
    copies(workloads, findings);
  }

  private boolean answers(Findings findings) {
    Answer version = cluster.get("/version");
    if (!version.isSuccess()) {
      findings.error(
          object,
          "does not take the manager's login: " + version.message(),
          "sluice multikueue kubeconfig --context WORKER --secret " + name);
      return false;
    }
    Answer group = cluster.get("/apis/" + ApiVersion.GROUP);
    List<String> served =
        group.json().path("versions").valueStream().map(it -> it.path("version").asText()).toList();
    if (!served.contains(ApiKind.WORKLOAD.hub().version())) {
      findings.error(
          object,
          "does not serve Workloads at %s".formatted(ApiKind.WORKLOAD.hub().apiVersion()),
          "install Sluice, or Kueue 0.17 or later, on the worker");
      return false;
    }
    findings.ok(
        object,
        "answers, Kubernetes %s, Workloads at %s"
            .formatted(
                version.json().path("gitVersion").asText("of unknown version"),
                String.join(", ", served)));
    return true;
  }

  /** The kinds that this manager sends, with what it does with them. */
  private Map<GroupVersionKind, List<String>> sent() {
    Map<GroupVersionKind, List<String>> sent = WorkerAccount.verbs(jobs);
    sent.keySet().retainAll(JobKinds.remoteOfEnabled(jobs).keySet());
    return sent;
  }

  private void rights(Set<ObjectKey> queues, Findings findings) {
    List<Right> rights = new ArrayList<>();
    String workloads = ApiKind.WORKLOAD.plural();
    WorkerAccount.verbsOfWorkloads()
        .forEach(it -> rights.add(new Right(it, ApiVersion.GROUP, workloads, "")));
    rights.add(new Right("patch", ApiVersion.GROUP, workloads, "status"));
    sent()
        .forEach(
            (kind, verbs) ->
                verbs.forEach(
                    it -> rights.add(new Right(it, kind.group(), Paths.plural(kind), ""))));
    Right.Lacking lacking = lacking(rights, queues);
    if (!lacking.problem().isEmpty()) {
      findings.warning(object, "does not say what the account may: " + lacking.problem(), ACCOUNT);
    } else if (lacking.rights().isEmpty()) {
      findings.ok(object, "gives the account its rights");
    } else {
      findings.error(object, "does not give the account its rights: " + lacking.text(), ACCOUNT);
    }
    if (cluster.get("/api/v1/namespaces/kube-system").status() == 403) {
      findings.warning(
          object,
          "does not tell which cluster it is: no get namespaces/kube-system; a rebuilt or doubled"
              + " worker is not noticed",
          ACCOUNT);
    }
  }

  /** An account may be one that writes in the namespaces of its queues only. */
  private Right.Lacking lacking(List<Right> rights, Set<ObjectKey> queues) {
    Right.Lacking everywhere = Right.lacking(rights, cluster);
    boolean isOfReads = everywhere.rights().stream().anyMatch(it -> READS.contains(it.verb()));
    if (isOfReads || queues.isEmpty()) {
      return everywhere;
    }
    List<String> namespaces = queues.stream().map(ObjectKey::namespace).distinct().toList();
    return Right.lacking(
        everywhere.rights().stream().flatMap(right -> namespaces.stream().map(right::in)).toList(),
        cluster);
  }

  private void kinds(Findings findings) {
    List<String> missing = new ArrayList<>();
    for (GroupVersionKind kind : sent().keySet()) {
      if (!Cluster.lists(cluster.resources(kind), Paths.plural(kind))) {
        missing.add("%s of %s".formatted(kind.kind(), kind.apiVersion()));
      }
    }
    if (!missing.isEmpty()) {
      findings.warning(
          object,
          "does not serve " + String.join(", ", missing) + ": jobs of these kinds do not go there",
          "install their operators on the worker, or remove them from integrations.frameworks");
    }
  }

  private void queues(Set<ObjectKey> queues, Findings findings) {
    List<String> missing = new ArrayList<>();
    for (ObjectKey queue : queues) {
      Answer answer =
          cluster.get(
              "/apis/%s/namespaces/%s/%s/%s"
                  .formatted(
                      ApiKind.LOCAL_QUEUE.hub().apiVersion(),
                      queue.namespace(),
                      ApiKind.LOCAL_QUEUE.plural(),
                      queue.name()));
      if (answer.status() == 403) {
        findings.warning(
            object,
            "does not let the account read LocalQueues: it is not known which are missing",
            "look yourself: kubectl --context WORKER get localqueues -A");
        return;
      }
      if (answer.status() == 404) {
        missing.add(queue.toString());
      }
    }
    if (!missing.isEmpty()) {
      findings.warning(
          object,
          "has no LocalQueue %s: Workloads of it wait there for ever"
              .formatted(MultiKueueCheck.named(missing)),
          "create them on the worker, or take the worker out of the MultiKueueConfig");
    } else if (!queues.isEmpty()) {
      findings.ok(object, "has a LocalQueue for each of the manager's");
    }
  }

  private void copies(Optional<Set<ObjectKey>> workloads, Findings findings) {
    Optional<List<JsonNode>> copies =
        Lists.all(cluster, WORKLOADS, Labels.MULTI_KUEUE_ORIGIN + "=" + us.origin());
    if (copies.isEmpty() || workloads.isEmpty()) {
      return; // the rights say why
    }
    Set<String> others = new TreeSet<>();
    List<String> unproven = new ArrayList<>();
    int ours = 0;
    for (JsonNode copy : copies.get()) {
      String maker = OwnershipMarks.of(copy).manager();
      ObjectKey key = ObjectKey.of(copy);
      if (maker.equals(us.manager())) {
        ours++;
      } else if (!maker.isEmpty()) {
        others.add(maker);
      } else if (!workloads.get().contains(key)) {
        unproven.add(key.toString());
      }
    }
    findings.ok(object, "has " + ours + " Workloads of this manager");
    if (!others.isEmpty()) {
      findings.warning(
          object,
          "other managers use the origin \"%s\" there, too: %s"
              .formatted(us.origin(), MultiKueueCheck.named(List.copyOf(others))),
          "give each manager its own multiKueue.origin");
    }
    if (!unproven.isEmpty()) {
      findings.warning(
          object,
          "has Workloads with our origin and without a manager's mark, which are not here: "
              + MultiKueueCheck.named(unproven),
          others.isEmpty()
              ? "they are collected, as Kueue does"
              : "they may be another manager's; delete them by hand if they are not");
    }
  }
}
