package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Callers of the visibility API who only want to keep its port busy. */
@Timeout(120)
class SilentCallersIT {
  @TempDir private Path folder;

  @Test
  void giveTheirPlaceToOneWhoAsks() throws Exception {
    try (BusyPort port = new BusyPort(folder);
        Socket first = port.silent();
        Socket second = port.silent();
        Socket third = port.silent()) {
      assertThat(List.of(first, second, third)).allMatch(Socket::isConnected);
      await()
          .atMost(Duration.ofSeconds(BusyPort.AWAITED_SECONDS))
          .until(() -> port.closed("slow") == 3);

      try (SSLSocket caller = port.caller()) {
        BusyPort.ask(caller, "/small");
        assertThat(new String(caller.getInputStream().readNBytes(12), US_ASCII))
            .isEqualTo("HTTP/1.1 200");
      }
    }
  }
}
