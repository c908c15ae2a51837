package dev.sluice.cli.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cli.process.Shell;
import dev.sluice.cli.process.SluiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Where a reader types the lines of a page: in a clone of the repository, with the program under
 * test as {@code sluice} and as {@code ./sluice}.
 *
 * @param folder the clone
 * @param variables those of the environment beside ours
 */
record Terminal(Path folder, Map<String, String> variables) {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final List<String> ANSWERING =
      List.of("sluice install --diff", "sluice shadow", "sluice takeover --check");

  /**
   * There is no network of a cluster. So what is installed leaves the CRDs as they are, which lead
   * to a server by URL, and no API is served behind a Service.
   */
  private static final String LAUNCHER =
      """
      #!/bin/bash
      set -o pipefail
      sluice() { PROGRAM "$@"; }
      withoutServices() {
        awk 'BEGIN {RS = ORS = "---\\n"} !/kind: APIService\\n/' \\
          | awk '/^  conversion:/ {skip = 1; next} skip && /^    / {next} {skip = 0; print}'
      }
      case "$1 $2" in
        'install --diff'*) sluice "$@" ;;
        install*) sluice "$@" | withoutServices ;;
        *) sluice "$@" ;;
      esac
      """;

  /** A terminal in that folder, which has nothing yet. */
  static Terminal in(Path folder, String kubeconfig) throws IOException {
    Files.createSymbolicLink(folder.resolve("manifests"), Page.ROOT.resolve("manifests"));
    Path launcher =
        Files.writeString(
            folder.resolve("sluice"),
            LAUNCHER.replace("PROGRAM", SluiceProcess.commandLine()),
            UTF_8);
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    String path = folder + ":" + System.getenv("PATH");
    // each line starts a JVM: they share what the first one has loaded
    String shared =
        "-XX:+AutoCreateSharedArchive -XX:SharedArchiveFile=" + folder.resolve("classes.jsa");
    return new Terminal(
        folder, Map.of("KUBECONFIG", kubeconfig, "PATH", path, "JAVA_TOOL_OPTIONS", shared));
  }

  /** Types it until it succeeds: a person is slower than the controllers of a cluster. */
  String type(String page) {
    String line = page.replace(" --for 7d ", " --for 10s "); // who reads it has the week
    return await(line).atMost(PATIENCE).until(() -> once(line), ran -> hasWorked(line, ran)).out();
  }

  /**
   * A difference or a finding is an answer on standard output, and tells itself by the exit code.
   */
  private static boolean hasWorked(String line, Shell.Ran ran) {
    boolean answers = ANSWERING.stream().anyMatch(line::contains);
    return ran.code() == 0 || (answers && ran.code() == 1 && !ran.out().isBlank());
  }

  /** Types it once. */
  Shell.Ran once(String line) throws IOException, InterruptedException {
    ProcessBuilder shell =
        new ProcessBuilder("bash", "-o", "pipefail", "-c", line).directory(folder.toFile());
    shell.environment().putAll(variables);
    return Shell.run(shell, PATIENCE);
  }
}
