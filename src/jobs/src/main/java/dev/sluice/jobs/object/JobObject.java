package dev.sluice.jobs.object;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.rules.Field;
import java.util.Optional;

/**
 * A job, or an owner of one, by what all kinds have: labels, annotations and owners.
 *
 * @param root the whole object
 */
public record JobObject(Field root) {
  /** The owner that controls an object, as the object names it. */
  public record Owner(GroupKind kind, String name, String uid) {
    public Owner {
      requireNonNull(kind, "kind");
      requireNonNull(name, "name");
      requireNonNull(uid, "uid");
    }
  }

  /** Reads a job. */
  public static JobObject of(JsonNode object) {
    return new JobObject(Field.root(object));
  }

  /** The metadata. */
  public Field metadata() {
    return root.child("metadata");
  }

  /** The specification. */
  public Field spec() {
    return root.child("spec");
  }

  /** The label with that key, which may be absent. */
  public Field label(String key) {
    return metadata().child("labels").key(key);
  }

  /** The annotation with that key, which may be absent. */
  public Field annotation(String key) {
    return metadata().child("annotations").key(key);
  }

  /** The value of that label; empty if it is absent. */
  public String labelText(String key) {
    return label(key).text().orElse("");
  }

  /** The value of that annotation; empty if it is absent. */
  public String annotationText(String key) {
    return annotation(key).text().orElse("");
  }

  /** The LocalQueue; empty if none is named. */
  public String queueName() {
    return labelText(Labels.QUEUE_NAME);
  }

  /** Whether the job asks to be scaled while it runs. */
  public boolean asksToBeElastic() {
    return annotationText(Annotations.ELASTIC_JOB).equals("true");
  }

  /** Whether the object is being deleted. */
  public boolean isBeingDeleted() {
    return metadata().child("deletionTimestamp").isPresent();
  }

  /** The uid; empty while there is none. */
  public String uid() {
    return metadata().child("uid").text().orElse("");
  }

  /** The owner that controls this object. */
  public Optional<Owner> controller() {
    for (JsonNode owner : metadata().child("ownerReferences").node()) {
      if (owner.path("controller").asBoolean()) {
        GroupVersionKind kind =
            GroupVersionKind.of(owner.path("apiVersion").asText(), owner.path("kind").asText());
        return Optional.of(
            new Owner(kind.groupKind(), owner.path("name").asText(), owner.path("uid").asText()));
      }
    }
    return Optional.empty();
  }

  /** The name of the controlling owner if that is of this kind. */
  public Optional<String> controllerOf(GroupKind kind) {
    return controller().filter(it -> it.kind().equals(kind)).map(Owner::name);
  }
}
