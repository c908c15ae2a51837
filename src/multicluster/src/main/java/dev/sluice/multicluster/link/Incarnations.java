package dev.sluice.multicluster.link;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The cluster behind each link, by the uid of its namespace kube-system. Of two links to one
 * cluster only the one that used it first is used, until its MultiKueueCluster is gone or leads
 * elsewhere: another one would take the jobs of the first for its own and stop them. A link to the
 * manager is not used. Thread-safe.
 */
final class Incarnations {
  /** So often a link that was never used waits for those that were used by an earlier process. */
  static final int MOST_WAITS = 3;

  private final Supplier<Optional<String>> manager;
  private final Supplier<Map<String, Boolean>> clusters;

  /** The link that uses each cluster, or did before its connection was lost. */
  private final Map<String, String> users = new HashMap<>();

  /** The links that reached a cluster in this process. */
  private final Set<String> reached = new HashSet<>();

  private final Map<String, Integer> waits = new HashMap<>();

  /**
   * No link is known.
   *
   * @param manager the uid of the manager's own kube-system; empty while it is not known
   * @param clusters the names of all MultiKueueClusters, each with whether it was in use before and
   *     may have objects on its worker
   */
  Incarnations(Supplier<Optional<String>> manager, Supplier<Map<String, Boolean>> clusters) {
    this.manager = manager;
    this.clusters = clusters;
  }

  /** The link leads to that cluster. Answers why it cannot be used; empty if it can. */
  synchronized Optional<String> claim(String link, String uid) {
    reached.add(link);
    users.entrySet().removeIf(it -> it.getValue().equals(link) && !it.getKey().equals(uid));
    if (manager.get().filter(uid::equals).isPresent()) {
      return Optional.of("the cluster is the manager itself");
    }
    Map<String, Boolean> known = clusters.get();
    String user = users.get(uid);
    if (user != null && !user.equals(link) && known.containsKey(user)) {
      return Optional.of("the cluster is that of MultiKueueCluster \"" + user + "\"");
    }
    boolean isUser = link.equals(user) || known.getOrDefault(link, false);
    Optional<String> former = isUser ? Optional.empty() : unreached(known);
    if (former.isPresent() && waits.merge(link, 1, Integer::sum) <= MOST_WAITS) {
      return Optional.of(
          "MultiKueueCluster \"%s\" was in use before, and is to be reached first"
              .formatted(former.get()));
    }
    waits.remove(link);
    users.put(uid, link);
    return Optional.empty();
  }

  /** The link leads to a cluster that cannot be told from others. */
  synchronized void reached(String link) {
    reached.add(link);
  }

  /**
   * The link leads to another server, which may not answer yet, and holds no cluster until then.
   */
  synchronized void release(String link) {
    users.values().remove(link);
  }

  /** One that an earlier process used, and that may be the user of any cluster. */
  private Optional<String> unreached(Map<String, Boolean> known) {
    return known.entrySet().stream()
        .filter(it -> it.getValue() && !reached.contains(it.getKey()))
        .map(Map.Entry::getKey)
        .sorted()
        .findFirst();
  }

  /** The MultiKueueCluster of the link is gone. */
  synchronized void forget(String link) {
    release(link);
    reached.remove(link);
    waits.remove(link);
  }
}
