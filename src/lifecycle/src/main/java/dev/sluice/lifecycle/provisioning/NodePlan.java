package dev.sluice.lifecycle.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.check.ProvisioningRequestConfigSpec;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.StatusWrite;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.JobObject.Owner;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The plan for one Workload that holds quota. For one call. */
final class NodePlan {
  private static final String REPORTER = "kueue-provisioning-request-controller";

  private final ProvisioningWorld world;
  private final CheckedWorkload workload;
  private final CleanUp cleanUp;
  private final CheckAnswers answers;
  private final List<Write> writes = new ArrayList<>();
  private boolean isBlocked;

  NodePlan(ProvisioningWorld world, CheckedWorkload workload, Instant now) {
    this.world = world;
    this.workload = workload;
    this.cleanUp = new CleanUp(world, ObjectKey.of(workload.typed().metadata()));
    this.answers = new CheckAnswers(now);
  }

  ProvisioningPlan make() {
    List<AdmissionCheckState> states = workload.typed().status().admissionChecks();
    writes.addAll(
        cleanUp.allBut(workload.uid(), namesOfRequests(states), namesOfTemplates(states)));
    List<AdmissionCheckState> next = states.stream().map(this::next).toList();
    tell(states, next);
    return new ProvisioningPlan(writes, isBlocked);
  }

  /** Of all checks: nothing is deleted because an AdmissionCheck is not seen at the moment. */
  private Set<String> namesOfRequests(List<AdmissionCheckState> states) {
    Set<String> names = new HashSet<>();
    states.forEach(it -> names.add(nameOfRequest(it)));
    return names;
  }

  private Set<String> namesOfTemplates(List<AdmissionCheckState> states) {
    Set<String> names = new HashSet<>();
    for (String request : namesOfRequests(states)) {
      for (PodSet podSet : workload.typed().spec().podSets()) {
        names.add(RequestNames.template(request, podSet.name()));
      }
    }
    return names;
  }

  private String nameOfRequest(AdmissionCheckState state) {
    return RequestNames.request(workload.name(), state.name(), CheckAnswers.attempt(state));
  }

  private AdmissionCheckState next(AdmissionCheckState state) {
    if (state.state() == CheckState.RETRY || state.state() == CheckState.REJECTED) {
      return state; // the eviction that follows from it begins the next attempt
    }
    return world
        .check(state.name())
        .map(
            activity ->
                switch (activity) {
                  case CheckActivity.Active(var config) ->
                      workload.isAdmitted() ? whileRunning(state, config) : asked(state, config);
                  case CheckActivity.Inactive _ -> unasked(state);
                })
        .orElse(state);
  }

  private AdmissionCheckState unasked(AdmissionCheckState state) {
    return state.state() == CheckState.PENDING && !workload.isAdmitted()
        ? answers.pending(state, CheckAnswers.NOT_ACTIVE)
        : state;
  }

  /** A running Workload requests nothing new; its capacity may be revoked. */
  private AdmissionCheckState whileRunning(
      AdmissionCheckState state, ProvisioningRequestConfigSpec config) {
    return request(nameOfRequest(state))
        .filter(_ -> state.state() == CheckState.READY)
        .filter(it -> isOurs(it.tree()) && !world.isLeaving(it.tree()))
        .map(it -> answers.answered(state, it, config, List.of(), true))
        .orElse(state);
  }

  private AdmissionCheckState asked(
      AdmissionCheckState state, ProvisioningRequestConfigSpec config) {
    String name = nameOfRequest(state);
    Optional<ProvisioningRequest> request = request(name);
    RequestedPods pods = new RequestedPods(workload, config);
    if (!pods.areAny()) {
      return state.state() == CheckState.PENDING ? notNeeded(state, request) : state;
    }
    Optional<List<RequestedPodSet>> podSets = pods.list(world::flavor);
    if (podSets.isEmpty()) {
      isBlocked = true;
      return state;
    }
    return request.isEmpty()
        ? create(state, name, config, podSets.get())
        : follow(state, request.get(), config, podSets.get());
  }

  private AdmissionCheckState notNeeded(
      AdmissionCheckState state, Optional<ProvisioningRequest> request) {
    request
        .filter(it -> isOurs(it.tree()))
        .ifPresent(it -> writes.addAll(cleanUp.request(it.tree())));
    return answers.notNeeded(state);
  }

