package dev.sluice.cli.testcluster;

import dev.sluice.controlplane.ControlPlane;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/**
 * API servers with Sluice installed that classes of tests use one after the other, each as if it
 * were new. To start one costs seven seconds of processor time, which is a third of many a test.
 *
 * <p>It belongs to the session: all classes of one process of tests. Safe for many threads.
 */
final class ClusterPool implements AutoCloseable {
  private static final Namespace NAMESPACE = Namespace.create(ClusterPool.class);

  /** One that so many classes had no use for goes: it works a little even while nobody asks it. */
  private static final int PASSED_OVER = 3;

  private final Deque<Idle> idle = new ArrayDeque<>();

  private record Idle(TestCluster cluster, int passedOver) {}

  private ClusterPool() {}

  /** The one of this session. */
  static ClusterPool of(ExtensionContext context) {
    return context
        .getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE)
        .computeIfAbsent(ClusterPool.class, _ -> new ClusterPool(), ClusterPool.class);
  }

  /** A cluster that nobody else uses, until it is given back or closed. */
  synchronized TestCluster take() {
    Idle taken = idle.pollLast();
    passOverTheOthers();
    return taken == null ? TestCluster.start(ControlPlane.Options.apiServer()) : taken.cluster();
  }

  private void passOverTheOthers() {
    for (int i = idle.size(); i > 0; i--) {
      Idle other = idle.removeFirst();
      if (other.passedOver() < PASSED_OVER) {
        idle.addLast(new Idle(other.cluster(), other.passedOver() + 1));
      } else {
        other.cluster().close();
      }
    }
  }

  /** Takes a cluster back, or closes it where it cannot be made as good as new. */
  synchronized void giveBack(TestCluster cluster) {
    Optional<String> obstacle = cluster.makeClean();
    if (obstacle.isEmpty()) {
      idle.addLast(new Idle(cluster, 0));
    } else {
      System.err.println("no other class uses this API server: " + obstacle.get());
      cluster.close();
    }
  }

  @Override
  public synchronized void close() {
    idle.forEach(it -> it.cluster().close());
    idle.clear();
  }
}
