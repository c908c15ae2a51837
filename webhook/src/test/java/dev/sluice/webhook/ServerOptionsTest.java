package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.webhook.server.ConnectionBounds;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServerOptionsTest {
  private static final ConnectionBounds FEW = ConnectionBounds.PAGES;

  @Test
  void connectionsFollowTheBoundsUntilTheyAreSet() {
    ServerOptions following = ServerOptions.DEFAULT.toBuilder().bounds(Served.PATIENT).build();
    ServerOptions set = following.toBuilder().connections(FEW).build();

    assertThat(following.connections()).isEqualTo(ConnectionBounds.of(Served.PATIENT));
    assertThat(set.toBuilder().bounds(ServerOptions.DEFAULT.bounds()).build().connections())
        .isEqualTo(FEW);
  }

  @Test
  void aBuilderThatSetsNothingKeepsEveryOption() {
    ServerOptions unusual =
        Served.OPTIONS.toBuilder()
            .warmUp(Duration.ofMillis(3))
            .drain(Duration.ofMillis(5), Duration.ofMillis(7))
            .connections(FEW)
            .build();

    assertThat(unusual.toBuilder().build()).isEqualTo(unusual);
    assertThat(ServerOptions.builder().build()).isEqualTo(ServerOptions.DEFAULT);
  }

  @Test
  void refusesTimesThatAreNegativeOrTooShort() {
    assertThatThrownBy(() -> ServerOptions.builder().warmUp(Duration.ofMillis(-1)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("warmUp: PT-0.001S");
    assertThatThrownBy(() -> ServerOptions.builder().certificateCheck(Duration.ZERO).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("certificateCheck: PT0S (expected: >= 1 ms)");
  }
}
