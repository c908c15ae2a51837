package dev.sluice.bench.objects;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import java.time.Instant;
import java.util.HexFormat;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** What all objects have: kind, version, and metadata as an API server stores it. */
final class Skeleton {
  private static final long NEWEST = Instant.parse("2026-06-01T00:00:00Z").getEpochSecond();
  private static final long A_YEAR = 365L * 24 * 3600;

  private Skeleton() {}

  static ObjectNode object(String kind, ApiVersion version) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", version.groupVersion()).put("kind", kind);
    return object;
  }

  /**
   * Adds metadata with this name; one manager owns {@code spec}, as after a {@code kubectl apply}.
   */
  static ObjectNode giveMetadata(ObjectNode object, String name, RandomGenerator random) {
    ObjectNode metadata = object.putObject("metadata");
    String created = time(random);
    metadata
        .put("name", name)
        .put("uid", new UUID(random.nextLong(), random.nextLong()).toString());
    metadata.put("resourceVersion", Integer.toString(random.nextInt(1_000, 90_000_000)));
    metadata.put("generation", random.nextInt(1, 9)).put("creationTimestamp", created);
    ObjectNode labels = metadata.putObject("labels");
    labels.put("app.kubernetes.io/managed-by", "platform");
    labels.put("example.com/team", "team-" + random.nextInt(40));
    ObjectNode manager = metadata.putArray("managedFields").addObject();
    manager.put("manager", "kubectl").put("operation", "Apply");
    manager.put("apiVersion", object.path("apiVersion").textValue()).put("time", created);
    manager.put("fieldsType", "FieldsV1").putObject("fieldsV1").putObject("f:spec").putObject(".");
    return metadata;
  }

  static String time(RandomGenerator random) {
    return Instant.ofEpochSecond(NEWEST - random.nextLong(A_YEAR)).toString();
  }

  /** Lower-case letters and digits, such as generated names end with. */
  static String suffix(RandomGenerator random) {
    byte[] bytes = new byte[5];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
