package dev.sluice.cli.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A connection on which anything can be written, from an address of its own. For one thread. */
final class Line implements AutoCloseable {
  /** What came within the time. */
  enum End {
    CLOSED,
    SILENT,
    ANSWERED
  }

  private static final int CONNECT_MILLIS = 10_000;
  private static final int SMALL_WINDOW = 4 << 10;
  private static final int LONGEST_LINE = 200;

  private final Socket plain;
  private final Socket socket;
  private String statusLine = "";

  private Line(Socket plain, Socket socket) {
    this.plain = plain;
    this.socket = socket;
  }

  static Line plain(InetAddress from, int port) throws IOException {
    Socket plain = new Socket();
    try {
      plain.setReceiveBufferSize(SMALL_WINDOW);
      plain.bind(new InetSocketAddress(from, 0));
      plain.connect(
          new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), CONNECT_MILLIS);
      return new Line(plain, plain);
    } catch (IOException e) {
      plain.close();
      throw e;
    }
  }

  /** With the handshake done, for one of these protocols if there are any. */
  static Line tls(Target target, InetAddress from, String... protocols) throws IOException {
    Line line = plain(from, target.https());
    try {
      line.plain.setSoTimeout(CONNECT_MILLIS);
      SSLSocket socket =
          (SSLSocket)
              target
                  .trust()
                  .getSocketFactory()
                  .createSocket(line.plain, "127.0.0.1", target.https(), true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(protocols);
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return new Line(line.plain, socket);
    } catch (IOException e) {
      line.close();
      throw e;
    }
  }

  /** The status of a page on a plain port; 0 if there is no answer within that time. */
  static int get(InetAddress from, int port, String path, int millis) {
    try (Line line = plain(from, port)) {
      line.write("GET " + path + " HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
      return line.await(millis) == End.ANSWERED ? line.status() : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  Line write(String latin1) throws IOException {
    return write(latin1.getBytes(ISO_8859_1));
  }

  Line write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** Waits that long for the first line of an answer, or the end. */
  End await(int millis) {
    try {
      socket.setSoTimeout(Math.max(1, millis));
      InputStream in = socket.getInputStream();
      StringBuilder line = new StringBuilder();
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (next == '\n' || line.length() > LONGEST_LINE) {
          statusLine = line.toString().strip();
          return End.ANSWERED;
        }
        line.append((char) next);
      }
      return End.CLOSED;
    } catch (SocketTimeoutException e) {
      return End.SILENT;
    } catch (IOException e) {
      return End.CLOSED; // a reset is a close, too
    }
  }

  /** Whether the other side closes within that time, whatever it says before. */
  boolean isClosedWithin(int millis) {
    long until = System.nanoTime() + millis * 1_000_000L;
    End end = await(millis);
    while (end == End.ANSWERED && System.nanoTime() - until < 0) {
      end = await(millis);
    }
    return end == End.CLOSED;
  }

  /** The first line of the answer; empty if none came. */
  String statusLine() {
    return statusLine;
  }

  /** The status of the answer; 0 if none can be read. */
  int status() {
    String[] parts = statusLine.split(" ", 3);
    return parts.length > 1 && parts[0].matches("[A-Z]+/\\d\\.\\d") && parts[1].matches("\\d{3}")
        ? Integer.parseInt(parts[1])
        : 0;
  }

  /** Goes away with a reset. */
  void abort() throws IOException {
    plain.setSoLinger(true, 0);
    plain.close();
  }

  @Override
  public void close() throws IOException {
    plain.close(); // without a goodbye: TLS would wait to be able to say it
  }
}
