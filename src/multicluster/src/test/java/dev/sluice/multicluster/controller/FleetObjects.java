package dev.sluice.multicluster.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.certs.CertificateFolder;
import java.util.Base64;

/** The texts of objects of an {@link InMemoryFleet}. */
final class FleetObjects {
  private FleetObjects() {}

  static String check() {
    return """
    {'metadata': {'name': 'mk'}, 'spec': {'controllerName': 'kueue.x-k8s.io/multikueue',
      'parameters': {'apiGroup': 'kueue.x-k8s.io', 'kind': 'MultiKueueConfig',
      'name': 'c'}}}\
    """;
  }

  /**
   * A MultiKueueCluster.
   *
   * @param type Secret or Path
   * @param location of its kubeconfig
   */
  static String cluster(String name, String type, String location) {
    return """
    {'apiVersion': 'kueue.x-k8s.io/v1beta2', 'kind': 'MultiKueueCluster',
     'metadata': {'name': '%s', 'generation': 1}, 'spec': {'clusterSource':
     {'kubeConfig': {'locationType': '%s', 'location': '%s'}}}}\
    """
        .formatted(name, type, location);
  }

  static String config(String... clusters) {
    return "{'metadata': {'name': 'c'}, 'spec': {'clusters': ['%s']}}"
        .formatted(String.join("','", clusters));
  }

  static String secret(String name, String kubeconfig) {
    return "{'metadata': {'name': '%s', 'namespace': 'home'}, 'data': {'kubeconfig': '%s'}}"
        .formatted(name, base64(kubeconfig));
  }

  /** A kubeconfig of a server on that port of loopback. */
  static String kubeconfig(CertificateFolder certificates, int port, String token) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: c
      cluster:
        server: https://127.0.0.1:%d
        certificate-authority-data: %s
    users: [{name: u, user: {token: %s}}]
    contexts: [{name: x, context: {cluster: c, user: u}}]
    current-context: x
    """
        .formatted(port, base64(certificates.caBundlePem()), token);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  static String job(String namespace, String name) {
    return """
    {'apiVersion': 'batch/v1', 'kind': 'Job', 'metadata': {'name': '%1$s',
      'namespace': '%2$s', 'uid': '%2$s-%1$s-job'}, 'spec': {'suspend': true,
      'managedBy': 'kueue.x-k8s.io/multikueue', 'template': {'spec': {'containers': []}}}}\
    """
        .formatted(name, namespace);
  }

  /** The owner reference of the Workload of that Job. */
  static String owner(String namespace, String job) {
    return """
    {'apiVersion': 'batch/v1', 'kind': 'Job', 'name': '%1$s', 'uid': '%2$s-%1$s-job',
     'controller': true}\
    """
        .formatted(job, namespace);
  }

  /** A Workload with quota, whose check waits. */
  static String workload(String namespace, String name, String owners, String annotations) {
    return """
    {'apiVersion': 'kueue.x-k8s.io/v1beta2', 'kind': 'Workload',
     'metadata': {'name': '%1$s', 'namespace': '%2$s', 'generation': 1,
       'annotations': {%4$s}, 'ownerReferences': [%3$s]},
     'spec': {'queueName': 'lq', 'active': true, 'podSets': [{'name': 'main', 'count': 1,
       'template': {'spec': {'containers': []}}}]},
     'status': {'admission': {'clusterQueue': 'cq', 'podSetAssignments': [{'name': 'main'}]},
       'admissionChecks': [{'name': 'mk', 'state': 'Pending', 'message': '',
         'lastTransitionTime': '2026-11-24T09:00:00Z'}],
       'conditions': [{'type': 'QuotaReserved', 'status': 'True', 'reason': 'QuotaReserved',
         'message': '', 'lastTransitionTime': '2026-11-24T09:00:00Z'}]}}\
    """
        .formatted(name, namespace, owners, annotations);
  }
}
