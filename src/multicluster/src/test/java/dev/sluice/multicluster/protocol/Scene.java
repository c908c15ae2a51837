package dev.sluice.multicluster.protocol;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.multicluster.copy.Identity;
import dev.sluice.multicluster.copy.JobCopies;
import dev.sluice.multicluster.copy.WorkloadCopies;
import dev.sluice.multicluster.dispatch.AllAtOnce;
import dev.sluice.multicluster.dispatch.Dispatcher;
import dev.sluice.multicluster.waiting.WaitingReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A manager with one Job that holds quota, and workers that are connected and empty. */
final class Scene {
  static final Identity US = new Identity("multikueue", "manager-uid");
  static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");
  static final Duration LOST_AFTER = Duration.ofMinutes(15);
  static final GroupVersionKind JOB = new GroupVersionKind("batch", "v1", "Job");
  static final JobIntegration INTEGRATION =
      JobKinds.standard().stream().filter(it -> it.kind().equals(JOB)).findFirst().orElseThrow();
  static final Optional<RemoteJobs> REMOTE = remote(INTEGRATION);

  /** How jobs of that kind run elsewhere, with no gate turned. */
  static Optional<RemoteJobs> remote(JobIntegration integration) {
    return integration.remote(
        JobSettings.of(Configuration.defaults("kueue-system"), Extensions.DEFAULT));
  }

  /** One worker, as it is seen. */
  static final class Spot {
    boolean isConfigured = true;
    Link link = new Link.Connected(true);
    Set<GroupKind> notServed = Set.of();
    boolean isShared;
    Presence workload = Presence.unlisted();
    final Map<String, Presence> jobs = new HashMap<>();
    QueueState queue = new QueueState.Unknown();
    Optional<WaitingReason> refusal = Optional.empty();

    Spot lostFor(Duration time) {
      link = new Link.Lost(NOW.minus(time), "connection refused", Optional.empty());
      return this;
    }

    /** The worker was asked for the job, and has none. */
    Spot asked() {
      jobs.put("j", Presence.absent());
      return this;
    }

    ObjectNode tree() {
      return (ObjectNode) workload.object().orElseThrow();
    }

    ObjectNode jobTree() {
      return (ObjectNode) requireNonNull(jobs.get("j")).object().orElseThrow();
    }
  }

  final ObjectNode workload =
      json(
          """
          {'apiVersion': 'kueue.x-k8s.io/v1beta2', 'kind': 'Workload',
           'metadata': {'name': 'job-j', 'namespace': 'ns', 'uid': 'w-uid', 'resourceVersion': '7',
             'generation': 1,
             'labels': {'kueue.x-k8s.io/job-uid': 'j-uid', 'team': 'a'},
             'annotations': {'note': 'x'},
             'finalizers': ['kueue.x-k8s.io/resource-in-use'],
             'ownerReferences': [{'apiVersion': 'batch/v1', 'kind': 'Job', 'name': 'j',
               'uid': 'j-uid', 'controller': true}]},
           'spec': {'queueName': 'lq', 'priority': 5, 'active': true,
             'podSets': [{'name': 'main', 'count': 3,
               'template': {
                 'metadata': {'labels': {'batch.kubernetes.io/controller-uid': 'j-uid', 'app': 'a'}},
                 'spec': {'containers': [{'name': 'c', 'image': 'i'}]}}}]},
           'status': {
             'admission': {'clusterQueue': 'cq', 'podSetAssignments': [{'name': 'main'}]},
             'admissionChecks': [
               {'name': 'mk', 'state': 'Pending', 'message': '',
                'lastTransitionTime': '2026-11-24T09:00:00Z'},
               {'name': 'other', 'state': 'Ready', 'message': '',
                'lastTransitionTime': '2026-11-24T09:00:00Z'}],
             'conditions': [{'type': 'QuotaReserved', 'status': 'True', 'reason': 'QuotaReserved',
               'message': '', 'lastTransitionTime': '2026-11-24T09:00:00Z'}]}}
          """);
  final ObjectNode job =
      json(
          """
          {'apiVersion': 'batch/v1', 'kind': 'Job',
           'metadata': {'name': 'j', 'namespace': 'ns', 'uid': 'j-uid', 'resourceVersion': '9',
             'labels': {'kueue.x-k8s.io/queue-name': 'lq'}},
           'spec': {'suspend': true, 'managedBy': 'kueue.x-k8s.io/multikueue', 'parallelism': 3,
             'completions': 3, 'ttlSecondsAfterFinished': 0,
             'selector': {'matchLabels': {'batch.kubernetes.io/controller-uid': 'j-uid'}},
             'template': {
               'metadata': {'labels': {'batch.kubernetes.io/controller-uid': 'j-uid', 'app': 'a'}},
               'spec': {'containers': [{'name': 'c', 'image': 'i'}]}}},
           'status': {}}
          """);
  final Map<String, Spot> workers = new LinkedHashMap<>();
  String check = "mk";
  Dispatcher dispatcher = new AllAtOnce();
  PlacementConstraint constraint = new PlacementConstraint.Unconstrained();

  /** The last message is a minute old, so the next one may be written. */
  Memory memory = Memory.NONE.told(NOW.minus(Duration.ofMinutes(1)));

  Instant now = NOW;
  Optional<Owner> owner;
  boolean isMirrorRefused;