  private AdmissionCheckState create(
      AdmissionCheckState state,
      String name,
      ProvisioningRequestConfigSpec config,
      List<RequestedPodSet> podSets) {
    String obstacle = "";
    boolean complete = true;
    for (RequestedPodSet podSet : podSets) {
      Optional<JsonNode> there = world.template(key(RequestNames.template(name, podSet.name())));
      if (there.isEmpty()) {
        writes.add(RequestWrites.template(workload, name, podSet));
      } else if (!isOurs(there.get()) || world.isLeaving(there.get())) {
        obstacle = obstacle(there.get());
        complete = false;
      }
    }
    if (complete) {
      writes.add(RequestWrites.request(workload, name, config, podSets));
      writes.add(
          event(
              EventReasons.PROVISIONING_REQUEST_CREATED,
              "Created ProvisioningRequest: \"%s\"".formatted(name)));
    }
    isBlocked |= !complete;
    return answers.pending(state, obstacle);
  }

  /**
   * Deletes an obsolete PodTemplate, or returns why that is impossible; empty if it is possible.
   */
  private String obstacle(JsonNode template) {
    if (world.isLeaving(template)) {
      return "";
    }
    if (!world.knowsRequestsBefore(template)) {
      return ""; // the request that controls it may yet be seen
    }
    boolean isManaged = template.path("metadata").path("labels").has(Labels.MANAGED);
    boolean isOfRequests =
        JobObject.of(template).controller().map(Owner::kind).filter(NodePlan::asks).isPresent();
    if (isManaged && isOfRequests) {
      writes.add(new Write.Delete(ObjectRef.of(ProvisioningKinds.POD_TEMPLATE, template)));
      return "";
    }
    return "PodTemplate %s exists and is not one of this workload"
        .formatted(template.path("metadata").path("name").asText());
  }

  private static boolean asks(GroupKind kind) {
    return kind.equals(WorkloadView.KIND) || kind.equals(ProvisioningKinds.REQUEST.groupKind());
  }

  private AdmissionCheckState follow(
      AdmissionCheckState state,
      ProvisioningRequest request,
      ProvisioningRequestConfigSpec config,
      List<RequestedPodSet> podSets) {
    if (world.isLeaving(request.tree())) {
      return answers.pending(state, "");
    }
    if (!isOurs(request.tree())) {
      isBlocked = true;
      boolean isOfItsName =
          request.workload().filter(it -> it.name().equals(workload.name())).isPresent();
      return answers.pending(
          state,
          isOfItsName
              ? ""
              : "ProvisioningRequest %s exists and is not one of this workload"
                  .formatted(request.name()));
    }
    if (state.state() == CheckState.PENDING
        && !RequestWrites.isAsAsked(request, workload, config, podSets)) {
      writes.addAll(cleanUp.request(request.tree()));
      return state;
    }
    adopt(request);
    List<String> names = podSets.stream().flatMap(it -> it.members().stream()).toList();
    return answers.answered(state, request, config, names, false);
  }

  private void adopt(ProvisioningRequest request) {
    for (String name : request.counts().keySet()) {
      world
          .template(key(name))
          .filter(it -> isOurs(it) && !world.isLeaving(it))
          .ifPresent(it -> writes.add(RequestWrites.adopted(it, request)));
    }
  }

  private Optional<ProvisioningRequest> request(String name) {
    return world.request(key(name)).map(ProvisioningRequest::new);
  }

  private ObjectKey key(String name) {
    return new ObjectKey(workload.namespace(), name);
  }

  /** Whether this very Workload controls the object. */
  private boolean isOurs(JsonNode object) {
    return ProvisioningRequest.workload(object)
        .filter(it -> it.uid().equals(workload.uid()))
        .isPresent();
  }

  private void tell(List<AdmissionCheckState> before, List<AdmissionCheckState> after) {
    WorkloadStatus status = workload.typed().status();
    StatusWrite.between(
            ObjectRef.of(WorkloadView.TYPE, workload.tree()),
            workload.typed().metadata().resourceVersion(),
            status,
            status.toBuilder().admissionChecks(after).build(),
            RequestWrites.MANAGER)
        .ifPresent(writes::add);
    for (int i = 0; i < after.size(); i++) {
      AdmissionCheckState old = before.get(i);
      AdmissionCheckState now = after.get(i);
      if (old.state() != now.state()) {
        writes.add(
            event(
                EventReasons.ADMISSION_CHECK_UPDATED,
                "Admission check %s updated state from %s to %s%s"
                    .formatted(
                        now.name(),
                        old.state().text(),
                        now.state().text(),
                        now.message().isEmpty() ? "" : " with message " + now.message())));
      }
    }
  }

  private Write.Event event(String reason, String message) {
    return new Write.Event(
        ObjectRef.of(WorkloadView.TYPE, workload.tree()), REPORTER, "Normal", reason, message);
  }
}
