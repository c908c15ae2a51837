package dev.sluice.cluster.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.cluster.SocketServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An HTTP proxy on loopback that opens every tunnel it is asked for, and asks nobody to log in. */
final class ConnectProxy implements AutoCloseable {
  private static final String LOGIN = "Proxy-Authorization: ";

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final SocketServer server;

  ConnectProxy() throws IOException {
    server = new SocketServer(this::tunnel);
  }

  private void tunnel(Socket client) throws IOException {
    InputStream in = client.getInputStream();
    String request = line(in);
    String login = "null";
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      login = line.startsWith(LOGIN) ? line.substring(LOGIN.length()) : login;
    }
    requests.add(request + " " + login);
    String[] target = request.split(" ", -1)[1].split(":", -1);
    try (Socket behind = new Socket(target[0], Integer.parseInt(target[1]))) {
      client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(US_ASCII));
      Thread.ofVirtual().start(() -> copy(behind, client));
      copy(client, behind);
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.append((char) next);
    }
    return line.toString().strip();
  }

  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException _) {
      // one side has gone
    }
  }

  int port() {
    return server.port();
  }

  /** The request lines so far, each with the login that came with it. */
  List<String> requests() {
    return requests;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
