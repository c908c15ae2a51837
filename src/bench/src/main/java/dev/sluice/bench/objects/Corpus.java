package dev.sluice.bench.objects;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Reviews to send in turn, each with the same number of objects. A review holds objects of one kind
 * and version, as an API server sends them; kinds and versions take turns. Immutable.
 *
 * @param objectsPerReview how many objects each review holds
 * @param reviews the reviews; at least one
 */
public record Corpus(int objectsPerReview, List<Review> reviews) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String CONVERT = "/convert?timeout=30s";
  private static final int MOST_PER_VARIANT = 16;
  private static final int OBJECTS_PER_VARIANT = 2_000;

  public Corpus {
    reviews = List.copyOf(reviews);
    if (reviews.isEmpty()) {
      throw new IllegalArgumentException("reviews: none (expected: at least one)");
    }
  }

  /** Reviews of this many objects from these makers; the same seed gives the same bytes. */
  public static Corpus of(List<ObjectMaker> makers, int objects, long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    int rounds = Math.clamp(OBJECTS_PER_VARIANT / objects, 2, MOST_PER_VARIANT);
    List<Review> reviews = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      for (ObjectMaker maker : makers) {
        for (ApiVersion version : maker.versions()) {
          reviews.add(review(maker, version, objects, reviews.size(), random));
        }
      }
    }
    return new Corpus(objects, reviews);
  }

  private static Review review(
      ObjectMaker maker, ApiVersion from, int objects, int number, RandomGenerator random) {
    ObjectNode review = MAPPER.createObjectNode();
    review.put("kind", "ConversionReview").put("apiVersion", "apiextensions.k8s.io/v1");
    ObjectNode request = review.putObject("request");
    String uid = "00000000-0000-4000-8000-%012d".formatted(number);
    request.put("uid", uid).put("desiredAPIVersion", ApiVersion.HUB.groupVersion());
    ArrayNode list = request.putArray("objects");
    for (int i = 0; i < objects; i++) {
      list.add(maker.make(from, random));
    }
    return new Review(CONVERT, uid, objects, new Expected.Converted(ApiVersion.HUB), bytes(review));
  }

  private static byte[] bytes(ObjectNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree in memory cannot be written", e);
    }
  }

  /** The bytes of a review, on average. */
  public double bytesPerReview() {
    return reviews.stream().mapToLong(review -> review.json().length).average().orElseThrow();
  }
}
