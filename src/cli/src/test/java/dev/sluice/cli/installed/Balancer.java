package dev.sluice.cli.installed;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One address for several servers on loopback, as a Service has it: each connection goes to the
 * next server that takes it, and stays there until one side ends it.
 */
final class Balancer implements AutoCloseable {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final int CONNECT_MILLIS = 2_000;
  private static final int BUFFER = 16 * 1024;

  private final List<Integer> ports;
  private final ServerSocket listening;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger turn = new AtomicInteger();

  /** A balancer in front of the servers on these ports. */
  Balancer(List<Integer> ports) throws IOException {
    this.ports = List.copyOf(ports);
    this.listening = new ServerSocket(0, 50, LOOPBACK);
    threads.execute(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        threads.execute(() -> connect(client));
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private void connect(Socket client) {
    for (int i = 0; i < ports.size(); i++) {
      int port = ports.get(Math.floorMod(turn.getAndIncrement(), ports.size()));
      try {
        Socket server = new Socket();
        server.connect(new InetSocketAddress(LOOPBACK, port), CONNECT_MILLIS);
        threads.execute(() -> pass(client, server));
        pass(server, client);
        return;
      } catch (IOException _) {
        // that one is down: the next
      }
    }
    close(client);
  }

  private static void pass(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[BUFFER];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
    } catch (IOException _) {
      // one side has ended it, so both are closed
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // it is gone in any case
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    threads.shutdownNow();
  }
}
