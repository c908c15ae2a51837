package dev.sluice.jobs.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The writes of one plan while it is made. One thread. */
public final class Writes {
  /** The field manager of our writes to jobs and Workloads. */
  public static final String MANAGER = "kueue";

  /** The field manager of our writes to the status of Workloads, unless a component has its own. */
  public static final String ADMISSION = "kueue-admission";

  private final String reporter;
  private final List<Write> writes = new ArrayList<>();
  private final List<Write.Event> notices = new ArrayList<>();
  private final Set<TypedObjectKey> awaited = new HashSet<>();

  /**
   * No writes.
   *
   * @param reporter the source of events
   */
  public Writes(String reporter) {
    this.reporter = reporter;
  }

  public void create(GroupVersionKind kind, ObjectNode body) {
    writes.add(new Write.Create(ObjectRef.of(kind, body), body, MANAGER));
  }

  /** Changes an object that must still be as it was seen; an empty patch is no write. */
  public void patch(GroupVersionKind kind, JsonNode seen, ObjectNode patch) {
    add(kind, seen, "", patch, MANAGER);
  }

  /** Changes the status of an object that must still be as it was seen. */
  public void patchStatus(GroupVersionKind kind, JsonNode seen, ObjectNode status, String manager) {
    ObjectNode patch = Patches.object();
    patch.set("status", status);
    add(kind, seen, "status", patch, manager);
  }

  private void add(
      GroupVersionKind kind, JsonNode seen, String subresource, ObjectNode patch, String manager) {
    if (!patch.isEmpty()) {
      String version = seen.path("metadata").path("resourceVersion").asText();
      writes.add(
          new Write.MergePatch(ObjectRef.of(kind, seen), subresource, patch, manager, version));
    }
  }

  /** Applies to the status of an object, also over other field managers. */
  public void applyStatus(GroupVersionKind kind, JsonNode seen, ObjectNode status) {
    writes.add(Write.Apply.ofStatus(ObjectRef.of(kind, seen), "", status, MANAGER));
  }

  public void delete(GroupVersionKind kind, JsonNode seen) {
    writes.add(new Write.Delete(ObjectRef.of(kind, seen)));
  }

  /** Reports what was just written. */
  public void event(GroupVersionKind kind, JsonNode about, String reason, String message) {
    writes.add(new Write.Event(ObjectRef.of(kind, about), reporter, "Normal", reason, message));
  }

  /** Reports an obstacle once, however often it is found. */
  public void notice(
      GroupVersionKind kind, JsonNode about, String type, String reason, String message) {
    notices.add(new Write.Event(ObjectRef.of(kind, about), reporter, type, reason, message));
  }

  /**
   * The plan depends on that object, or on its absence: when the object changes, the job is planned
   * again.
   *
   * @param namespace empty for kinds that live in no namespace
   */
  public void await(GroupKind kind, String namespace, String name) {
    awaited.add(new TypedObjectKey(kind, namespace, name));
  }

  public boolean isEmpty() {
    return writes.isEmpty();
  }

  public List<Write> all() {
    return writes;
  }

  public Set<TypedObjectKey> awaited() {
    return awaited;
  }

  public List<Write.Event> notices() {
    return notices;
  }
}
