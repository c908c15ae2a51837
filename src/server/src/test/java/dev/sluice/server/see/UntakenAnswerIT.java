package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An answer of the visibility API that its caller does not read. */
@Timeout(120)
class UntakenAnswerIT {
  @TempDir private Path folder;

  @Test
  void isGivenUp() throws Exception {
    try (BusyPort port = new BusyPort(folder);
        SSLSocket caller = port.caller()) {
      BusyPort.ask(caller, "/large");
      assertThat(new String(caller.getInputStream().readNBytes(12), US_ASCII))
          .isEqualTo("HTTP/1.1 200");

      try (SSLSocket other = port.caller()) { // its answer comes while the other one is not taken
        BusyPort.ask(other, "/small");
        assertThat(new String(other.getInputStream().readNBytes(12), US_ASCII))
            .isEqualTo("HTTP/1.1 200");
      }
      await()
          .atMost(Duration.ofSeconds(BusyPort.AWAITED_SECONDS))
          .until(() -> port.untakenBytes() == 0);
    }
  }
}
