package dev.sluice.cluster.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server on loopback that writes to its sockets what a test wants, however odd. */
final class RawServer implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final Answer answer;
  private final ServerSocket server;

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
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        threads.execute(() -> serve(socket));
      }
    } catch (IOException _) {
      // the test is over
    }
  }

  private void serve(Socket socket) {
    try (socket;
        BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
      boolean isKept = true;
      for (String first = in.readLine(); isKept && first != null; first = in.readLine()) {
        String line = in.readLine();
        while (line != null && !line.isEmpty()) {
          line = in.readLine();
        }
        requests.add(first);
        isKept = answer.write(requests.size(), socket.getOutputStream());
        if (!isKept) {
          return;
        }
      }
    } catch (IOException _) {
      // the client has gone
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
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
    return server.getLocalPort();
  }

  /** The request lines so far. */
  List<String> requests() {
    return requests;
  }

  /** How many connections there were. */
  int connections() {
    return sockets.size();
  }

  @Override
  public void close() throws IOException {
    server.close();
    threads.shutdownNow();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
