package dev.sluice.server.see;

import dev.sluice.certs.CertificateProblem;
import dev.sluice.certs.ClientCertificate;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.naming.NamingException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Clients whose certificates some authorities have signed. Immutable. */
final class TrustedClients {
  private final X509TrustManager trust;

  private TrustedClients(X509TrustManager trust) {
    this.trust = trust;
  }

  /**
   * Those of these authorities.
   *
   * @param member of the ConfigMap, for the message
   * @param pem its content
   * @throws IllegalArgumentException naming the member, if it cannot be read
   */
  static TrustedClients of(String member, String pem) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (X509Certificate authority : ClientCertificate.certificates(pem)) {
        store.setCertificateEntry("authority-" + store.size(), authority);
      }
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509TrustManager x509) {
          return new TrustedClients(x509);
        }
      }
      throw new IllegalStateException("every JDK has a PKIX trust manager");
    } catch (CertificateProblem | GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          "%s: %s (expected: certificates)".formatted(member, e.getMessage()), e);
    }
  }

  /**
   * Whether a client with this chain is one of them.
   *
   * @param chain the client certificate with those that signed it; empty for none
   */
  boolean includes(List<X509Certificate> chain) {
    if (chain.isEmpty()) {
      return false;
    }
    try {
      trust.checkClientTrusted(
          chain.toArray(X509Certificate[]::new), chain.getFirst().getPublicKey().getAlgorithm());
      return true;
    } catch (CertificateException _) {
      return false; // of another authority, expired, or not for clients
    }
  }

  /**
   * The user that a certificate of Kubernetes names: its common name, in the groups of its
   * organizations; empty where this chain is not one of these clients or names nobody.
   */
  Optional<Caller> caller(List<X509Certificate> chain) {
    if (!includes(chain)) {
      return Optional.empty();
    }
    String user = commonName(chain.getFirst());
    return user.isEmpty()
        ? Optional.empty()
        : Optional.of(Caller.of(user, "", values(chain.getFirst(), "O"), Caller.NO_EXTRA));
  }

  /** The common name of the certificate's subject; empty for none. */
  static String commonName(X509Certificate certificate) {
    List<String> names = values(certificate, "CN");
    return names.isEmpty() ? "" : names.getFirst();
  }

  /** The text values of that attribute, in the order of the certificate. */
  private static List<String> values(X509Certificate certificate, String attribute) {
    try {
      List<String> values = new ArrayList<>();
      for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
        var all = part.toAttributes().get(attribute);
        for (int i = 0; all != null && i < all.size(); i++) {
          if (all.get(i) instanceof String text) {
            values.add(text);
          }
        }
      }
      return values;
    } catch (NamingException _) {
      return List.of(); // it names nobody
    }
  }
}
