package dev.sluice.server.see;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.server.reply.Sha256;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Asks the API server by TokenReviews whose a bearer token is, and remembers its answers for ten
 * seconds. At most twenty tokens a second that were not good before are asked about. Safe for many
 * threads; a call blocks while the API server is asked.
 */
final class TokenReviews {
  private static final String PATH = "/apis/authentication.k8s.io/v1/tokenreviews";
  private static final int NEW_TOKENS_PER_SECOND = 20;

  /** What the API server says of a token. */
  sealed interface Verdict {
    /** It is this user's. */
    record Known(Caller caller) implements Verdict {}

    /** It is nobody's. */
    record Nobody() implements Verdict {}

    /** The API server did not answer. */
    record NotAnswered() implements Verdict {}

    /** Too many unknown tokens came in this second. */
    record TooMany() implements Verdict {}
  }

  private final ReviewClient client;
  private final AnswerCache<Verdict> known;
  private final RateBudget budget;

  /** Asks there; the clock counts nanoseconds. */
  TokenReviews(ReviewClient client, LongSupplier nanos) {
    this.client = client;
    this.known = new AnswerCache<>(nanos);
    this.budget = new RateBudget(NEW_TOKENS_PER_SECOND, nanos);
  }

  /** Whose the token is. */
  Verdict review(String token) {
    String key = Sha256.hex(token);
    Optional<Verdict> before = known.fresh(key);
    if (before.isPresent()) {
      return before.get();
    }
    boolean wasGood = known.last(key).filter(Verdict.Known.class::isInstance).isPresent();
    if (!wasGood && !budget.take()) {
      return new Verdict.TooMany();
    }
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenReview");
    review.putObject("spec").put("token", token);
    Verdict verdict =
        client.review(PATH, review).map(TokenReviews::verdict).orElseGet(Verdict.NotAnswered::new);
    if (!(verdict instanceof Verdict.NotAnswered)) {
      known.put(key, verdict);
    }
    return verdict;
  }

  private static Verdict verdict(JsonNode status) {
    JsonNode user = status.path("user");
    String name = user.path("username").asText("");
    if (!status.path("authenticated").asBoolean(false) || name.isEmpty()) {
      return new Verdict.Nobody();
    }
    Map<String, List<String>> extra = new HashMap<>();
    user.path("extra").propertyStream().forEach(it -> extra.put(it.getKey(), texts(it.getValue())));
    return new Verdict.Known(
        Caller.of(name, user.path("uid").asText(""), texts(user.path("groups")), extra));
  }

  private static List<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::asText).toList();
  }
}
