package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Asks the API server by SubjectAccessReviews who may read what, and remembers its answers for ten
 * seconds. An API server that does not answer never means yes. Safe for many threads; a call blocks
 * while the API server is asked.
 */
final class AccessReviews {
  private static final String PATH = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final Duration KEPT = Duration.ofSeconds(10);
  private static final int MOST = 4_096;
  private static final JsonMapper MAPPER = new JsonMapper();

  /** What the API server says. */
  enum Verdict {
    ALLOWED,
    DENIED,
    /** It did not answer. */
    UNKNOWN
  }

  private record Question(Caller caller, Attributes attributes) {}

  private record Known(Verdict verdict, long until) {}

  private final Connection connection;
  private final LongSupplier nanos;

  @GuardedBy("this")
  private final Map<Question, Known> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Question, Known> eldest) {
          return size() > MOST;
        }
      };

  /** Asks there; the clock counts nanoseconds. */
  AccessReviews(Connection connection, LongSupplier nanos) {
    this.connection = connection;
    this.nanos = nanos;
  }

  /** Whether the caller may read that. */
  Verdict review(Caller caller, Attributes attributes) {
    var question = new Question(caller, attributes);
    long now = nanos.getAsLong();
    synchronized (this) {
      Known before = known.get(question);
      if (before != null && before.until() - now > 0) {
        return before.verdict();
      }
    }
    Verdict verdict = ask(question);
    if (verdict != Verdict.UNKNOWN) {
      synchronized (this) {
        known.put(question, new Known(verdict, now + KEPT.toNanos()));
      }
    }
    return verdict;
  }

  private Verdict ask(Question question) {
    try {
      Connection.Answer answer =
          connection.send(
              "POST", PATH, Connection.JSON, review(question).toString().getBytes(UTF_8), BOUND);
      if (!answer.isSuccess()) {
        return Verdict.UNKNOWN;
      }
      JsonNode status = MAPPER.readTree(answer.body()).path("status");
      return status.path("allowed").asBoolean(false) && !status.path("denied").asBoolean(false)
          ? Verdict.ALLOWED
          : Verdict.DENIED;
    } catch (ConnectionException | IOException _) {
      return Verdict.UNKNOWN;
    }
  }

  private static ObjectNode review(Question question) {
    Caller caller = question.caller();
    ObjectNode review = MAPPER.createObjectNode();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SubjectAccessReview");
    ObjectNode spec = review.putObject("spec");
    spec.put("user", caller.user()).put("uid", caller.uid());
    caller.groups().forEach(spec.putArray("groups")::add);
    ObjectNode extra = spec.putObject("extra");
    caller
        .extra()
        .forEach(
            (key, values) -> {
              ArrayNode list = extra.putArray(key);
              values.forEach(list::add);
            });
    question.attributes().addTo(spec);
    return review;
  }
}
