package dev.sluice.cli.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.cli.progress.FileProgress;
import dev.sluice.json.yaml.ManifestException;
import dev.sluice.server.manifest.ManifestPaths;
import dev.sluice.server.program.CommandException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plays scenarios and says what is not as expected: unit tests for queues, without a cluster. */
@Command(
    name = "test",
    header = "Runs scenarios and reports what is not as expected: unit tests for queues.",
    description = {
      "A scenario is a file with queues, workloads and the expected results. Folders are searched"
          + " recursively. The last line shows the counts. Exit code 1 if anything is not as"
          + " expected."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice test manifests/samples/scenarios",
      "  sluice test queues/ --junit target/queues.xml",
      "  sluice test one.yaml --verbose"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class TestCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description = "Files with scenarios, or folders.")
  private List<String> paths;

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "Also writes the results to this file, in the form of JUnit.")
  private @Nullable Path junit;

  @Option(
      names = {"-v", "--verbose"},
      description = "Also names the scenarios that pass.")
  private boolean verbose;

  @Override
  public Integer call() {
    long start = System.nanoTime();
    List<ScenarioResult> results = play(files());
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    if (results.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "no scenario in " + String.join(", ", paths) + " (expected: documents of kind Scenario)");
    }
    print(results, took);
    if (junit != null) {
      write(junit, JUnitReport.of(results, took));
    }
    return results.stream().allMatch(ScenarioResult::passed) ? 0 : 1;
  }

  private List<String> files() {
    List<String> problems = new ArrayList<>();
    List<String> files = ManifestPaths.find(paths, true, problems);
    for (String path : paths) {
      if (!Files.exists(Path.of(path))) {
        problems.add(path + ": no such file or folder");
      }
    }
    if (!problems.isEmpty()) {
      throw new ParameterException(spec.commandLine(), String.join("\n", problems));
    }
    return files;
  }

  private static List<ScenarioResult> play(List<String> files) {
    List<ScenarioResult> results = new ArrayList<>();
    try (FileProgress progress = FileProgress.over("test", files);
        ExecutorService workers =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      List<Future<List<ScenarioResult>>> running =
          files.stream().map(file -> workers.submit(() -> play(file))).toList();
      for (Future<List<ScenarioResult>> future : running) {
        results.addAll(future.get());
        progress.step();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a scenario cannot be played", e.getCause());
    }
    return results;
  }

  private static List<ScenarioResult> play(String file) {
    try {
      return new ScenarioReader().read(file).stream().map(ScenarioRunner::run).toList();
    } catch (ManifestException e) {
      String problem = String.valueOf(e.getMessage());
      return List.of(new ScenarioResult(file, file, problem, List.of(), Duration.ZERO));
    } catch (RuntimeException e) { // a fault of ours, which must not hide what the others say
      String problem = "internal error, please report it: " + e;
      return List.of(new ScenarioResult(file, file, problem, List.of(), Duration.ZERO));
    }
  }

  private void print(List<ScenarioResult> results, Duration took) {
    PrintWriter out = spec.commandLine().getOut();
    for (ScenarioResult result : results) {
      if (!result.passed()) {
        out.printf("FAIL %s (%s)%n%s", result.name(), result.place(), result.report());
      } else if (verbose) {
        out.printf("pass %s (%s)%n", result.name(), result.place());
      }
    }
    long passed = results.stream().filter(ScenarioResult::passed).count();
    out.printf(
        Locale.ROOT,
        "%d scenarios: %d passed, %d failed (%.1f s)%n",
        results.size(),
        passed,
        results.size() - passed,
        took.toMillis() / 1e3);
    out.flush();
  }

  private static void write(Path file, String text) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Files.writeString(file, text, UTF_8);
    } catch (IOException e) {
      throw new CommandException(file + ": cannot be written: " + e.getMessage(), e);
    }
  }
}
