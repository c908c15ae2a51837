package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Sends TokenReviews and SubjectAccessReviews to the API server, a bounded number at a time. Safe
 * for many threads; a call blocks while the API server is asked, six seconds at most.
 */
final class ReviewClient {
  /** As long as an API server waits for the discovery of its extensions. */
  private static final Duration BOUND = Duration.ofSeconds(5);

  /** For a place among those that are asked at a time. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** Fewer than the threads that answer, so that a slow API server does not hold all of them. */
  private static final int AT_A_TIME = 12;

  private static final JsonMapper MAPPER = new JsonMapper();

  private final Connection connection;
  private final Semaphore places = new Semaphore(AT_A_TIME);

  ReviewClient(Connection connection) {
    this.connection = connection;
  }

  /** The status of the review; empty if the API server does not answer, or has too much to do. */
  Optional<JsonNode> review(String path, ObjectNode review) {
    if (!hasPlace()) {
      return Optional.empty();
    }
    try {
      Connection.Answer answer =
          connection.send("POST", path, Connection.JSON, review.toString().getBytes(UTF_8), BOUND);
      return answer.isSuccess()
          ? Optional.of(MAPPER.readTree(answer.body()).path("status"))
          : Optional.empty();
    } catch (ConnectionException | IOException _) {
      return Optional.empty();
    } finally {
      places.release();
    }
  }

  private boolean hasPlace() {
    try {
      return places.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
