package dev.sluice.cli.migrate;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.testkit.controlplane.ControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/** Reads what really lies in the etcd below an API server. */
final class Etcd implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String URL_FLAG = "--listen-client-urls=";

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI range;

  private Etcd(URI range) {
    this.range = range;
  }

  /** The one of this control plane. */
  static Etcd of(ControlPlane controlPlane) {
    long pid = controlPlane.pid(ControlPlane.Part.ETCD).orElseThrow();
    String[] arguments = ProcessHandle.of(pid).orElseThrow().info().arguments().orElseThrow();
    String url =
        Arrays.stream(arguments)
            .filter(argument -> argument.startsWith(URL_FLAG))
            .findFirst()
            .orElseThrow()
            .substring(URL_FLAG.length());
    return new Etcd(URI.create(url + "/v3/kv/range"));
  }

  /** The apiVersion at which each object of a kind is stored, by its key. */
  Map<String, String> versions(ApiKind kind) {
    String prefix = "/registry/" + ApiVersion.GROUP + "/" + kind.plural() + "/";
    String end = prefix.substring(0, prefix.length() - 1) + "0"; // what follows a slash
    Map<String, String> versions = new TreeMap<>();
    String next = prefix;
    for (JsonNode page = range(next, end); ; page = range(next, end)) {
      for (JsonNode entry : page.path("kvs")) {
        versions.put(decoded(entry, "key"), stored(entry).path("apiVersion").asText());
        next = decoded(entry, "key") + "\0";
      }
      if (!page.path("more").asBoolean()) {
        return versions;
      }
    }
  }

  private JsonNode range(String from, String to) {
    String body =
        "{\"key\":\"%s\",\"range_end\":\"%s\",\"limit\":500}".formatted(encoded(from), encoded(to));
    try {
      HttpRequest request =
          HttpRequest.newBuilder(range).POST(BodyPublishers.ofString(body)).build();
      return JSON.readTree(http.send(request, BodyHandlers.ofString()).body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static JsonNode stored(JsonNode entry) {
    try {
      return JSON.readTree(decoded(entry, "value"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static String decoded(JsonNode entry, String field) {
    return new String(Base64.getDecoder().decode(entry.path(field).asText()), UTF_8);
  }

  @Override
  public void close() {
    http.close();
  }
}
