package dev.sluice.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a CustomResourceDefinition in a cluster says about storing one of our kinds.
 *
 * @param kind the kind
 * @param identity which state of which definition this is
 * @param storageVersion the version at which the API server writes objects
 * @param servedVersions the versions at which they can be read
 * @param storedVersions the versions at which objects may still lie in etcd, as the API server
 *     recorded it
 * @param namespaced whether objects live in namespaces
 */
public record StoredKind(
    ApiKind kind,
    Identity identity,
    String storageVersion,
    List<String> servedVersions,
    List<String> storedVersions,
    boolean namespaced) {

  /**
   * Identifies a state of a definition.
   *
   * @param uid of the definition
   * @param generation counts changes of its spec
   * @param resourceVersion changes with every write
   * @param specChanged when anything but its status was last written; empty if not recorded
   */
  public record Identity(
      String uid, long generation, String resourceVersion, Optional<Instant> specChanged) {}

  public StoredKind {
    servedVersions = List.copyOf(servedVersions);
    storedVersions = List.copyOf(storedVersions);
  }

  /** Reads the definition of a kind. */
  public static StoredKind of(ApiKind kind, JsonNode crd) {
    List<String> served = new ArrayList<>();
    String storage = "";
    for (JsonNode version : crd.at("/spec/versions")) {
      String name = version.path("name").asText();
      if (version.path("served").asBoolean()) {
        served.add(name);
      }
      storage = version.path("storage").asBoolean() ? name : storage;
    }
    List<String> stored = new ArrayList<>();
    crd.at("/status/storedVersions").forEach(version -> stored.add(version.asText()));
    boolean namespaced = crd.at("/spec/scope").asText().equals("Namespaced");
    return new StoredKind(kind, identity(crd), storage, served, stored, namespaced);
  }

  private static Identity identity(JsonNode crd) {
    JsonNode metadata = crd.path("metadata");
    return new Identity(
        metadata.path("uid").asText(),
        metadata.path("generation").asLong(),
        metadata.path("resourceVersion").asText(),
        specChanged(metadata.path("managedFields")));
  }

  private static Optional<Instant> specChanged(JsonNode managedFields) {
    Instant last = Instant.MIN;
    for (JsonNode entry : managedFields) {
      if (entry.path("subresource").asText().isEmpty()) {
        Instant time = time(entry.path("time").asText());
        last = time.isAfter(last) ? time : last;
      }
    }
    return last.equals(Instant.MIN) ? Optional.empty() : Optional.of(last);
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException _) {
      return Instant.MIN;
    }
  }

  /** Whether every object is known to lie at the storage version. */
  public boolean isMigrated() {
    return storedVersions.equals(List.of(storageVersion));
  }

  /** The collection of all objects at a version. */
  public String collection(String version) {
    return "/apis/" + ApiVersion.GROUP + "/" + version + "/" + kind.plural();
  }

  /** The path of the definition of a kind. */
  public static String definition(ApiKind kind) {
    return "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + kind.crdName();
  }
}
