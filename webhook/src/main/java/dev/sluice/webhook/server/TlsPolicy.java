package dev.sluice.webhook.server;

import dev.sluice.api.configuration.Manager.Tls;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerOptions;
import java.security.GeneralSecurityException;
import java.util.LinkedHashSet;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * The TLS settings of the server, in the names of the JDK.
 *
 * @param protocols versions, the best first
 * @param cipherSuites those that may be chosen; empty for all of the platform
 * @param groups those that keys are exchanged in; empty for all of the platform
 */
public record TlsPolicy(List<String> protocols, List<String> cipherSuites, List<String> groups) {
  private static final List<String> BOTH = List.of("TLSv1.3", "TLSv1.2");

  /** TLS 1.3 and 1.2 with what the platform holds safe. */
  public static final TlsPolicy DEFAULT = new TlsPolicy(BOTH, List.of(), List.of());

  /**
   * The cipher suites that the platform holds safe, the best first. Vert.x would find the same, but
   * reads all authorities that the platform trusts for it.
   */
  private static final List<String> OF_PLATFORM = ofPlatform();

  private static List<String> ofPlatform() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[0], null);
      return List.of(context.getDefaultSSLParameters().getCipherSuites());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every platform has TLS
    }
  }

  public TlsPolicy {
    protocols = List.copyOf(protocols);
    cipherSuites = List.copyOf(cipherSuites);
    groups = List.copyOf(groups);
  }

  /** What a configuration asks for. */
  public static TlsPolicy of(Tls chosen) {
    return new TlsPolicy(
        chosen.onlyTls13() ? List.of("TLSv1.3") : BOTH, chosen.enabledSuites(), chosen.groups());
  }

  /** Makes a client offer what the platform holds safe. */
  static void applyDefaultTo(HttpClientOptions options) {
    OF_PLATFORM.forEach(options::addEnabledCipherSuite);
  }

  /** Makes a server speak TLS like this. */
  public void applyTo(HttpServerOptions options) {
    options.setEnabledSecureTransportProtocols(new LinkedHashSet<>(protocols));
    (cipherSuites.isEmpty() ? OF_PLATFORM : cipherSuites).forEach(options::addEnabledCipherSuite);
    if (!groups.isEmpty()) {
      options.getSslOptions().setKeyExchangeGroups(groups);
    }
  }
}
