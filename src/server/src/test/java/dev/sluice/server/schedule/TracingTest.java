package dev.sluice.server.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TracingTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
        "OTEL_TRACES_EXPORTER"
      })
  void areAskedForByNamingAReceiver(String variable) {
    assertThat(Tracing.isAskedFor(Map.of(variable, "http://localhost:4318"))).isTrue();
    assertThat(Tracing.isAskedFor(Map.of(variable, " "))).isFalse();
  }

  @Test
  void areNotAskedForIfTheExporterIsNone() {
    assertThat(
            Tracing.isAskedFor(
                Map.of(
                    "OTEL_TRACES_EXPORTER", "none",
                    "OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318")))
        .isFalse();
  }

  @Test
  void areNotAskedForByWhatElseOpenTelemetryReads() {
    assertThat(Tracing.isAskedFor(Map.of("OTEL_SERVICE_NAME", "batch"))).isFalse();
  }
}
