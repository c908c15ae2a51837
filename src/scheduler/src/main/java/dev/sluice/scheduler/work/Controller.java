package dev.sluice.scheduler.work;

import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;

/**
 * A part of the scheduler that keeps some objects as they should be: it takes note of changes,
 * queues the objects that a change concerns, and writes on threads of its own while this replica
 * leads. Thread-safe.
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
