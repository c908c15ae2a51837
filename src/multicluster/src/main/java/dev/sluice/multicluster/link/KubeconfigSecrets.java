package dev.sluice.multicluster.link;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.KindStatus;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.json.tree.Keep;
import dev.sluice.multicluster.link.LinkSource.Unusable;
import dev.sluice.supervision.Supervisor;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Kubeconfigs in Secrets of our own namespace. They are watched from the first request on; of each
 * Secret only its kubeconfig is kept. Thread-safe.
 */
final class KubeconfigSecrets implements AutoCloseable {
  private static final GroupKind SECRET = new GroupKind("", "Secret");
  private static final String KEY = "kubeconfig";
  private static final Keep KUBECONFIG =
      Keep.only()
          .with("metadata", Keep.only("name", "namespace", "uid", "resourceVersion"))
          .with("data", Keep.only(KEY));

  private final String namespace;
  private final WatchedView view;

  /**
   * A source that watches nothing yet.
   *
   * @param changed receives the name of each Secret that changes
   */
  KubeconfigSecrets(
      Connection connection, String namespace, Consumer<String> changed, Supervisor supervisor) {
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
        view.find(SECRET, namespace, name)
            .map(secret -> kubeconfig(name, secret))
            .orElseGet(() -> Unusable.missing("Secret \"%s\" not found".formatted(name))));
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
