package dev.sluice.api.configuration;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The fields of both documents, for the page about the configuration. */
final class ConfigurationRows {
  /**
   * Fields of Kueue's document: path, another value than the default, use, default in words if the
   * reader has none, effect. All are there since the first release.
   */
  private static final String CONFIGURATION =
      """
      namespace | 'other' | effective | where Sluice runs (`sluice-system`) | the namespace of Sluice
      manageJobsWithoutQueueName | true | effective | | jobs without a queue name are suspended, too
      managedJobsNamespaceSelector | {'matchLabels':{'a':'b'}} | effective | \
      `kubernetes.io/metadata.name` not in `kube-system` and `namespace` | \
      the namespaces whose jobs are managed; must match neither `kube-system` nor a `namespace` that the file names
      integrations.frameworks | ['pod'] | effective | `[batch/job]` | the [kinds of jobs](jobs.md) that are managed
      integrations.externalFrameworks | ['Train.v1.rail.example'] | effective | none | \
      `Kind.version.group` each: these kinds count as managed owners
      integrations.labelKeysToCopy | ['team'] | effective | none | labels that a Workload gets from its job
      featureGates | {'CustomMetricLabels':true} | effective | Kueue's | see [feature gates](#feature-gates)
      waitForPodsReady.timeout | '1m' | effective | | \
      an admitted Workload whose pods are not ready by then is evicted
      waitForPodsReady.recoveryTimeout | '1m' | effective | = `timeout` | the same after pods were ready once
      waitForPodsReady.blockAdmission | true | effective | | nothing else is admitted until the pods are ready
      waitForPodsReady.requeuingStrategy.timestamp | 'Creation' | effective | | \
      the time that orders requeued Workloads
      waitForPodsReady.requeuingStrategy.backoffBaseSeconds | 1 | effective | | \
      seconds before a Workload is requeued for the first time; they double each time
      waitForPodsReady.requeuingStrategy.backoffMaxSeconds | 2 | effective | | the most such seconds
      waitForPodsReady.requeuingStrategy.backoffLimitCount | 3 | effective | no limit | \
      after so many requeues the Workload is deactivated
      objectRetentionPolicies.workloads.afterFinished | '1h' | effective | never | \
      finished Workloads are deleted after that
      objectRetentionPolicies.workloads.afterDeactivatedByKueue | '1h' | effective | never | \
      Workloads that Sluice deactivated are deleted with their jobs after that
      fairSharing.preemptionStrategies | ['LessThanInitialShare'] | effective | required in `fairSharing` | \
      fair sharing with these strategies; off without `fairSharing`
      admissionFairSharing.usageHalfLifeTime | '1h' | effective | | \
      past usage counts half after that; off without `admissionFairSharing`
      admissionFairSharing.usageSamplingInterval | '1m' | effective | | how often usage is added up
      admissionFairSharing.resourceWeights | {'cpu':2} | effective | 1 each | how much each resource counts
      resources.excludeResourcePrefixes | ['x.example/'] | effective | none | \
      resources with these prefixes take no quota
      resources.quotaCheckStrategy | 'IgnoreUndeclared' | effective | | \
      whether a resource that the ClusterQueue does not declare keeps a Workload from being admitted
      resources.transformations[].input | 'x.example/a' | effective | required | the resource that is translated
      resources.transformations[].strategy | 'Replace' | effective | | whether the input counts, too
      resources.transformations[].multiplyBy | 'cpu' | effective | none | \
      the resource whose amount multiplies the outputs
      resources.transformations[].outputs | {'credits':2} | effective | none | what one unit of the input becomes
      resources.deviceClassMappings[].name | 'x.example/gpu' | effective | required | \
      the resource that [devices](../concepts/scheduler.md#devices) of these classes take
      resources.deviceClassMappings[].deviceClassNames | ['gpu.example'] | effective | required | \
      1 to 8 names of DeviceClasses
      resources.deviceClassMappings[].sources[].counter.name | 'memory' | effective | required | \
      each device counts as what it [takes of this counter](../concepts/scheduler.md#devices-by-what-they-take)
      resources.deviceClassMappings[].sources[].counter.driver | 'gpu.example' | effective | required | \
      the driver whose ResourceSlices are read
      resources.deviceClassMappings[].sources[].counter.deviceSelector.cel.expression | 'device.driver != ""' | \
      effective | all devices | which devices of the driver count, in CEL
      resources.deviceClassMappings[].sources[].capacity.name | 'gpu.example/memory' | effective | required | \
      each device counts as what a claim takes of this capacity; needs `KueueDRAIntegrationConsumableCapacity`
      resources.deviceClassMappings[].sources[].capacity.driver | 'gpu.example' | effective | required | \
      the driver whose ResourceSlices are read
      resources.deviceClassMappings[].sources[].capacity.deviceSelector.cel.expression | 'true' | \
      effective | all devices | which devices of the driver count, in CEL
      leaderElection.leaderElect | false | effective | | whether one of several schedulers leads. `--leader-elect` overrides it, as in the Deployment
      leaderElection.resourceLock | 'leases' | effective | | only Leases are supported
      leaderElection.resourceName | 'lock' | effective | | the name of the Lease
      leaderElection.resourceNamespace | 'other' | effective | where Sluice runs, else `namespace` | \
      the namespace of the Lease; outside a cluster `kube-system`, unless it is set here or with `--namespace`
      leaderElection.leaseDuration | '30s' | effective | | after that, another scheduler takes over
      leaderElection.renewDeadline | '12s' | effective | | \
      a leader that could not renew its Lease for so long stops
      leaderElection.retryPeriod | '3s' | effective | | the pause between two attempts
      metrics.bindAddress | ':9999' | warned | | `"0"` is effective: the plain port has no `/metrics`. \
      Otherwise use `--http-host` and `--http-port`: `/metrics` is on the plain port, without TLS
      metrics.enableClusterQueueResources | true | effective | | metrics of each resource of a ClusterQueue
      metrics.localQueueMetrics.enable | false | effective | | metrics of LocalQueues
      metrics.localQueueMetrics.localQueueSelector | {'matchLabels':{'a':'b'}} | effective | all | \
      the LocalQueues that have metrics
      metrics.customLabels[].name | 'team' | effective | required | \
      a label of metrics, with the gate `CustomMetricLabels`
      metrics.customLabels[].sourceKind | 'Cohort' | effective | | the kind of object that its values come \
      from; for `Workload`, the labels and annotations of a job are copied onto its Workload
      metrics.customLabels[].sourceLabelKey | 'team' | effective | = `name` | the label with the value
      metrics.customLabels[].sourceAnnotationKey | 'team' | effective | none | \
      the annotation with the value, in place of the label
      metrics.customLabels[].trackedValues | ['a'] | effective | all; required for `Workload` | \
      the values that are shown
      tls.minVersion | 'VersionTLS13' | effective | `VersionTLS12` | on the HTTPS port, see [TLS](#tls)
      tls.cipherSuites | [] | effective | those of the platform | the suites of TLS 1.2
      tls.curvePreferences | ['X25519'] | effective | those of the platform | the groups for key exchange
      controller.cacheSyncTimeout | '1m' | effective | | \
      if set: how long `serve` waits for its view (otherwise 40 s, `--view-timeout`)
      controller.groupKindConcurrency | {'Job.batch':2} | kept | 1 each | none
      multiKueue.origin | 'hub' | effective | | \
      the label of what is created in [other clusters](../tasks/multicluster.md)
      multiKueue.gcInterval | '2m' | effective | | how often copies without a Workload are looked for
      multiKueue.workerLostTimeout | '1m' | effective | | \
      a Workload whose worker is out of reach for so long is requeued
      multiKueue.dispatcherName | 'kueue.x-k8s.io/multikueue-dispatcher-incremental' | effective | | \
      decides which workers a Workload is offered to
      multiKueue.incrementalDispatcherConfig.stepSize | 2 | effective | | \
      how many workers the incremental dispatcher adds at a time; refused with another one
      multiKueue.externalFrameworks[].name | 'Train.v1.rail.example' | effective | none | `Kind.version.group`: \
      jobs of [other programs](../tasks/multicluster.md#kinds-of-other-programs) go to other clusters
      multiKueue.clusterProfile.accessProviders | \
      [{'name':'a','execConfig':{'command':'c','apiVersion':'v','interactiveMode':'Never'}}] | warned | none | \
      clusters are found by kubeconfigs only, and the command is never run. The older name is `credentialsProviders`
      visibilityServer.bindAddress | '127.0.0.1' | effective | all | in `see`: \
      where the [visibility API](../tasks/visibility.md) is served. `--host` overrides it, as in the Deployment
      visibilityServer.bindPort | 8083 | effective | | the same; `--port` overrides it
      webhook.host | '127.0.0.1' | warned | all | use `--host`
      webhook.port | 9444 | warned | | use `--port`
      webhook.certDir | '/certs' | warned | | use `--cert-dir`
      health.healthProbeBindAddress | ':8082' | warned | | use `--http-host` and `--http-port`
      health.readinessEndpointName | 'ready' | warned | | the path is `/readyz`
      health.livenessEndpointName | 'live' | warned | | the path is `/healthz`
      pprofBindAddress | ':6060' | warned | off | no profiles are served
      clientConnection.qps | 10 | warned | | use `--writers`, which bounds the calls at one time
      clientConnection.burst | 10 | warned | | the same
      internalCertManagement.enable | false | warned | | use `--cert-dir`
      internalCertManagement.webhookServiceName | 'hooks' | warned | | use `--service`
      internalCertManagement.webhookSecretName | 'certs' | warned | | use `--cert-dir`
      """;

