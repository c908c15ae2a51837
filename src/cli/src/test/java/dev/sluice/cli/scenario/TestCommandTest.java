package dev.sluice.cli.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestCommandTest {
  private static final Path SAMPLES = Path.of("../../manifests/samples/scenarios");

  /**
   * A queue with 4 cores of one flavor, and a workload of 3 that is admitted in the first cycle.
   */
  private static final String WORLD =
      """
      apiVersion: sluice.dev/v1alpha1
      kind: Scenario
      metadata: {name: small world}
      spec:
        now: "2026-01-31T12:00:00Z"
        objects:
        - {apiVersion: v1, kind: Namespace, metadata: {name: default}}
        - {apiVersion: kueue.x-k8s.io/v1beta1, kind: ResourceFlavor, metadata: {name: plain}}
        - apiVersion: kueue.x-k8s.io/v1beta2
          kind: ClusterQueue
          metadata: {name: queue}
          spec:
            namespaceSelector: {}
            resourceGroups:
            - coveredResources: [cpu]
              flavors: [{name: plain, resources: [{name: cpu, nominalQuota: 4}]}]
        - apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: main, namespace: default}
          spec: {clusterQueue: queue}
        - apiVersion: kueue.x-k8s.io/v1beta2
          kind: WorkloadPriorityClass
          metadata: {name: high}
          value: 100
        - apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata: {name: job, namespace: default}
          spec:
            queueName: main
            podSets: [{template: {spec: {containers: [{name: c, resources: {requests: {cpu: 3}}}]}}}]
      """;

  private static final String SECOND_JOB =
      """
          apply:
          - apiVersion: kueue.x-k8s.io/v1beta2
            kind: Workload
            metadata: {name: job-2, namespace: default}
            spec:
              queueName: main
              priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: high}
              podSets: [{template: {spec: {containers: [{name: c, resources: {requests: {cpu: 3}}}]}}}]
      """;

  @TempDir private Path folder;

  @Test
  void theSamplesPass() throws IOException {
    long samples;
    try (var files = Files.list(SAMPLES)) {
      samples = files.count();
    }

    Ran ran = Commands.run("test", SAMPLES.toString());

    assertThat(ran.out())
        .matches("(?s)" + samples + " scenarios: " + samples + " passed, 0 failed \\(.*\\)\\R");
    assertThat(ran.code()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          workloads: [{name: job, state: Pending}]                       | default/job: state: Admitted (expected: Pending)
          workloads: [{name: job, reason: WaitingForQuota}]              | default/job: reason: QuotaReserved (expected: WaitingForQuota)
          workloads: [{name: job, flavors: {main: {cpu: spot}}}]         | default/job: flavors of main: {cpu=plain} (expected: {cpu=spot})
          workloads: [{name: job, flavors: {other: {cpu: spot}}}]        | default/job: flavors of other: none (expected: {cpu=spot})
          workloads: [{name: job, counts: {main: 2}}]                    | default/job: pods of main: 1 (expected: 2)
          workloads: [{name: other}]                                     | default/other: workload: is not there (expected: to be there)
          workloads: [{name: job, state: Gone}]                          | default/job: state: Admitted (expected: Gone)
          pending: {queue: [default/job]}                                | queue: pending: [] (expected: [default/job])
          inadmissible: {queue: [default/job]}                           | queue: inadmissible: [] (expected: [default/job])
          usage: {queue: {}}                                             | queue: usage of plain/cpu: 3 (expected: 0)
          usage: {queue: {plain: {cpu: 2500m}}}                          | queue: usage of plain/cpu: 3 (expected: 2500m)
          usage: {queue: {plain: {cpu: 3}, spot: {cpu: 1}}}              | queue: usage of spot/cpu: 0 (expected: 1)
          workloads: [{name: job, conditions: [{type: QuotaReserved, status: "True"}], admission: {clusterQueue: queue, podSetAssignments: [{name: main, count: 1, flavors: {cpu: plain}, resourceUsage: {cpu: 3}}]}}] | default/job: Admitted: True Admitted (expected: none)
          workloads: [{name: job, admission: {clusterQueue: other, podSetAssignments: [{name: main, count: 1, flavors: {cpu: plain}, resourceUsage: {cpu: 3}}]}}] | default/job: admission.clusterQueue: queue (expected: other)
          workloads: [{name: job, admission: {clusterQueue: queue, podSetAssignments: [{name: main, count: 1, flavors: {cpu: plain}, resourceUsage: {cpu: 2}}]}}] | default/job: resourceUsage of main: {cpu=3} (expected: {cpu=2})
          workloads: [{name: job, conditions: [{type: QuotaReserved, status: "True"}, {type: Admitted, status: "True"}]}] | default/job: admission: queue {main={cpu=plain}} (expected: none)
          """)
  void saysWhatIsNotAsExpected(String expectation, String difference) throws IOException {
    Path file = write(WORLD + "  expect: {" + expectation + "}\n");

    Ran ran = Commands.run("test", file.toString());

    assertThat(ran.out())
        .startsWith("FAIL small world (" + file + ":1)\n  at the beginning\n    " + difference)
        .contains("1 scenarios: 0 passed, 1 failed (");
    assertThat(ran.code()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          workloads: [{name: job, state: Admitted, flavors: {main: {cpu: plain}}, counts: {main: 1}}], pending: {}, inadmissible: {}
          usage: {queue: {plain: {cpu: 3000m}}}
          workloads: [{name: job, conditions: [{type: QuotaReserved, status: "True", reason: QuotaReserved}, {type: Admitted, status: "True"}], admission: {clusterQueue: queue, podSetAssignments: [{name: main, count: 1, flavors: {cpu: plain}, resourceUsage: {cpu: 3}}]}}]
          workloads: [{name: other, state: Gone}]
          pending: {queue: []}
          """)
  void passesWhatIsAsExpected(String expectation) throws IOException {
    Path file = write(WORLD + "  expect: {" + expectation + "}\n");

    assertThat(Commands.run("test", file.toString()).code()).isZero();
  }

  @Test
  void podsThatAreDoneUseNoQuota() throws IOException {
    Path file =
        write(
            WORLD
                    .replace("podSets: [{template", "podSets: [{name: main, count: 3, template")
                    .replace("requests: {cpu: 3}", "requests: {cpu: 1}")
                + """
                  steps:
                  - at: +10s
                    apply:
                    - apiVersion: kueue.x-k8s.io/v1beta2
                      kind: Workload
                      metadata: {name: job, namespace: default}
                      status: {reclaimablePods: [{name: main, count: 2}]}
                    expect: {usage: {queue: {plain: {cpu: 1}}}}
                """);

    assertThat(Commands.run("test", file.toString()).err()).isEmpty();
    assertThat(Commands.run("test", file.toString()).code()).isZero();
  }

  @Test
  void whatAStepDoesIsSeenAfterItsCycles() throws IOException {
    Path file =
        write(
            WORLD
                + """
                  steps:
                  - at: +10s
                """
                + SECOND_JOB
                + """
                    expect: {workloads: [{name: job-2, state: Inadmissible, reason: WaitingForQuota}]}
                  - at: "2026-01-31T12:01:00Z"
                    finish: [job]
                    expect:
                      workloads: [{name: job, state: Finished}, {name: job-2, state: Admitted}]
                  - at: +2m
                    delete: [{kind: Workload, namespace: default, name: job-2}]
                    cycles: 0
                    expect: {workloads: [{name: job-2, state: Gone}], usage: {queue: {}}}
                """);

    assertThat(Commands.run("test", file.toString()).out()).startsWith("1 scenarios: 1 passed");
  }

  @Test
  void aJobIsPlayedByTheWorkloadThatIsMadeForIt() throws IOException {
    Path file =
        write(
            WORLD
                + """
                  steps:
                  - at: +10s
                    finish: [job]
                    apply:
                    - apiVersion: batch/v1
                      kind: Job
                      metadata:
                        name: train
                        namespace: default
                        labels: {kueue.x-k8s.io/queue-name: main}
                      spec:
                        parallelism: 2
                        template: {spec: {containers: [{name: c, resources: {requests: {cpu: 2}}}]}}
                    expect:
                      workloads: [{name: train, state: Admitted, counts: {main: 2}}]
                  - at: +20s
                    finish: [train]
                    cycles: 0
                    expect:
                      workloads: [{name: train, state: Finished}]
                  - at: +30s
                    delete: [{kind: Job, namespace: default, name: train}]
                    cycles: 0
                    expect:
                      workloads: [{name: train, state: Gone}]
                """);

    assertThat(Commands.run("test", file.toString()).out()).startsWith("1 scenarios: 1 passed");
  }

  @Test
  void preemptedWorkloadsKeepTheirQuotaUntilTimePasses() throws IOException {
    Path file =
        write(
            WORLD.replace(
                    "namespaceSelector: {}",
                    "namespaceSelector: {}\n      preemption: {withinClusterQueue: LowerPriority}")
                + """
                  steps:
                  - at: +10s
                """
                + SECOND_JOB
                + """
                    expect:
                      workloads: [{name: job, state: Evicted}, {name: job-2, state: Pending}]
                      usage: {queue: {plain: {cpu: 3}}}
                  - at: +20s
                    expect:
                      workloads: [{name: job, state: Pending}, {name: job-2, state: Admitted}]
                """);

    assertThat(Commands.run("test", file.toString()).out()).startsWith("1 scenarios: 1 passed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          steps: [{at: soon}]                        | at: soon (expected: +30s, or a time like 2026-01-31T12:00:00Z)
          steps: [{at: +30sec}]                      | 30sec (expected: a time such as 30s, 5m or 1h30m, not negative)
          steps: [{at: +1m}, {at: +30s}]             | 2026-01-31T12:00:30Z (expected: not before 2026-01-31T12:01:00Z)
          steps: [{at: +1s, finish: [nobody]}]       | default/nobody: no such workload (expected: NAMESPACE/NAME)
          steps: [{at: +1s, failNodes: [nowhere]}]   | Node nowhere: not there (expected: a node)
          steps: [{at: +1s, delete: [{kind: Cohort, name: none}]}] | Cohort none: not there (expected: an object to delete)
          steps: [{at: +1s, checks: [{workload: job, check: none, state: Ready}]}] | default/job: does not list the check none (expected: a check of its queue)
          steps: [{at: +1s, cycles: -1}]             | cycles: -1 (expected: 0 to 100000)
          configuration: {fairSharing: {preemptionStrategies: [Fair]}} | fairSharing.preemptionStrategies: [Fair] (expected: [LessThanOrEqualToFinalShare, LessThanInitialShare], or one of the two alone)
          """)
  void saysWhyAScenarioCannotBePlayed(String field, String problem) throws IOException {
    Path file = write(WORLD + "  " + field + "\n");

    Ran ran = Commands.run("test", file.toString());

    assertThat(ran.out()).startsWith("FAIL small world (" + file + ":1)\n  " + problem + "\n");
    assertThat(ran.code()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          expects: {}                                  | spec.expects: not a field
          expect: {workload: []}                       | spec.expect.workload: not a field
          expect: {workloads: [{name: job, phase: x}]} | spec.expect.workloads[0].phase: not a field
          cycles: many                                 | Scenario small world: spec.cycles: "many" (expected: an integer of 32 bits)
          expect: {workloads: [{name: job, state: Done}]} | Scenario small world: spec.expect.workloads[0].state: "Done" (expected: Finished or Evicted or Admitted
          steps: [{name: first}]                       | Scenario small world: spec.steps[0].at: is missing
          """)
  void namesTheLineOfAFieldThatIsNotUnderstood(String field, String problem) throws IOException {
    Path file = write(WORLD + "  " + field + "\n");

    Ran ran = Commands.run("test", file.toString());

    long line = WORLD.lines().count() + 1;
    assertThat(ran.out()).contains(file + ":" + line + ": " + problem);
    assertThat(ran.code()).isEqualTo(1);
  }

  @Test
  void aBrokenFileDoesNotKeepTheOthersFromBeingPlayed() throws IOException {
    write(WORLD);
    Files.writeString(folder.resolve("broken.yaml"), "spec: [", UTF_8);

    Ran ran = Commands.run("test", folder.toString());

    assertThat(ran.out()).contains("FAIL ", "broken.yaml:1", "2 scenarios: 1 passed, 1 failed (");
    assertThat(ran.code()).isEqualTo(1);
  }

  @Test
  void searchesFoldersAndPassesOverDocumentsOfOtherKinds() throws IOException {
    Path inner = Files.createDirectories(folder.resolve("a/b"));
    Files.writeString(
        inner.resolve("two.yaml"), WORLD + "---\nkind: ConfigMap\n---\n" + WORLD, UTF_8);
    Files.writeString(folder.resolve("notes.txt"), "no yaml: [", UTF_8);

    Ran ran = Commands.run("test", "--verbose", folder.toString());

    assertThat(ran.out())
        .contains("pass small world (" + inner.resolve("two.yaml") + ":1)")
        .contains("2 scenarios: 2 passed, 0 failed (");
  }

  @Test
  void writesResultsInTheFormOfJUnit() throws Exception {
    Path file = write(WORLD + "  expect: {usage: {queue: {}}}\n---\n" + WORLD);
    Path report = folder.resolve("out/report.xml");

    Commands.run("test", file.toString(), "--junit", report.toString());

    var suite =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(report.toFile())
            .getDocumentElement();
    assertThat(List.of("tests", "failures", "errors"))
        .extracting(suite::getAttribute)
        .containsExactly("2", "1", "0");
    assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(2);
    assertThat(suite.getElementsByTagName("failure").item(0).getTextContent())
        .contains("queue: usage of plain/cpu: 3 (expected: 0)");
  }

  @Test
  void refusesPathsWithoutScenarios() throws IOException {
    Path empty = Files.writeString(folder.resolve("empty.yaml"), "kind: ConfigMap\n", UTF_8);

    Ran none = Commands.run("test", empty.toString());
    Ran missing = Commands.run("test", folder.resolve("missing").toString());

    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("no scenario in " + empty);
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.err()).contains("missing: no such file or folder");
  }

  private Path write(String scenario) throws IOException {
    return Files.writeString(folder.resolve("scenario.yaml"), scenario, UTF_8);
  }
}
