package dev.sluice.cluster.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP proxy on loopback that opens every tunnel it is asked for, and asks nobody to log in. */
final class ConnectProxy implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final ServerSocket server;

  ConnectProxy() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        threads.execute(() -> tunnel(socket));
      }
    } catch (IOException _) {
      // the test is over
    }
  }

  private void tunnel(Socket client) {
    try {
      String request = line(client.getInputStream());
      String login = "null";
      for (String line = line(client.getInputStream());
          !line.isEmpty();
          line = line(client.getInputStream())) {
        Optional<String> value = after("Proxy-Authorization: ", line);
        login = value.orElse(login);
      }
      requests.add(request + " " + login);
      String[] target = request.split(" ", -1)[1].split(":", -1);
      Socket behind = new Socket(target[0], Integer.parseInt(target[1]));
      sockets.add(behind);
      client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(US_ASCII));
      threads.execute(() -> copy(behind, client));
      copy(client, behind);
    } catch (IOException _) {
      // the client has gone
    }
  }

  private static Optional<String> after(String name, String line) {
    return line.startsWith(name) ? Optional.of(line.substring(name.length())) : Optional.empty();
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
    return server.getLocalPort();
  }

  /** The request lines so far, each with the login that came with it. */
  List<String> requests() {
    return requests;
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    threads.shutdownNow();
  }
}
