package dev.sluice.multicluster.controller;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.cluster.view.WatchedKind;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A kind of jobs for each way in which one goes to a worker, as a test creates them in memory. */
enum JobFamily {
  JOB(new GroupVersionKind("batch", "v1", "Job"), "jobs", 1),
  JOB_SET(new GroupVersionKind("jobset.x-k8s.io", "v1alpha2", "JobSet"), "jobsets", 1),
  POD_GROUP(new GroupVersionKind("", "v1", "Pod"), "pods", 2),
  EXTERNAL(new GroupVersionKind("example.com", "v1", "Wagon"), "wagons", 1);

  @SuppressWarnings("ImmutableEnumChecker") // a record of strings
  private final GroupVersionKind type;

  private final String plural;

  /** How many objects one job has. */
  private final int members;

  JobFamily(GroupVersionKind type, String plural, int members) {
    this.type = type;
    this.plural = plural;
    this.members = members;
  }

  /** A configuration with all of them. */
  static Configuration configuration() {
    return ConfigurationReader.excerpt(
        Lookup.tree(
            """
            {'namespace': 'home',
             'integrations': {'frameworks': ['batch/job', 'jobset.x-k8s.io/jobset', 'pod'],
               'externalFrameworks': ['Wagon.v1.example.com']},
             'multiKueue': {'externalFrameworks': [{'name': 'Wagon.v1.example.com'}]}}\
            """));
  }

  /** Those that a manager does not watch anyway. */
  static List<WatchedKind> more() {
    return Stream.of(values())
        .filter(it -> it != JOB)
        .map(it -> Clusters.watched(it.type, it.plural))
        .toList();
  }

  String collection() {
    String root = type.group().isEmpty() ? "/api/v1" : "/apis/" + type.apiVersion();
    return root + "/namespaces/ns/" + plural;
  }

  /** The names of the objects of a job. */
  List<String> members(String job) {
    return members == 1
        ? List.of(job)
        : IntStream.range(0, members).mapToObj(it -> job + "-" + it).toList();
  }

  /** One of these objects, as it is on the manager. */
  String object(String name) {
    String more =
        switch (this) {
          case JOB, JOB_SET, EXTERNAL ->
              "'suspend': true, 'managedBy': 'kueue.x-k8s.io/multikueue',"
                  + " 'template': {'spec': {'containers': []}}";
          case POD_GROUP ->
              "'schedulingGates': [{'name': 'kueue.x-k8s.io/admission'}], 'containers': []";
        };
    return """
    {'apiVersion': '%s', 'kind': '%s', 'metadata': {'name': '%3$s', 'namespace': 'ns',
      'uid': '%3$s-job'}, 'spec': {%4$s}, 'status': {}}\
    """
        .formatted(type.apiVersion(), type.kind(), name, more);
  }

  /** The owner references of the Workload of a job. */
  String owners(String job) {
    return String.join(
        ",",
        members(job).stream()
            .map(
                it ->
                    "{'apiVersion': '%s', 'kind': '%s', 'name': '%3$s', 'uid': '%3$s-job'%4$s}"
                        .formatted(
                            type.apiVersion(),
                            type.kind(),
                            it,
                            members == 1 ? ", 'controller': true" : ""))
            .toList());
  }

  /** The annotations of that Workload. */
  String annotations() {
    return members == 1 ? "" : "'kueue.x-k8s.io/is-group-workload': 'true'";
  }
}
