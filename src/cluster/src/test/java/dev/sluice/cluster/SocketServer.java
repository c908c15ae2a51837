package dev.sluice.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Accepts connections on loopback and lets a virtual thread serve each. */
public final class SocketServer implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final Handler handler;
  private final ServerSocket server;

  /** Serves one connection, until it returns or fails. */
  @FunctionalInterface
  public interface Handler {
    void serve(Socket socket) throws IOException, InterruptedException;
  }

  public SocketServer(Handler handler) throws IOException {
    this.handler = handler;
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
    try (socket) {
      handler.serve(socket);
    } catch (IOException _) {
      // the client has gone
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  public int port() {
    return server.getLocalPort();
  }

  /** How many connections there were. */
  public int connections() {
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
