package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code sluice convert} promises about files, streams, formats and errors. */
class ConvertCommandTest {
  private static final String TOPOLOGY =
      """
      apiVersion: kueue.x-k8s.io/v1alpha1
      kind: Topology
      metadata:
        name: racks
      spec:
        levels:
        - nodeLabel: z
        - nodeLabel: a
      """;
  private static final String BAD =
      """
      # broken by 0.11
      apiVersion: kueue.x-k8s.io/v1alpha1
      kind: Topology
      metadata:
        name: lost
      """;

  @TempDir Path folder;

  @Test
  void convertsYamlAndKeepsOrder() {
    assertThat(convert(TOPOLOGY)).isEqualTo(TOPOLOGY.replace("v1alpha1", "v1beta2"));
  }

  @Test
  void convertsEveryDocumentAndPassesForeignOnesUnchanged() {
    String foreign = "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: b\n";

    String stream = "---\n" + TOPOLOGY + "---\n---\n# nothing\n---\n" + foreign;

    assertThat(convert(stream)).isEqualTo(stream.replace("v1alpha1", "v1beta2"));
  }

  @Test
  void convertsTheItemsOfLists() {
    String list =
        """
        {"apiVersion":"v1","kind":"List","items":[{"kind":"Pod"},\
        {"apiVersion":"kueue.x-k8s.io/v1alpha1","kind":"Cohort","metadata":{"name":"c"},"spec":{"parent":"p"}}]}
        """;

    assertThat(convert(list))
        .isEqualTo(list.replace("v1alpha1", "v1beta2").replace("\"parent\"", "\"parentName\""));
  }

  @Test
  void readsJsonDocumentsOneAfterTheOther() {
    String yaml =
        run("{\"a\":1.50}{\"b\":1e3}\n{\"c\":[]}", "convert", "-f-", "--to=v1beta2", "-oyaml");

    assertThat(yaml).isEqualTo("a: 1.50\n---\nb: 1e3\n---\nc: []\n");
  }

  @Test
  void anErrorLeavesStandardOutputEmptyAndNamesFileAndLine() throws IOException {
    Path good = file("good.yaml", TOPOLOGY);
    Path bad = file("bad.yaml", "a: 1\n---\n" + BAD);

    Ran ran = Commands.run("convert", "-f", good + "", bad + "", "--to", "v1beta2");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .contains(bad + ":4: Topology \"lost\": spec.levels: at least one level is required");
  }

