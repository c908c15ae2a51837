package dev.sluice.cli.testcluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.controlplane.ControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** What really lies in the etcd below an API server, past all that the API server checks. */
public final class Etcd implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String URL_FLAG = "--listen-client-urls=";

  /** How many operations are in one transaction; etcd takes 128. */
  private static final int OPERATIONS = 100;

  private final HttpClient http = HttpClient.newHttpClient();
  private final String url;

  private Etcd(String url) {
    this.url = url;
  }

  /** The one of this control plane. */
  public static Etcd of(ControlPlane controlPlane) {
    long pid = controlPlane.pid(ControlPlane.Part.ETCD).orElseThrow();
    String[] arguments = ProcessHandle.of(pid).orElseThrow().info().arguments().orElseThrow();
    String url =
        Arrays.stream(arguments)
            .filter(argument -> argument.startsWith(URL_FLAG))
            .findFirst()
            .orElseThrow()
            .substring(URL_FLAG.length());
    return new Etcd(url);
  }

  /** The apiVersion at which each object of a kind is stored, by namespace and name. */
  public Map<String, String> versions(ApiKind kind) {
    Map<String, String> versions = new TreeMap<>();
    visit(kind, (key, stored) -> versions.put(key, tree(stored).path("apiVersion").asText()));
    return versions;
  }

  /** The apiVersion at which one object is stored; empty if it is not there. */
  public String version(ApiKind kind, String namespace, String name) {
    return read(kind, namespace, name).path("apiVersion").asText();
  }

  /** One object as it is stored; a missing node if it is not there. */
  public JsonNode read(ApiKind kind, String namespace, String name) {
    String key = key(kind, namespace, name);
    JsonNode found = range(key, key + "\0").path("kvs").path(0);
    return found.isMissingNode() ? found : tree(value(found));
  }

  /** The revision of the last change of every key that starts so. */
  public SortedMap<String, Long> revisions(String prefix) {
    SortedMap<String, Long> revisions = new TreeMap<>();
    String end = prefix.substring(0, prefix.length() - 1) + "0"; // what follows a slash
    JsonNode keys =
        call(
            "range",
            "{\"key\":\"%s\",\"range_end\":\"%s\",\"keys_only\":true}"
                .formatted(encoded(prefix), encoded(end)));
    for (JsonNode entry : keys.path("kvs")) {
      revisions.put(new String(decoded(entry, "key"), UTF_8), entry.path("mod_revision").asLong());
    }
    return revisions;
  }

  /** Removes keys; the API server sees that as deletions without any finalizer. */
  public void delete(Collection<String> keys) {
    List<String> all = List.copyOf(keys);
    for (int from = 0; from < all.size(); from += OPERATIONS) {
      String operations =
          all.subList(from, Math.min(all.size(), from + OPERATIONS)).stream()
              .map(key -> "{\"requestDeleteRange\":{\"key\":\"%s\"}}".formatted(encoded(key)))
              .collect(joining(","));
      call("txn", "{\"success\":[" + operations + "]}");
    }
  }

  /** Stores an object, also one that the API server would not take. */
  public void write(ApiKind kind, String namespace, String name, JsonNode object) {
    call(
        "put",
        "{\"key\":\"%s\",\"value\":\"%s\"}"
            .formatted(encoded(key(kind, namespace, name)), encoded(object.toString())));
  }

  /** Shows every object of a kind as it is stored, by {@code namespace/name}, in that order. */
  public void visit(ApiKind kind, BiConsumer<String, byte[]> visitor) {
    String prefix = prefix(kind);
    String end = prefix.substring(0, prefix.length() - 1) + "0"; // what follows a slash
    String next = prefix;
    for (JsonNode page = range(next, end); ; page = range(next, end)) {
      for (JsonNode entry : page.path("kvs")) {
        String key = new String(decoded(entry, "key"), UTF_8);
        visitor.accept(key.substring(prefix.length()), value(entry));
        next = key + "\0";
      }
      if (!page.path("more").asBoolean()) {
        return;
      }
    }
  }

  private static String prefix(ApiKind kind) {
    return "/registry/" + ApiVersion.GROUP + "/" + kind.plural() + "/";
  }

  private static String key(ApiKind kind, String namespace, String name) {
    return prefix(kind) + (namespace.isEmpty() ? name : namespace + "/" + name);
  }

  private JsonNode range(String from, String to) {
    return call(
        "range",
        "{\"key\":\"%s\",\"range_end\":\"%s\",\"limit\":500}"
            .formatted(encoded(from), encoded(to)));
  }

  private JsonNode call(String name, String body) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url + "/v3/kv/" + name))
              .POST(BodyPublishers.ofString(body))
              .build();
      return JSON.readTree(http.send(request, BodyHandlers.ofString()).body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static JsonNode tree(byte[] stored) {
    try {
      return JSON.readTree(stored);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static byte[] value(JsonNode entry) {
    return decoded(entry, "value");
  }

  private static byte[] decoded(JsonNode entry, String field) {
    return Base64.getDecoder().decode(entry.path(field).asText());
  }

  @Override
  public void close() {
    http.close();
  }
}
