package dev.sluice.quota;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.testkit.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The order in which Java's immutable sets and maps are walked differs from process to process, and
 * so do identity hash codes. No decision may depend on it, or no recording could be replayed.
 */
@FullTier
class RecordingInOtherProcessesTest {
  private static final int PROCESSES = 3;
  private static final int WORLDS = 4;
  private static final int STEPS = 1_000;

  /** Prints a digest of all that random worlds record. */
  public static void main(String[] args) throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (int seed = 0; seed < WORLDS; seed++) {
      EngineConfiguration defaults = EngineConfiguration.defaults();
      EngineConfiguration configuration =
          seed % 2 > 0 ? defaults.withFairSharing(FairSharing.BOTH) : defaults;
      var world = new RandomWorld(seed, configuration, 10);
      var recorded = new RecordedWorld(configuration, 20);
      world.record(recorded::take);
      for (int step = 0; step < STEPS; step++) {
        world.step();
      }
      recorded.segments().forEach(digest::update);
    }
    System.out.println(HexFormat.of().formatHex(digest.digest()));
  }

  @Test
  void everyProcessDecidesTheSame() throws IOException, InterruptedException {
    Set<String> digests = new HashSet<>();
    for (int i = 0; i < PROCESSES; i++) {
      digests.add(run());
    }

    assertThat(digests).hasSize(1);
  }

  private static String run() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-Xmx512m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    RecordingInOtherProcessesTest.class.getName()))
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(out).isZero();
    return out;
  }
}
