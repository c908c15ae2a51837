package dev.sluice.cluster.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.cluster.SocketServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on loopback that writes to its sockets what a test wants, however odd. */
final class RawServer implements AutoCloseable {
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final Answer answer;
  private final SocketServer server;

  /** Answers one request. */
  @FunctionalInterface
  interface Answer {
    /**
     * Writes the response.
     *
     * @param nth which request it is, from 1
     * @return whether the connection is kept
     */
    boolean write(int nth, OutputStream out) throws IOException, InterruptedException;
  }

  RawServer(Answer answer) throws IOException {
    this.answer = answer;
    server = new SocketServer(this::serve);
  }

  private void serve(Socket socket) throws IOException, InterruptedException {
    BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    boolean isKept = true;
    while (isKept) {
      String first = in.readLine();
      String line = in.readLine();
      while (line != null && !line.isEmpty()) {
        line = in.readLine();
      }
      if (first == null) {
        return;
      }
      requests.add(first);
      isKept = answer.write(requests.size(), socket.getOutputStream());
    }
  }

  static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(UTF_8));
    out.flush();
  }

  static String ok(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s".formatted(body.length(), body);
  }

  int port() {
    return server.port();
  }

  /** The request lines so far. */
  List<String> requests() {
    return requests;
  }

  /** How many connections there were. */
  int connections() {
    return server.connections();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
