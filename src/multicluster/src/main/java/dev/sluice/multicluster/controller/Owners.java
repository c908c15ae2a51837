package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.lifecycle.store.ObjectLookup;
import dev.sluice.multicluster.copy.WorkloadCopies;
import dev.sluice.multicluster.protocol.Owner;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the jobs that Workloads are for, and how jobs of their kinds run elsewhere. */
final class Owners {
  private static final String GATE_OFF =
      FeatureGate.MULTI_KUEUE_ADAPTERS_FOR_CUSTOM_JOBS + " feature gate is disabled";
  private static final String ELASTIC = "elastic jobs do not go to other clusters";

  private final ObjectLookup objects;
  private final Map<GroupKind, JobIntegration> enabled = new LinkedHashMap<>();
  private final Set<GroupKind> custom = new HashSet<>();
  private final boolean sendsCustomKinds;

  Owners(ObjectLookup objects, JobSettings settings) {
    this.objects = objects;
    this.sendsCustomKinds = settings.isOn(FeatureGate.MULTI_KUEUE_ADAPTERS_FOR_CUSTOM_JOBS);
    settings.customKinds().forEach(it -> custom.add(it.type().groupKind()));
    JobKinds.with(settings.customKinds()).stream()
        .filter(it -> it.isEnabled(settings))
        .forEach(it -> enabled.put(it.kind().groupKind(), it));
  }

  /** Whether jobs of that kind have Workloads. */
  boolean isJob(GroupKind kind) {
    return enabled.containsKey(kind);
  }

  /** The owner of that Workload, who controls it, or the first that it names. */
  Optional<Owner> of(JsonNode workload) {
    return reference(workload).map(it -> owner(workload, it));
  }

  private static Optional<JsonNode> reference(JsonNode workload) {
    JsonNode references = workload.path("metadata").path("ownerReferences");
    return references
        .valueStream()
        .filter(it -> it.path("controller").asBoolean())
        .findFirst()
        .or(() -> references.valueStream().findFirst());
  }

  private Owner owner(JsonNode workload, JsonNode reference) {
    GroupVersionKind named =
        GroupVersionKind.of(reference.path("apiVersion").asText(), reference.path("kind").asText());
    JobIntegration integration = enabled.get(named.groupKind());
    if (integration == null) {
      return new Owner(named, Optional.empty(), Optional.empty(), false, List.of());
    }
    boolean isCustom = custom.contains(named.groupKind());
    return new Owner(
        integration.kind(),
        remote(integration),
        refusal(workload, isCustom),
        isCustom,
        job(workload, reference, named.groupKind()));
  }

  private Optional<String> refusal(JsonNode workload, boolean isCustom) {
    if (WorkloadCopies.isElastic(workload)) {
      return Optional.of(ELASTIC);
    }
    return isCustom && !sendsCustomKinds ? Optional.of(GATE_OFF) : Optional.empty();
  }

  /** Without a field that keeps the controllers of this cluster away, a job would run here, too. */
  private static Optional<RemoteJobs> remote(JobIntegration integration) {
    return integration.remote().filter(it -> it.managedBy().isPresent());
  }

  private List<JsonNode> job(JsonNode workload, JsonNode reference, GroupKind kind) {
    return objects
        .find(kind, ObjectKey.of(workload).namespace(), reference.path("name").asText())
        .filter(it -> WorkerCalls.uid(it).equals(reference.path("uid").asText()))
        .stream()
        .toList();
  }
}
