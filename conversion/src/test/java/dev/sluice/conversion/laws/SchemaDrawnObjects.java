package dev.sluice.conversion.laws;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.manifests.Manifests;
import dev.sluice.testkit.json.JsonStyle;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import dev.sluice.testkit.random.Mutations;
import dev.sluice.testkit.random.SchemaObjects;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * Objects drawn from the schema that a cluster has of a kind: as they are valid, or edited so
 * wildly that no schema would take them. Metadata stay as they are drawn, for what cannot be noted
 * cannot come back.
 */
final class SchemaDrawnObjects implements ObjectSource {
  private static final Set<String> KEPT = Set.of("apiVersion", "kind", "metadata");

  private final Manifests manifests = new Manifests();
  private final Map<String, JsonNode> schemas = new ConcurrentHashMap<>();
  private final boolean mutated;

  SchemaDrawnObjects(boolean mutated) {
    this.mutated = mutated;
  }

  @Override
  public boolean isCanonical() {
    return false;
  }

  @Override
  public String draw(ApiKind kind, ApiVersion version, RandomGenerator random) {
    JsonNode schema =
        schemas.computeIfAbsent(kind + " " + version, _ -> manifests.schema(kind, version));
    JsonObject object = SchemaObjects.draw(random, schema, version.groupVersion(), kind.kind());
    JsonObject drawn = mutated ? Mutations.mutateKeeping(random, object, KEPT) : object;
    return drawn
        .write(random.nextInt(4) == 0 ? JsonStyle.scrambled(random) : JsonStyle.compact())
        .strip();
  }

  @Override
  public String toString() {
    return mutated ? "objects beyond their schema" : "objects of their schema";
  }
}
