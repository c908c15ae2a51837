package dev.sluice.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The commands with which the page about several clusters begins, word by word. */
@FullTier
@NeedsControlPlane({Part.KUBE_CONTROLLER_MANAGER, Part.KUBE_SCHEDULER, Part.KWOK})
@EnabledIf(value = "hasKubectl", disabledReason = "kubectl is not on the PATH")
@Timeout(1200)
class MultiClusterPageE2E {
  private static final Path PAGE = Path.of("..", "..", "docs", "tasks", "multicluster.md");
  private static final Pattern BLOCK = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
  private static final Duration START = Duration.ofMinutes(8);
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(200);

  @TempDir Path home;

  static boolean hasKubectl() {
    return Shell.has("kubectl");
  }

  /** The blocks of commands of the part that is tried on one machine. */
  private static List<String> blocks() throws IOException {
    String page = Files.readString(PAGE);
    String part =
        page.substring(page.indexOf("## Try it on your machine"), page.indexOf("## What you need"));
    List<String> blocks = new ArrayList<>();
    BLOCK.matcher(part).results().forEach(it -> blocks.add(it.group(1)));
    return blocks;
  }

  /** A folder with a command {@code sluice} that runs the classes under test. */
  private Path programs() throws IOException {
    Path folder = Files.createDirectory(home.resolve("bin"));
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path program =
        Files.writeString(
            folder.resolve("sluice"),
            "#!/bin/sh\nexec %s -cp '%s' dev.sluice.cli.Main \"$@\"\n"
                .formatted(java, System.getProperty("java.class.path")));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return folder;
  }

  @Test
  void theCommandsOfThePageEndWithAFinishedJobThatLeavesNothing() throws Exception {
    List<String> blocks = blocks();
    String[] start = blocks.getFirst().strip().split(" ");
    assertThat(start[0]).isEqualTo("sluice");
    Map<String, String> environment =
        Map.of(
            "HOME", home.toString(),
            "XDG_DATA_HOME", home.resolve(".local/share").toString(),
            "PATH", programs() + ":" + System.getenv("PATH"));
    Instant begun = Instant.now();
    try (SluiceProcess clusters =
        SluiceProcess.startFromClasses(
            home, environment, List.of(start).subList(1, start.length).toArray(String[]::new))) {
      Poll.until(START, PAUSE, () -> clusters.hasEnded() || isUp(clusters));
      assertThat(isUp(clusters)).as("%s%n%s", clusters.out(), clusters.err()).isTrue();

      Shell.Ran ran = script(environment, blocks.subList(1, blocks.size() - 1));
      assertThat(ran.code()).as("%s%n%s", ran.out(), ran.err()).isZero();
      assertThat(ran.out())
          .contains("job.batch/hello condition met", "worker-1", "worker-2")
          .contains("The workload was admitted on", "On other clusters");
      List<String> last = List.of(blocks.get(1), blocks.getLast());
      assertThat(Poll.until(SOON, PAUSE, () -> isNothingLeft(environment, last)))
          .as("nothing is left on the workers")
          .isTrue();
      System.out.printf("the page took %d s%n", Duration.between(begun, Instant.now()).toSeconds());
      clusters.terminate(Duration.ofMinutes(2));
    }
  }

  private Shell.Ran script(Map<String, String> environment, List<String> blocks) {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", "set -e\n" + String.join("", blocks))
            .directory(home.toFile());
    builder.environment().putAll(environment);
    try {
      return Shell.run(builder, START);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private boolean isNothingLeft(Map<String, String> environment, List<String> blocks) {
    return script(environment, blocks)
            .err()
            .lines()
            .filter(it -> it.startsWith("No resources found"))
            .count()
        == 2;
  }

  private static boolean isUp(SluiceProcess clusters) {
    return clusters.out().contains("a Job ");
  }
}
