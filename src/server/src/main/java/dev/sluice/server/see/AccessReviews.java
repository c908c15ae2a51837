package dev.sluice.server.see;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.server.reply.Sha256;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Asks the API server by SubjectAccessReviews who may read what, and remembers its answers for ten
 * seconds. An API server that does not answer never means yes. Safe for many threads; a call blocks
 * while the API server is asked.
 */
final class AccessReviews implements Reviews {
  private static final String PATH = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

  /** What the API server says. */
  enum Verdict {
    ALLOWED,
    DENIED,
    /** It did not answer. */
    UNKNOWN
  }

  private final ReviewClient client;
  private final AnswerCache<Verdict> known;

  /** Asks there; the clock counts nanoseconds. */
  AccessReviews(ReviewClient client, LongSupplier nanos) {
    this.client = client;
    this.known = new AnswerCache<>(nanos);
  }

  @Override
  public Verdict review(Caller caller, Attributes attributes) {
    ObjectNode review = review(caller);
    attributes.addTo((ObjectNode) review.path("spec"));
    String key = Sha256.hex(review.toString());
    Optional<Verdict> before = known.fresh(key);
    if (before.isPresent()) {
      return before.get();
    }
    Verdict verdict =
        client.review(PATH, review).map(AccessReviews::verdict).orElse(Verdict.UNKNOWN);
    if (verdict != Verdict.UNKNOWN) {
      known.put(key, verdict);
    }
    return verdict;
  }

  private static Verdict verdict(JsonNode status) {
    return status.path("allowed").asBoolean(false) && !status.path("denied").asBoolean(false)
        ? Verdict.ALLOWED
        : Verdict.DENIED;
  }

  private static ObjectNode review(Caller caller) {
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SubjectAccessReview");
    ObjectNode spec = review.putObject("spec");
    spec.put("user", caller.user()).put("uid", caller.uid());
    caller.groups().forEach(spec.putArray("groups")::add);
    ObjectNode extra = spec.putObject("extra");
    new TreeMap<>(caller.extra())
        .forEach(
            (key, values) -> {
              ArrayNode list = extra.putArray(key);
              values.forEach(list::add);
            });
    return review;
  }
}
