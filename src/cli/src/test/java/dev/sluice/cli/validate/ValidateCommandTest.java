package dev.sluice.cli.validate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a cluster would say, from files alone. */
class ValidateCommandTest {
  private static final String QUEUE =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata:
        name: gpus
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu, memory]
          flavors:
          - name: spot
            resources:
            - name: cpu
              nominalQuota: 10
      """;

  @TempDir Path folder;

  @Test
  void saysWhatSchemaAndRulesInCelSayAtTheVersionOfTheObject() {
    Ran ran =
        Commands.runWith(
            QUEUE.replace("v1beta2", "v1beta1").replace("spec:\n", "spec:\n  stopPolicy: Stop\n")
                + "---\n"
                + QUEUE,
            "validate",
            "-f",
            "-");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out().lines())
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith(
                        "stdin:6: ClusterQueue \"gpus\": spec.stopPolicy: Unsupported value")
                    .contains("HoldAndDrain"))
        .anySatisfy(
            line -> assertThat(line).contains("warning: rules between fields were left out"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("stdin:23: ClusterQueue \"gpus\": spec.resourceGroups[0]: ")
                    .contains("each flavor must give a quota for every resource"));
  }

  @Test
  void warnsOfUnknownFieldsWithTheLineAndTheNameThatWasMeant() {
    Ran ran =
        Commands.runWith(
            QUEUE
                .replace("[cpu, memory]", "[cpu]")
                .replace("  resourceGroups", "  cohort: all\n  resourceGroups")
                .replace("nominalQuota: 10", "nominalQuota: 10\n        lendinglimit: 5"),
            "validate",
            "-f",
            "-");

    assertThat(ran.code()).isZero();
    assertThat(ran.out().lines())
        .containsExactly(
            "stdin:7: ClusterQueue \"gpus\": warning: spec.cohort: unknown field, the API server"
                + " drops it",
            "stdin:15: ClusterQueue \"gpus\": warning:"
                + " spec.resourceGroups[0].flavors[0].resources[0].lendinglimit: unknown field, the"
                + " API server drops it; did you mean lendingLimit?");
  }

  @Test
  void checksAllObjectsOfAllFilesInTheirOrder() throws IOException {
    Files.createDirectories(folder.resolve("a/deep"));
    for (int i = 0; i < 40; i++) {
      String bad = QUEUE.replace("gpus", "q" + i).replace("spot", "N_O");
      Files.writeString(folder.resolve("a/%02d.yaml".formatted(i)), bad);
    }
    Files.writeString(folder.resolve("a/deep/z.yml"), QUEUE.replace("[cpu, memory]", "[cpu]"));

    Ran flat = Commands.run("validate", "-f", folder.resolve("a").toString());
    Ran deep = Commands.run("validate", "-R", "-f", folder.resolve("a").toString());

    assertThat(flat.err()).contains("40 objects checked: 80 violations");
    assertThat(deep.err()).contains("41 objects checked: 80 violations");
    assertThat(flat.out().lines().filter(l -> l.contains("flavors[0].name")))
        .hasSize(40)
        .isSorted();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "- a            | 0 | stdin:1: document: warning: a list (expected: an object); not"
            + " checked",
        "gpu            | 0 | stdin:1: document: warning: a string (expected: an object); not"
            + " checked",
        "replicas: 2    | 0 | stdin:1: document: warning: neither apiVersion nor kind; not checked",
        "kind: Job      | 1 | stdin:1: object: apiVersion: Required value: a string (such as"
            + " kueue.x-k8s.io/v1beta2)",
        "apiVersion: v1 | 1 | stdin:1: object: kind: Required value: a string (such as"
            + " ClusterQueue)",
        "{apiVersion: v1, kind: [Pod]} | 1 | stdin:1: object: kind: Invalid value: a string (such"
            + " as ClusterQueue)",
        "{apiVersion: kueue.x-k8s.io, kind: ClusterQueue} | 1 | stdin:1: object: apiVersion:"
            + " Invalid value: \"kueue.x-k8s.io\": a group and a version (such as"
            + " kueue.x-k8s.io/v1beta2)"
      })
  void passesOverNoDocumentThatDoesNotSayWhatItIs(String document, int code, String line) {
    Ran ran = Commands.runWith(document, "validate", "-f", "-");

    assertThat(ran.out().lines()).containsExactly(line);
    assertThat(ran.code()).isEqualTo(code);
    assertThat(ran.err()).contains("0 objects checked");
  }

  @Test
  void namesAllFilesThatCannotBeRead() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.yaml"), "a: [");

    Ran ran =
        Commands.run("validate", "-f", "no/such.yaml", broken.toString(), "-f", "neither.json");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .contains("no/such.yaml: no such file", "broken.yaml:", "neither.json: no such file");
  }

  @ParameterizedTest
  @CsvSource({
    "gpus, false", // as it was
    "cpus, true"
  })
  void checksUpdatesOfObjectsWithTheNamespaceThatIsMeant(String clusterQueue, boolean refused)
      throws IOException {
    String stored =
        """
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: LocalQueue
        metadata: {name: main, namespace: team}
        spec: {clusterQueue: gpus}
        """;
    Path old = Files.writeString(folder.resolve("old.yaml"), stored);
    String now =
        stored
            .replace(", namespace: team", "")
            .replace("v1beta1", "v1beta2")
            .replace("gpus", clusterQueue);

    Ran there = Commands.runWith(now, "validate", "-f", "-", "-n", "team", "--old", old + "");
    Ran elsewhere = Commands.runWith(now, "validate", "-f", "-", "--old", old + "");

    assertThat(there.code()).as(there.out()).isEqualTo(refused ? 1 : 0);
    assertThat(there.out())
        .contains(refused ? "stdin:4: LocalQueue \"team/main\": spec.clusterQueue: " : "");
    assertThat(elsewhere.code()).isZero();
  }

  @Test
  void namesAnOldObjectThatCannotBeConverted() throws IOException {
    Path old = Files.writeString(folder.resolve("old.yaml"), QUEUE.replace("v1beta2", "v1alpha2"));

    Ran ran = Commands.runWith(QUEUE, "validate", "-f", "-", "--old", old + "");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("Queue \"").contains("v1alpha2").doesNotContain("Exception");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[a]", "text", "7"})
  void aNamespaceWithLabelsOfAnotherShapeIsNoFault(String labels) {
    Ran ran =
        Commands.runWith(
            "apiVersion: v1\nkind: Namespace\nmetadata: {name: n, labels: "
                + labels
                + "}\n---\n"
                + QUEUE,
            "validate",
            "-f",
            "-");

    assertThat(ran.err()).doesNotContain("Exception");
  }

  @Test
  void saysOfAVersionThatAKindLacksWhichThereAre() {
    Ran ran =
        Commands.runWith(QUEUE.replace("v1beta2", "v1alpha1"), "validate", "-f", "-", "-o", "yaml");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("field: apiVersion", "place: stdin:1", "v1beta1", "v1beta2");
  }

  @Test
  void namesItemsOfListsByTheirPlaceInTheList() {
    String list =
        """
        apiVersion: v1
        kind: List
        items:
        - {apiVersion: v1, kind: ConfigMap}
        - apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: a}
          spec: {clusterQueue: A}
        """;

    Ran ran = Commands.runWith(list, "validate", "-f", "-");

    assertThat(ran.out()).startsWith("stdin:8: LocalQueue \"default/a\": spec.clusterQueue: ");
    assertThat(ran.err()).contains("1 objects checked");
  }

  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: train
        labels:
          kueue.x-k8s.io/queue-name: QUEUE
      spec:
        parallelism: 2
        template:
          spec:
            restartPolicy: Never
            containers: [{name: c, image: i}]
      """;

  @Test
  void asksOfJobsWhatTheConfigurationSays() throws IOException {
    String job = JOB.replace("QUEUE", "Not_A_Name");
    Path pods = configuration("integrations: {frameworks: [pod]}");
    Path jobs = configuration("integrations: {frameworks: [batch/job]}");

    Ran usual = Commands.runWith(job, "validate", "-f", "-");
    Ran managed = Commands.runWith(job, "validate", "-f", "-", "--config", jobs + "");
    Ran others = Commands.runWith(job, "validate", "-f", "-", "--config", pods + "");

    for (Ran refused : new Ran[] {usual, managed}) {
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.out())
          .startsWith(
              "stdin:6: Job \"default/train\": metadata.labels[kueue.x-k8s.io/queue-name]: ");
    }
    assertThat(others.code()).as(others.out()).isZero();
  }

  @Test
  void namesAllProblemsOfAConfiguration() throws IOException {
    Path wrong = configuration("integrations: {framworks: [pod]}\nfeatureGates: {Nonsense: true}");

    Ran ran = Commands.runWith(QUEUE, "validate", "-f", "-", "--config", wrong + "");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains(wrong + ":3", "framworks", wrong + ":4", "Nonsense");
  }

  private Path configuration(String members) throws IOException {
    return Files.writeString(
        Files.createTempFile(folder, "config", ".yaml"),
        "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + members + "\n");
  }

  @Test
  void looksUpQueuesInTheFiles() {
    String queue =
        """
        ---
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: LocalQueue
        metadata: {name: main, namespace: default}
        spec: {clusterQueue: gpus}
        """;

    Ran there = Commands.runWith(JOB.replace("QUEUE", "main") + queue, "validate", "-f", "-");
    Ran lost = Commands.runWith(JOB.replace("QUEUE", "lost") + queue, "validate", "-f", "-");
    Ran unknown = Commands.runWith(JOB.replace("QUEUE", "lost"), "validate", "-f", "-");

    assertThat(there.out()).doesNotContain("Job");
    assertThat(lost.out()).contains("Job \"default/train\": warning: ", "lost");
    assertThat(lost.code()).isZero();
    assertThat(unknown.out()).isEmpty();
  }
}
