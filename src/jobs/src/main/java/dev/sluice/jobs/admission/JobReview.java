package dev.sluice.jobs.admission;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.DefaultNames;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.settings.Settings;
import dev.sluice.rules.view.ClusterView;
import java.util.Optional;

/**
 * A request for one job, with the lookups in the cluster that the rules of jobs need.
 *
 * @param kind the kind of the job
 * @param input the request
 * @param integrations which other kinds are jobs
 */
public record JobReview(JobKind kind, RuleInput input, Integrations integrations) {
  static final GroupKind NAMESPACE = new GroupKind("", "Namespace");
  private static final GroupKind LOCAL_QUEUE = ApiKind.LOCAL_QUEUE.groupKind();
  private static final GroupKind CLUSTER_QUEUE = ApiKind.CLUSTER_QUEUE.groupKind();
  private static final GroupKind ADMISSION_CHECK = ApiKind.ADMISSION_CHECK.groupKind();
  private static final GroupKind PRIORITY_CLASS = ApiKind.WORKLOAD_PRIORITY_CLASS.groupKind();

  public JobReview {
    requireNonNull(kind, "kind");
    requireNonNull(input, "input");
    requireNonNull(integrations, "integrations");
  }

  /** The job as it would be stored. */
  public JobObject job() {
    return new JobObject(input.root());
  }

  /** The job as it is stored; empty unless this is an UPDATE. */
  public Optional<JobObject> oldJob() {
    return input.oldRoot().map(JobObject::new);
  }

  /** What the operator chose. */
  public Settings settings() {
    return input.world().settings();
  }

  /** The cluster as far as it is known. */
  public ClusterView view() {
    return input.world().view();
  }

  /** Whether the feature is on. */
  public boolean isOn(FeatureGate gate) {
    return settings().isOn(gate);
  }

  /** Whether the job is elastic: it asks for that, and the feature is on. */
  public boolean isElastic(JobObject job) {
    return isOn(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES) && job.asksToBeElastic();
  }

  /**
   * Whether the job is managed by its own labels or by the operator's settings, without regard to
   * its namespace.
   */
  public boolean isManaged(JobObject job) {
    return settings().manageJobsWithoutQueueName() || !job.queueName().isEmpty();
  }

  /** Whether it is managed, and in a namespace where jobs are managed. */
  public boolean isManagedHere(JobObject job) {
    return isManaged(job) && isManagedNamespace(!job.queueName().isEmpty());
  }

  /** Whether it would be managed, but not in this namespace: then it runs as without a queue. */
  public boolean isLeftAlone(JobObject job) {
    return isManaged(job) && !isManagedHere(job);
  }

  /** Whether this job is started by the write of a user instead of a component of the cluster. */
  public boolean isStartedByHand(JobObject job) {
    return input.request().isByHand() && isManagedHere(job) && !isLedByManager(job);
  }

  /**
   * Whether jobs are managed in the namespace of this one.
   *
   * @param ifUnknown what holds for a namespace that was not seen yet, whose name alone does not
   *     say that jobs are managed in it
   */
  public boolean isManagedNamespace(boolean ifUnknown) {
    Optional<JsonNode> namespace = view().find(NAMESPACE, "", input.namespace());
    return namespace
        .map(it -> settings().managedNamespaces().matches(it.path("metadata").path("labels")))
        .orElseGet(() -> matchesByName() || (ifUnknown && view().knows(NAMESPACE)));
  }

  /** The API server gives every namespace a label with its name. */
  private boolean matchesByName() {
    return settings()
        .managedNamespaces()
        .matches(
            JsonNodeFactory.instance
                .objectNode()
                .put("kubernetes.io/metadata.name", input.namespace()));
  }

  /** The LocalQueue of that name in the job's namespace. */
  public Optional<JsonNode> localQueue(String name) {
    return view().find(LOCAL_QUEUE, input.namespace(), name);
  }

  /** Whether all LocalQueues are known. */
  public boolean knowsLocalQueues() {
    return view().knows(LOCAL_QUEUE);
  }

  /** Whether jobs that name no queue go to one here. */
  public boolean hasDefaultLocalQueue() {
    return localQueue(DefaultNames.LOCAL_QUEUE).isPresent();
  }

  /** Whether jobs that name no priority class have one. */
  public boolean hasDefaultPriorityClass() {
    return view().find(PRIORITY_CLASS, "", DefaultNames.WORKLOAD_PRIORITY_CLASS).isPresent();
  }

  /** Whether the owner that controls this job could be managed, so that the job follows it. */
  public boolean isLedByManager(JobObject job) {
    return job.controller()
        .filter(owner -> integrations.isManager(owner.kind(), settings()))
        .isPresent();
  }

  /** Whether jobs in that LocalQueue run in other clusters. */
  public boolean leadsToOtherClusters(String queueName) {
    return input
        .clusterQueueOf(queueName)
        .flatMap(this::clusterQueue)
        .filter(this::runsElsewhere)
        .isPresent();
  }

  private Optional<JsonNode> clusterQueue(String name) {
    return view().find(CLUSTER_QUEUE, "", name);
  }

  private boolean runsElsewhere(JsonNode clusterQueue) {
    JsonNode strategy = clusterQueue.path("spec").path("admissionChecksStrategy");
    for (JsonNode rule : strategy.path("admissionChecks")) {
      Optional<JsonNode> check = view().find(ADMISSION_CHECK, "", rule.path("name").asText());
      if (check.isPresent()
          && check
              .get()
              .path("spec")
              .path("controllerName")
              .asText()
              .equals(Controllers.MULTI_KUEUE)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether this job must not run before it is admitted. If that is unknown, {@code findings} fail,
   * and the answer is meaningless.
   */
  public boolean mustBeSuspended(JobObject job, ValidationResult findings) {
    if (isManagedHere(job)
        && !(job.isBeingDeleted() && isOn(FeatureGate.SKIP_ANCESTOR_CHECK_FOR_DELETED_WORKLOADS))) {
      return !Ancestors.leadsToManager(this, job, findings) && findings.failure().isEmpty();
    }
    return false;
  }
}
