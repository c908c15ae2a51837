package dev.sluice.webhook.server;

import dev.sluice.certs.ServingCertificate;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** A client that shows one certificate to whoever asks for one. */
final class OneKey extends X509ExtendedKeyManager {
  private static final String ALIAS = "probe";

  private final ServingCertificate certificate;

  OneKey(ServingCertificate certificate) {
    this.certificate = certificate;
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyType);
  }

  private @Nullable String alias(String[] keyTypes) {
    for (String keyType : keyTypes) {
      if (keyType.equals(certificate.key().getAlgorithm())) {
        return ALIAS;
      }
    }
    return null;
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return certificate.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return certificate.key();
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
