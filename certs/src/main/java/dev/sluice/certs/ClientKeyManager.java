package dev.sluice.certs;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the client certificate that is current when a handshake begins. TLS asks for an alias
 * first, then for its chain and its key: an alias names one certificate for good, and the last few
 * are remembered. For clients only: it offers nothing to a server.
 *
 * <p>Safe for use by any thread; blocks only where its source does.
 */
public final class ClientKeyManager extends X509ExtendedKeyManager {
  private static final int REMEMBERED = 8;

  private final Supplier<Optional<ClientCertificate>> source;
  private final Map<String, ClientCertificate> shown = new LinkedHashMap<>();
  private long count;

  /**
   * A manager of one client's certificates.
   *
   * @param source the certificate to show now, empty for none; asked in each handshake
   */
  public ClientKeyManager(Supplier<Optional<ClientCertificate>> source) {
    this.source = source;
  }

  /** A manager that always shows this certificate. */
  public static ClientKeyManager always(ClientCertificate certificate) {
    Optional<ClientCertificate> shown = Optional.of(certificate);
    return new ClientKeyManager(() -> shown);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(keyTypes);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyTypes);
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    String alias = alias(keyType);
    return alias == null ? null : new String[] {alias};
  }

  private @Nullable String alias(String... keyTypes) {
    return source
        .get()
        .filter(it -> Arrays.asList(keyTypes).contains(it.key().getAlgorithm()))
        .map(this::remember)
        .orElse(null);
  }

  private synchronized String remember(ClientCertificate certificate) {
    for (Map.Entry<String, ClientCertificate> known : shown.entrySet()) {
      if (known.getValue().equals(certificate)) {
        return known.getKey();
      }
    }
    String alias = "client-" + count++;
    shown.put(alias, certificate);
    if (shown.size() > REMEMBERED) {
      shown.remove(shown.keySet().iterator().next());
    }
    return alias;
  }

  private synchronized Optional<ClientCertificate> find(String alias) {
    return Optional.ofNullable(shown.get(alias));
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return find(alias).map(it -> it.chain().toArray(X509Certificate[]::new)).orElse(null);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return find(alias).map(ClientCertificate::key).orElse(null);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
