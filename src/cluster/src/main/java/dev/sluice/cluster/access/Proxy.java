package dev.sluice.cluster.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An HTTP proxy in front of an API server.
 *
 * @param authorization the value of the header Proxy-Authorization, if it wants one
 */
record Proxy(String host, int port, Optional<String> authorization) {
  static final String EXPECTED = "is no HTTP proxy (expected: http://HOST:PORT)";

  static Proxy of(String text, Supplier<AccessException> problem) {
    try {
      URI uri = new URI(text.strip());
      if (!"http".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
        throw problem.get();
      }
      Optional<String> login =
          Optional.ofNullable(uri.getUserInfo())
              .map(it -> "Basic " + Base64.getEncoder().encodeToString(it.getBytes(UTF_8)));
      return new Proxy(uri.getHost(), uri.getPort() < 0 ? 80 : uri.getPort(), login);
    } catch (URISyntaxException _) {
      throw problem.get();
    }
  }

  /** The one of HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY has the server. */
  static Optional<Proxy> ofEnvironment(URI server, AccessEnvironment environment) {
    String name = server.getScheme().toUpperCase(Locale.ROOT) + "_PROXY";
    if (isLoopback(server.getHost()) || isExcepted(server.getHost(), environment)) {
      return Optional.empty();
    }
    return variable(environment, name)
        .map(it -> of(it, () -> new AccessException("$" + name + ": " + EXPECTED)));
  }

  private static Optional<String> variable(AccessEnvironment environment, String name) {
    return environment.variable(name).or(() -> environment.variable(name.toLowerCase(Locale.ROOT)));
  }

  private static boolean isLoopback(String host) {
    return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
  }

  private static boolean isExcepted(String host, AccessEnvironment environment) {
    String list = variable(environment, "NO_PROXY").orElse("");
    return List.of(list.split("[,\\s]+", -1)).stream()
        .filter(entry -> !entry.isEmpty())
        .anyMatch(entry -> entry.equals("*") || matches(host, entry));
  }

  private static boolean matches(String host, String entry) {
    if (entry.contains("/")) {
      return AddressBlock.contains(entry, host);
    }
    String suffix = entry.startsWith(".") ? entry : "." + entry;
    return host.equalsIgnoreCase(entry)
        || host.toLowerCase(Locale.ROOT).endsWith(suffix.toLowerCase(Locale.ROOT));
  }

  InetSocketAddress address() {
    return new InetSocketAddress(host, port);
  }

  /** Names no password. */
  @Override
  public String toString() {
    return "Proxy[" + host + ":" + port + "]";
  }
}
