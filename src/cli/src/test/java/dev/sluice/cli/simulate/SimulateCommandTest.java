package dev.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;

class SimulateCommandTest {
  private static final String SAMPLE = "../../manifests/samples/simulation";
  private static final String NOON = "2026-01-31T12:00:00Z";

  private static final String QUEUE =
      """
      {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "ResourceFlavor", "metadata": {"name": "plain"}}
      {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": "queue"},
       "spec": {"namespaceSelector": {}, "resourceGroups": [{"coveredResources": ["cpu"],
         "flavors": [{"name": "plain", "resources": [{"name": "cpu", "nominalQuota": 4}]}]}]}}
      {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
       "metadata": {"name": "main", "namespace": "team"}, "spec": {"clusterQueue": "queue"}}
      """;

  @TempDir private Path folder;

  @Test
  void tellsWhatHappensAndWhatIsLeft() {
    Ran ran = Commands.runWith(QUEUE + job("a", 3, "1m") + job("b", 3, ""), simulate("-f", "-"));

    assertThat(ran.code()).isZero();
    assertThat(withoutHashes(ran).lines().map(String::strip))
        .containsSubsequence(
            "2026-01-31T12:00:00Z  cycle 1",
            "admitted  team/job-a  queue  main: cpu 3 of plain",
            "2026-01-31T12:01:00Z",
            "finished  team/job-a  queue",
            "admitted  team/job-b  queue  main: cpu 3 of plain",
            "WORKLOAD          LOCAL QUEUE  STATE     WHY",
            "team/job-a  main         Finished",
            "team/job-b  main         Admitted  main: cpu 3 of plain",
            "CLUSTER QUEUE  FLAVOR  RESOURCE  USED  QUOTA",
            "queue          plain   cpu       3     4");
    assertThat(ran.out())
        .contains("waiting", "WaitingForQuota")
        .endsWith("0 workloads still wait\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "\"integrations\": [\"batch/job\"]|integrations",
        "\"featureGates\": [{\"name\": \"X\", \"enabled\": true}]|featureGates",
        "\"integrations\": \"batch/job\"|integrations",
      })
  void aConfigurationWithAMemberOfAnotherTypeIsRefusedWithItsField(String member, String field) {
    String configuration =
        """
        {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration", %s}
        """
            .formatted(member);

    Ran ran = Commands.runWith(QUEUE + configuration, simulate("-f", "-"));

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains(field).contains("expected: an object");
  }

  @Test
  void aJobThatMayRunWithFewerPodsIsAdmittedWithThoseThatFit() {
    String job =
        """
        {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a", "namespace": "team",
           "labels": {"kueue.x-k8s.io/queue-name": "main"},
           "annotations": {"kueue.x-k8s.io/job-min-parallelism": "2"}},
         "spec": {"parallelism": 5, "template": {"spec": {"containers": [
           {"name": "c", "resources": {"requests": {"cpu": 1}}}]}}}}
        """;
    String queue = QUEUE.replace("\"nominalQuota\": 4", "\"nominalQuota\": 3");

    assertThat(withoutHashes(Commands.runWith(queue + job, simulate("-f", "-"))))
        .contains("admitted  team/job-a  queue  main: cpu 3 of plain");
  }

  @Test
  void aJobThatRunsLongerThanItMayIsEvictedThen() {
    String jobs =
        job("a", 3, "")
                .replace("\"main\"}", "\"main\", \"kueue.x-k8s.io/max-exec-time-seconds\": \"90\"}")
            + job("b", 3, "");

    assertThat(
            withoutHashes(Commands.runWith(QUEUE + jobs, simulate("-f", "-")))
                .lines()
                .map(String::strip))
        .containsSubsequence(
            "admitted  team/job-a  queue  main: cpu 3 of plain",
            "2026-01-31T12:01:30Z",
            "2026-01-31T12:01:30Z  cycle 3",
            "admitted  team/job-b  queue  main: cpu 3 of plain")
        .anyMatch(
            it ->
                it.startsWith(
                    "evicted  team/job-a    DeactivatedDueToMaximumExecutionTimeExceeded: "));
  }