  Scene(String... names) {
    for (String name : names) {
      workers.put(name, new Spot().asked());
    }
    owner = Optional.of(new Owner(JOB, REMOTE, Optional.empty(), false, List.of(job)));
  }

  Spot at(String cluster) {
    return requireNonNull(workers.get(cluster), cluster);
  }

  ObjectNode status() {
    return (ObjectNode) workload.path("status");
  }

  ObjectNode checkState() {
    return (ObjectNode) workload.at("/status/admissionChecks/0");
  }

  Scene nominated(String... names) {
    var list = status().putArray("nominatedClusterNames");
    List.of(names).forEach(list::add);
    return this;
  }

  /** The check is Ready and names that cluster. */
  Scene chosen(String cluster) {
    status().remove("nominatedClusterNames");
    status().put("clusterName", cluster);
    checkState().put("state", "Ready");
    return this;
  }

  Scene evictedHere(String message) {
    Trees.condition(workload, "Evicted", true, "Preempted", message, "2026-11-24T09:59:00Z");
    status().remove("clusterName");
    status().remove("nominatedClusterNames");
    checkState().put("state", "Pending");
    status()
        .withObjectProperty("schedulingStats")
        .withArrayProperty("evictions")
        .addObject()
        .put("reason", "Preempted")
        .put("underlyingCause", "")
        .put("count", 1);
    return this;
  }

  /** The worker has our copy of the Workload. */
  ObjectNode copyAt(String cluster) {
    ObjectNode copy = WorkloadCopies.of(workload, US);
    copy.withObjectProperty("metadata").put("uid", cluster + "-w").put("resourceVersion", "3");
    at(cluster).workload = new Presence.Present(copy);
    return copy;
  }

  ObjectNode admittedAt(String cluster) {
    ObjectNode copy = copyAt(cluster);
    Trees.condition(copy, "QuotaReserved", true, "QuotaReserved");
    Trees.condition(copy, "Admitted", true, "Admitted");
    return copy;
  }

  /** The worker has our copy of the Job, held back. */
  ObjectNode jobAt(String cluster) {
    ObjectNode copy = new JobCopies(US, true).of(REMOTE.orElseThrow(), job, workload);
    copy.withObjectProperty("metadata").put("uid", cluster + "-j").put("resourceVersion", "4");
    at(cluster).jobs.put("j", new Presence.Present(copy));
    return copy;
  }

  ObjectNode runningAt(String cluster) {
    admittedAt(cluster);
    ObjectNode copy = jobAt(cluster);
    copy.withObjectProperty("spec").put("suspend", false);
    copy.withObjectProperty("status")
        .put("active", 3)
        .put("ready", 3)
        .put("startTime", "2026-11-24T09:30:00Z");
    return copy;
  }

  Optional<Duration> giveUpAfter = Optional.empty();

  Optional<OwnOffer> ownOffer = Optional.empty();

  Situation situation() {
    List<WorkerState> states = new ArrayList<>();
    workers.forEach(
        (name, it) ->
            states.add(
                new WorkerState(
                    name,
                    it.isConfigured,
                    it.link,
                    it.notServed,
                    it.isShared,
                    it.workload,
                    it.jobs,
                    it.queue,
                    it.refusal)));
    return new Situation(
        workload, check, owner, constraint, states, isMirrorRefused, ownOffer, memory, now);
  }

  Plan plan() {
    ProtocolSettings settings = new ProtocolSettings(US, LOST_AFTER, dispatcher, giveUpAfter, true);
    return new Planner(settings).plan(situation());
  }

  /** The writes of a plan but for events, short: verb, kind, and what of it. */
  static List<String> brief(List<Write> writes) {
    return writes.stream().filter(it -> !(it instanceof Write.Event)).map(Scene::brief).toList();
  }

  private static String brief(Write write) {
    String kind = write.target().kind().kind();
    return switch (write) {
      case Write.Create _ -> "create " + kind;
      case Write.Delete it -> "delete " + kind + " " + it.target().uid();
      case Write.MergePatch it ->
          "patch "
              + kind
              + (it.subresource().isEmpty() ? "" : "/" + it.subresource())
              + " @"
              + it.resourceVersion();
      case Write it -> it.toString();
    };
  }

  static List<String> at(Plan plan, String cluster) {
    return brief(plan.remote().getOrDefault(cluster, List.of()));
  }

  static Write first(Plan plan, String cluster) {
    return requireNonNull(plan.remote().get(cluster), cluster).getFirst();
  }

  static Memory.LeftOut leftOut(Plan plan, String cluster) {
    return requireNonNull(plan.memory().leftOut().get(cluster), cluster);
  }

  /** The check as the one patch of the manager's Workload leaves it: state and message. */
  String checkAfter(Plan plan) {
    for (Write write : plan.local()) {
      if (write instanceof Write.MergePatch patch && !kindIsJob(patch)) {
        for (JsonNode it : patch.patch().path("status").path("admissionChecks")) {
          if (it.path("name").asText().equals("mk")) {
            return it.path("state").asText() + ": " + it.path("message").asText();
          }
        }
      }
    }
    return "unchanged";
  }

  private static boolean kindIsJob(Write.MergePatch patch) {
    return patch.target().kind().equals(JOB);
  }

  static JsonNode statusPatch(Plan plan) {
    return plan.local().stream()
        .filter(it -> it instanceof Write.MergePatch patch && !kindIsJob(patch))
        .map(it -> ((Write.MergePatch) it).patch().path("status"))
        .findFirst()
        .orElseThrow();
  }
}
