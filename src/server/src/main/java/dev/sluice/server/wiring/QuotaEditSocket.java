package dev.sluice.server.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.rules.quota.QuotaLoss;
import dev.sluice.scheduler.ledger.PrivateSocket;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers on a Unix domain socket beside the ledger who loses quota by an edit of a ClusterQueue:
 * one line with the ClusterQueue, one line with the answer, for one connection at a time. Only the
 * user of this process may connect. Thread-safe.
 */
public final class QuotaEditSocket implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QuotaEditSocket.class);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The longest time between two beats while a connection is served. */
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  /** How long a reader may take to send its line, or to take the answer. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Path path;
  private final QuotaEditTrials trials;
  private final Part part;
  private final SupervisedThread thread;
  private volatile ServerSocketChannel server;
  private volatile boolean closed;

  private QuotaEditSocket(Path path, QuotaEditTrials trials, Supervisor supervisor)
      throws IOException {
    this.path = path;
    this.trials = trials;
    this.part = supervisor.part("quota-edit-accept");
    this.server = PrivateSocket.bind(path);
    this.thread = part.thread(Thread.ofPlatform().daemon(), DEADLINE, this::accept);
  }

  /** Where that socket is. */
  static Path path(Path ledger) {
    return ledger.resolveSibling(ledger.getFileName() + ".edits");
  }

  /**
   * Starts to listen; a socket left by a killed process is replaced.
   *
   * @param ledger the socket of the ledger
   * @throws IOException if the socket cannot be created, or if another file is there
   */
  public static QuotaEditSocket beside(Path ledger, QuotaEditTrials trials, Supervisor supervisor)
      throws IOException {
    QuotaEditSocket socket = new QuotaEditSocket(path(ledger), trials, supervisor);
    socket.thread.start();
    return socket;
  }

  /** One connection. A failure, such as too many open files, is followed by another attempt. */
  private boolean accept(Heartbeat heart) throws IOException {
    if (!server.isOpen()) { // an interrupt closes the channel that it finds us waiting for
      reopen();
    }
    heart.rest();
    SocketChannel channel;
    try {
      channel = server.accept();
    } catch (IOException e) {
      if (closed) {
        return false;
      }
      throw e;
    }
    heart.beat();
    try (channel) {
      answer(channel);
    } catch (IOException e) {
      LOG.debug("an edit could not be answered", e); // the reader goes on without
    }
    return true;
  }

  private synchronized void reopen() throws IOException {
    if (!closed) {
      server = PrivateSocket.bind(path);
    }
  }

  private void answer(SocketChannel channel) throws IOException {
    byte[] clusterQueue = SocketLines.read(channel, System.nanoTime() + PATIENCE.toNanos());
    Optional<List<QuotaLoss>> losses = trials.losses(MAPPER.readTree(clusterQueue));
    String line = losses.map(QuotaEditSocket::text).orElse("null");
    SocketLines.write(channel, line.getBytes(UTF_8), System.nanoTime() + PATIENCE.toNanos());
  }

  private static String text(List<QuotaLoss> losses) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (QuotaLoss loss : losses) {
      list.addObject()
          .put("namespace", loss.workload().namespace())
          .put("name", loss.workload().name())
          .put("returns", loss.returns());
    }
    return list.toString();
  }

  /** How often it failed unexpectedly. */
  long failures() {
    return part.failures();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      try {
        server.close();
      } catch (IOException e) {
        LOG.debug("the socket could not be closed", e);
      }
    }
    thread.close(Duration.ZERO);
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.debug("the socket file could not be deleted", e);
    }
  }
}
