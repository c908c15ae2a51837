package dev.sluice.quota;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;

/** A change of the cluster for the engine: an object was created, updated or deleted. */
public sealed interface Change {
  /**
   * The object was added or changed.
   *
   * <p>A Workload with a resourceVersion comes from a watch, which may be late: the engine ignores
   * it if it is not newer than what the engine knows. Such a Workload does not undo a reservation
   * or an eviction that the engine decided and that is not stored yet. A Workload without a
   * resourceVersion is always applied.
   */
  record Upserted<T>(ObjectKind<T> kind, T object) implements Change {
    /** Namespace and name of the object. */
    public ObjectKey key() {
      return kind.key(object);
    }
  }

  /** The object was added or changed. */
  static <T> Upserted<T> upserted(ObjectKind<T> kind, T object) {
    return new Upserted<>(kind, object);
  }

  /**
   * The Workload as the answer of a write shows it, not as a watch delivered it. It counts only
   * while a Workload of that uid is known: an answer may arrive after the deletion of its Workload,
   * and only the watch decides which Workloads exist.
   */
  record WorkloadAnswered(Workload workload) implements Change {}

  /**
   * The status that the engine last decided for the Workload is stored in the cluster.
   *
   * @param uid of the Workload that it was decided for; empty for whichever has that name
   */
  record StatusStored(ObjectKey workload, String uid) implements Change {
    /** The same of whichever Workload has that name. */
    public StatusStored(ObjectKey workload) {
      this(workload, "");
    }
  }

  /**
   * The decision could not be stored: the Workload has its stored state and is evaluated again.
   *
   * @param uid of the Workload of the decision; empty for any of that name
   */
  record StatusWriteFailed(ObjectKey workload, String uid) implements Change {
    /** The same of whichever Workload has that name. */
    public StatusWriteFailed(ObjectKey workload) {
      this(workload, "");
    }
  }

  /**
   * The object of that kind is gone.
   *
   * @param key its namespace is empty where the kind has none
   * @param uid of the Workload that is gone, so that another one of its name stays; empty for
   *     whichever has that name. Other kinds go by their names
   */
  record Deleted(ObjectKind<?> kind, ObjectKey key, String uid) implements Change {
    /** The same of whichever object has that name. */
    public Deleted(ObjectKind<?> kind, ObjectKey key) {
      this(kind, key, "");
    }

    /** A kind without a namespace. */
    public static Deleted of(ObjectKind<?> kind, String name) {
      return new Deleted(kind, new ObjectKey("", name));
    }
  }
}
