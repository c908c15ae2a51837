package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.supervision.Health;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who counts as a caller on this machine, and which pages make a port. */
class PageRoutesTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1,        true",
    "127.9.9.9,        true",
    "0:0:0:0:0:0:0:1,  true",
    "::ffff:127.0.0.1, true",
    "10.1.2.3,         false",
    "fe80::1,          false",
    "localhost,        false",
    ",                 false",
  })
  void callersOfALoopbackAddressAreOnThisMachine(String peer, boolean isLocal) {
    assertThat(PageRoutes.isLoopback(peer)).isEqualTo(isLocal);
  }

  @Test
  void hasOnePageOfAPath() {
    Vertx vertx = Vertx.vertx();
    Page page = Page.health(() -> Health.GOOD);
    try {
      assertThatThrownBy(
              () -> PageRoutes.router(vertx, List.of(page, page), (_, _) -> {}, (_, _) -> {}))
          .hasMessageContaining("two of /healthz");
    } finally {
      vertx.close().await();
    }
  }
}
