package dev.sluice.rules;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The input of a rule. The trees belong to the caller, and rules only read them.
 *
 * @param object the object to be stored, at the hub version; undefined for a DELETE
 * @param oldObject the stored object; null unless it is an UPDATE or a DELETE
 * @param request the location of the object, and the user
 * @param world the cluster and the settings
 */
public record RuleInput(
    Operation operation,
    JsonNode object,
    @Nullable JsonNode oldObject,
    Request request,
    ReviewContext world) {

  /** What is done to the object. */
  public enum Operation {
    CREATE,
    UPDATE,
    DELETE
  }

  /**
   * The location of the object, and the user.
   *
   * @param namespace empty for an object outside of namespaces
   * @param subresource such as {@code status}; empty for the object as a whole
   * @param user the name of the user; empty if it is not known
   * @param dryRun whether nothing will be stored
   * @param fieldManager the name under which the writer owns fields; empty if it gave none
   */
  public record Request(
      String namespace, String subresource, String user, boolean dryRun, String fieldManager) {
    public Request {
      requireNonNull(namespace, "namespace");
      requireNonNull(subresource, "subresource");
      requireNonNull(user, "user");
      requireNonNull(fieldManager, "fieldManager");
    }

    /** A request of a writer that names no field manager. */
    public Request(String namespace, String subresource, String user, boolean dryRun) {
      this(namespace, subresource, user, dryRun, "");
    }

    /** Whether a person asks, or a program outside the cluster, and no part of Kubernetes. */
    public boolean isByHand() {
      return !user.isEmpty() && !user.startsWith("system:");
    }

    /** A request for the object as a whole, in the namespace that the object names. */
    public static Request of(JsonNode object) {
      return new Request(object.path("metadata").path("namespace").asText(), "", "", false);
    }
  }

  public RuleInput {
    requireNonNull(operation, "operation");
    requireNonNull(object, "object");
    requireNonNull(request, "request");
    requireNonNull(world, "world");
  }

  /** A request in the namespace that the object names. */
  public RuleInput(
      Operation operation, JsonNode object, @Nullable JsonNode oldObject, ReviewContext world) {
    this(operation, object, oldObject, Request.of(object), world);
  }

  /** The same request for another object, such as the one that defaulting made of it. */
  public RuleInput with(JsonNode newObject) {
    return new RuleInput(operation, newObject, oldObject, request, world);
  }

  /** The namespace of the object; empty for an object outside of namespaces. */
  public String namespace() {
    return request.namespace();
  }

  /** The new object. */
  public Field root() {
    return Field.root(object);
  }

  /** The stored object; empty unless this is an UPDATE with it. */
  public Optional<Field> oldRoot() {
    return operation == Operation.UPDATE
        ? Optional.ofNullable(oldObject).map(Field::root)
        : Optional.empty();
  }

  /** The name of the object; empty while the API server has yet to generate one. */
  public Optional<String> name() {
    return root().child("metadata").child("name").text();
  }

  /**
   * Where a LocalQueue of this name, in the object's namespace, leads; empty as far as is known.
   */
  public Optional<String> clusterQueueOf(String localQueue) {
    return world
        .view()
        .find(ApiKind.LOCAL_QUEUE.groupKind(), namespace(), localQueue)
        .map(it -> it.path("spec").path("clusterQueue").asText())
        .filter(name -> !name.isEmpty());
  }

  /** Whether this is an UPDATE that leaves the spec as it was. */
  public boolean hasSameSpec() {
    Field spec = root().child("spec");
    return oldRoot()
        .map(old -> old.child("spec"))
        .filter(old -> old.node().equals(spec.node()) || (!old.isPresent() && !spec.isPresent()))
        .isPresent();
  }

  /**
   * Whether the object is being deleted, and this UPDATE only allows that, for example by removing
   * a finalizer.
   */
  boolean onlyLetsGo() {
    return root().child("metadata").child("deletionTimestamp").isPresent() && hasSameSpec();
  }
}
