package dev.sluice.multicluster.copy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;

/**
 * The marks of a manager on an object on a worker; each text is empty if its mark is missing.
 *
 * @param origin the label
 * @param manager the uid of the manager
 * @param workloadUid the Workload there that it stands for
 * @param dispatch to which dispatch it belongs
 * @param spec the digest of the spec that it was made from
 */
public record OwnershipMarks(
    String origin, String manager, String workloadUid, String dispatch, String spec) {
  /** The marks of that object. */
  public static OwnershipMarks of(JsonNode object) {
    return new OwnershipMarks(
        object.path("metadata").path("labels").path(Labels.MULTI_KUEUE_ORIGIN).asText(""),
        annotation(object, Annotations.MULTI_KUEUE_MANAGER),
        annotation(object, Annotations.MULTI_KUEUE_WORKLOAD_UID),
        annotation(object, Annotations.MULTI_KUEUE_DISPATCH),
        annotation(object, Annotations.MULTI_KUEUE_SPEC));
  }

  static String annotation(JsonNode object, String key) {
    return object.path("metadata").path("annotations").path(key).asText("");
  }

  /** Writes them into the object; an empty digest is left out. */
  public void into(ObjectNode object) {
    ObjectNode metadata = object.withObjectProperty("metadata");
    metadata.withObjectProperty("labels").put(Labels.MULTI_KUEUE_ORIGIN, origin);
    ObjectNode annotations = metadata.withObjectProperty("annotations");
    annotations.put(Annotations.MULTI_KUEUE_MANAGER, manager);
    annotations.put(Annotations.MULTI_KUEUE_WORKLOAD_UID, workloadUid);
    annotations.put(Annotations.MULTI_KUEUE_DISPATCH, dispatch);
    if (!spec.isEmpty()) {
      annotations.put(Annotations.MULTI_KUEUE_SPEC, spec);
    }
  }

  /**
   * The owner of the object, as its marks say.
   *
   * @param us this manager
   * @param workloadUid the Workload that is asked for
   * @param isShared whether other managers use our origin on that worker, so that what has no mark
   *     may be theirs
   */
  public Ownership ownership(Identity us, String workloadUid, boolean isShared) {
    boolean isMarkedOurs = manager.equals(us.manager());
    boolean isOfWorkload = this.workloadUid.equals(workloadUid);
    if (!origin.equals(us.origin())) {
      return isMarkedOurs && isOfWorkload ? Ownership.RELABELED : Ownership.FOREIGN;
    }
    if (manager.isEmpty()) {
      return isShared ? Ownership.FOREIGN : Ownership.UNMARKED;
    }
    if (!isMarkedOurs) {
      return Ownership.FOREIGN;
    }
    return isOfWorkload ? Ownership.OURS : Ownership.OTHER_LIFE;
  }
}
