package dev.sluice.api.queue;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.LabelSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a ClusterQueue offers, and how it hands it out. */
public record ClusterQueueSpec(
    List<ResourceGroup> resourceGroups,
    @Nullable String cohortName,
    @Default("BestEffortFIFO") QueueingStrategy queueingStrategy,
    @Nullable LabelSelector namespaceSelector,
    @Default("{}") FlavorFungibility flavorFungibility,
    @Default("{}") ClusterQueuePreemption preemption,
    @Nullable AdmissionChecksStrategy admissionChecksStrategy,
    @Default("None") StopPolicy stopPolicy,
    @Nullable FairSharing fairSharing,
    @Nullable AdmissionScope admissionScope,
    @Nullable ConcurrentAdmissionPolicy concurrentAdmissionPolicy) {
  public ClusterQueueSpec {
    resourceGroups = List.copyOf(resourceGroups);
  }
}
