package dev.sluice.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.recording.RecordedOutcome;
import dev.sluice.testkit.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReplayCommandTest {
  @TempDir private Path folder;

  @Test
  void aRecordingThatIsDecidedTheSameIsAYes() throws IOException {
    RandomRecording recording = RandomRecording.of(1, 200);
    recording.write(folder);

    Ran ran = Commands.run("replay", folder.toString());

    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains(recording.made().size() + " decisions in ").contains("the same");
  }

  @Test
  void jsonSaysTheSame() throws IOException {
    RandomRecording.of(1, 50).write(folder);

    Ran ran = Commands.run("replay", folder.toString(), "-o", "json");

    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("\"same\" : true").contains("\"differences\" : [ ]");
  }

  @Test
  void anAlteredSegmentIsANoThatNamesIt() throws IOException {
    Path file = RandomRecording.of(1, 50).write(folder);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 4;
    Files.write(file, bytes);

    Ran ran = Commands.run("replay", folder.toString());

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains(file.getFileName().toString()).contains("the chain is broken");
  }

  @Test
  void anotherFormatIsANoThatNamesIt() throws IOException {
    Path file = RandomRecording.of(1, 50).write(folder);
    byte[] bytes = Files.readAllBytes(file);
    bytes[11] = 9; // the last byte of the format
    Files.write(file, bytes);

    Ran ran = Commands.run("replay", file.toString());

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("has format 9 (expected: 1");
  }

  @Test
  void aFolderWithoutARecordingIsNone() {
    assertThat(Commands.run("replay", folder.toString()).code()).isEqualTo(1);
    assertThat(Commands.run("replay", folder.resolve("none").toString()).code()).isEqualTo(2);
    assertThat(Commands.run("replay", folder.toString(), "--export", "x").code()).isEqualTo(2);
  }

  @Test
  void onlyDecisionsOfTheGivenTimeAreReported() throws IOException {
    RandomRecording recording = RandomRecording.of(1, 200);
    recording.write(folder);
    Instant middle = recording.made().get(recording.made().size() / 2).at();
    long before = recording.made().stream().filter(it -> it.at().isBefore(middle)).count();
    long until = recording.made().stream().filter(it -> !it.at().isAfter(middle)).count();

    Ran late = Commands.run("replay", folder.toString(), "--from", middle.toString());
    Ran early = Commands.run("replay", folder.toString(), "--to", middle.toString());

    assertThat(late.out()).startsWith((recording.made().size() - before) + " decisions in ");
    assertThat(early.out()).startsWith(until + " decisions in ");
  }

  @Test
  void whatEachQueueUsedBecomesAPicture() throws IOException {
    RandomRecording.of(1, 400).write(folder);
    Path svg = folder.resolve("usage.svg");
    Path edits =
        Files.writeString(
            folder.resolve("edits.yaml"),
            "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name:"
                + " another}}");

    Ran ran = Commands.run("replay", folder.toString(), "--svg", svg.toString());

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(Files.readString(svg))
        .startsWith("<svg ")
        .contains("time since the beginning")
        .containsPattern(">[a-z0-9-]+ \u00b7 cpu ");

    Ran both =
        Commands.run("replay", folder.toString(), "-f", edits.toString(), "--svg", svg.toString());

    assertThat(both.code()).as(both.err()).isZero();
    assertThat(Files.readString(svg)).contains(", as it was \u00b7 cpu", ", edited \u00b7 cpu");
  }

  @Test
  void flagsOfTheRecorderThatCannotBeObeyedAreWrongUsage() {
    Ran small = Commands.run("schedule", "--record=" + folder, "--record-size=1Mi");
    Ran fleet = Commands.run("dev-cluster", "--record=" + folder, "--workers=1");

    assertThat(small.code()).isEqualTo(2);
    assertThat(small.err()).contains("1Mi (expected: at least 24Mi)");
    assertThat(fleet.code()).isEqualTo(2);
    assertThat(fleet.err()).contains("--record");
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Tier.number(3, 20));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void anExportedDecisionIsAScenarioThatPasses(long seed) throws IOException {
    RandomRecording recording = RandomRecording.of(seed, 150);
    recording.write(folder);
    RandomRecording.Made wanted = preemptionOrRefusal(recording.made());
    ObjectKey workload = wanted.workload();

    for (List<String> flags : List.of(List.<String>of(), List.of("--anonymize"))) {
      Path file = folder.resolve("scenario" + flags.size() + ".yaml");
      List<String> args =
          List.of(
              "replay",
              folder.toString(),
              "--export",
              file.toString(),
              "--around",
              workload + "@" + wanted.at());
      Ran export =
          Commands.run(Stream.concat(args.stream(), flags.stream()).toArray(String[]::new));
      assertThat(export.err()).isEmpty();
      assertThat(export.code()).isZero();

      Ran test = Commands.run("test", file.toString());

      assertThat(test.out()).contains("1 scenarios: 1 passed");
      String text = Files.readString(file);
      assertThat(text.contains("secret")).isEqualTo(flags.isEmpty());
      if (flags.isEmpty()) {
        RecordedOutcome.victims(wanted.decision())
            .forEach(victim -> assertThat(text).contains(victim.name()));
      }
    }
  }

  private static RandomRecording.Made preemptionOrRefusal(List<RandomRecording.Made> made) {
    return made.stream()
        .filter(it -> it.decision() instanceof Decision.Preempting)
        .findFirst()
        .or(() -> made.stream().filter(it -> it.decision() instanceof Decision.Waiting).findFirst())
        .orElseThrow();
  }
}
