package dev.sluice.see.names;

import dev.sluice.api.meta.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * Whose names a reader may see: those of workloads in namespaces in which the reader may list
 * workloads. Of others only their number is shown. For any thread, if the predicate is.
 *
 * @param shown whether names of that namespace are shown
 */
public record Names(Predicate<String> shown) {
  /** Every name is shown: for somebody who has read the objects with rights of their own. */
  public static final Names ALL = new Names(_ -> true);

  /** Whether the name of that workload is shown. */
  public boolean shows(ObjectKey workload) {
    return shown.test(workload.namespace());
  }

  /** The workloads as a phrase; those that are not shown are counted, after the others. */
  public String phrase(Collection<ObjectKey> workloads) {
    List<String> parts = new ArrayList<>();
    int hidden = 0;
    for (ObjectKey workload : workloads) {
      if (shows(workload)) {
        parts.add(workload.toString());
      } else {
        hidden++;
      }
    }
    if (hidden > 0) {
      parts.add(
          hidden == 1 ? "one of another namespace" : "%d of other namespaces".formatted(hidden));
    }
    return String.join(", ", parts);
  }
}
