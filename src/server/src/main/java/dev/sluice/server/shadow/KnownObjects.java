package dev.sluice.server.shadow;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The objects of a cluster but its Workloads, which an engine has. For one thread. */
public final class KnownObjects {
  private record Named(ObjectKind<?> kind, ObjectKey key) {}

  /** One of them. */
  public record Known(ObjectKind<?> kind, ObjectKey key, Record object) {}

  private final Map<Named, Record> objects = new LinkedHashMap<>();

  void take(Change change) {
    switch (change) {
      case Change.Upserted<?> upserted -> {
        if (upserted.kind() != ObjectKind.WORKLOAD) {
          objects.put(new Named(upserted.kind(), upserted.key()), (Record) upserted.object());
        }
      }
      case Change.Deleted(var kind, var key, _) -> objects.remove(new Named(kind, key));
      case Change.WorkloadAnswered _, Change.StatusStored _, Change.StatusWriteFailed _ -> {
        // about Workloads
      }
    }
  }

  /** All of them as they are now. */
  public List<Known> all() {
    List<Known> all = new ArrayList<>();
    objects.forEach((name, object) -> all.add(new Known(name.kind(), name.key(), object)));
    return all;
  }
}
