package dev.sluice.webhook.fence;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.meta.ObjectKey;
import java.util.Optional;

/**
 * Which Workloads there are, as a watch shows them. It may be ahead of the snapshot of the quotas.
 * Answers from memory at once, for any thread.
 */
public interface SeenWorkloads {
  /** No Workload is known, and no other is known to be missing. */
  SeenWorkloads NONE =
      new SeenWorkloads() {
        @Override
        public long reached() {
          return 0;
        }

        @Override
        public Optional<Seen> find(ObjectKey workload) {
          return Optional.empty();
        }
      };

  /**
   * One Workload.
   *
   * @param version its resourceVersion; 0 where it is no number
   * @param clusterQueue where its LocalQueue leads; empty where that is not known
   */
  record Seen(String uid, long version, Optional<String> clusterQueue) {
    public Seen {
      requireNonNull(uid, "uid");
      requireNonNull(clusterQueue, "clusterQueue");
    }
  }

  /**
   * The resourceVersion up to which {@link #find} knows all changes of Workloads; 0 while that is
   * unknown. Later calls of {@link #find} may return newer states.
   */
  long reached();

  /** The Workload of that name; empty if none is known. */
  Optional<Seen> find(ObjectKey workload);
}
