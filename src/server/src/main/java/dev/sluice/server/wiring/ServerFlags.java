package dev.sluice.server.wiring;

import dev.sluice.json.JsonLimits;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.server.Bounds;
import dev.sluice.webhook.server.ClientCheck;
import dev.sluice.webhook.server.ConnectionBounds;
import dev.sluice.webhook.server.ListenAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The flags of every command that runs a server; together they make its options. */
@SuppressWarnings("NullAway.Init") // set by picocli, from the defaults where a flag is not given
public final class ServerFlags {
  /** The flags by the names of the options that they set. */
  private static final Map<String, String> FLAGS =
      Map.ofEntries(
          Map.entry("maxBodyBytes", "--max-body"),
          Map.entry("maxConcurrent", "--max-concurrent"),
          Map.entry("maxBytesInFlight", "--max-in-flight"),
          Map.entry("maxConnections", "--max-connections"),
          Map.entry("mostPerAddress", "--max-connections-per-address"),
          Map.entry("maxDepth", "--max-depth"),
          Map.entry("maxTextLength", "--max-text"),
          Map.entry("maxNumberLength", "--max-number"),
          Map.entry("bodyTimeout", "--body-timeout"),
          Map.entry("requestTimeout", "--request-timeout"),
          Map.entry("idleTimeout", "--idle-timeout"),
          Map.entry("headTimeout", "--head-timeout"));

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "9443",
      description = "HTTPS port for reviews; 0 for any free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      defaultValue = "8080",
      description =
          "Plain port for health and metrics; 0 for any free one (default: ${DEFAULT-VALUE}).")
  private int httpPort;

  @Option(
      names = "--max-body",
      paramLabel = "SIZE",
      defaultValue = "40Mi",
      converter = SizeConverter.class,
      description = "Largest body of a request; beyond it 413 (default: ${DEFAULT-VALUE}).")
  private long maxBody;

  @Option(
      names = "--max-in-flight",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description =
          "Memory that all requests hold at one time, and what they become; beyond it 429"
              + " (default: half of the heap, 64Mi to 512Mi).")
  private @Nullable Long maxInFlight;

  @Option(
      names = "--max-concurrent",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Requests answered at one time; beyond it 429 (default: ${DEFAULT-VALUE}).")
  private int maxConcurrent;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Open connections; an idle one is closed for one more" + " (default: ${DEFAULT-VALUE}).")
  private int maxConnections;

  @Option(
      names = "--max-connections-per-address",
      paramLabel = "N",
      description = "Of those, from one address (default: half of --max-connections).")
  private @Nullable Integer maxConnectionsPerAddress;

  @Option(
      names = "--max-depth",
      paramLabel = "N",
      defaultValue = "256",
      description = "Levels of JSON within each other; beyond it 413 (default: ${DEFAULT-VALUE}).")
  private int maxDepth;

  @Option(
      names = "--max-text",
      paramLabel = "N",
      defaultValue = "4194304",
      description =
          "Characters of a JSON string or key; beyond it 413 (default: ${DEFAULT-VALUE}).")
  private int maxText;

  @Option(
      names = "--max-number",
      paramLabel = "N",
      defaultValue = "256",
      description = "Characters of a JSON number; beyond it 413 (default: ${DEFAULT-VALUE}).")
  private int maxNumber;

  @Option(
      names = "--body-timeout",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = TimeConverter.class,
      description = "Time for a body to arrive; beyond it 503 (default: ${DEFAULT-VALUE}).")
  private Duration bodyTimeout;

  @Option(
      names = "--request-timeout",
      paramLabel = "TIME",
      defaultValue = "30s",
      converter = TimeConverter.class,
      description =
          "Time for a request, unless its ?timeout= is shorter; beyond it 503"
              + " (default: ${DEFAULT-VALUE}).")
  private Duration requestTimeout;

  @Option(
      names = "--idle-timeout",
      paramLabel = "TIME",
      defaultValue = "5m",
      converter = TimeConverter.class,
      description = "Time after which a silent connection is closed (default: ${DEFAULT-VALUE}).")
  private Duration idleTimeout;

  @Option(
      names = "--head-timeout",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = TimeConverter.class,
      description =
          "Time for the head of a request to arrive, and for a new connection to send its first"
              + " (default: ${DEFAULT-VALUE}).")
  private Duration headTimeout;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      defaultValue = "2s",
      converter = TimeConverter.class,
      description =
          "Time after the start in which it sends reviews to itself, so that the JVM compiles what"
              + " they need; 0s for none (default: ${DEFAULT-VALUE}).")
  private Duration warmUp;

  @Option(
      names = "--drain-timeout",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = TimeConverter.class,
      description = "Time for requests under way when stopping (default: ${DEFAULT-VALUE}).")
  private Duration drainTimeout;

  @Option(
      names = "--client-ca",
      paramLabel = "FILE",
      description =
          "Answer admission reviews only to callers with a client certificate of these authorities"
              + " (PEM); others get 401 or 403.")
  private @Nullable Path clientCa;

  @Option(
      names = "--client-name",
      paramLabel = "NAME",
      description = "With --client-ca: only certificates with this common name; repeatable.")
  private List<String> clientNames = new ArrayList<>();

  @Option(
      names = "--client-ca-conversion",
      description = "With --client-ca: ask for a client certificate on /convert, too.")
  private boolean clientCaConversion;

  /**
   * The options that the flags amount to.
   *
   * @param chosen what the configuration asks for
   * @throws ParameterException if two flags contradict each other
   */
  public ServerOptions options(String host, String httpHost, Duration drainDelay, Chosen chosen) {
    try {
      Bounds bounds = bounds();
      return ServerOptions.builder()
          .listeningOn(new ListenAddress(host, port), new ListenAddress(httpHost, httpPort))
          .bounds(bounds)
          .warmUp(warmUp)
          .drain(drainDelay, drainTimeout)
          .clients(clients())
          .connections(connections(bounds))
          .tls(chosen.tls())
          .metrics(chosen.showsMetrics())
          .build();
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new ParameterException(
          command.commandLine(), flagged(String.valueOf(e.getMessage())), e);
    }
  }

  /** A sentence about an option, as one about its flag. */
  private static String flagged(String message) {
    String flagged = message.replace(": PT0S ", ": 0s ");
    for (Map.Entry<String, String> flag : FLAGS.entrySet()) {
      flagged = flagged.replaceAll("\\b" + flag.getKey() + ": ", flag.getValue() + ": ");
    }
    return flagged;
  }

  private Optional<ClientCheck> clients() {
    Path authorities = clientCa;
    if (authorities == null) {
      if (clientCaConversion || !clientNames.isEmpty()) {
        throw new IllegalArgumentException(
            "--client-name and --client-ca-conversion (expected: beside --client-ca)");
      }
      return Optional.empty();
    }
    if (!Files.isReadable(authorities)) {
      throw new IllegalArgumentException("--client-ca: " + authorities + " cannot be read");
    }
    return Optional.of(new ClientCheck(authorities, Set.copyOf(clientNames), clientCaConversion));
  }

  private ConnectionBounds connections(Bounds bounds) {
    ConnectionBounds suitable = ConnectionBounds.of(bounds).withHeadTimeout(headTimeout);
    return maxConnectionsPerAddress == null
        ? suitable
        : suitable.perAddress(maxConnectionsPerAddress);
  }

  private Bounds bounds() {
    long inFlight =
        maxInFlight == null
            ? Math.max(maxBody, Bounds.bytesInFlight(Runtime.getRuntime().maxMemory()))
            : maxInFlight;
    return new Bounds(
        Math.toIntExact(maxBody),
        Math.max(maxBody, inFlight),
        new JsonLimits(maxDepth, maxText, maxNumber),
        maxConcurrent,
        inFlight,
        maxConnections,
        bodyTimeout,
        requestTimeout,
        idleTimeout);
  }
}
