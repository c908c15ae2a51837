package dev.sluice.scheduler.work;

import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;

/**
 * A part of the scheduler that reconciles objects: it receives changes, queues the affected
 * objects, and writes on threads of its own while this replica leads. Thread-safe.
 */
public interface Controller extends AutoCloseable {
  /**
   * Queues what the change concerns. Returns at once; the caller is the thread of the watch of that
   * kind, and calls in the order of the changes.
   */
  void changed(GroupKind kind, ObjectChange change);

  /** Queues everything there is; called when this replica begins to lead. */
  void resync();

  /** Stops its threads; writes that have begun are ended. */
  @Override
  void close();
}
