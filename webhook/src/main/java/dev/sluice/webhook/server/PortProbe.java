package dev.sluice.webhook.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.certs.ClientKeyManager;
import dev.sluice.certs.ServingCertificate;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.endpoint.Probe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Asks the HTTPS port for one review over a connection of its own, with a plain blocking socket: it
 * shares no event loop, no worker and no connection with the server that it judges. For one thread.
 */
final class PortProbe {
  private static final int LONGEST_ANSWER = 64 << 10;

  /** How the port answered. */
  sealed interface Outcome {
    /** With a good review, behind a handshake with the certificate that is meant to be served. */
    record Good() implements Outcome {}

    /** With a refusal for load: it works, and has no room. */
    record Busy(String sentence) implements Outcome {}

    /** Not in time: it is stuck, or its machine is busy. */
    record Late(String sentence) implements Outcome {}

    /** Not at all, or with something else. */
    record Broken(String sentence) implements Outcome {}
  }

  private final InetSocketAddress address;
  private final Endpoint endpoint;
  private final Supplier<ServingCertificate> certificate;
  private final Duration bound;

  /**
   * A probe of the port at that address.
   *
   * @param endpoint the probed endpoint
   * @param certificate the currently served certificate
   * @param bound how long all of it may take
   */
  PortProbe(
      InetSocketAddress address,
      Endpoint endpoint,
      Supplier<ServingCertificate> certificate,
      Duration bound) {
    this.address = address;
    this.endpoint = endpoint;
    this.certificate = certificate;
    this.bound = bound;
  }

  /** Asks once; blocks for the bound at most. */
  Outcome ask() {
    long end = System.nanoTime() + bound.toNanos();
    ServingCertificate before = certificate.get();
    try (Socket plain = new Socket()) {
      plain.connect(address, left(end));
      plain.setSoTimeout(left(end));
      try (SSLSocket socket =
          (SSLSocket)
              context(before)
                  .getSocketFactory()
                  .createSocket(plain, address.getHostString(), address.getPort(), true)) {
        socket.startHandshake();
        socket.getOutputStream().write(request());
        socket.getOutputStream().flush();
        return outcome(answer(socket, end));
      }
    } catch (SocketTimeoutException _) {
      return new Outcome.Late("no answer within " + bound.toSeconds() + " s");
    } catch (IOException | GeneralSecurityException e) {
      return new Outcome.Broken(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  private static int left(long end) throws SocketTimeoutException {
    long millis = (end - System.nanoTime()) / 1_000_000;
    if (millis < 1) {
      throw new SocketTimeoutException("the time is over");
    }
    return Math.toIntExact(millis);
  }

  private SSLContext context(ServingCertificate before) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        new KeyManager[] {ClientKeyManager.always(before.asClient())},
        new TrustManager[] {new Ours(before)},
        null);
    return context;
  }

  private byte[] request() {
    byte[] body = endpoint.probe().body().getBytes(UTF_8);
    byte[] head =
        """
        POST %s?timeout=5s HTTP/1.1
        host: localhost
        content-type: application/json
        content-length: %d
        connection: close

        """
            .formatted(endpoint.path(), body.length)
            .replace("\n", "\r\n")
            .getBytes(US_ASCII);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(head);
    whole.writeBytes(body);
    return whole.toByteArray();
  }

  /** The bytes received until they suffice, the connection is closed, or the limit is reached. */
  private String answer(SSLSocket socket, long end) throws IOException {
    InputStream in = socket.getInputStream();
    byte[] bytes = new byte[LONGEST_ANSWER];
    int length = 0;
    while (length < bytes.length) {
      socket.setSoTimeout(left(end));
      int read = in.read(bytes, length, bytes.length - length);
      if (read < 0) {
        break;
      }
      length += read;
      String text = new String(bytes, 0, length, UTF_8);
      if (outcome(text) instanceof Outcome.Good) {
        return text;
      }
    }
    return new String(bytes, 0, length, UTF_8);
  }

  private Outcome outcome(String answer) {
    String[] words = answer.split("[ \r\n]", 3);
    String status = words.length > 1 && words[0].startsWith("HTTP/1.") ? words[1] : "";
    Probe probe = endpoint.probe();
    return switch (status) {
      case "" -> new Outcome.Broken("the connection was closed without an answer");
      case "429", "503" -> new Outcome.Busy("status " + status);
      default ->
          status.equals("200") && probe.isAnsweredBy(200, answer)
              ? new Outcome.Good()
              : new Outcome.Broken(
                  "status %s without a good review (expected: an answer with %s)"
                      .formatted(status, probe.expected()));
    };
  }

  /** Trusts the certificate that is served: the one before the handshake, or its successor. */
  private final class Ours implements X509TrustManager {
    private final ServingCertificate before;

    private Ours(ServingCertificate before) {
      this.before = before;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
        throws CertificateException {
      if (!chain[0].equals(before.leaf()) && !chain[0].equals(certificate.get().leaf())) {
        throw new CertificateException(
            "another certificate is served, serial " + chain[0].getSerialNumber());
      }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
        throws CertificateException {
      throw new CertificateException("no client is expected here");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
