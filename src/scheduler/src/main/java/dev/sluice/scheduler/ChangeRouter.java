package dev.sluice.scheduler;

import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.scheduler.work.Controller;
import java.util.List;

/**
 * Passes each change of an object to the parts of the scheduler, on the thread of the watch, in the
 * order of this record's components: a part may read what earlier parts have recorded.
 *
 * @param store the last version of each object, which all others look up
 * @param indexes what finds the objects that a change concerns
 * @param metrics counts what changed
 * @param engine decides later, on its own thread
 * @param controllers queue what they have to look at, in this order
 */
record ChangeRouter(
    Stage store, List<Stage> indexes, Stage metrics, Stage engine, List<Controller> controllers) {
  /** Takes note of a change; returns at once. */
  interface Stage {
    void changed(GroupKind kind, ObjectChange change);
  }

  ChangeRouter {
    indexes = List.copyOf(indexes);
    controllers = List.copyOf(controllers);
  }

  void changed(GroupKind kind, ObjectChange change) {
    store.changed(kind, change);
    indexes.forEach(index -> index.changed(kind, change));
    metrics.changed(kind, change);
    engine.changed(kind, change);
    controllers.forEach(controller -> controller.changed(kind, change));
  }
}
