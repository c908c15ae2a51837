package dev.sluice.cli.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.manifests.Manifests;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import dev.sluice.testkit.random.SchemaObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * Aims at rules and conversions that rely on a type: reviews of every kind on every path with
 * objects drawn from their schemas, in which members are gone, null, of other types, empty or
 * strange.
 */
final class Types implements BodyGenerator {
  private static final Set<String> IDENTITY = Set.of("apiVersion", "kind");
  private static final Templates TEMPLATES = new Templates();
  private static final Manifests MANIFESTS = new Manifests();
  private static final Map<String, JsonNode> SCHEMAS = new ConcurrentHashMap<>();

  @Override
  public String name() {
    return "types";
  }

  @Override
  public Review draw(RandomGenerator random, long number, int most) {
    Review review = random.nextInt(3) == 0 ? conversion(random, number) : admission(random, number);
    if (random.nextInt(6) > 0) {
      return review;
    }
    byte[] edited = Template.of(review.bytes()).edited(random, Set.of());
    return Review.of(review.path(), edited);
  }

  private static Review conversion(RandomGenerator random, long number) {
    ApiKind kind = Review.pick(random, List.of(ApiKind.values()));
    List<String> objects = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      objects.add(object(random, number, kind, Review.pick(random, kind.versions())));
    }
    return Review.conversion("c-" + number, Review.pick(random, kind.versions()), objects);
  }

  private static Review admission(RandomGenerator random, long number) {
    Route route = Review.pick(random, Route.ALL);
    String object = object(random, number, route.kind());
    String old =
        switch (random.nextInt(4)) {
          case 0 -> "null";
          case 1 -> object;
          default -> object(random, number, route.kind());
        };
    return Review.admission(random, route, object, old);
  }

  private static String object(RandomGenerator random, long number, GroupVersionKind kind) {
    if (kind.group().equals(ApiVersion.GROUP)) {
      return object(random, number, ApiKind.find(kind.kind()).orElseThrow(), ApiVersion.HUB);
    }
    String name = kind.apiVersion() + " " + kind.kind();
    return edited(
        random, TEMPLATES.pick(random, number, name, it -> bytes(JobObjects.of(it, kind))));
  }

  private static String object(
      RandomGenerator random, long number, ApiKind kind, ApiVersion version) {
    String name = version + " " + kind;
    return edited(
        random, TEMPLATES.pick(random, number, name, it -> bytes(valid(it, kind, version))));
  }

  private static byte[] bytes(JsonObject object) {
    return object.write().getBytes(UTF_8);
  }

  /** An object as its schema has it. */
  static JsonObject valid(RandomGenerator random, ApiKind kind, ApiVersion version) {
    JsonNode schema =
        SCHEMAS.computeIfAbsent(kind + " " + version, _ -> MANIFESTS.schema(kind, version));
    return SchemaObjects.draw(random, schema, version.groupVersion(), kind.kind());
  }

  private static String edited(RandomGenerator random, Template template) {
    byte[] text =
        random.nextInt(4) == 0
            ? template.text()
            : template.edited(random, random.nextInt(8) == 0 ? Set.of() : IDENTITY);
    return new String(text, UTF_8);
  }
}
