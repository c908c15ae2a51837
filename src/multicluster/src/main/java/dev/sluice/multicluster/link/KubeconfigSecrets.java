package dev.sluice.multicluster.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ResourceVersion;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.cluster.view.KindStatus;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.json.tree.Keep;
import dev.sluice.multicluster.link.LinkSource.Unusable;
import dev.sluice.supervision.Supervisor;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kubeconfigs in Secrets of our own namespace. They are watched from the first request on; of each
 * Secret only its kubeconfig is kept. Thread-safe.
 */
final class KubeconfigSecrets implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KubeconfigSecrets.class);
  private static final ObjectMapper MAPPER = new JsonMapper();
  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final GroupKind SECRET = new GroupKind("", "Secret");
  private static final String KEY = "kubeconfig";
  private static final Keep KUBECONFIG =
      Keep.only()
          .with("metadata", Keep.only("name", "namespace", "uid", "resourceVersion"))
          .with("data", Keep.only(KEY));

  private final Connection connection;
  private final String namespace;
  private final WatchedView view;

  /** What the API server answered to {@link #refresh}, until the watch has shown it. */
  private final Map<String, JsonNode> fresh = new ConcurrentHashMap<>();

  /**
   * A source that watches nothing yet.
   *
   * @param changed receives the name of each Secret that changes
   */
  KubeconfigSecrets(
      Connection connection, String namespace, Consumer<String> changed, Supervisor supervisor) {
    this.connection = connection;
    this.namespace = namespace;
    this.view =
        new WatchedView(
            connection,
            List.of(
                new WatchedKind(
                    new GroupVersionKind("", "v1", "Secret"),
                    Optional.of("secrets"),
                    KUBECONFIG,
                    false,
                    WatchedKind.Selection.inNamespace(namespace))),
            WatchTimes.EAGER,
            new Random(),
            (_, change) -> changed.accept(ObjectKey.of(change.latest()).name()),
            supervisor);
  }

  /** What a Secret holds; empty while that is not known. */
  Optional<LinkSource> read(String name) {
    view.start();
    if (!view.knows(SECRET)) {
      return problem()
          .map(
              it ->
                  Unusable.missing(
                      "Secrets of namespace \"%s\" cannot be read: %s".formatted(namespace, it)));
    }
    return Optional.of(
        latest(name)
            .map(secret -> kubeconfig(name, secret))
            .orElseGet(() -> Unusable.missing("Secret \"%s\" not found".formatted(name))));
  }

  private Optional<JsonNode> latest(String name) {
    Optional<JsonNode> shown = view.find(SECRET, namespace, name);
    JsonNode answered = fresh.get(name);
    if (answered == null) {
      return shown;
    }
    if (shown.isPresent() && version(shown.get()) < version(answered)) {
      return Optional.of(answered);
    }
    fresh.remove(name, answered);
    return shown;
  }

  private static long version(JsonNode secret) {
    return ResourceVersion.number(secret.path("metadata").path("resourceVersion").asText())
        .orElse(0);
  }

  /**
   * Reads a Secret from the API server, not from the watch, which may be behind. Blocks; keeps what
   * is known if there is no answer.
   */
  void refresh(String name) {
    String path = // there is the right to list, and none to get
        "/api/v1/namespaces/%s/secrets?fieldSelector=%s"
            .formatted(namespace, URLEncoder.encode("metadata.name=" + name, UTF_8));
    try {
      MAPPER
          .readTree(connection.get(path, Connection.JSON, BOUND))
          .path("items")
          .forEach(it -> fresh.put(name, it));
    } catch (ConnectionException e) {
      LOG.warn("Secret {} cannot be read again: {}", name, e.getMessage());
    } catch (IOException _) { // its message may repeat a part of the Secret
      LOG.warn("Secret {} cannot be read again: the answer is no JSON", name);
    }
  }

  private Optional<String> problem() {
    return view.statuses().stream().map(KindStatus::problem).flatMap(Optional::stream).findFirst();
  }

  private static LinkSource kubeconfig(String name, JsonNode secret) {
    JsonNode encoded = secret.path("data").path(KEY);
    if (!encoded.isTextual()) {
      return Unusable.missing("key \"%s\" not found in secret \"%s\"".formatted(KEY, name));
    }
    try {
      return KubeconfigReader.read(Base64.getDecoder().decode(encoded.asText()));
    } catch (IllegalArgumentException _) { // the API server lets none pass that is not Base64
      return Unusable.missing("key \"%s\" of secret \"%s\" is not Base64".formatted(KEY, name));
    }
  }

  @Override
  public void close() {
    view.close();
  }
}
