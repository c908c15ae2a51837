package dev.sluice.server.schedule;

import dev.sluice.server.program.CommandException;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Where traces go: to the receiver that the environment variables of OpenTelemetry name, by OTLP
 * over HTTP; nowhere, and at no cost, while they name none. What cannot be sent in time is dropped.
 */
final class Tracing implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);

  private static final String EXPORTER = "OTEL_TRACES_EXPORTER";

  /** The variables of which one switches traces on. */
  private static final List<String> ASK =
      List.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", EXPORTER);

  /** The default unless the environment sets another; the only supported protocol. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "otel.service.name", "sluice",
          "otel.exporter.otlp.protocol", "http/protobuf",
          "otel.metrics.exporter", "none",
          "otel.logs.exporter", "none");

  /** For the last spans, when we end. */
  private static final int PATIENCE_SECONDS = 2;

  private final @Nullable OpenTelemetrySdk sdk;

  private Tracing(@Nullable OpenTelemetrySdk sdk) {
    this.sdk = sdk;
  }

  /**
   * As the environment asks.
   *
   * @throws CommandException if it asks for what there is not
   */
  static Tracing ofEnvironment() {
    if (!isAskedFor(System.getenv())) {
      return new Tracing(null);
    }
    bridgeLog();
    try {
      OpenTelemetrySdk sdk =
          AutoConfiguredOpenTelemetrySdk.builder()
              .addPropertiesSupplier(() -> DEFAULTS)
              .disableShutdownHook()
              .build()
              .getOpenTelemetrySdk();
      LOG.info("tracing is on, by the OTEL_ variables");
      return new Tracing(sdk);
    } catch (ConfigurationException | IllegalArgumentException e) {
      throw new CommandException("traces (OTEL_ variables): " + words(e), e);
    }
  }

  /** Routes the library's messages to our log instead of stderr. */
  private static void bridgeLog() {
    if (!SLF4JBridgeHandler.isInstalled()) {
      SLF4JBridgeHandler.removeHandlersForRootLogger();
      SLF4JBridgeHandler.install();
    }
  }

  /** The last of the causes names what is wrong where the first does not. */
  private static String words(Throwable failure) {
    String first = String.valueOf(failure.getMessage());
    String last = first;
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      last = String.valueOf(cause.getMessage());
    }
    return first.contains(last) ? first : first + ": " + last;
  }

  /** Whether an environment names a receiver. */
  static boolean isAskedFor(Map<String, String> environment) {
    return !"none".equals(environment.get(EXPORTER))
        && ASK.stream().map(environment::get).anyMatch(it -> it != null && !it.isBlank());
  }

  OpenTelemetry telemetry() {
    return sdk == null ? OpenTelemetry.noop() : sdk;
  }

  /** Sends what is left, for a moment. */
  @Override
  public void close() {
    if (sdk != null) {
      sdk.shutdown().join(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }
}
