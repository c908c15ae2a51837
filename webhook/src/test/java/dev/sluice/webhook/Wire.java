package dev.sluice.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A TLS connection on which anything may be written, for callers that do not behave. */
public final class Wire implements AutoCloseable {
  private static final int SMALL_WINDOW = 4 << 10;

  private final Socket plain;
  private final SSLSocket socket;
  private final InputStream in;

  /** What came back; the head is in lower case. */
  public record Reply(int status, String head, String body) {}

  private Wire(Socket plain, SSLSocket socket) throws IOException {
    this.plain = plain;
    this.socket = socket;
    this.in = socket.getInputStream();
  }

  /** Connects, and is done with the handshake. */
  public static Wire open(SSLContext trust, int port, String... protocols) {
    try {
      Socket plain = new Socket();
      plain.setReceiveBufferSize(SMALL_WINDOW);
      plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      SSLSocket socket =
          (SSLSocket) trust.getSocketFactory().createSocket(plain, "127.0.0.1", port, true);
      if (protocols.length > 0) {
        socket.setEnabledProtocols(protocols);
      }
      socket.setSoTimeout(Math.toIntExact(Served.PATIENCE.toMillis()));
      socket.startHandshake();
      return new Wire(plain, socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public SSLSocket socket() {
    return socket;
  }

  public Wire write(String text) {
    try {
      socket.getOutputStream().write(text.getBytes(ISO_8859_1));
      socket.getOutputStream().flush();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A request to convert, with a body of which perhaps only a part is written. */
  public Wire post(int declaredLength, String body) {
    return post("/convert", declaredLength, body);
  }

  public Wire post(String path, int declaredLength, String body) {
    return write(head("POST " + path + " HTTP/1.1", "content-length: " + declaredLength) + body);
  }

  public static String head(String requestLine, String... headers) {
    return requestLine
        + "\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        + (headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n")
        + "\r\n";
  }

  /** Reads one answer. */
  public Reply read() {
    String head = readHead();
    int at = head.indexOf("content-length: ");
    int length = at < 0 ? 0 : Integer.parseInt(head.substring(at + 16, head.indexOf('\r', at)));
    return new Reply(status(head), head, new String(readBytes(length), ISO_8859_1));
  }

  /** Reads an answer that has no body whatever its length says. */
  public Reply readWithoutBody() {
    String head = readHead();
    return new Reply(status(head), head, "");
  }

  private static int status(String head) {
    return Integer.parseInt(head.substring(9, 12));
  }

  private String readHead() {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append(new String(readBytes(1), ISO_8859_1));
    }
    return head.toString().toLowerCase(Locale.ROOT);
  }

  private byte[] readBytes(int count) {
    try {
      byte[] bytes = in.readNBytes(count);
      if (bytes.length < count) {
        throw new AssertionError("closed after " + bytes.length + " of " + count + " bytes");
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the other side closes, cleanly or not, without another byte of answer. */
  public boolean isClosedByPeer() {
    return rest().isEmpty();
  }

  /** All that still comes until the other side closes, cleanly or not. */
  public String rest() {
    var all = new ByteArrayOutputStream();
    try {
      in.transferTo(all);
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("still open", e);
    } catch (IOException _) {
      // a reset is a close too
    }
    return all.toString(ISO_8859_1);
  }

  /** Goes away as a process does that was killed: with a reset, no goodbye. */
  public void abort() {
    try {
      plain.setSoLinger(true, 0);
      plain.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException _) {
      // a client that sent garbage cannot close properly
    }
  }
}
