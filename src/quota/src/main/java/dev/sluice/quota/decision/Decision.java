package dev.sluice.quota.decision;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.PendingReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a cycle answers for one head. */
public sealed interface Decision {
  /**
   * Quota is reserved; the engine already counts it.
   *
   * @param replaces the slice that is finished by it, or null
   */
  record Reserved(Assignment assignment, @Nullable ObjectKey replaces) implements Decision {}

  /** The targets must be evicted first; already evicted ones are included. */
  record Preempting(Assignment assignment, List<Target> targets) implements Decision {
    public Preempting {
      targets = List.copyOf(targets);
    }
  }

  /** It fits once workloads that others preempt are gone. */
  record Deferred(Assignment assignment) implements Decision {}

  /** Neither fits nor can preempt. */
  record Waiting(Assignment assignment) implements Decision {}

  /** It would preempt {@code other}, which has preempted it in turn more than once already. */
  record Looping(Assignment assignment, Target other) implements Decision {}

  /** It could preempt these, but its preemption gate is closed. */
  record Gated(Assignment assignment, List<Target> targets) implements Decision {
    public Gated {
      targets = List.copyOf(targets);
    }
  }

  /** An earlier head of the same cycle was served instead. */
  record Skipped(Assignment assignment, Because because) implements Decision {
    /** The previous decision. */
    public enum Because {
      /** Another head preempts a workload it needed, too. */
      OVERLAPPING_TARGETS,
      /** Another head took what was free. */
      NO_LONGER_FITS,
      /** A variant with a better flavor has quota. */
      BETTER_VARIANT
    }
  }

  /** The variant that has quota is evicted for this one, which has a better flavor. */
  record Migrating(Assignment assignment, ObjectKey sibling) implements Decision {}

  /** It fits, but a worse flavor than is acceptable beside the variant that has quota. */
  record KeptBack(Assignment assignment, ObjectKey sibling) implements Decision {}

  /** It fits, but pods of admitted workloads are not ready yet. */
  record Blocked(Assignment assignment) implements Decision {}

  /** Nodes of its pods failed and the pods do not fit elsewhere: it is evicted and requeued. */
  record Displaced(Assignment assignment, List<String> nodes) implements Decision {
    public Displaced {
      nodes = List.copyOf(nodes);
    }
  }

  /** It was not evaluated; {@code problem} is a sentence for people. */
  record Refused(PendingReason reason, Cause cause, String problem) implements Decision {
    /** What has to change. */
    public enum Cause {
      CHECKS,
      /** Under concurrent admission it is to have variants, which are evaluated in its place. */
      NOT_SPLIT,
      CLUSTER_QUEUE_INACTIVE,
      NAMESPACE_MISSING,
      NAMESPACE_MISMATCH,
      RESOURCES,
      DEVICES,
      /** The engine itself: it could not evaluate the workload. */
      FAULT
    }
  }
}
