package dev.sluice.cluster.access;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Trust in authorities. */
final class Authorities {
  private Authorities() {}

  /** In these and no others. */
  static X509ExtendedTrustManager trusting(List<X509Certificate> authorities) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (int i = 0; i < authorities.size(); i++) {
        store.setCertificateEntry("authority-" + i, authorities.get(i));
      }
      return managerOf(store);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this Java runtime cannot keep certificates", e);
    }
  }

  /** The trusted authorities of the Java runtime. */
  static X509ExtendedTrustManager ofTheSystem() {
    try {
      return managerOf(null);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no trusted authorities", e);
    }
  }

  private static X509ExtendedTrustManager managerOf(@Nullable KeyStore store)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return Stream.of(factory.getTrustManagers())
        .filter(X509ExtendedTrustManager.class::isInstance)
        .map(X509ExtendedTrustManager.class::cast)
        .findFirst()
        .orElseThrow();
  }
}
