package dev.sluice.certs;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Hands TLS the certificate that is current when a handshake begins. After {@link #switchTo} every
 * new handshake shows the new one; connections that stand are not touched, and a client that
 * resumes a session sees no certificate at all. For servers only: it offers nothing to a client.
 *
 * <p>TLS asks three times in one handshake, for an alias, then for its chain and its key, and a
 * switch may come in between. So an alias names one certificate for good, and the last few are
 * remembered: a handshake loses its own only when {@value #REMEMBERED} others came in meanwhile.
 *
 * <p>Safe for use by any thread; no method blocks.
 */
public final class SwitchingKeyManager extends X509ExtendedKeyManager {
  static final int REMEMBERED = 8;

  private final AtomicReference<Memory> memory;

  private record Generation(String alias, ServingCertificate certificate) {}

  /** The current one first. */
  private record Memory(List<Generation> generations, long count) {
    Memory with(ServingCertificate next) {
      var known = generations.stream().filter(one -> one.certificate().equals(next)).findFirst();
      var first = known.orElseGet(() -> new Generation("serving-" + count, next));
      var others = generations.stream().filter(one -> !one.equals(first));
      return new Memory(
          Stream.concat(Stream.of(first), others).limit(REMEMBERED).toList(),
          known.isPresent() ? count : count + 1);
    }

    Generation current() {
      return generations.getFirst();
    }
  }

  public SwitchingKeyManager(ServingCertificate first) {
    memory = new AtomicReference<>(new Memory(List.of(), 0).with(first));
  }

  /** Makes this the certificate of every handshake from now on. */
  public void switchTo(ServingCertificate next) {
    memory.updateAndGet(before -> before.with(next));
  }

  /** What the next handshake will show. */
  public ServingCertificate current() {
    return memory.get().current().certificate();
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return aliasFor(keyType);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return aliasFor(keyType);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    String alias = aliasFor(keyType);
    return alias == null ? null : new String[] {alias};
  }

  /** Null tells TLS to ask for the next type of key that the client accepts. */
  private @Nullable String aliasFor(String keyType) {
    var current = memory.get().current();
    String ours = current.certificate().key().getAlgorithm();
    // OpenSSL-backed engines name the issuer's algorithm too, as in EC_EC and EC_RSA
    return keyType.equals(ours) || keyType.startsWith(ours + "_") ? current.alias() : null;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return find(alias)
        .map(certificate -> certificate.chain().toArray(X509Certificate[]::new))
        .orElse(null);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return find(alias).map(ServingCertificate::key).orElse(null);
  }

  private Optional<ServingCertificate> find(String alias) {
    return memory.get().generations().stream()
        .filter(generation -> generation.alias().equals(alias))
        .map(Generation::certificate)
        .findFirst();
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