  @Test
  void carriesOddContentWhenToldTo() {
    Ran ran = Commands.runWith(BAD, "convert", "-f", "-", "--to", "v1beta2", "--carry");

    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("kueue.x-k8s.io/v1beta2", "name: lost");
    assertThat(ran.err()).contains("stdin:2: Topology \"lost\": spec.levels");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.50",
        "1e3",
        "-0.0",
        "123456789012345678901234567890",
        "1E+2",
        "true",
        "null",
        "\"yes\"",
        "\"y\"",
        "\"012\"",
        "\"0o7\"",
        "\"1:30\"",
        "\"1e3\"",
        "\"-.5\"",
        "\"null\"",
        "\"~\"",
        "\"\"",
        "\" x\"",
        "\"a: b\"",
        "\"#x\"",
        "\"=\"",
        "\"<<\"",
        "\"- x\"",
        "\"two\\nlines\\n\"",
        "\"a\\n\\n\"",
        "\"  lead\\nb\"",
        "\"tab\\tx\\ny\"",
        "\"\\r\\n\"",
        "\"ÄÖ 🚢 ключ\"",
        "\"\\u0001\"",
        "\"\u2028x\"",
        "[]",
        "{}",
        "[[1,[]],{\"\":null}]"
      })
  void aValueSurvivesTheWayThroughYaml(String json) {
    String document = "{\"apiVersion\":\"v1\",\"x\":" + json + "}";

    String yaml = run(document, "convert", "-f", "-", "--to", "v1beta2", "-o", "yaml");

    assertThat(run(yaml, "convert", "-f", "-", "--to", "v1beta2", "-o", "json"))
        .isEqualTo(document + "\n");
    assertThat(convert(yaml)).isEqualTo(yaml);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "yes|true",
        "0x1F|31",
        "017|15",
        "1_000|1000",
        ".5|0.5",
        "1:30|\"1:30\"",
        "2026-01-02|\"2026-01-02\"",
        "~|null",
        "!!str 12|\"12\""
      })
  void readsPlainYamlAsKubectlDoes(String yaml, String json) {
    assertThat(run("x: " + yaml, "convert", "-f", "-", "--to", "v1beta2", "-o", "json"))
        .isEqualTo("{\"x\":" + json + "}\n");
  }

  @Test
  void resolvesAnchorsAndMergeKeys() {
    String yaml =
        "base: &b {a: 1, c: 1}\nuse:\n  <<: *b\n  c: 2\nmany: {<<: [{x: 1}, {x: 2, y: 2}]}\n";

    assertThat(run(yaml, "convert", "-f", "-", "--to", "v1beta2", "-o", "json"))
        .isEqualTo(
            "{\"base\":{\"a\":1,\"c\":1},\"use\":{\"c\":2,\"a\":1},\"many\":{\"x\":1,\"y\":2}}\n");
  }

  @Test
  void readsWindowsFilesWithByteOrderMarks() {
    String text = "\ufeff" + TOPOLOGY.replace("\n", "\r\n");

    assertThat(convert(text)).isEqualTo(text.replace("v1alpha1", "v1beta2"));
    assertThat(run("\ufeff{\"a\":1}", "convert", "-f", "-", "--to", "v1beta2", "-o", "json"))
        .isEqualTo("{\"a\":1}\n");
  }

  @Test
  void nothingAtAllIsNothing() {
    assertThat(convert("")).isEmpty();
    assertThat(convert("---\n# nothing\n---\n")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a: 1\\na: 2|stdin:2: key \"a\" stands twice",
        "a:\\n\\tb: 1|stdin:2: no YAML",
        "a: [1|stdin:1: no YAML",
        "a: .inf|stdin:1: .inf is no number that JSON has",
        "? {a: b}\\n: c|stdin:1: a key that is no plain value",
        "- 1|stdin:1: a list (expected: an object)",
        "{\"a\":1,\"a\":2}|stdin",
        "{\"a\":|stdin"
      })
  void saysWhereAFileIsBroken(String text, String expected) {
    Ran ran =
        Commands.runWith(
            text.replace("\\n", "\n").replace("\\t", "\t"),
            "convert",
            "-f",
            "-",
            "--to",
            "v1beta2");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).startsWith("sluice: " + expected).doesNotContain("Exception");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"kind: ClusterQueue\n", "apiVersion: kueue.x-k8s.io\nkind: ClusterQueue\n"})
  void saysThatAnObjectOfOursWithoutItsVersionIsLeftAsItIs(String text) {
    Ran ran = Commands.runWith(text, "convert", "-f", "-", "--to", "v1beta2");

    assertThat(ran.code()).isZero();
    assertThat(ran.out()).isEqualTo(text);
    assertThat(ran.err())
        .contains("stdin:1: ClusterQueue: no apiVersion of kueue.x-k8s.io, so it is left as it is");
  }

  @Test
  void aBombOfAliasesEndsSoon() {
    var bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 12; i++) {
      String before = "*a" + (i - 1);
      bomb.append("a%d: &a%d [%s]\n".formatted(i, i, (before + ",").repeat(9) + before));
    }

    Ran ran =
        Assertions.assertTimeout(
            Duration.ofSeconds(10),
            () -> Commands.runWith(bomb.toString(), "convert", "-f", "-", "--to", "v1beta2"));

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("aliases");
  }

  @Test
  void saysSoOfAFileThatIsNotThereAndOfAFolder() {
    Ran missing = Commands.run("convert", "-f", "no/such.yaml", "--to", "v1beta2");
    Ran directory = Commands.run("convert", "-f", folder.toString(), "--to", "v1beta2");

    assertThat(missing.code()).isEqualTo(1);
    assertThat(missing.err()).contains("no/such.yaml: no such file");
    assertThat(directory.code()).isEqualTo(1);
    assertThat(directory.err()).contains(folder + ": ").containsIgnoringCase("directory");
  }

  private static String convert(String text) {
    return run(text, "convert", "-f", "-", "--to", "v1beta2");
  }

  private static String run(String stdin, String... args) {
    Ran ran = Commands.runWith(stdin, args);
    assertThat(ran.code()).as(ran.err()).isZero();
    return ran.out();
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