  @ParameterizedTest
  @CsvSource({
    "11:59:00, 2026-01-31T12:09:00Z, ends ten minutes after its admission",
    "11:00:00, 2026-01-31T12:00:00Z, is over at the beginning",
  })
  void whoIsAdmittedAlreadyEnds(String admitted, String end, String why) {
    String running =
        """
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload", "metadata": {"name": "running",
          "namespace": "team", "annotations": {"sluice.dev/runs-for": "10m"}},
         "spec": {"queueName": "main", "active": true, "podSets": [{"name": "main", "count": 1,
          "template": {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": 4}}}]}}}]},
         "status": {"admission": {"clusterQueue": "queue", "podSetAssignments": [{"name": "main",
          "count": 1, "flavors": {"cpu": "plain"}, "resourceUsage": {"cpu": 4}}]}, "conditions": [
          {"type": "QuotaReserved", "status": "True", "reason": "QuotaReserved", "message": "",
           "lastTransitionTime": "2026-01-31T%1$sZ"},
          {"type": "Admitted", "status": "True", "reason": "Admitted", "message": "",
           "lastTransitionTime": "2026-01-31T%1$sZ"}]}}
        """
            .formatted(admitted);

    Ran ran = Commands.runWith(QUEUE + running + job("b", 4, ""), simulate("-f", "-"));

    assertThat(ran.err()).isEmpty();
    assertThat(withoutHashes(ran).lines().map(String::strip))
        .as(why)
        .containsSubsequence(
            end,
            "finished  team/running  queue",
            "admitted  team/job-b  queue  main: cpu 4 of plain");
  }

  @Test
  void podsOfADeploymentThatGiveWayAreMadeAnewAndWait() {
    String deployment =
        """
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "team",
           "labels": {"kueue.x-k8s.io/queue-name": "main"}},
         "spec": {"replicas": 2, "template": {"metadata": {"labels": {"app": "web"}}, "spec": {
           "containers": [{"name": "c", "resources": {"requests": {"cpu": 2}}}]}}}}
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "WorkloadPriorityClass",
         "metadata": {"name": "high"}, "value": 100}
        """;
    String urgent =
        job("urgent", 2, "10m")
            .replace("\"main\"}", "\"main\", \"kueue.x-k8s.io/priority-class\": \"high\"}")
            .replace("\"labels\"", "\"creationTimestamp\": \"2026-01-31T12:05:00Z\", \"labels\"");
    String queue =
        QUEUE.replace(
            "\"namespaceSelector\": {}",
            "\"namespaceSelector\": {}, \"preemption\": {\"withinClusterQueue\":"
                + " \"LowerPriority\"}");

    Ran ran = Commands.runWith(queue + deployment + urgent, simulate("-f", "-"));

    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .containsPattern("preempted +team/pod-web-[12]-")
        .containsPattern("arrived +team/pod-web-3-")
        .containsPattern("admitted +team/pod-web-3-")
        .endsWith("4 admissions, 1 preemptions, 1 finished; 0 workloads still wait\n");
  }

  @Test
  void aJobThatAClusterWouldRefuseIsRefusedWithItsField() {
    Ran ran =
        Commands.runWith(
            QUEUE + job("a", 1, "").replace("\"main\"}", "\"not a name\"}"), simulate("-f", "-"));

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .startsWith("sluice: Job \"a\" is invalid: metadata.labels[kueue.x-k8s.io/queue-name]");
  }

  @Test
  void runsSoManyCyclesAtOneMomentIfAskedTo() {
    String input = QUEUE + job("a", 1, "1m") + job("b", 1, "1m") + job("c", 1, "1m");

    Ran ran = Commands.runWith(input, simulate("-f", "-", "--cycles", "2"));

    assertThat(ran.out())
        .endsWith("2 cycles: 2 admissions, 0 preemptions, 0 finished; 1 workloads still wait\n");
  }

