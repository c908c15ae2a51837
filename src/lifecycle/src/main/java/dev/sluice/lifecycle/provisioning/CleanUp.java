package dev.sluice.lifecycle.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.JobObject.Owner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Deletes the requests of a Workload. The PodTemplates of a request are deleted before it, because
 * nothing links them to the Workload without the request.
 *
 * @param workload the name; objects of another Workload that had it before count, too
 */
record CleanUp(ProvisioningWorld world, ObjectKey workload) {
  /** Deletes everything. */
  List<Write> all() {
    return deletions(_ -> true, _ -> true);
  }

  /** Deletes the PodTemplates that no request refers to yet. */
  List<Write> unasked() {
    Set<String> asked =
        new HashSet<>(); // a request adopts its PodTemplates only after its creation
    world
        .requestsOf(workload)
        .forEach(it -> asked.addAll(new ProvisioningRequest(it).counts().keySet()));
    return deletions(_ -> false, it -> !asked.contains(name(it)));
  }

  /** Deletes all but the requests and PodTemplates of these names of the Workload with this uid. */
  List<Write> allBut(String uid, Set<String> requests, Set<String> templates) {
    return deletions(
        it -> !isOf(it, uid) || !requests.contains(name(it)),
        it -> !isOf(it, uid) || !templates.contains(name(it)));
  }

  private List<Write> deletions(Predicate<JsonNode> requests, Predicate<JsonNode> templates) {
    List<Write> deletions = new ArrayList<>();
    world.requestsOf(workload).stream()
        .filter(requests)
        .forEach(it -> deletions.addAll(request(it)));
    world.templatesOfWorkload(workload).stream()
        .filter(templates)
        .forEach(it -> delete(ProvisioningKinds.POD_TEMPLATE, it, deletions));
    return deletions;
  }

  /** Deletes a request and its PodTemplates. */
  List<Write> request(JsonNode request) {
    List<Write> deletions = new ArrayList<>();
    for (String name : new ProvisioningRequest(request).counts().keySet()) {
      world
          .template(new ObjectKey(workload.namespace(), name))
          .filter(it -> isOfRequest(it, request))
          .ifPresent(it -> delete(ProvisioningKinds.POD_TEMPLATE, it, deletions));
    }
    delete(ProvisioningKinds.REQUEST, request, deletions);
    return deletions;
  }

  /** Whether the request controls the PodTemplate, or its Workload still does. */
  private static boolean isOfRequest(JsonNode template, JsonNode request) {
    String uid = request.path("metadata").path("uid").asText();
    Optional<String> owner = JobObject.of(template).controller().map(Owner::uid);
    return owner.equals(Optional.of(uid))
        || owner.equals(JobObject.of(request).controller().map(Owner::uid));
  }

  private void delete(GroupVersionKind kind, JsonNode object, List<Write> deletions) {
    if (!world.isLeaving(object)) {
      deletions.add(new Write.Delete(ObjectRef.of(kind, object)));
    }
  }

  private static boolean isOf(JsonNode object, String workloadUid) {
    Optional<Owner> owner = ProvisioningRequest.workload(object);
    return owner.filter(it -> it.uid().equals(workloadUid)).isPresent();
  }

  private static String name(JsonNode object) {
    return object.path("metadata").path("name").asText();
  }
}
