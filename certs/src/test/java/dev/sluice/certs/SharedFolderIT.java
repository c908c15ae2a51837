package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.FOLDER_IN_USE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.testkit.FullTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A folder and more than one process: they start at once, one stays in the way, one is killed. */
class SharedFolderIT {
  private static final List<String> PLAIN = List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1");

  @TempDir private Path temp;

  @Test
  void processesThatStartAtOnceAgree() throws Exception {
    var dir = temp.resolve("certs");
    var processes = new ArrayList<Process>();
    for (int i = 0; i < 4; i++) {
      processes.add(FolderProcess.start(PLAIN, "open", dir));
    }

    var said = new HashSet<String>();
    for (var process : processes) {
      said.add(serves(output(process)));
    }

    assertThat(said)
        .containsExactly(FolderProcess.describe(FolderProcess.open(dir, InstantSource.system())));
  }

  @Test
  void saysSoWhenAnotherProcessKeepsTheFolder() throws Exception {
    var dir = temp.resolve("certs");
    var holder = FolderProcess.start(PLAIN, "hold", dir);
    assertThat(holder.inputReader().readLine()).isEqualTo("holding");

    var problem = catchThrowableOfType(CertificateProblem.class, () -> openWithin(dir, 50));
    holder.outputWriter().close();
    assertThat(holder.waitFor(20, TimeUnit.SECONDS)).isTrue();

    assertThat(problem.reason()).isEqualTo(FOLDER_IN_USE);
    assertThat(problem).hasMessageContaining(dir.toString());
    assertThat(openWithin(dir, 5000).current()).isNotNull();
  }

  @Test
  void aKilledProcessKeepsNobodyOut() throws Exception {
    var dir = temp.resolve("certs");
    var holder = FolderProcess.start(PLAIN, "hold", dir);
    assertThat(holder.inputReader().readLine()).isEqualTo("holding");

    holder.destroyForcibly().waitFor();

    assertThat(openWithin(dir, 5000).current()).isNotNull();
  }

  static IntStream kills() {
    return IntStream.range(0, 8);
  }

  @FullTier
  @ParameterizedTest
  @MethodSource("kills")
  void whereverAProcessIsKilledTheNextStartIsWhole(int seed) throws Exception {
    var dir = temp.resolve("certs");
    var writer = FolderProcess.start(PLAIN, "rewrite", dir);
    assertThat(writer.inputReader().readLine()).isEqualTo("rewriting");
    // It is killed at a random time; the assertions must hold whenever that is.
    writer.waitFor(new Random(seed).nextInt(600), TimeUnit.MILLISECONDS);

    writer.destroyForcibly().waitFor();

    var newest = newestAuthority(dir);
    var then = InstantSource.fixed(newest.validity().until().minus(Duration.ofDays(900)));
    var folder = FolderProcess.open(dir, then);
    assertThat(folder.caBundlePem()).startsWith(Pem.of(newest.certificate()));
    assertThat(folder.caBundleFile()).hasContent(folder.caBundlePem());
    CertificatePath.requireFrom(
        folder.current(),
        Pem.parse(folder.caBundlePem()).certificates(),
        then.instant(),
        folder.caBundleFile()); // throws when not so
    assertThat(namesIn(dir)).containsExactlyInAnyOrder(".lock", "ca.crt", "ca.pem", "serving.pem");
    assertThat(FolderProcess.open(dir, then).current()).isEqualTo(folder.current());
  }

  private static CertificateAuthority newestAuthority(Path dir) {
    return Pem.load(dir.resolve("ca.pem"), Authorities::of).orElseThrow().signing().getFirst();
  }

  @Test
  void aStartThatIssuesNothingLoadsNoBouncyCastle() throws Exception {
    var dir = temp.resolve("certs");
    var first = FolderProcess.open(dir, InstantSource.system());

    var log = output(FolderProcess.start(List.of("-Xlog:class+load"), "open", dir));

    assertThat(serves(log)).isEqualTo(FolderProcess.describe(first));
    assertThat(log).anyMatch(line -> line.contains("dev.sluice.certs.CertificateFolder"));
    assertThat(log).noneMatch(line -> line.contains("org.bouncycastle"));
  }

  private static CertificateFolder openWithin(Path dir, int patienceMillis) {
    return CertificateFolder.open(
        dir,
        FolderProcess.NAMES,
        FolderProcess.LIFETIMES,
        InstantSource.system(),
        Fixtures.RANDOM,
        Duration.ofMillis(patienceMillis));
  }

  private static List<String> namesIn(Path dir) throws IOException {
    try (var list = Files.list(dir)) {
      return list.map(path -> String.valueOf(path.getFileName())).toList();
    }
  }

  private static List<String> output(Process process) throws InterruptedException {
    var lines = process.inputReader().lines().toList();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    return lines;
  }

  private static String serves(List<String> output) {
    return output.stream()
        .filter(line -> line.startsWith("serves "))
        .findFirst()
        .orElseThrow(() -> new AssertionError(String.join("\n", output)));
  }
}