  @Test
  void aWorkloadThatBacksOffIsLookedAtWhenItsTimeComes() {
    String workload =
        """
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
         "metadata": {"name": "again", "namespace": "team"},
         "spec": {"queueName": "main", "podSets": [{"name": "main", "count": 1, "template": {"spec":
           {"containers": [{"name": "c", "resources": {"requests": {"cpu": 1}}}]}}}]},
         "status": {"requeueState": {"count": 1, "requeueAt": "2026-01-31T12:00:40Z"}}}
        """;

    Ran ran = Commands.runWith(QUEUE + workload, simulate("-f", "-"));

    assertThat(ran.out().lines().map(String::strip))
        .containsSubsequence(
            "2026-01-31T12:00:40Z  cycle 1", "admitted  team/again  queue  main: cpu 1 of plain");
  }

  @ParameterizedTest
  @CsvSource({"json", "yaml"})
  void saysTheSameToPrograms(String format) throws IOException {
    Ran ran = Commands.run(simulate("-f", SAMPLE, "-o", format));

    JsonNode report =
        (format.equals("json") ? new ObjectMapper() : new YAMLMapper()).readTree(ran.out());
    assertThat(report.at("/moments/0/happenings/0/what").asText()).isEqualTo("arrived");
    assertThat(report.at("/workloads")).hasSize(9);
    assertThat(report.findValuesAsText("state")).containsOnly("Finished");
    assertThat(report.findValuesAsText("used")).containsOnly("0");
  }

  @Test
  void preemptedJobsStartAnewAndRunToTheirEnd() {
    Ran ran = Commands.run(simulate("-f", SAMPLE));

    assertThat(withoutHashes(ran))
        .contains("preempted   research/job-study-5  research    InCohortReclamation: by ")
        .endsWith("11 admissions, 2 preemptions, 9 finished; 0 workloads still wait\n");
  }

  @Test
  void theSameInputGivesTheSameResult() throws IOException {
    Path one = folder.resolve("one.svg");
    Path other = folder.resolve("other.svg");

    Ran first = Commands.run(simulate("-f", SAMPLE, "-o", "json", "--svg", one.toString()));
    Ran second = Commands.run(simulate("-f", SAMPLE, "-o", "json", "--svg", other.toString()));

    assertThat(second).isEqualTo(first);
    assertThat(other).hasSameTextualContentAs(one);
  }

  @Test
  void drawsAPanelForEachResourceOfEachQueue() throws Exception {
    Path file = folder.resolve("usage.svg");

    Commands.run(simulate("-f", SAMPLE, "--svg", file.toString()));

    Element picture =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getDocumentElement();
    assertThat(picture.getTagName()).isEqualTo("svg");
    assertThat(texts(picture))
        .contains(
            "production \u00b7 cpu (cores)", "production \u00b7 memory", "research \u00b7 memory")
        .contains("reserved", "spot", "quota of its own") // the legend
        .contains("+10m", "+50m", "time since the beginning"); // the axis
    assertThat(picture.getElementsByTagName("path").getLength()).isEqualTo(4 * 2);
  }

  private static List<String> texts(Element picture) {
    List<String> texts = new ArrayList<>();
    var nodes = picture.getElementsByTagName("text");
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }

  @Test
  void callsObjectsAsKubectlCreateWould() {
    String jobs =
        job("", 1, "")
            .replace("\"name\": \"\", \"namespace\": \"team\"", "\"generateName\": \"train-\"");
    String queues = QUEUE.replace("\"team\"", "\"default\"");

    Ran ran = Commands.runWith(queues + jobs + jobs, simulate("-f", "-"));

    assertThat(withoutHashes(ran))
        .contains("admitted  default/job-train-1", "admitted  default/job-train-2")
        .endsWith("2 admissions, 0 preemptions, 0 finished; 0 workloads still wait\n");
  }

