package dev.sluice.lifecycle.variant;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.EVICTED;
import static dev.sluice.api.vocabulary.ConditionTypes.FINISHED;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.names.ShortHash;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.api.vocabulary.PreemptionGates;
import dev.sluice.api.workload.PreemptionGate;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.workload.StatusPatch;
import java.util.List;
import java.util.Optional;

/** What variants are made of, and what is read from them. */
final class Variants {
  private static final String MANAGER = "kueue-admission";
  private static final int LONGEST = 253;

  private Variants() {}

  /** The only flavor that the variant may have; empty where it names none. */
  static String flavor(Workload variant) {
    return variant.metadata().annotations().getOrDefault(Annotations.ALLOWED_RESOURCE_FLAVORS, "");
  }

  static boolean holdsQuota(Workload workload) {
    return QuotaHold.isHeldBy(workload);
  }

  /** Whether its status says that it has quota, also where that does not count any more. */
  static boolean isReserved(Workload workload) {
    return QuotaHold.isReservedBy(workload);
  }

  static boolean isEvicted(Workload workload) {
    return workload.status().isTrue(EVICTED);
  }

  static boolean isFinished(Workload workload) {
    return workload.status().isTrue(FINISHED);
  }

  static boolean isLeaving(Workload workload) {
    return workload.metadata().deletionTimestamp() != null;
  }

  /** Whether its job may run by what it has. */
  static boolean isAdmitted(Workload variant) {
    return holdsQuota(variant)
        && variant.status().isTrue(ADMITTED)
        && !isEvicted(variant)
        && !isLeaving(variant);
  }

  static Optional<Condition> eviction(Workload workload) {
    return workload.status().condition(EVICTED).filter(it -> it.status() == ConditionStatus.TRUE);
  }

  /** The variant of the parent for that flavor, as it is created. */
  static Write.Create created(Workload parent, String flavor) {
    String name = name(parent, flavor);
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("apiVersion", ApiKind.WORKLOAD.hub().apiVersion());
    body.put("kind", ApiKind.WORKLOAD.hub().kind());
    ObjectNode metadata = body.putObject("metadata");
    metadata.put("namespace", parent.metadata().namespace()).put("name", name);
    metadata.putObject("annotations").put(Annotations.ALLOWED_RESOURCE_FLAVORS, flavor);
    metadata.putArray("finalizers").add(Finalizers.RESOURCE_IN_USE);
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", ApiKind.WORKLOAD.hub().apiVersion())
        .put("kind", ApiKind.WORKLOAD.hub().kind())
        .put("name", parent.metadata().name())
        .put("uid", parent.metadata().uid())
        .put("controller", true)
        .put("blockOwnerDeletion", true);
    body.set("spec", HubObjects.write(spec(parent)));
    ObjectRef ref = new ObjectRef(ApiKind.WORKLOAD.hub(), parent.metadata().namespace(), name, "");
    return new Write.Create(ref, body, MANAGER);
  }

  /** What a variant asks for: what its parent does, and how long that may take is the parent's. */
  static WorkloadSpec spec(Workload parent) {
    WorkloadSpec spec = parent.spec();
    return new WorkloadSpec(
        spec.podSets(),
        spec.queueName(),
        spec.priorityClassRef(),
        spec.priority(),
        true,
        null,
        List.of(new PreemptionGate(PreemptionGates.CONCURRENT_ADMISSION)));
  }

  static String name(Workload parent, String flavor) {
    String name = parent.metadata().name();
    String stem = name.replaceFirst("-[0-9a-f]{5}$", "") + "-variant-" + flavor;
    String hash =
        ShortHash.of(
            String.join(
                "\n",
                name,
                parent.metadata().uid(),
                ApiKind.WORKLOAD.hub().apiVersion(),
                ApiKind.WORKLOAD.hub().kind(),
                flavor));
    int room = LONGEST - ShortHash.LENGTH - 1;
    return stem.substring(0, Math.min(stem.length(), room)) + "-" + hash;
  }

  /** A patch of the Workload itself, for exactly the version that was seen. */
  static Write patch(Workload workload, ObjectNode body) {
    return new Write.MergePatch(
        StatusPatch.ref(workload), "", body, MANAGER, workload.metadata().resourceVersion());
  }

  static Write.Event event(Workload workload, String reason, String message) {
    return new Write.Event(StatusPatch.ref(workload), "Normal", reason, message);
  }
}
