package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceIdTest {
  private static final String ID = "4bf92f3577b34da6a3ce929d0e0e4736";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-of-a-later-version"
      })
  void readsTheTraceOfAHeader(String traceparent) {
    assertThat(TraceId.of(traceparent)).contains(ID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "4bf92f3577b34da6a3ce929d0e0e4736",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4bf92f3577b34da6a3ce929d0e0e4736\n-00f067aa0ba902b7-01"
      })
  void takesNoTraceFromAnythingElse(String traceparent) {
    assertThat(TraceId.of(traceparent)).isEmpty();
  }

  @Test
  void hasNoTraceWithoutAHeader() {
    assertThat(TraceId.of(null)).isEmpty();
  }
}
