package dev.sluice.webhook.guard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.settings.GuardMode;
import dev.sluice.rules.settings.Settings;
import dev.sluice.rules.view.JobSource;
import dev.sluice.rules.view.JobSource.JobWithPods;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Refuses a Pod that exceeds what its managed Job may have. A Job controller decides from two
 * caches without a common order, so it can miss a success and create one pod too many; admission is
 * the last place that can prevent it.
 *
 * <p>It answers from the view. Only if the view shows a surplus, it reads the Job once from the API
 * server: a view that lags must not refuse. If the API server does not answer in time, the pod is
 * allowed, since a guard that stops work is worse than none.
 *
 * <p>Thread-safe. A judgement may wait for the API server, for at most the bound that it is given.
 */
public final class PodGuard {
  private static final GroupKind JOB = new GroupKind("batch", "Job");
  private static final GroupKind POD = new GroupKind("", "Pod");
  private static final GroupKind NAMESPACE = new GroupKind("", "Namespace");

  private final ReviewContext world;
  private final JobSource source;
  private final LongSupplier nanoTime;
  private final MeterRegistry registry;
  private final Allowances allowances;

  /**
   * A guard.
   *
   * @param callersAreKnown whether only the API server can send reviews
   * @param nanoTime counts nanoseconds from anywhere
   * @param registry measures what is judged
   */
  public PodGuard(
      ReviewContext world,
      JobSource source,
      boolean callersAreKnown,
      LongSupplier nanoTime,
      MeterRegistry registry) {
    this.world = world;
    this.source = source;
    this.allowances = new Allowances(callersAreKnown);
    this.nanoTime = nanoTime;
    this.registry = registry;
  }

  /** The reaction to a surplus pod. */
  public GuardMode mode() {
    return world.settings().podGuard();
  }

  /**
   * Why the pod should not be created; empty if it may be, or if it is none of ours.
   *
   * @param dryRun whether the pod will not be stored whatever is answered
   */
  public Optional<Surplus> judge(JsonNode pod, String namespace, boolean dryRun, Duration bound) {
    Optional<JsonNode> job = managedJob(pod, namespace);
    if (mode() == GuardMode.OFF || job.isEmpty()) {
      return Optional.empty();
    }
    JobFacts facts = JobFacts.of(job.get());
    PodFacts candidate = PodFacts.of(pod);
    List<JsonNode> seen = world.view().controlledBy(POD, facts.uid());
    Optional<Surplus> surplus = allow(facts, seen, Optional.empty(), candidate, dryRun);
    if (surplus.isEmpty()) {
      count("allowed", "");
      return surplus;
    }
    return confirm(namespace, facts, candidate, dryRun, bound, surplus.get());
  }

  private Optional<Surplus> confirm(
      String namespace,
      JobFacts seen,
      PodFacts candidate,
      boolean dryRun,
      Duration bound,
      Surplus suspected) {
    Optional<JobWithPods> now = source.read(namespace, seen.name(), seen.uid(), bound);
    if (now.isEmpty()) {
      count("unconfirmed", suspected.reason().name());
      return Optional.empty();
    }
    Optional<Surplus> surplus =
        now.get().job().isEmpty() || now.get().after().isEmpty()
            ? Optional.empty() // gone, and what it left will be collected
            : allow(
                JobFacts.of(now.get().job()),
                now.get().pods(),
                Optional.of(JobFacts.of(now.get().after())),
                candidate,
                dryRun);
    count(
        surplus.isPresent() ? mode().name().toLowerCase(Locale.ROOT) : "overruled",
        surplus.orElse(suspected).reason().name());
    return surplus;
  }

  /** Judges and remembers in one step, or two creations at once would be judged alike. */
  private synchronized Optional<Surplus> allow(
      JobFacts job,
      List<JsonNode> seen,
      Optional<JobFacts> after,
      PodFacts candidate,
      boolean dryRun) {
    long now = nanoTime.getAsLong();
    List<PodFacts> pods = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode pod : seen) {
      PodFacts facts = PodFacts.of(pod);
      pods.add(facts);
      names.add(facts.name());
    }
    for (PodFacts coming : allowances.of(job.uid(), names, now)) {
      if (!coming.name().equals(candidate.name())) { // else it was asked about before
        pods.add(coming);
      }
    }
    Optional<Surplus> surplus = new Headcount(job, pods, after).surplus(candidate);
    if (surplus.isEmpty() && !dryRun) {
      allowances.add(job.uid(), candidate, now);
    }
    return surplus;
  }

  private Optional<JsonNode> managedJob(JsonNode pod, String namespace) {
    JsonNode owner = controller(pod);
    if (!owner.path("kind").asText().equals(JOB.kind())
        || !owner.path("apiVersion").asText().startsWith(JOB.group() + "/")) {
      return Optional.empty();
    }
    return world
        .view()
        .find(JOB, namespace, owner.path("name").asText())
        .filter(job -> job.path("metadata").path("uid").equals(owner.path("uid")))
        .filter(job -> isManaged(job, namespace));
  }

  private static JsonNode controller(JsonNode pod) {
    for (JsonNode owner : pod.path("metadata").path("ownerReferences")) {
      if (owner.path("controller").asBoolean()) {
        return owner;
      }
    }
    return MissingNode.getInstance();
  }

  private boolean isManaged(JsonNode job, String namespace) {
    Settings settings = world.settings();
    boolean queued =
        !job.path("metadata").path("labels").path(Labels.QUEUE_NAME).asText().isEmpty();
    return (queued || settings.manageJobsWithoutQueueName())
        && settings
            .managedNamespaces()
            .matches(
                world
                    .view()
                    .find(NAMESPACE, "", namespace)
                    .map(it -> it.path("metadata").path("labels"))
                    .orElse(MissingNode.getInstance()));
  }

  private void count(String verdict, String reason) {
    Counter.builder("sluice.pod.guard")
        .description("Pods of managed Jobs, by verdict and reason")
        .tags("verdict", verdict, "reason", reason.toLowerCase(Locale.ROOT))
        .register(registry)
        .increment();
  }
}
