package dev.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.manifests.Manifests;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The schemas of the definitions that Sluice installs, each read when it is first asked for. Any
 * thread may use it.
 */
public final class KindSchemas {
  private final Manifests manifests = new Manifests();
  private final CelPrograms programs = new CelPrograms();
  private final Map<Key, KindSchema> schemas = new ConcurrentHashMap<>();

  private record Key(ApiKind kind, ApiVersion version) {}

  /**
   * The schema of a kind at a version.
   *
   * @throws IllegalArgumentException if the kind does not have the version
   */
  public KindSchema of(ApiKind kind, ApiVersion version) {
    return schemas.computeIfAbsent(new Key(kind, version), this::read);
  }

  private KindSchema read(Key key) {
    for (JsonNode version : manifests.crd(key.kind).at("/spec/versions")) {
      if (version.path("name").asText().equals(key.version.text())) {
        return new KindSchema(
            Schema.of(version.at("/schema/openAPIV3Schema")),
            version.path("subresources").has("status"),
            programs);
      }
    }
    throw new IllegalArgumentException(
        key.kind + " " + key.version + " (expected: one of " + key.kind.versions() + ")");
  }
}
