package dev.sluice.server.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.rules.quota.QuotaLoss;
import dev.sluice.scheduler.ledger.PrivateSocket;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the scheduler in another process of this machine who loses quota by an edit, one edit at a
 * time. Thread-safe.
 */
final class QuotaEditClient implements QuotaEdits {
  private static final Logger LOG = LoggerFactory.getLogger(QuotaEditClient.class);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path path;
  private final Duration bound;
  private final Semaphore turn = new Semaphore(1);

  private QuotaEditClient(Path path, Duration bound) {
    this.path = path;
    this.bound = bound;
  }

  /**
   * One that asks beside that ledger.
   *
   * @param bound how long an answer may take
   */
  static QuotaEditClient beside(Path ledger, Duration bound) {
    return new QuotaEditClient(QuotaEditSocket.path(ledger), bound);
  }

  @Override
  public Optional<List<QuotaLoss>> losses(JsonNode clusterQueue) {
    if (!turn.tryAcquire()) {
      return Optional.empty();
    }
    long end = System.nanoTime() + bound.toNanos();
    try (SocketChannel channel = PrivateSocket.connect(path)) {
      SocketLines.write(channel, clusterQueue.toString().getBytes(UTF_8), end);
      return read(MAPPER.readTree(SocketLines.read(channel, end)));
    } catch (IOException e) {
      LOG.debug("the scheduler does not say who loses quota by an edit", e);
      return Optional.empty();
    } finally {
      turn.release();
    }
  }

  private static Optional<List<QuotaLoss>> read(JsonNode answer) {
    if (!answer.isArray()) {
      return Optional.empty();
    }
    List<QuotaLoss> losses = new ArrayList<>();
    for (JsonNode loss : answer) {
      losses.add(
          new QuotaLoss(
              new ObjectKey(loss.path("namespace").asText(), loss.path("name").asText()),
              loss.path("returns").asBoolean()));
    }
    return Optional.of(losses);
  }
}
