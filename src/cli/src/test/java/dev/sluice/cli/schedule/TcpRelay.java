package dev.sluice.cli.schedule;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Forwards bytes to a server and counts connections. */
final class TcpRelay implements AutoCloseable {
  private final URI server;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();

  private TcpRelay(URI server, ServerSocket listener) {
    this.server = server;
    this.listener = listener;
  }

  static TcpRelay to(URI server) throws IOException {
    TcpRelay relay =
        new TcpRelay(server, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    Thread.ofVirtual().start(relay::accept);
    return relay;
  }

  /** Where to connect to. */
  String url() {
    return "https://127.0.0.1:" + listener.getLocalPort();
  }

  /** How many connections are open. */
  int open() {
    return open.size();
  }

  /** How many connections there were. */
  int accepted() {
    return accepted.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        accepted.incrementAndGet();
        open.add(client);
        Socket behind = new Socket(server.getHost(), server.getPort());
        Thread.ofVirtual().start(() -> pass(client, behind));
        Thread.ofVirtual().start(() -> pass(behind, client));
      }
    } catch (IOException _) {
      open.forEach(TcpRelay::end); // closed
    }
  }

  /** Until one side ends; then both do. */
  private void pass(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException _) {
      // the other side has ended
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // it is closed
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    open.forEach(TcpRelay::end);
  }
}
