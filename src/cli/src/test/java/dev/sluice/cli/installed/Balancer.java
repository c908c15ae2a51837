package dev.sluice.cli.installed;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One address for several servers on loopback, as a Service has it: each connection goes to the
 * next server that is ready and takes it, and stays there until one side ends it. Readiness is
 * looked at continuously, as a kubelet does, and is known a moment late.
 */
final class Balancer implements AutoCloseable {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final int CONNECT_MILLIS = 2_000;
  private static final int BUFFER = 16 * 1024;
  private static final Duration PROBE_BOUND = Duration.ofSeconds(10);
  private static final Duration PROBE = Duration.ofMillis(100);

  private final List<Backend> backends;
  private final ServerSocket listening;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService probes = Executors.newSingleThreadScheduledExecutor();
  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicInteger turn = new AtomicInteger();
  private final Set<Socket> passing = ConcurrentHashMap.newKeySet();

  /** A server: the port of its reviews, and that of its pages. */
  record Server(int port, int pages) {}

  private static final class Backend {
    private final Server server;
    private volatile boolean isReady;

    private Backend(Server server) {
      this.server = server;
    }

    private void probe(HttpClient http) {
      URI page = URI.create("http://127.0.0.1:" + server.pages() + "/readyz");
      HttpRequest request = HttpRequest.newBuilder(page).timeout(PROBE_BOUND).build();
      try {
        isReady = http.send(request, BodyHandlers.discarding()).statusCode() == 200;
      } catch (IOException _) {
        isReady = false;
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt(); // closed
      }
    }
  }

  /** A balancer in front of these servers. */
  Balancer(List<Server> servers) throws IOException {
    this.backends = servers.stream().map(Backend::new).toList();
    this.listening = new ServerSocket(0, 50, LOOPBACK);
    var _ =
        probes.scheduleWithFixedDelay(
            () -> backends.forEach(it -> it.probe(http)),
            0,
            PROBE.toMillis(),
            TimeUnit.MILLISECONDS);
    threads.execute(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Whether connections go to that server. */
  boolean isReady(int index) {
    return backends.get(index).isReady;
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
    for (Backend backend : inTurn()) {
      try {
        Socket server = new Socket();
        server.connect(new InetSocketAddress(LOOPBACK, backend.server.port()), CONNECT_MILLIS);
        passing.add(client);
        threads.execute(() -> pass(client, server));
        pass(server, client);
        passing.remove(client);
        return;
      } catch (IOException _) {
        // that one is down: the next
      }
    }
    close(client);
  }

  /** Ends all connections, as when the way to the servers breaks for a moment. */
  void endConnections() {
    passing.forEach(Balancer::close);
  }

  /** Those that are ready, beginning with another one each time. */
  private List<Backend> inTurn() {
    int first = Math.floorMod(turn.getAndIncrement(), backends.size());
    List<Backend> ready = new ArrayList<>();
    for (int i = 0; i < backends.size(); i++) {
      Backend backend = backends.get((first + i) % backends.size());
      if (backend.isReady) {
        ready.add(backend);
      }
    }
    return ready;
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
    probes.shutdownNow();
    listening.close();
    threads.shutdownNow();
    http.shutdownNow();
  }
}