  @Test
  void passesOverWhatNeedsNoNameAndMeansNothingToQueues() {
    String other =
        """
        {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": []}
        """;

    assertThat(Commands.runWith(QUEUE + other, simulate("-f", "-")).code()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "team"} | "other"} | There is no LocalQueue main in namespace team
          "clusterQueue": "queue" | "clusterQueue": "gone" | There is no ClusterQueue gone, to which LocalQueue main leads
          "name": "plain"} | "name": "another"} | ClusterQueue queue is inactive
          """)
  void saysWhyAWorkloadIsNotEvenLookedAt(String from, String to, String why) throws IOException {
    String input = QUEUE.replace(from, to) + job("a", 1, "");

    assertThat(withoutHashes(Commands.runWith(input, simulate("-f", "-"))))
        .containsPattern("team/job-a +main +(Unqueued|Pending) +" + why);
    JsonNode report =
        new ObjectMapper()
            .readTree(Commands.runWith(input, simulate("-f", "-", "-o", "json")).out());
    assertThat(report.at("/workloads/0/message").asText()).startsWith(why);
  }

  @Test
  void countsCyclesWhereNoTimePasses() throws IOException {
    Path file = folder.resolve("usage.svg");

    Commands.runWith(
        QUEUE + job("a", 1, "") + job("b", 1, ""), simulate("-f", "-", "--svg", file.toString()));

    assertThat(Files.readString(file, UTF_8)).contains(">cycle</text>");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": "q"}, "spec": {"queueingStrategy": "LIFO"}} | ClusterQueue q: spec.queueingStrategy: "LIFO" (expected: StrictFIFO or BestEffortFIFO)
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload", "metadata": {"name": "w", "namespace": "n", "creationTimestamp": "late"}} | Workload n/w: metadata.creationTimestamp: late (expected: a time like 2026-01-31T12:00:00Z)
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload"} | stdin:1: Workload: metadata.name: missing (expected: a name)
          {"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "batch/v1", "kind": "Job"}]} | stdin:1: Job: metadata.name: missing (expected: a name)
          {"spec": [ | stdin: no JSON
          """)
  void namesWhatIsMalformed(String input, String problem) {
    Ran ran = Commands.runWith(input, simulate("-f", "-"));

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).startsWith("sluice: " + problem);
    assertThat(ran.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'--cycles,0', --cycles 0 (expected: 1 or more)",
    "'--now,noon', noon is no time (expected: one like 2026-01-31T12:00:00Z)",
    "'--cycles,2,--until-quiet', mutually exclusive",
  })
  void refusesArgumentsThatMeanNothing(String arguments, String problem) {
    List<String> call = new ArrayList<>(List.of("simulate", "-f", "-"));
    call.addAll(List.of(arguments.split(",", -1)));

    Ran ran = Commands.run(call.toArray(String[]::new));

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(problem);
  }

  /** The output with the Workloads of jobs called by their jobs alone. */
  private static String withoutHashes(Ran ran) {
    return ran.out().replaceAll("(/job-[a-z0-9-]*?)-[0-9a-f]{5}\\b", "$1");
  }

  private static String[] simulate(String... arguments) {
    List<String> call = new ArrayList<>(List.of("simulate", "--now", NOON));
    call.addAll(List.of(arguments));
    return call.toArray(String[]::new);
  }

  /** A Job of the team, created in the order of its name. */
  private static String job(String name, int cpu, String runsFor) {
    String annotations =
        runsFor.isEmpty()
            ? ""
            : ", \"annotations\": {\"sluice.dev/runs-for\": \"" + runsFor + "\"}";
    return """
    {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "%s", "namespace": "team",
       "labels": {"kueue.x-k8s.io/queue-name": "main"}%s},
     "spec": {"template": {"spec": {"containers": [
       {"name": "c", "resources": {"requests": {"cpu": %d}}}]}}}}
    """
        .formatted(name, annotations, cpu);
  }
}
