package dev.sluice.cli.doctor.trust;

import dev.sluice.cluster.api.DeepestCause;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Greets a server as the API server would: trusting a CA bundle and nothing else. */
final class Handshake {
  private final SSLContext context;

  /** How it went. */
  sealed interface Result {
    /** The server is trusted. */
    record Trusted(X509Certificate certificate) implements Result {}

    /** It is there, but not trusted. */
    record Refused(String why) implements Result {}

    /** It is there, with a certificate that has expired or is not valid yet. */
    record OutOfDate(String why) implements Result {}

    /** It is not there, seen from here. */
    record Unreachable(String why) implements Result {}
  }

  private Handshake(SSLContext context) {
    this.context = context;
  }

  /** The certificates in a CA bundle. */
  static List<X509Certificate> certificates(byte[] pem) throws CertificateException {
    List<X509Certificate> certificates = new ArrayList<>();
    for (Certificate each :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(pem))) {
      if (each instanceof X509Certificate certificate) {
        certificates.add(certificate);
      }
    }
    return certificates;
  }

  /** One that trusts these and no others. */
  static Handshake trusting(List<X509Certificate> authorities) {
    try {
      KeyStore keys = KeyStore.getInstance(KeyStore.getDefaultType());
      keys.load(null, null);
      for (int i = 0; i < authorities.size(); i++) {
        keys.setCertificateEntry("ca-" + i, authorities.get(i));
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(keys);
      SSLContext context = SSLContext.getInstance("TLS");
      TrustManager[] managers = trust.getTrustManagers();
      context.init(null, managers, null);
      return new Handshake(context);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this Java runtime cannot do TLS", e);
    }
  }

  /** The trust, for calls after it. */
  SSLContext context() {
    return context;
  }

  /** Greets the server of a URL, in at most twice the bound. */
  Result with(URI url, Duration bound) {
    int port = url.getPort() < 0 ? 443 : url.getPort();
    String host = url.getHost().replaceAll("^\\[|]$", "");
    return with(host, port, host, bound);
  }

  /**
   * Greets a server, in at most twice the bound.
   *
   * @param host where it is
   * @param name how it is called, which its certificate must say
   */
  Result with(String host, int port, String name, Duration bound) {
    int millis = Math.toIntExact(bound.toMillis());
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(host, port), millis);
      plain.setSoTimeout(millis);
      try (SSLSocket socket =
          (SSLSocket) context.getSocketFactory().createSocket(plain, name, port, true)) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return new Result.Trusted((X509Certificate) socket.getSession().getPeerCertificates()[0]);
      }
    } catch (SSLException e) {
      return isOutOfDate(e)
          ? new Result.OutOfDate(DeepestCause.of(e))
          : new Result.Refused(DeepestCause.of(e));
    } catch (IOException | RuntimeException e) { // an unresolvable name is a RuntimeException
      return new Result.Unreachable(host + ":" + port + ": " + DeepestCause.of(e));
    }
  }

  private static boolean isOutOfDate(Throwable e) {
    Throwable cause = e;
    for (int depth = 0; depth < 10 && cause != null; depth++) {
      if (cause instanceof CertificateExpiredException
          || cause instanceof CertificateNotYetValidException) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
