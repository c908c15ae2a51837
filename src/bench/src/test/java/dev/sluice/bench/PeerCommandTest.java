package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controlplane.Poll;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runners and programs are scripts here; what they use is measured of real processes. */
class PeerCommandTest {
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(50);

  @TempDir Path folder;

  private String script(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/bash\n" + text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file.toString();
  }

  /** A program that says a number and then works until it is ended. */
  private String program(String name, int number) throws IOException {
    return script(name, "echo %d > \"$1\"\nwhile :; do :; done\n".formatted(number));
  }

  /** Lets the program work for a second, and leaves the number in a file of its own. */
  private String runner() throws IOException {
    return script(
        "runner",
        """
        "$1" "$2/said" & program=$!
        ticks() { cut -d' ' -f14 "/proc/$program/stat"; }
        until [ "$(ticks)" -ge 100 ]; do :; done
        kill "$program"
        printf 'classes:\\n  small: {meanMs: %s, name: small}\\n' "$(cat "$2/said")" > "$2/summary.yaml"
        echo '[1, 2]' > "$2/list.json"
        """);
  }

  private Ran.Result run(String... arguments) {
    return Ran.of(new PeerCommand(), arguments);
  }

  @Test
  void comparesWhatRunnersLeaveAndWhatTheirProcessesUse() throws IOException {
    String fast = program("fast", 100);
    String slow = program("slow's", 400);

    Ran.Result ran =
        run(
            "--runner=" + runner(),
            "--program=" + fast,
            "--other=" + slow,
            "--times=2",
            "--output=" + folder.resolve("turns"),
            "--",
            "{program}",
            "{output}");

    assertThat(ran.exitCode()).as(ran.said()).isZero();
    assertThat(ran.said())
        .containsPattern(
            "summary.yaml classes.small.meanMs \\|"
                + " +100 \\(100-100\\) \\| +400 \\(400-400\\) \\| +0\\.25 \\|")
        .contains("A: " + fast + "\n", "B: " + slow + "\n", "| A / B |")
        .containsPattern("wall time, s \\| +\\d+\\.\\d\\d \\(")
        .containsPattern("the program's CPU, s \\| +\\d+\\.\\d\\d \\(")
        .containsPattern("the program's peak memory, MiB \\| +\\d+\\.\\d\\d \\(")
        .containsPattern("the runner's CPU, s \\|")
        .doesNotContain("list.json", "name: small");
    assertThat(folder.resolve("turns/4/output/summary.yaml")).exists();
  }

  @Test
  void saysThatARunnerFailedAndWhereItsWordsAre() throws IOException {
    Ran.Result ran =
        run(
            "--runner=" + script("failing", "echo no quota; exit 3\n"),
            "--program=" + program("a", 1),
            "--other=" + program("b", 2),
            "--output=" + folder.resolve("turns"),
            "--",
            "{program}");

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.said()).contains("peer: the runner ended with 3, see ");
    assertThat(folder.resolve("turns/1/runner.log")).hasContent("no quota");
  }

  @Test
  void saysThatARunnerNeverStartedTheProgram() throws IOException {
    Ran.Result ran =
        run(
            "--runner=/bin/true",
            "--program=" + program("a", 1),
            "--other=" + program("b", 2),
            "--",
            "{program}");

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.said()).contains("the runner never started the program");
  }

  @Test
  void endsARunnerThatIsNotOverInTimeWithItsProgram() throws IOException {
    Path pid = folder.resolve("pid");
    String runner = script("endless", "\"$1\" \"$2/said\" & echo $! > " + pid + "\nwait\n");

    Ran.Result ran =
        run(
            "--runner=" + runner,
            "--program=" + program("a", 1),
            "--other=" + program("b", 2),
            "--bound=4",
            "--",
            "{program}",
            "{output}");

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.said()).contains("the runner is not over after 4 s, see ");
    long program = Long.parseLong(Files.readString(pid).strip());
    assertThat(
            Poll.until(
                SOON,
                PAUSE,
                () -> ProcessHandle.of(program).filter(ProcessHandle::isAlive).isEmpty()))
        .isTrue();
  }

  @Test
  void refusesACommandThatNamesNoProgram() throws IOException {
    Ran.Result ran =
        run(
            "--runner=/bin/true",
            "--program=" + program("a", 1),
            "--other=" + program("b", 2),
            "--",
            "{output}");

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.said()).contains("no argument of the runner has {program}");
  }

  @Test
  void refusesAProgramThatIsNotThere() throws IOException {
    Ran.Result ran =
        run(
            "--runner=/bin/true",
            "--program=" + program("a", 1),
            "--other=" + folder.resolve("nobody"),
            "--",
            "{program}");

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.said()).contains("nobody: not there, or not executable");
  }

  @Test
  void refusesAFolderWithWhatAnEarlierRunLeft() throws IOException {
    Path turns = folder.resolve("turns");
    Files.createDirectories(turns.resolve("1/output"));

    Ran.Result ran =
        run(
            "--runner=/bin/true",
            "--program=" + program("a", 1),
            "--other=" + program("b", 2),
            "--output=" + turns,
            "--",
            "{program}");

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.said()).contains("turns: not empty (expected: a new folder)");
  }
}
