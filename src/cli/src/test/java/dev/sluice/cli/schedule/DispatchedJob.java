package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.WORKLOAD;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A job of any kind that the manager of a fleet sends to a worker. */
record DispatchedJob(Fleet fleet, Kind kind, String namespace, String name) {
  /** A kind for each way in which a job goes to a worker. */
  enum Kind {
    JOB("/apis/batch/v1", "jobs", 1),
    JOB_SET("/apis/jobset.x-k8s.io/v1alpha2", "jobsets", 1),
    POD_GROUP("/api/v1", "pods", 2),
    WAGON("/apis/example.com/v1", "wagons", 1);

    private final String root;
    private final String plural;

    /** How many objects one job has. */
    private final int members;

    Kind(String root, String plural, int members) {
      this.root = root;
      this.plural = plural;
      this.members = members;
    }

    /** Where its objects of all namespaces are. */
    String everywhere() {
      return root + "/" + plural;
    }

    /** Where its objects of a namespace are. */
    String in(String namespace) {
      return root + "/namespaces/" + namespace + "/" + plural;
    }
  }

  /** How many Pods a Job has at first. */
  private static final int PODS = 2;

  private List<String> members() {
    return kind.members == 1
        ? List.of(name)
        : IntStream.range(0, kind.members).mapToObj(it -> name + "-" + it).toList();
  }

  private String path(String member) {
    return kind.in(namespace) + "/" + member;
  }

  /** Creates it on the manager, as webhooks admit it. */
  void create(String queue) {
    switch (kind) {
      case JOB -> post(OutageObjects.job(name, queue, PODS));
      case JOB_SET -> post(OutageObjects.jobSet(name, queue));
      case POD_GROUP -> members().forEach(it -> post(OutageObjects.member(it, name, queue)));
      case WAGON -> Wagons.create(fleet.api(), namespace, name, queue);
    }
  }

  private void post(String body) {
    fleet.api().create(kind.in(namespace), body).orThrow();
  }

  /** Its Workload on the manager; empty while there is none. */
  Optional<JsonNode> workload() {
    return fleet
        .api()
        .get(Kueue.collection(WORKLOAD, ApiVersion.HUB, namespace))
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .filter(it -> members().contains(it.at("/metadata/ownerReferences/0/name").asText()))
        .findFirst();
  }

  /** The path of its Workload, which has the same name on its worker. */
  String workloadPath() {
    return Kueue.collection(WORKLOAD, ApiVersion.HUB, namespace)
        + "/"
        + SampleJobs.name(workload().orElseThrow());
  }

  /** The worker that runs it; empty for none. */
  String chosen() {
    return workload().map(it -> it.path("status").path("clusterName").asText("")).orElse("");
  }

  /** Waits until a worker was chosen and lets it run. */
  void runs() {
    fleet.await(name + " runs", () -> !chosen().isEmpty() && isLetRun(fleet.api(chosen())));
  }

  private boolean isLetRun(ApiClient worker) {
    return members().stream()
        .map(it -> worker.get(path(it)).orThrow().json())
        .allMatch(it -> OutageObjects.isLetRun(kind.in(namespace), it) && hasPods(it));
  }

  private boolean hasPods(JsonNode object) {
    return kind != Kind.JOB || object.at("/status/active").asInt() == PODS;
  }

  /** The uids of its objects on the worker that was chosen. */
  Set<String> uidsThere() {
    ApiClient worker = fleet.api(chosen());
    return members().stream()
        .map(it -> worker.get(path(it)).orThrow().json().at("/metadata/uid").asText())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Changes on the manager what is dispatched, of a kind for which that is possible. */
  void changeSpec() {
    switch (kind) {
      case JOB -> fleet.api().mergePatch(path(name), "{\"spec\":{\"parallelism\":1}}").orThrow();
      case JOB_SET ->
          fleet
              .api()
              .jsonPatch(
                  path(name),
                  "[{\"op\":\"add\",\"path\":\"/spec/replicatedJobs/0/replicas\",\"value\":2}]")
              .orThrow();
      case POD_GROUP -> throw new IllegalStateException("Pods do not change");
      case WAGON -> Wagons.changeSpec(fleet.api(), namespace, name);
    }
  }

  /** Ends it on its worker, as kubelets and operators would. */
  void succeed() {
    String worker = chosen();
    switch (kind) {
      case JOB ->
          fleet
              .items(worker, Kind.POD_GROUP.in(namespace))
              .valueStream()
              .filter(it -> it.at("/metadata/labels/job-name").asText().equals(name))
              .map(it -> Kind.POD_GROUP.in(namespace) + "/" + SampleJobs.name(it))
              .forEach(it -> OutageObjects.succeed(fleet.api(worker), it).orThrow());
      case JOB_SET -> OutageObjects.complete(fleet.api(worker), path(name)).orThrow();
      case POD_GROUP ->
          members().forEach(it -> OutageObjects.succeed(fleet.api(worker), path(it)).orThrow());
      case WAGON ->
          Wagons.finish(fleet.api(worker), namespace, name, "Arrived", "at the last stop");
    }
  }

  /** Deletes what is left of it on the manager. */
  void delete() {
    members().forEach(it -> fleet.api().delete(path(it)));
  }
}
