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
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.PreemptionGates;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PreemptionGate;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.workload.StatusPatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Makes variants, and reads them. */
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

  /** Whether its status says that it has quota, also if that no longer counts. */
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

  /** Whether a job may run by its admission. */
  static boolean isAdmitted(Workload variant) {
    return holdsQuota(variant)
        && variant.status().isTrue(ADMITTED)
        && !isEvicted(variant)
        && !isLeaving(variant);
  }

  /** Why it is out of the race for good: it was deactivated for a reason of its own. */
  static Optional<Condition> rejection(Workload variant) {
    return variant.spec().active()
        ? Optional.empty()
        : eviction(variant)
            .filter(it -> it.reason().startsWith(Reasons.DEACTIVATED + Reasons.DUE_TO));
  }

  /** Whether no other flavor is in the admission. */
  static boolean hasOnly(@Nullable Admission admission, String flavor) {
    return admission != null
        && admission.podSetAssignments().stream()
            .flatMap(it -> it.flavors().values().stream())
            .allMatch(flavor::equals);
  }

  static Optional<Condition> eviction(Workload workload) {
    return workload.status().condition(EVICTED).filter(it -> it.status() == ConditionStatus.TRUE);
  }

  /** Creates the variant of the parent for that flavor. */
  static Write.Create created(Workload parent, String flavor) {
    String name = name(parent, flavor);
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("apiVersion", ApiKind.WORKLOAD.hub().apiVersion());
    body.put("kind", ApiKind.WORKLOAD.hub().kind());
    ObjectNode metadata = body.putObject("metadata");
    metadata.put("namespace", parent.metadata().namespace()).put("name", name);
    copy(parent.metadata().labels(), Variants::isCopiedLabel, metadata, "labels");
    copy(copiedAnnotations(parent), _ -> true, metadata, "annotations");
    metadata.withObjectProperty("annotations").put(Annotations.ALLOWED_RESOURCE_FLAVORS, flavor);
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

  private static void copy(
      Map<String, String> from, Predicate<String> isCopied, ObjectNode metadata, String member) {
    from.forEach(
        (key, value) -> {
          if (isCopied.test(key)) {
            metadata.withObjectProperty(member).put(key, value);
          }
        });
  }

  /** Labels of metrics are copied; those that tie the parent to its job are not. */
  private static boolean isCopiedLabel(String key) {
    return !key.equals(Labels.CONCURRENT_ADMISSION_PARENT) && !key.equals(Labels.JOB_UID);
  }

  /** Those that say what its admission checks ask for, and its priority. */
  static Map<String, String> copiedAnnotations(Workload workload) {
    Map<String, String> copied = new TreeMap<>(workload.metadata().annotations());
    copied
        .keySet()
        .removeIf(
            it ->
                !it.startsWith(Domains.PROVISIONING_REQUEST)
                    && !it.equals(Annotations.PRIORITY_BOOST));
    return copied;
  }

  /** The requests of the parent. How long they may run is for the parent to say. */
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

  /** A patch of the Workload itself, for exactly the version that was read. */
  static Write patch(Workload workload, ObjectNode body) {
    return new Write.MergePatch(
        StatusPatch.ref(workload), "", body, MANAGER, workload.metadata().resourceVersion());
  }

  static Write.Event event(Workload workload, String reason, String message) {
    return new Write.Event(StatusPatch.ref(workload), "Normal", reason, message);
  }
}
