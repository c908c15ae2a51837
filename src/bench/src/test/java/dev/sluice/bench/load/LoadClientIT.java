package dev.sluice.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.objects.AdmissionCase;
import dev.sluice.bench.objects.Corpus;
import dev.sluice.bench.objects.ObjectMakers;
import dev.sluice.bench.server.BenchServer;
import dev.sluice.bench.server.Yardstick;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@FullTier
class LoadClientIT {
  private static final Window SHORT = new Window(Duration.ZERO, Duration.ofSeconds(1));

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(names = {"SLUICE", "ECHO"})
  void getsAGoodAnswerToEveryRequest(Yardstick yardstick) throws Exception {
    Corpus single = Corpus.of(ObjectMakers.ofKnownKinds(), 1, 1);
    Corpus lists = Corpus.of(ObjectMakers.ofKnownKinds(), 50, 1);

    try (BenchServer server = BenchServer.start(yardstick, folder);
        LoadClient client =
            new LoadClient(
                server.target(), ProcessHandle.current(), Protocol.ONE_HTTP2_CONNECTION);
        LoadClient http1 =
            new LoadClient(server.target(), ProcessHandle.current(), Protocol.HTTP1_CONNECTIONS)) {
      assertComplete(client.asFastAsPossible(lists, 16, SHORT), 50);
      assertComplete(http1.asFastAsPossible(single, 16, SHORT), 1);
      assertThat(client.atRate(single, 100, SHORT).sent()).isEqualTo(100);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SLUICE", "BARE"})
  void getsAPermissionForEveryAdmissionReview(Yardstick yardstick) throws Exception {
    Window shortest = new Window(Duration.ZERO, Duration.ofMillis(200));
    try (BenchServer server = BenchServer.start(yardstick, folder);
        LoadClient http2 =
            new LoadClient(
                server.target(), ProcessHandle.current(), Protocol.ONE_HTTP2_CONNECTION);
        LoadClient http1 =
            new LoadClient(
                server.target(), ProcessHandle.current(), Protocol.HTTP1_CONNECTION_EACH)) {
      for (AdmissionCase review : AdmissionCase.values()) {
        assertAllGood(http2.asFastAsPossible(review.corpus(1), 16, shortest));
        assertAllGood(http1.asFastAsPossible(review.corpus(1), 64, shortest));
      }
    }
  }

  /** All answers are good, though on a slow machine none may have come in time to be measured. */
  private static void assertAllGood(Sample sample) {
    assertThat(sample.firstFailure()).isEmpty();
    assertThat(sample.answered()).isEqualTo(sample.sent()).isPositive();
  }

  private static void assertComplete(Sample sample, int objects) {
    assertAllGood(sample);
    assertThat(sample.objects()).isEqualTo(sample.requests() * objects);
  }
}
