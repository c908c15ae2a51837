package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.Documents.accepted;
import static dev.sluice.api.configuration.Documents.configuration;
import static dev.sluice.api.configuration.Documents.extensions;
import static dev.sluice.api.configuration.Documents.json;
import static dev.sluice.api.configuration.Documents.problems;
import static dev.sluice.api.configuration.Documents.v1beta1;
import static dev.sluice.api.configuration.Documents.v1beta2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.Quantity;
import dev.sluice.api.configuration.Scheduling.PreemptionStrategy;
import dev.sluice.api.meta.LabelSelector;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationReaderTest {
  private static final String NAME = "kubernetes.io/metadata.name";

  @Test
  void manageJobsOfTheJobKindInAllNamespacesButTwoByDefault() {
    Configuration defaults = Configuration.defaults("sluice-system");

    assertThat(defaults.namespace()).isEqualTo("sluice-system");
    assertThat(defaults.jobs().withoutQueueName()).isFalse();
    assertThat(defaults.jobs().frameworks()).containsExactly(Framework.JOB);
    assertThat(defaults.jobs().externalFrameworks()).isEmpty();
    assertThat(defaults.jobs().labelKeysToCopy()).isEmpty();
    assertThat(defaults.jobs().namespaces().matches(Map.of(NAME, "team-a"))).isTrue();
    assertThat(defaults.jobs().namespaces().matches(Map.of(NAME, "kube-system"))).isFalse();
    assertThat(defaults.jobs().namespaces().matches(Map.of(NAME, "sluice-system"))).isFalse();
    assertThat(defaults.given()).isEmpty();
  }

  @Test
  void knowsThePeersDefaultsOfTheProcess() {
    Manager manager = Configuration.defaults("n").manager();

    assertThat(manager.webhook())
        .isEqualTo(new Manager.Webhook("", 9443, "/tmp/k8s-webhook-server/serving-certs"));
    assertThat(manager.metrics().bindAddress()).isEqualTo(":8443");
    assertThat(manager.metrics().clusterQueueResources()).isFalse();
    assertThat(manager.metrics().localQueues()).isTrue();
    assertThat(manager.health()).isEqualTo(new Manager.Health(":8081", "readyz", "healthz"));
    assertThat(manager.pprofBindAddress()).isEmpty();
    assertThat(manager.leaderElection())
        .isEqualTo(
            new Manager.LeaderElection(
                true,
                "leases",
                "c1f6bfd2.kueue.x-k8s.io",
                "n",
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2)));
    assertThat(manager.controller())
        .isEqualTo(new Manager.Controller(Map.of(), Duration.ofMinutes(2)));
    assertThat(manager.client()).isEqualTo(new Manager.Client(300, 500));
    assertThat(manager.certificates())
        .isEqualTo(
            new Manager.Certificates(true, "kueue-webhook-service", "kueue-webhook-server-cert"));
    assertThat(manager.visibility()).isEqualTo(new Manager.Visibility("", 8082));
  }

  @Test
  void knowsThePeersDefaultsOfScheduling() {
    Scheduling scheduling = Configuration.defaults("n").scheduling();

    Scheduling.WaitForPodsReady wait = scheduling.waitForPodsReady().orElseThrow();
    assertThat(wait.timeout()).isEqualTo(Duration.ofMinutes(30));
    assertThat(wait.recoveryTimeout()).isEqualTo(Duration.ofMinutes(30));
    assertThat(wait.blockAdmission()).isFalse();
    assertThat(wait.requeuing().byCreation()).isFalse();
    assertThat(wait.requeuing().backoffLimit()).isEmpty();
    assertThat(wait.requeuing().backoffBase()).isEqualTo(Duration.ofSeconds(60));
    assertThat(wait.requeuing().backoffMax()).isEqualTo(Duration.ofHours(1));
    assertThat(scheduling.fairSharing()).isEmpty();
    assertThat(scheduling.admissionFairSharing()).isEmpty();
    assertThat(scheduling.resources().ignoreUndeclared()).isFalse();
    assertThat(scheduling.multiKueue().gcInterval()).isEqualTo(Duration.ofMinutes(1));
    assertThat(scheduling.multiKueue().origin()).isEqualTo("multikueue");
    assertThat(scheduling.multiKueue().workerLostTimeout()).isEqualTo(Duration.ofMinutes(15));
    assertThat(scheduling.multiKueue().dispatcherName())
        .isEqualTo("kueue.x-k8s.io/multikueue-dispatcher-all-at-once");
    assertThat(scheduling.multiKueue().stepSize()).isEmpty();
    assertThat(scheduling.retention().afterFinished()).isEmpty();
    assertThat(scheduling.retention().afterDeactivatedByKueue()).isEmpty();
  }

  /** What Kueue's own installation ships, so what most people have. */
  @Test
  void takesThePeersShippedFileAsItIs() {
    Configuration shipped =
        configuration(
            """
            health: {healthProbeBindAddress: ':8081'},
            metrics: {bindAddress: ':8443'},
            webhook: {port: 9443},
            leaderElection: {leaderElect: true, resourceName: 'c1f6bfd2.kueue.x-k8s.io'},
            controller: {groupKindConcurrency: {'Job.batch': 5, Pod: 5, 'Workload.kueue.x-k8s.io': 10,
              'LocalQueue.kueue.x-k8s.io': 5, 'Cohort.kueue.x-k8s.io': 1,
              'ClusterQueue.kueue.x-k8s.io': 5, 'ResourceFlavor.kueue.x-k8s.io': 1}},
            clientConnection: {qps: 50, burst: 100},
            integrations: {frameworks: ['batch/job', 'kubeflow.org/mpijob', 'ray.io/rayjob',
              'ray.io/raycluster', 'ray.io/rayservice', 'jobset.x-k8s.io/jobset',
              'workload.codeflare.dev/appwrapper', 'trainer.kubeflow.org/trainjob', 'pod',
              'deployment', 'statefulset', 'leaderworkerset.x-k8s.io/leaderworkerset']}\
            """);

    assertThat(shipped.jobs().frameworks()).hasSize(12).doesNotContain(Framework.PYTORCH_JOB);
    assertThat(shipped.manager().controller().concurrency())
        .containsEntry("Job.batch", 5)
        .containsEntry("Workload.kueue.x-k8s.io", 10);
    assertThat(shipped.sets("webhook.port")).isTrue();
    assertThat(shipped.sets("webhook.host")).isFalse();
  }

  @Test
  void readsWhatIsSet() {
    Configuration set =
        configuration(
            """
            namespace: 'gate',
            manageJobsWithoutQueueName: true,
            managedJobsNamespaceSelector: {matchLabels: {managed: 'yes'}, matchExpressions: [
              {key: tier, operator: In, values: [a, b]}, {key: old, operator: DoesNotExist}]},
            integrations: {frameworks: [deployment], labelKeysToCopy: ['team', 'example.com/unit'],
              externalFrameworks: ['Foo.v1.example.com']},
            webhook: {host: '::1', port: 8443, certDir: '/certs'},
            waitForPodsReady: {timeout: '10m', recoveryTimeout: '0s', blockAdmission: true,
              requeuingStrategy: {timestamp: Creation, backoffLimitCount: 3}},
            fairSharing: {preemptionStrategies: [LessThanInitialShare]},
            admissionFairSharing: {usageHalfLifeTime: '1h30m', resourceWeights: {cpu: 2.5}},
            resources: {excludeResourcePrefixes: ['example.com/'], quotaCheckStrategy: IgnoreUndeclared,
              transformations: [{input: gpu, strategy: Replace, outputs: {credits: 50}}]},
            multiKueue: {dispatcherName: 'kueue.x-k8s.io/multikueue-dispatcher-incremental',
              gcInterval: '0s', incrementalDispatcherConfig: {stepSize: 5}},
            objectRetentionPolicies: {workloads: {afterFinished: '24h'}},
            metrics: {localQueueMetrics: {localQueueSelector: {matchLabels: {a: b}}}}\
            """);

    assertThat(set.namespace()).isEqualTo("gate");
    assertThat(set.jobs().withoutQueueName()).isTrue();
    assertThat(set.jobs().namespaces().matches(Map.of("managed", "yes", "tier", "b"))).isTrue();
    assertThat(set.jobs().namespaces().matches(Map.of("managed", "yes", "tier", "c"))).isFalse();
    assertThat(set.jobs().isEnabled(Framework.POD)).isTrue();
    assertThat(set.jobs().isEnabled(Framework.JOB)).isFalse();
    assertThat(set.jobs().isExternal("example.com", "Foo")).isTrue();
    assertThat(set.jobs().labelKeysToCopy()).containsExactly("team", "example.com/unit");
    assertThat(set.manager().webhook()).isEqualTo(new Manager.Webhook("::1", 8443, "/certs"));
    Scheduling.WaitForPodsReady wait = set.scheduling().waitForPodsReady().orElseThrow();
    assertThat(wait.recoveryTimeout()).isZero();
    assertThat(wait.requeuing().byCreation()).isTrue();
    assertThat(wait.requeuing().backoffLimit()).hasValue(3);
    assertThat(set.scheduling().fairSharing().orElseThrow().preemptionStrategies())
        .containsExactly(PreemptionStrategy.LESS_THAN_INITIAL_SHARE);
    assertThat(set.scheduling().admissionFairSharing().orElseThrow().usageHalfLife())
        .isEqualTo(Duration.ofMinutes(90));
    assertThat(set.scheduling().admissionFairSharing().orElseThrow().resourceWeights())
        .containsEntry("cpu", 2.5);
    assertThat(set.scheduling().resources().ignoreUndeclared()).isTrue();
    assertThat(set.scheduling().resources().transformations())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.replace()).isTrue();
              assertThat(one.outputs())
                  .containsEntry("credits", Quantity.parse("50").orElseThrow());
            });
    assertThat(set.scheduling().multiKueue().stepSize()).hasValue(5);
    assertThat(set.scheduling().retention().afterFinished()).contains(Duration.ofHours(24));
    assertThat(set.manager().metrics().localQueueSelector().matches(Map.of())).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      textBlock =
          """
          webhook: {port: 0}                                                              | webhook.port                          | INVALID
          webhook: {port: 65536}                                                          | webhook.port                          | INVALID
          webhook: {port: '9443'}                                                         | webhook.port                          | INVALID
          webhook: {port: 9443.5}                                                         | webhook.port                          | INVALID
          webhook: []                                                                     | webhook                               | INVALID
          webhook: {certdir: '/x'}                                                        | webhook.certdir                       | UNKNOWN_FIELD
          visibilityServer: {bindPort: 70000}                                             | visibilityServer.bindPort             | INVALID
          metrics: {bindAddress: 'nowhere'}                                               | metrics.bindAddress                   | INVALID
          internalCertManagement: {webhookServiceName: '1up'}                             | internalCertManagement.webhookServiceName | INVALID
          internalCertManagement: {webhookSecretName: 'A_B'}                              | internalCertManagement.webhookSecretName | INVALID
          namespace: 'a.b'                                                                | namespace                             | INVALID
          manageJobsWithoutQueueName: 'true'                                              | manageJobsWithoutQueueName            | INVALID
          managedJobsNamespaceSelector: {}                                                | managedJobsNamespaceSelector          | INVALID
          managedJobsNamespaceSelector: {matchLabels: {'kubernetes.io/metadata.name': kube-system}} | managedJobsNamespaceSelector | INVALID
          managedJobsNamespaceSelector: {matchExpressions: [{key: a, operator: Equals}, {key: b, operator: Exists}]} | managedJobsNamespaceSelector.matchExpressions[0].operator | NOT_SUPPORTED
          managedJobsNamespaceSelector: {matchExpressions: [{key: a, operator: In, values: []}, {key: b, operator: Exists}]} | managedJobsNamespaceSelector.matchExpressions[0].values | REQUIRED
          managedJobsNamespaceSelector: {matchExpressions: [{key: a, operator: Exists, values: [b]}, {key: b, operator: Exists}]} | managedJobsNamespaceSelector.matchExpressions[0].values | FORBIDDEN
          managedJobsNamespaceSelector: {matchExpressions: [{key: '-', operator: Exists}]} | managedJobsNamespaceSelector.matchExpressions[0].key | INVALID
          integrations: {frameworks: ['batch/jobs']}                                      | integrations.frameworks[0]            | NOT_SUPPORTED
          integrations: {frameworks: ['batch/job', pod, 'batch/job']}                     | integrations.frameworks[2]            | DUPLICATE
          integrations: {frameworks: ['sparkoperator.k8s.io/sparkapplication']}           | integrations.frameworks[0]            | FORBIDDEN
          integrations: {frameworks: 'batch/job'}                                         | integrations.frameworks               | INVALID
          integrations: {frameworks: []}                                                  | integrations.frameworks               | REQUIRED
          integrations: {externalFrameworks: ['Foo']}                                     | integrations.externalFrameworks[0]    | INVALID
          integrations: {externalFrameworks: ['Foo.v1.x.y', 'Foo.v1.x.y']}                | integrations.externalFrameworks[1]    | DUPLICATE
          integrations: {externalFrameworks: ['Job.v1.batch']}                            | integrations.externalFrameworks[0]    | FORBIDDEN
          integrations: {labelKeysToCopy: ['a/b/c']}                                      | integrations.labelKeysToCopy[0]       | INVALID
          integrations: {podOptions: {}}                                                  | integrations.podOptions               | UNKNOWN_FIELD
          queueVisibility: {}                                                             | queueVisibility                       | UNKNOWN_FIELD
          waitForPodsReady: {enable: true}                                                | waitForPodsReady.enable               | UNKNOWN_FIELD
          waitForPodsReady: {timeout: '-1s'}                                              | waitForPodsReady.timeout              | INVALID
          waitForPodsReady: {timeout: 300}                                                | waitForPodsReady.timeout              | INVALID
          waitForPodsReady: {requeuingStrategy: {timestamp: Deletion}}                    | waitForPodsReady.requeuingStrategy.timestamp | NOT_SUPPORTED
          waitForPodsReady: {requeuingStrategy: {backoffBaseSeconds: -1}}                 | waitForPodsReady.requeuingStrategy.backoffBaseSeconds | INVALID
          fairSharing: {}                                                                 | fairSharing.preemptionStrategies      | REQUIRED
          fairSharing: {preemptionStrategies: []}                                         | fairSharing.preemptionStrategies      | NOT_SUPPORTED
          fairSharing: {preemptionStrategies: [LessThanInitialShare, LessThanOrEqualToFinalShare]} | fairSharing.preemptionStrategies | NOT_SUPPORTED
          admissionFairSharing: {usageSamplingInterval: '0s'}                             | admissionFairSharing.usageSamplingInterval | INVALID
          admissionFairSharing: {resourceWeights: {cpu: -1}}                              | admissionFairSharing.resourceWeights[cpu] | INVALID
          objectRetentionPolicies: {workloads: {afterFinished: '-1h'}}                    | objectRetentionPolicies.workloads.afterFinished | INVALID
          resources: {quotaCheckStrategy: Maybe}                                          | resources.quotaCheckStrategy          | NOT_SUPPORTED
          resources: {transformations: [{input: a}, {input: a}]}                          | resources.transformations[1].input    | DUPLICATE
          resources: {transformations: [{input: a, strategy: Add}]}                       | resources.transformations[0].strategy | NOT_SUPPORTED
          resources: {transformations: [{input: a, outputs: {b: 'much'}}]}                | resources.transformations[0].outputs[b] | INVALID
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: []}]}           | resources.deviceClassMappings[0].deviceClassNames | REQUIRED
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [a]}, {name: tpu, deviceClassNames: [a]}]} | resources.deviceClassMappings[1].deviceClassNames[0] | DUPLICATE
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [a], sources: [{counter: {driver: x.y}}]}]} | resources.deviceClassMappings[0].sources[0].counter.name | REQUIRED
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [a], sources: [{counter: {name: m}}]}]} | resources.deviceClassMappings[0].sources[0].counter.driver | REQUIRED
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [a], sources: [{counter: {name: m, driver: X}}]}]} | resources.deviceClassMappings[0].sources[0].counter.driver | INVALID
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [a], sources: [{counter: {name: '-', driver: x}}]}]} | resources.deviceClassMappings[0].sources[0].counter.name | INVALID
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [a], sources: [{}]}]} | resources.deviceClassMappings[0].sources[0].counter | REQUIRED
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [a], sources: [{capacity: {name: m, driver: x}}]}]} | resources.deviceClassMappings[0].sources[0].capacity | FORBIDDEN
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [a], sources: [{counter: {name: m, driver: x}}]}]}, featureGates: {KueueDRAIntegrationPartitionableDevices: false} | resources.deviceClassMappings[0].sources[0].counter | FORBIDDEN
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [a], sources: [{counter: {name: m, driver: x}, capacity: {name: m, driver: x}}]}]}, featureGates: {KueueDRAIntegrationConsumableCapacity: true} | resources.deviceClassMappings[0].sources[0].counter | INVALID
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [a], sources: [{counter: {name: m, driver: x}}, {capacity: {name: m, driver: x}}]}]}, featureGates: {KueueDRAIntegrationConsumableCapacity: true} | resources.deviceClassMappings[0].sources | INVALID
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [a], sources: [{counter: {name: m, driver: x, deviceSelector: {cel: {expression: 'device ='}}}}]}]} | resources.deviceClassMappings[0].sources[0].counter.deviceSelector.cel.expression | INVALID
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [a], sources: [{counter: {name: m, driver: x, deviceSelector: {}}}]}]} | resources.deviceClassMappings[0].sources[0].counter.deviceSelector.cel.expression | REQUIRED
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [a], sources: [{counter: {name: m, driver: x}}]}, {name: tpu, deviceClassNames: [a], sources: [{counter: {name: m, driver: x}}]}]} | resources.deviceClassMappings[1].deviceClassNames[0] | DUPLICATE
          resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [a], sources: [{counter: {name: m, driver: x}}]}, {name: tpu, deviceClassNames: [a]}]} | resources.deviceClassMappings[1].deviceClassNames[0] | DUPLICATE
          multiKueue: {gcInterval: '-1m'}                                                 | multiKueue.gcInterval                 | INVALID
          multiKueue: {origin: 'a b'}                                                     | multiKueue.origin                     | INVALID
          multiKueue: {incrementalDispatcherConfig: {stepSize: 2}}                        | multiKueue.incrementalDispatcherConfig | FORBIDDEN
          multiKueue: {externalFrameworks: [{name: 'Job.v1.batch'}]}                      | multiKueue.externalFrameworks[0].name | FORBIDDEN
          multiKueue: {clusterProfile: {accessProviders: [], credentialsProviders: []}}   | multiKueue.clusterProfile.credentialsProviders | FORBIDDEN
          multiKueue: {clusterProfile: {accessProviders: [{name: a, execConfig: {command: x, apiVersion: v1}}]}} | multiKueue.clusterProfile.accessProviders[0].execConfig.interactiveMode | REQUIRED
          metrics: {customLabels: [{name: '1a'}]}                                         | metrics.customLabels[0].name          | INVALID
          metrics: {customLabels: [{name: a, sourceKind: Workload}]}                      | metrics.customLabels[0].trackedValues | REQUIRED
          metrics: {customLabels: [{name: a, sourceLabelKey: b, sourceAnnotationKey: c}]} | metrics.customLabels[0].sourceAnnotationKey | INVALID
          tls: {minVersion: 'TLS1.2'}                                                     | tls.minVersion                        | NOT_SUPPORTED
          tls: {minVersion: VersionTLS13, cipherSuites: [TLS_AES_128_GCM_SHA256]}         | tls.cipherSuites                      | FORBIDDEN
          tls: {cipherSuites: [TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA265]}                  | tls.cipherSuites[0]                   | NOT_SUPPORTED
          tls: {cipherSuites: [TLS_RSA_WITH_AES_128_GCM_SHA256]}                          | tls.cipherSuites[0]                   | NOT_SUPPORTED
          tls: {cipherSuites: [TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA]}                     | tls.cipherSuites[0]                   | NOT_SUPPORTED
          tls: {cipherSuites: [TLS_ECDHE_RSA_WITH_RC4_128_SHA]}                           | tls.cipherSuites[0]                   | NOT_SUPPORTED
          tls: {cipherSuites: ['']}                                                       | tls.cipherSuites[0]                   | NOT_SUPPORTED
          tls: {curvePreferences: [X25519, X25519MLKEM768]}                               | tls.curvePreferences[1]               | NOT_SUPPORTED
          tls: {curvePreferences: [1]}                                                    | tls.curvePreferences[0]               | NOT_SUPPORTED
          tls: {curvePreferences: X25519}                                                 | tls.curvePreferences                  | INVALID
          controller: {groupKindConcurrency: {Pod: 0}}                                    | controller.groupKindConcurrency[Pod]  | INVALID
          leaderElection: {leaseDuration: '10s'}                                          | leaderElection.leaseDuration          | INVALID
          leaderElection: {retryPeriod: '9s'}                                             | leaderElection.renewDeadline          | INVALID
          leaderElection: {retryPeriod: '0s'}                                             | leaderElection.retryPeriod            | INVALID
          leaderElection: {resourceLock: 'endpoints'}                                     | leaderElection.resourceLock           | INVALID
          leaderElection: {leaseDuration: 'soon'}                                         | leaderElection.leaseDuration          | INVALID
          clientConnection: {qps: '300'}                                                  | clientConnection.qps                  | INVALID
          featureGates: {NoSuchThing: true}                                               | featureGates[NoSuchThing]             | NOT_SUPPORTED
          featureGates: {MultiKueue: 'true'}                                              | featureGates[MultiKueue]              | INVALID
          featureGates: {TLSOptions: false}                                               | featureGates[TLSOptions]              | INVALID
          featureGates: {FlavorFungibility: false}                                        | featureGates                          | INVALID
          """)
  void refusesWhatIsWrongAtItsPath(String members, String path, Problem.Type type) {
    List<Problem> problems = problems(v1beta2(members));

    assertThat(problems)
        .extracting(Problem::path, Problem::type)
        .containsExactly(tuple(path, type));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      textBlock =
          """
          webhook: {prot: 1}                                | webhook.prot: unknown field (did you mean webhook.port?)
          manageJobsWithoutQueuename: true                  | manageJobsWithoutQueuename: unknown field (did you mean manageJobsWithoutQueueName?)
          frameworks: ['batch/job']                         | frameworks: unknown field (it belongs at integrations.frameworks)
          multiKueue: {timeout: '1s'}                       | multiKueue.timeout: unknown field (it belongs at waitForPodsReady.timeout)
          health: {zzz: 1}                                  | health.zzz: unknown field (expected: one of healthProbeBindAddress, readinessEndpointName, livenessEndpointName)
          integrations: {frameworks: [pods]}                | did you mean pod?
          featureGates: {TopologyAwareSheduling: true}      | (did you mean TopologyAwareScheduling?)
          """)
  void saysWhatWasProbablyMeant(String members, String sentence) {
    assertThat(problems(v1beta2(members))).singleElement().asString().contains(sentence);
  }

  @Test
  void refusesANameForDevicesThatIsLongerThanAnyResourceName() {
    String name = "a.".repeat(110) + "b/" + "c".repeat(32);
    String mapping = "resources: {deviceClassMappings: [{name: '%s', deviceClassNames: [a]}]}";

    assertThat(problems(v1beta2(mapping.formatted(name.substring(2))))).isEmpty();
    assertThat(problems(v1beta2(mapping.formatted(name))))
        .singleElement()
        .asString()
        .contains("resources.deviceClassMappings[0].name: 254 characters (expected: at most 253)");
  }

  @Test
  void reportsAllProblemsTogetherEachWithItsDocument() {
    List<Problem> problems =
        problems(
            v1beta2("webhook: {port: 0, hots: x}, fairSharing: {}, featureGates: {Nope: true}"),
            extensions("podGuard: {mode: maybe}, quotaFence: {mode: 1}"),
            json("{apiVersion: v1, kind: ConfigMap}"));

    assertThat(problems)
        .extracting(Problem::document, Problem::path)
        .containsExactlyInAnyOrder(
            tuple(0, "webhook.port"),
            tuple(0, "webhook.hots"),
            tuple(0, "fairSharing.preemptionStrategies"),
            tuple(0, "featureGates[Nope]"),
            tuple(1, "podGuard.mode"),
            tuple(1, "quotaFence.mode"),
            tuple(2, ""));
    assertThat(problems).extracting(Problem::document).isSorted();
  }

  @Test
  void refusesTwoDocumentsOfOneKind() {
    assertThat(problems(v1beta2(""), v1beta1("")))
        .singleElement()
        .satisfies(problem -> assertThat(problem.type()).isEqualTo(Problem.Type.DUPLICATE));
  }

  @Test
  void warnsWhereTheNamespaceOfAnotherInstallationIsGuardedAndNotOurs() {
    Reading.Accepted accepted =
        accepted(
            v1beta2(
                """
                namespace: 'kueue-system', managedJobsNamespaceSelector: {matchExpressions: [{
                  key: 'kubernetes.io/metadata.name', operator: NotIn,
                  values: [kube-system, kueue-system]}]}\
                """));

    assertThat(accepted.warnings())
        .singleElement()
        .asString()
        .startsWith("managedJobsNamespaceSelector: matches sluice-system");
  }

  @Test
  void withoutASelectorNoJobsAreManagedWhereThisProcessRunsWhateverNamespaceTheFileNames() {
    LabelSelector managed =
        accepted(v1beta2("namespace: 'kueue-system'")).configuration().jobs().namespaces();

    for (String own : List.of("kube-system", "kueue-system", "sluice-system")) {
      assertThat(managed.matches(Map.of("kubernetes.io/metadata.name", own))).as(own).isFalse();
    }
    assertThat(managed.matches(Map.of("kubernetes.io/metadata.name", "team"))).isTrue();
  }

  @Test
  void refusesAWeightBeyondAllNumbers() {
    String weight = "9".repeat(400);

    assertThat(problems(v1beta2("admissionFairSharing: {resourceWeights: {cpu: " + weight + "}}")))
        .singleElement()
        .satisfies(it -> assertThat(it.path()).endsWith("resourceWeights[cpu]"));
  }

  @Test
  void aSelectorThatWasMadeForKueueIsAcceptedWithAWarning() {
    Reading.Accepted accepted =
        accepted(
            v1beta2(
                """
                managedJobsNamespaceSelector: {matchExpressions: [{
                  key: 'kubernetes.io/metadata.name', operator: NotIn,
                  values: [kube-system, kueue-system]}]}\
                """));

    assertThat(accepted.warnings())
        .singleElement()
        .asString()
        .startsWith("managedJobsNamespaceSelector: matches sluice-system");
  }

  @Test
  void aProcessThatKnowsItsNamespaceHasItsLeaseAndSecretsThere() {
    Configuration ofKueue = accepted(v1beta2("namespace: 'kueue-system'")).configuration();
    Configuration elsewhere =
        accepted(v1beta2("leaderElection: {resourceNamespace: 'leases'}")).configuration();

    assertThat(ofKueue.in("sluice-system").namespace()).isEqualTo("sluice-system");
    assertThat(ofKueue.in("sluice-system").manager().leaderElection().resourceNamespace())
        .isEqualTo("sluice-system");
    assertThat(elsewhere.in("sluice-system").manager().leaderElection().resourceNamespace())
        .isEqualTo("leases");
  }

  @Test
  void readsTheOlderVersionWithItsSwitchesAndDefaults() {
    Reading.Accepted accepted =
        accepted(
            v1beta1(
                """
                waitForPodsReady: {enable: true}, fairSharing: {enable: true},
                queueVisibility: {updateIntervalSeconds: 5},
                integrations: {podOptions: {namespaceSelector: {}}},
                multiKueue: {clusterProfile: {credentialsProviders: [{name: a, execConfig:
                  {command: x, apiVersion: v1, interactiveMode: Never}}]}}\
                """));

    Scheduling scheduling = accepted.configuration().scheduling();
    assertThat(scheduling.waitForPodsReady().orElseThrow().timeout())
        .isEqualTo(Duration.ofMinutes(5));
    assertThat(scheduling.waitForPodsReady().orElseThrow().blockAdmission()).isTrue();
    assertThat(scheduling.fairSharing().orElseThrow().preemptionStrategies())
        .containsExactly(
            PreemptionStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
            PreemptionStrategy.LESS_THAN_INITIAL_SHARE);
    assertThat(scheduling.multiKueue().accessProviders()).hasSize(1);
    assertThat(accepted.warnings())
        .extracting(Problem::path)
        .containsExactlyInAnyOrder(
            "queueVisibility",
            "integrations.podOptions",
            "multiKueue.clusterProfile.credentialsProviders");
  }

  @Test
  void leavesSwitchesOfTheOlderVersionOffUnlessTheyAreOn() {
    Scheduling scheduling =
        accepted(v1beta1("waitForPodsReady: {enable: false}, fairSharing: {}"))
            .configuration()
            .scheduling();

    assertThat(scheduling.waitForPodsReady()).isEmpty();
    assertThat(scheduling.fairSharing()).isEmpty();
  }

  @Test
  void waitsForNoPodsWhereAGateSaysSoAtEitherVersion() {
    String off = "featureGates: {DisableWaitForPodsReady: true}";

    assertThat(accepted(v1beta2(off)).configuration().scheduling().waitForPodsReady()).isEmpty();
    assertThat(
            accepted(v1beta1(off + ", waitForPodsReady: {enable: true}"))
                .configuration()
                .scheduling()
                .waitForPodsReady())
        .isEmpty();
  }

  @Test
  void enablesSparkWithItsGate() {
    assertThat(
            configuration(
                    """
                    featureGates: {SparkApplicationIntegration: true},
                    integrations: {frameworks: ['sparkoperator.k8s.io/sparkapplication']}\
                    """)
                .jobs()
                .isEnabled(Framework.SPARK_APPLICATION))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "'', SCHEDULER",
    "'workloads: {dropManagedFields: scheduler}', SCHEDULER",
    "'workloads: {dropManagedFields: all}', ALL",
    "'workloads: {dropManagedFields: none}', NONE",
  })
  void readsOfWhichWorkloadsManagedFieldsAreDropped(
      String text, Extensions.DropManagedFields expected) {
    assertThat(accepted(extensions(text)).extensions().workloads().dropManagedFields())
        .isEqualTo(expected);
  }

  @Test
  void readsTheGuardOfPodsAndKindsOfOthers() {
    Extensions extensions =
        accepted(
                extensions(
                    """
                    podGuard: {mode: warn}, quotaFence: {mode: 'off'}, customKinds: [
                      {group: example.com, version: v1, kind: Train, suspendPath: 'spec.halt',
                       podTemplatePaths: ['spec.cars[*].template'], managedByPath: 'spec.managedBy'},
                      {group: example.com, version: v1, kind: Ferry, resource: ferries,
                       podTemplatePaths: ['spec.template']}]\
                    """))
            .extensions();

    assertThat(extensions.podGuard().mode()).isEqualTo(Extensions.Mode.WARN);
    assertThat(extensions.quotaFence().mode()).isEqualTo(Extensions.Mode.OFF);
    assertThat(extensions.customKinds())
        .extracting(CustomKind::type, CustomKind::resource, kind -> kind.suspendPath().isPresent())
        .containsExactly(
            tuple(new GroupVersionKind("example.com", "v1", "Train"), "trains", true),
            tuple(new GroupVersionKind("example.com", "v1", "Ferry"), "ferries", false));
    assertThat(extensions.customKinds().getFirst().podTemplatePaths())
        .extracting(ObjectPath::toString)
        .containsExactly("spec.cars[*].template");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      textBlock =
          """
          {group: a.b, version: v1, kind: Train}                                   | suspendPath         | REQUIRED
          {group: a.b, version: v1, kind: Train, suspendPath: 'spec..x'}           | suspendPath         | INVALID
          {group: a.b, version: v1, kind: Train, suspendPath: 'spec.x[*].y'}       | suspendPath         | INVALID
          {group: a.b, version: v1, kind: Train, podTemplatePaths: ['spec[0]']}    | podTemplatePaths[0] | INVALID
          {group: a.b, version: v1, kind: train, suspendPath: 'spec.suspend'}      | kind                | INVALID
          {group: '', version: v1, kind: Train, suspendPath: 'spec.suspend'}       | group               | INVALID
          {group: a.b, version: V1, kind: Train, suspendPath: 'spec.suspend'}      | version             | INVALID
          {group: batch, version: v1, kind: Job, suspendPath: 'spec.suspend'}      | kind                | FORBIDDEN
          {group: a.b, version: v1, kind: Train, suspend: 'spec.suspend'}          | suspend             | UNKNOWN_FIELD
          """)
  void refusesKindsOfOthersThatSayTooLittle(String entry, String field, Problem.Type type) {
    assertThat(problems(extensions("customKinds: [" + entry + "]")))
        .extracting(Problem::path, Problem::type)
        .contains(tuple("customKinds[0]." + field, type));
  }

  @Test
  void refusesAKindThatIsNamedTwice() {
    assertThat(
            problems(
                v1beta2("integrations: {externalFrameworks: ['Train.v1.a.b']}"),
                extensions(
                    """
                    customKinds: [{group: a.b, version: v1, kind: Train, suspendPath: 'spec.s'},
                      {group: a.b, version: v2, kind: Train, suspendPath: 'spec.s'}]\
                    """)))
        .extracting(Problem::document, Problem::path, Problem::type)
        .containsExactly(
            tuple(1, "customKinds[0].kind", Problem.Type.FORBIDDEN),
            tuple(1, "customKinds[1].kind", Problem.Type.DUPLICATE));
  }

  @Test
  void aLimitOfWaitingForWorkersIsReadAndNeverZero() {
    assertThat(accepted(extensions("podGuard: {}")).extensions().multiKueue().giveUpAfter())
        .isEmpty();
    assertThat(
            accepted(extensions("multiKueue: {giveUpAfter: '30m'}"))
                .extensions()
                .multiKueue()
                .giveUpAfter())
        .contains(Duration.ofMinutes(30));
    assertThat(problems(extensions("multiKueue: {giveUpAfter: '0s'}")))
        .extracting(Problem::path, Problem::type)
        .containsExactly(tuple("multiKueue.giveUpAfter", Problem.Type.INVALID));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "1", "'text'", "null", "{}", "{apiVersion: 3, kind: []}"})
  void refusesWhatIsNoConfigurationAtAll(String document) {
    assertThat(problems(json(document)))
        .singleElement()
        .asString()
        .contains("config.kueue.x-k8s.io/v1beta2 Configuration");
  }

  static LongStream seeds() {
    return LongStream.range(0, 400);
  }

  /** A law: whatever stands in a document, the answer is a value and says why. */
  @ParameterizedTest
  @MethodSource("seeds")
  void answersAnyTree(long seed) {
    Random random = new Random(seed);
    ObjectNode document = (ObjectNode) v1beta2("").deepCopy();
    for (int i = 0; i < 8; i++) {
      document.set(FIELDS.get(random.nextInt(FIELDS.size())), tree(random, 4));
    }

    assertThat(problems(document))
        .allSatisfy(problem -> assertThat(problem.toString()).contains(": "));
  }

  private static final List<String> FIELDS =
      List.of(
          "namespace",
          "managedJobsNamespaceSelector",
          "integrations",
          "webhook",
          "metrics",
          "featureGates",
          "multiKueue",
          "resources",
          "waitForPodsReady",
          "fairSharing",
          "admissionFairSharing",
          "controller",
          "tls",
          "frameworks",
          "matchExpressions",
          "values",
          "customLabels",
          "name",
          "transformations",
          "outputs",
          "clusterProfile",
          "operator",
          "key",
          "deviceClassMappings",
          "deviceClassNames",
          "sources",
          "counter",
          "accessProviders");

  private static JsonNode tree(Random random, int depth) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return switch (random.nextInt(depth == 0 ? 4 : 7)) {
      case 0 -> nodes.textNode(List.of("", "In", "a b", "1m", "pod").get(random.nextInt(5)));
      case 1 -> nodes.numberNode(random.nextInt(-5, 100_000));
      case 2 -> nodes.booleanNode(random.nextBoolean());
      case 3 -> nodes.nullNode();
      case 4 -> {
        var list = nodes.arrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          list.add(tree(random, depth - 1));
        }
        yield list;
      }
      default -> {
        var object = nodes.objectNode();
        for (int i = random.nextInt(5); i > 0; i--) {
          object.set(FIELDS.get(random.nextInt(FIELDS.size())), tree(random, depth - 1));
        }
        yield object;
      }
    };
  }

  @Test
  void readsHowTlsIsSpokenInTheNamesOfTheJdk() {
    Manager.Tls tls =
        configuration(
                """
                tls: {minVersion: VersionTLS12,
                  cipherSuites: [TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305,
                    TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384],
                  curvePreferences: [CurveP384, 29, 'P256', X25519]}\
                """)
            .manager()
            .tls();

    assertThat(tls.onlyTls13()).isFalse();
    assertThat(tls.cipherSuites())
        .containsExactly(
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384");
    assertThat(tls.enabledSuites())
        .containsAll(tls.cipherSuites())
        .contains("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384");
    assertThat(tls.groups()).containsExactly("secp384r1", "x25519", "secp256r1");
    assertThat(configuration("tls: {minVersion: VersionTLS13}").manager().tls().onlyTls13())
        .isTrue();
    assertThat(Configuration.defaults("n").manager().tls().enabledSuites()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      textBlock =
          """
          webhook: {host: '10.0.0.1'}                           | webhook.host                             | --host
          webhook: {port: 10250}                                | webhook.port                             | --port
          webhook: {certDir: '/certs'}                          | webhook.certDir                          | --cert-dir
          metrics: {bindAddress: '127.0.0.1:9090'}              | metrics.bindAddress                      | --http-host
          health: {healthProbeBindAddress: '0'}                 | health.healthProbeBindAddress            | --http-port
          health: {readinessEndpointName: ready}                | health.readinessEndpointName             | /readyz
          health: {livenessEndpointName: live}                  | health.livenessEndpointName              | /healthz
          pprofBindAddress: ':8083'                             | pprofBindAddress                         | no profiles
          clientConnection: {qps: 50}                           | clientConnection.qps                     | --writers
          clientConnection: {burst: 100}                        | clientConnection.burst                   | --writers
          internalCertManagement: {enable: false}               | internalCertManagement.enable            | --cert-dir
          internalCertManagement: {webhookServiceName: gate}    | internalCertManagement.webhookServiceName | --service
          internalCertManagement: {webhookSecretName: gate}     | internalCertManagement.webhookSecretName | --cert-dir
          tls: {minVersion: VersionTLS10}                       | tls.minVersion                           | TLS 1.2 is the oldest
          tls: {cipherSuites: [TLS_AES_128_GCM_SHA256]}         | tls.cipherSuites[0]                      | TLS 1.3
          multiKueue: {clusterProfile: {accessProviders: [{name: a, execConfig: {command: x, apiVersion: v1, interactiveMode: Never}}]}} | multiKueue.clusterProfile.accessProviders | no command is ever run
          """)
  void saysWhichFieldsChangeNothingHere(String members, String path, String instead) {
    assertThat(accepted(v1beta2(members)).warnings())
        .singleElement()
        .satisfies(
            warning -> {
              assertThat(warning.path()).isEqualTo(path);
              assertThat(warning.detail()).contains(instead);
            });
  }

  @Test
  void theAddressZeroSwitchesMetricsOffAndNeedsNoWarning() {
    Reading.Accepted off = accepted(v1beta2("metrics: {bindAddress: '0'}"));

    assertThat(off.warnings()).isEmpty();
    assertThat(off.configuration().manager().metrics().isServed()).isFalse();
    assertThat(configuration("metrics: {bindAddress: ':0'}").manager().metrics().isServed())
        .isTrue();
    assertThat(Configuration.defaults("n").manager().metrics().isServed()).isTrue();
  }

  @Test
  void saysNothingOfFieldsThatAreAsTheyAreByDefault() {
    assertThat(
            accepted(
                    v1beta2(
                        """
                        webhook: {port: 9443}, metrics: {bindAddress: ':8443'}, pprofBindAddress: '0',
                        health: {healthProbeBindAddress: ':8081'},
                        internalCertManagement: {enable: true}, clientConnection: {qps: 300},
                        visibilityServer: {bindAddress: '127.0.0.1', bindPort: 9000}\
                        """))
                .warnings())
        .isEmpty();
  }
}
