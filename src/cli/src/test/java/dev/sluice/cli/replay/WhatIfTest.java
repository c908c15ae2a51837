package dev.sluice.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three jobs that run for 10 s each arrive at once in a queue that has room for one of them. */
class WhatIfTest {
  private static final String EDIT =
      """
      {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue","metadata":{"name":"q0"},
      "spec":{"resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"f0","resources":[
      {"name":"cpu","nominalQuota":"%d"}]}]}]}}
      """;

  @TempDir private Path folder;
  private Path recording;

  @BeforeEach
  void record() throws IOException {
    recording = Files.createDirectory(folder.resolve("recording"));
    RandomRecording.threeInALine().write(recording);
  }

  private static JsonNode replayed(Path recording, String... flags) throws IOException {
    List<String> args = new ArrayList<>(List.of("replay", recording.toString(), "-o", "json"));
    args.addAll(List.of(flags));
    Ran ran = Commands.run(args.toArray(String[]::new));
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    return new ObjectMapper().readTree(ran.out()).path("q0");
  }

  private String edit(int cpu) throws IOException {
    Path file = folder.resolve("cpu-" + cpu + ".json");
    return Files.writeString(file, EDIT.formatted(cpu)).toString();
  }

  @Test
  void moreQuotaLetsAllStartAtOnce() throws IOException {
    JsonNode queue = replayed(recording, "-f", edit(3));

    assertThat(queue.at("/as it was/started").asInt()).isEqualTo(3);
    assertThat(queue.at("/as it was/waitMeanSeconds").asInt()).isEqualTo(10);
    assertThat(queue.at("/as it was/waitP90Seconds").asInt()).isEqualTo(10);
    assertThat(queue.at("/edited/started").asInt()).isEqualTo(3);
    assertThat(queue.at("/edited/waitMeanSeconds").asInt()).isZero();
    assertThat(queue.at("/edited/unitHours/cpu").asDouble())
        .isEqualTo(queue.at("/as it was/unitHours/cpu").asDouble());
  }

  @Test
  void withBlockAdmissionAJobThatStartedDoesNotHoldUpTheOthersUntilItEnds() throws IOException {
    Path file = folder.resolve("configuration.yaml");
    Files.writeString(
        file,
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        waitForPodsReady: {timeout: 5m, blockAdmission: true}
        """);

    JsonNode queue = replayed(recording, "--config", file.toString(), "-f", edit(3));

    assertThat(queue.at("/edited/started").asInt()).isEqualTo(3);
    assertThat(queue.at("/edited/waitMeanSeconds").asInt()).isZero();
  }

  @Test
  void aFileWithoutAConfigurationIsRefused() throws IOException {
    Path file = folder.resolve("map.yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: sluice-config}
        data: {controller_manager_config.yaml: ""}
        """);

    Ran ran = Commands.run("replay", recording.toString(), "--config", file.toString());

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("--config " + file + ": no Configuration of config.kueue.x-k8s.io");
  }

  @Test
  void twoEditsAreShownSideBySide() throws IOException {
    String none = edit(0);
    String two = edit(2);

    JsonNode queue = replayed(recording, "--diff", none, two);

    assertThat(queue.path(none).path("starved").asInt()).isEqualTo(3);
    assertThat(queue.path(two).path("started").asInt()).isEqualTo(3);
    assertThat(queue.path(two).path("waitMeanSeconds").asInt()).isEqualTo(3);
  }

  @Test
  void textSaysTheSame() throws IOException {
    Ran ran = Commands.run("replay", recording.toString(), "-f", edit(3));

    assertThat(ran.out()).contains("CLUSTER QUEUE", "as it was", "edited", "wait, mean");
    assertThat(ran.code()).isZero();
  }

  @Test
  void anEditOfAnotherVersionIsRefused() throws IOException {
    Path old = folder.resolve("old.json");
    Files.writeString(old, EDIT.formatted(1).replace("v1beta2", "v1beta1"));

    Ran ran = Commands.run("replay", recording.toString(), "-f", old.toString());

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("sluice convert");
  }
}
