package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.lifecycle.store.ObjectLookup;
import dev.sluice.multicluster.copy.WorkloadCopies;
import dev.sluice.multicluster.protocol.Owner;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the jobs that Workloads are for, and how jobs of their kinds run elsewhere. */
final class Owners {
  private static final String GATE_OFF =
      FeatureGate.MULTI_KUEUE_ADAPTERS_FOR_CUSTOM_JOBS + " feature gate is disabled";
  private static final GroupKind POD = Framework.POD.type().groupKind();
  private static final String ELASTIC = "elastic jobs of this kind do not go to other clusters";

  private final ObjectLookup objects;
  private final Set<GroupKind> enabled = new HashSet<>();
  private final Map<GroupKind, RemoteKind> remote = new HashMap<>();

  /** Kinds that a configuration describes or names, and no code of ours. */
  private final Set<GroupKind> custom = new HashSet<>();

  private final boolean sendsCustomKinds;

  private record RemoteKind(GroupVersionKind type, RemoteJobs jobs) {}

  Owners(ObjectLookup objects, JobSettings settings) {
    this.objects = objects;
    this.sendsCustomKinds = settings.isOn(FeatureGate.MULTI_KUEUE_ADAPTERS_FOR_CUSTOM_JOBS);
    settings.customKinds().forEach(it -> custom.add(it.type().groupKind()));
    settings.external().forEach(it -> custom.add(it.groupKind()));
    JobKinds.with(settings.customKinds()).stream()
        .filter(it -> it.isEnabled(settings))
        .forEach(it -> enabled.add(it.kind().groupKind()));
    JobKinds.remoteOfEnabled(settings)
        .forEach((type, jobs) -> remote.put(type.groupKind(), new RemoteKind(type, jobs)));
  }

  /** Whether jobs of that kind have Workloads. */
  boolean isJob(GroupKind kind) {
    return enabled.contains(kind) || remote.containsKey(kind);
  }

  /**
   * The owner of that Workload: who controls it, or else the first that it names. Where an object
   * has Pods that are owners as well, it comes before them.
   */
  Optional<Owner> of(JsonNode workload) {
    return reference(workload).map(it -> owner(workload, it));
  }

  private static Optional<JsonNode> reference(JsonNode workload) {
    JsonNode references = workload.path("metadata").path("ownerReferences");
    return references
        .valueStream()
        .filter(it -> it.path("controller").asBoolean())
        .findFirst()
        .or(() -> references.valueStream().filter(it -> !isPod(it)).findFirst())
        .or(() -> references.valueStream().findFirst());
  }

  private static boolean isPod(JsonNode reference) {
    return kind(reference).groupKind().equals(POD);
  }

  private static GroupVersionKind kind(JsonNode reference) {
    return GroupVersionKind.of(
        reference.path("apiVersion").asText(), reference.path("kind").asText());
  }

  private Owner owner(JsonNode workload, JsonNode reference) {
    GroupVersionKind named = kind(reference);
    boolean isCustom = custom.contains(named.groupKind());
    Optional<RemoteKind> kind = Optional.ofNullable(remote.get(named.groupKind()));
    Optional<RemoteJobs> jobs = kind.map(RemoteKind::jobs);
    Owner owner =
        new Owner(
            kind.map(RemoteKind::type).orElse(named),
            jobs,
            refusal(workload, jobs, isCustom),
            isCustom,
            jobs.isEmpty() ? List.of() : jobs(workload, named.groupKind()));
    boolean isCarried =
        !owner.jobs().isEmpty() && jobs.filter(it -> it.index(workload) > 0).isPresent();
    return isCarried ? owner.carried() : owner;
  }

  private Optional<String> refusal(
      JsonNode workload, Optional<RemoteJobs> remote, boolean isCustom) {
    if (WorkloadCopies.isElastic(workload)
        && !remote.filter(RemoteJobs::canBeElastic).isPresent()) {
      return Optional.of(ELASTIC);
    }
    return isCustom && !sendsCustomKinds ? Optional.of(GATE_OFF) : Optional.empty();
  }

  /** The owners of that kind, of a group all its members. */
  private List<JsonNode> jobs(JsonNode workload, GroupKind kind) {
    String namespace = ObjectKey.of(workload).namespace();
    return workload
        .path("metadata")
        .path("ownerReferences")
        .valueStream()
        .filter(it -> kind(it).groupKind().equals(kind))
        .flatMap(it -> job(kind, namespace, it).stream())
        .sorted(Comparator.comparing(it -> ObjectKey.of(it).name()))
        .toList();
  }

  /** A member that is being deleted goes on the worker as well. */
  private Optional<JsonNode> job(GroupKind kind, String namespace, JsonNode reference) {
    return objects
        .find(kind, namespace, reference.path("name").asText())
        .filter(it -> WorkerCalls.uid(it).equals(reference.path("uid").asText()))
        .filter(it -> !kind.equals(POD) || !it.path("metadata").has("deletionTimestamp"));
  }
}