  /** Fields of our own document. */
  private static final String EXTENSIONS =
      """
      podGuard.mode | 'warn' | effective | | `deny`, `warn`, or `off`, see \
      [the pod guard](../concepts/pod-guard.md)
      quotaFence.mode | 'warn' | effective | | `deny`, `warn`, or `off`, see [the fence](../concepts/fence.md)
      customKinds[].group | 'rail.example' | effective | required | \
      the API group of a [kind of jobs](jobs.md#other-kinds)
      customKinds[].version | 'v1' | effective | required | its version
      customKinds[].kind | 'Train' | effective | required | its kind
      customKinds[].resource | 'railway' | effective | `kind` in lower case and an s | its plural in URLs
      customKinds[].suspendPath | 'spec.suspend' | effective | none | the field that suspends a job
      customKinds[].podTemplatePaths | ['spec.template'] | effective | none | its pod templates; \
      `[*]` is every item of a list and every value of a map
      customKinds[].managedByPath | 'spec.managedBy' | effective | none | \
      the field that names the controller of a job, for other clusters
      multiKueue.giveUpAfter | '1h' | effective | never | \
      how long a Workload waits for workers, see [several clusters](../tasks/multicluster.md#3-a-job)
      workloads.dropManagedFields | 'all' | effective | | `scheduler`, `all`, or `none`: \
      of which Workloads `metadata.managedFields` is dropped when they are created, see below
      """;

  /** What comes of a field. */
  enum Use {
    EFFECTIVE,
    KEPT,
    WARNED
  }

  /**
   * A field.
   *
   * @param path its path; {@code []} stands for each item of a list
   * @param example another value than the default, as JSON
   * @param byDefault the default in words; empty for that of the reader
   * @param effect what it does, or what to use instead
   */
  record Row(String path, String example, Use use, Optional<String> byDefault, String effect) {
    static final String SINCE = "0.1.0";

    /** Whether a field of that path is this one, or below it. */
    boolean covers(String other) {
      return other.equals(path) || other.startsWith(path + ".") || other.startsWith(path + "[]");
    }
  }

  private ConfigurationRows() {}

  static List<Row> configuration() {
    return rows(CONFIGURATION);
  }

  static List<Row> extensions() {
    return rows(EXTENSIONS);
  }

  private static List<Row> rows(String table) {
    return table.lines().map(ConfigurationRows::row).toList();
  }

  private static Row row(String line) {
    List<String> cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
    return new Row(
        cells.get(0),
        cells.get(1),
        Use.valueOf(cells.get(2).toUpperCase(Locale.ROOT)),
        Optional.of(cells.get(3)).filter(it -> !it.isEmpty()),
        cells.get(4));
  }
}
