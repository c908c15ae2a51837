package dev.sluice.cluster.access;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.core5.http.HttpHost;

/**
 * An HTTP proxy in front of an API server.
 *
 * @param login who to log in as, if the proxy wants to know
 */
record Proxy(HttpHost host, Optional<UsernamePasswordCredentials> login) {
  static final String EXPECTED = "is no HTTP proxy (expected: http://HOST:PORT)";

  static Proxy of(String text, Supplier<AccessException> problem) {
    try {
      URI uri = new URI(text.strip());
      if (!"http".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
        throw problem.get();
      }
      int port = uri.getPort() < 0 ? 80 : uri.getPort();
      return new Proxy(
          new HttpHost("http", uri.getHost(), port),
          Optional.ofNullable(uri.getUserInfo()).map(Proxy::login));
    } catch (URISyntaxException _) {
      throw problem.get();
    }
  }

  private static UsernamePasswordCredentials login(String userInfo) {
    String[] parts = userInfo.split(":", 2);
    return new UsernamePasswordCredentials(
        parts[0], parts.length > 1 ? parts[1].toCharArray() : new char[0]);
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

  /** Names no password. */
  @Override
  public String toString() {
    return "Proxy[" + host.toHostString() + "]";
  }
}
