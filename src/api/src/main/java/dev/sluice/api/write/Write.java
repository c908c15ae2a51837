package dev.sluice.api.write;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * One call that changes the cluster. A controller plans a list of writes from the observed state;
 * they are sent in order, and the first that fails ends the plan: the controller reconciles again.
 * So a plan must be correct if the process stops between any two of its writes.
 */
public sealed interface Write {
  /** What is written, or what an event is about. */
  ObjectRef target();

  /** Creates the object; that it exists already counts as a conflict. */
  record Create(ObjectRef target, ObjectNode body, String fieldManager) implements Write {}

  /**
   * An RFC 7386 merge patch.
   *
   * @param subresource such as {@code status}; empty for the object itself
   * @param resourceVersion what the object must still be; null where the patch is right whatever
   *     others wrote
   */
  record MergePatch(
      ObjectRef target,
      String subresource,
      ObjectNode patch,
      String fieldManager,
      @Nullable String resourceVersion)
      implements Write {}

  /**
   * Server-side apply.
   *
   * @param subresource such as {@code status}; empty for the object itself
   * @param body the whole intent of this manager, with apiVersion, kind and metadata.name
   * @param force whether fields of other managers are taken over
   */
  record Apply(
      ObjectRef target, String subresource, ObjectNode body, String fieldManager, boolean force)
      implements Write {
    /**
     * Applies to the status of exactly this uid, also over other field managers.
     *
     * @param resourceVersion the version the object must still have; empty if it does not matter
     */
    public static Apply ofStatus(
        ObjectRef target, String resourceVersion, ObjectNode status, String fieldManager) {
      ObjectNode body = JsonNodeFactory.instance.objectNode();
      body.put("apiVersion", target.kind().apiVersion()).put("kind", target.kind().kind());
      ObjectNode metadata = body.putObject("metadata");
      metadata.put("namespace", target.namespace()).put("name", target.name());
      metadata.put("uid", target.uid());
      if (!resourceVersion.isEmpty()) {
        metadata.put("resourceVersion", resourceVersion);
      }
      body.set("status", status);
      return new Apply(target, "status", body, fieldManager, true);
    }
  }

  /**
   * Deletes the object of exactly this uid, always with Background propagation.
   *
   * @param byForce whether it goes without being given time to end
   */
  record Delete(ObjectRef target, boolean byForce) implements Write {
    /** Deletes it, and gives it the time that it asks for. */
    public Delete(ObjectRef target) {
      this(target, false);
    }
  }

  /**
   * An Event for users; a failure to send it is ignored.
   *
   * @param reporter the controller it comes from, such as {@code batch/job-kueue-controller}
   * @param type Normal or Warning
   * @param reason a word in CamelCase
   */
  record Event(ObjectRef target, String reporter, String type, String reason, String message)
      implements Write {
    /** The default reporter of events about Workloads. */
    public static final String ADMISSION = "kueue-admission";

    /** An event that {@link #ADMISSION} reports. */
    public Event(ObjectRef target, String type, String reason, String message) {
      this(target, ADMISSION, type, reason, message);
    }
  }
}
