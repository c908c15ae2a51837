package dev.sluice.multicluster.link;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The cluster behind each link, by the uid of its namespace kube-system. Of two links to one
 * cluster only the first by name is used, and a link to the manager is not used. Thread-safe.
 */
final class Incarnations {
  private final Supplier<Optional<String>> manager;
  private final Map<String, String> uids = new TreeMap<>();

  /**
   * No link is known.
   *
   * @param manager the uid of the manager's own kube-system; empty while it is not known
   */
  Incarnations(Supplier<Optional<String>> manager) {
    this.manager = manager;
  }

  /** The link leads to that cluster. Answers why it cannot be used; empty if it can. */
  synchronized Optional<String> claim(String link, String uid) {
    uids.put(link, uid);
    if (manager.get().filter(uid::equals).isPresent()) {
      return Optional.of("the cluster is the manager itself");
    }
    return uids.entrySet().stream()
        .filter(other -> other.getValue().equals(uid) && other.getKey().compareTo(link) < 0)
        .findFirst()
        .map(other -> "the cluster is that of MultiKueueCluster \"" + other.getKey() + "\"");
  }

  /** The link has no cluster now. */
  synchronized void release(String link) {
    uids.remove(link);
  }
}
