package dev.sluice.cli.kinds;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import dev.sluice.manifests.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The manifests of jobs that users are told to start with. */
class JobSamplesTest {
  private static final Path QUEUES = KindScene.SAMPLES.resolve("queues.yaml");

  private static final Path PAGES = Path.of("..", "..", "docs", "tasks", "jobs");

  @TempDir Path folder;

  static List<Path> samples() throws IOException {
    try (Stream<Path> files = Files.list(KindScene.SAMPLES)) {
      return files.filter(it -> Files.isRegularFile(it) && !it.equals(QUEUES)).sorted().toList();
    }
  }

  private String everyKind() throws IOException {
    String frameworks =
        Arrays.stream(Framework.values()).map(Framework::frameworkName).collect(joining(", "));
    return Files.writeString(
            folder.resolve("config.yaml"),
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            integrations: {frameworks: [%s]}
            featureGates: {SparkApplicationIntegration: true}
            """
                .formatted(frameworks))
        .toString();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void namesTheQueueBesideItAndIsAdmittedWithoutAWarning(Path sample) throws IOException {
    List<ObjectNode> objects =
        new YamlReader().readAll(sample.toString(), Files.readString(sample));

    Ran ran =
        Commands.run(
            "validate", "-f", sample.toString(), "-f", QUEUES.toString(), "--config", everyKind());

    assertThat(ran.out()).as(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(objects)
        .filteredOn(JobSamplesTest::isJob)
        .isNotEmpty()
        .allSatisfy(
            it ->
                assertThat(it.at("/metadata/labels").path(Labels.QUEUE_NAME).asText())
                    .isEqualTo(KindScene.QUEUE));
  }

  @Test
  void isNamedByThePageOfItsFamily() throws IOException {
    StringBuilder pages = new StringBuilder();
    try (Stream<Path> files = Files.list(PAGES)) {
      for (Path file : files.toList()) {
        pages.append(Files.readString(file));
      }
    }

    assertThat(samples())
        .map(it -> it.getFileName().toString())
        .allSatisfy(it -> assertThat(pages).contains(it));
  }

  @Test
  void aKindOfYourOwnIsAdmittedWithItsExtensions() {
    Path custom = KindScene.SAMPLES.resolve("custom");

    Ran ran =
        Commands.run(
            "validate",
            "-f",
            custom.resolve("train.yaml").toString(),
            "-f",
            QUEUES.toString(),
            "--config",
            custom.resolve("extensions.yaml").toString());
    Ran misspelt =
        Commands.runWith(
            """
            {"apiVersion": "rail.example/v1", "kind": "Train",
             "metadata": {"name": "a", "labels": {"kueue.x-k8s.io/queue-name": "Bad_Name"}}}
            """,
            "validate",
            "-f",
            "-",
            "--config",
            custom.resolve("extensions.yaml").toString());

    assertThat(ran.out()).as(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(misspelt.out()).contains("metadata.labels[kueue.x-k8s.io/queue-name]");
    assertThat(misspelt.code()).isEqualTo(1);
  }

  private static boolean isJob(JsonNode object) {
    String apiVersion = object.path("apiVersion").asText();
    return Arrays.stream(Framework.values())
        .map(Framework::type)
        .anyMatch(
            it ->
                it.apiVersion().equals(apiVersion)
                    && it.kind().equals(object.path("kind").asText()));
  }
}
