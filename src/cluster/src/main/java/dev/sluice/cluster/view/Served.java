package dev.sluice.cluster.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.cluster.api.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The groups, versions and kinds that the API server serves. The groups are requested once for all
 * kinds and cached for a short time. Thread-safe.
 */
final class Served {
  private static final Duration CALL = Duration.ofSeconds(10);
  private static final ObjectMapper MAPPER = new JsonMapper();

  private final Connection connection;
  private final long memoryNanos;
  private Set<String> groupVersions = Set.of();
  private long asked;
  private boolean known;

  Served(Connection connection, Duration memory) {
    this.connection = connection;
    this.memoryNanos = memory.toNanos();
  }

  /** Whether the group of that kind is served at its version. */
  synchronized boolean hasGroup(WatchedKind kind) {
    long now = System.nanoTime();
    if (!known || now - asked > memoryNanos) {
      groupVersions = ask();
      asked = now;
      known = true;
    }
    return groupVersions.contains(kind.type().apiVersion());
  }

  private Set<String> ask() {
    Set<String> found = new HashSet<>();
    for (JsonNode group : json("/apis").path("groups")) {
      for (JsonNode version : group.path("versions")) {
        found.add(version.path("groupVersion").asText());
      }
    }
    return found;
  }

  /** The name of the kind in URLs; empty if the API server has no such kind. */
  Optional<String> plural(WatchedKind kind) {
    if (kind.plural().isPresent()) {
      return kind.plural();
    }
    for (JsonNode resource : json(kind.root()).path("resources")) {
      String name = resource.path("name").asText();
      if (resource.path("kind").asText().equals(kind.type().kind()) && !name.contains("/")) {
        return Optional.of(name);
      }
    }
    return Optional.empty();
  }

  private JsonNode json(String path) {
    byte[] body = connection.get(path, Connection.JSON, CALL);
    try {
      return MAPPER.readTree(body);
    } catch (IOException e) {
      throw Connection.unreadable(e);
    }
  }
}
