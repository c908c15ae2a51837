package dev.sluice.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.process.SluiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The packaged program migrating one kind, in processes of its own that share their progress.
 *
 * @param folder for what they write
 * @param kubeconfig of the cluster
 * @param kind what is migrated
 * @param flags further flags of each run
 */
record MigrateProcess(Path folder, Path kubeconfig, ApiKind kind, List<String> flags) {
  private static final Duration BOUND = Duration.ofMinutes(20);
  private static final int SIGKILLED = 137;

  /**
   * Starts it and kills it with SIGKILL when its checkpoint says that so many are rewritten.
   *
   * @return how many the checkpoint names then
   */
  long killAfter(long objects, int rate) throws Exception {
    try (SluiceProcess process = start("--rate=" + rate)) {
      await()
          .atMost(BOUND)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> process.hasEnded() || rewritten() >= objects);
      process.kill();
      assertThat(process.awaitEnd(BOUND)).as(process.err()).isEqualTo(SIGKILLED);
      return rewritten();
    }
  }

  /** Runs it to its end and returns what it said. */
  String finish() throws Exception {
    try (SluiceProcess process = start()) {
      assertThat(process.awaitEnd(BOUND)).as(process.err()).isZero();
      return process.err() + process.out();
    }
  }

  private SluiceProcess start(String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "migrate",
                "--kind=" + kind,
                "--settle=1s",
                "--data=" + folder.resolve("migrate-data"),
                "--kubeconfig=" + kubeconfig));
    arguments.addAll(flags);
    arguments.addAll(List.of(more));
    return SluiceProcess.start(folder, arguments.toArray(String[]::new));
  }

  private long rewritten() throws IOException {
    Path data = folder.resolve("migrate-data");
    try (Stream<Path> files = Files.exists(data) ? Files.walk(data) : Stream.empty()) {
      Optional<Path> file =
          files.filter(path -> path.endsWith(kind.plural() + ".json")).findFirst();
      return file.isPresent()
          ? new JsonMapper().readTree(file.get().toFile()).at("/counts/rewritten").asLong()
          : 0;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof NoSuchFileException) {
        return 0; // a checkpoint was renamed between its listing and the look at it
      }
      throw e;
    }
  }
}
