package dev.sluice.server.see;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.KindStatus;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.json.tree.Keep;
import dev.sluice.supervision.Supervisor;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the ConfigMap with the trusted authorities. A content that cannot be read is logged, and
 * the one before stays in force. Thread-safe; reads nothing before {@link #start}.
 */
final class AuthenticationWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuthenticationWatch.class);
  private static final String NAMESPACE = "kube-system";
  private static final String NAME = "extension-apiserver-authentication";
  private static final GroupVersionKind KIND = new GroupVersionKind("", "v1", "ConfigMap");
  private static final Keep CONTENT =
      Keep.only("data").with("metadata", Keep.only("name", "namespace", "uid", "resourceVersion"));

  private final WatchedView view;
  private volatile Optional<Authentication> known = Optional.empty();

  AuthenticationWatch(Connection connection, Supervisor supervisor) {
    view =
        new WatchedView(
            connection,
            List.of(
                new WatchedKind(
                    KIND,
                    Optional.of("configmaps"),
                    CONTENT,
                    false,
                    WatchedKind.Selection.named(NAMESPACE, NAME))),
            WatchTimes.EAGER,
            new Random(),
            this::changed,
            supervisor);
  }

  /** Starts the watch; returns at once. */
  void start() {
    view.start();
  }

  private void changed(GroupKind kind, ObjectChange change) {
    Optional<JsonNode> after = change.after();
    try {
      known = after.map(Authentication::of);
      LOG.info(
          "{} {}/{} {}",
          kind.kind(),
          NAMESPACE,
          NAME,
          after.isPresent() ? "is read" : "is deleted; no front proxy is trusted");
    } catch (IllegalArgumentException e) {
      LOG.warn(
          "{} {}/{} is ignored until it changes: {}", kind.kind(), NAMESPACE, NAME, e.getMessage());
    }
  }

  /** The trusted authorities; empty until the ConfigMap is read. */
  Optional<Authentication> current() {
    return known;
  }

  /** Why it is not known; empty if it is. */
  Optional<String> missing() {
    return known.isPresent()
        ? Optional.empty()
        : Optional.of(
            "ConfigMap %s/%s%s"
                .formatted(
                    NAMESPACE,
                    NAME,
                    view.statuses().stream()
                        .map(KindStatus::problem)
                        .flatMap(Optional::stream)
                        .findFirst()
                        .map(problem -> ": " + problem)
                        .orElse("")));
  }

  @Override
  public void close() {
    view.close();
  }
}
