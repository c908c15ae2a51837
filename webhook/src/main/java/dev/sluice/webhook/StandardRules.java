package dev.sluice.webhook;

import dev.sluice.api.ApiKind;
import dev.sluice.api.configuration.CustomKind;
import dev.sluice.jobs.JobKinds;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.RuleBook;
import dev.sluice.rules.metadata.FinalizerDefaulter;
import dev.sluice.webhook.rules.check.AdmissionCheckRules;
import dev.sluice.webhook.rules.check.ProvisioningRequestConfigRules;
import dev.sluice.webhook.rules.clusterqueue.ClusterQueueRules;
import dev.sluice.webhook.rules.cohort.CohortRules;
import dev.sluice.webhook.rules.flavor.ResourceFlavorRules;
import dev.sluice.webhook.rules.localqueue.LocalQueueRules;
import dev.sluice.webhook.rules.multikueue.MultiKueueClusterRules;
import dev.sluice.webhook.rules.multikueue.MultiKueueConfigRules;
import dev.sluice.webhook.rules.priority.WorkloadPriorityClassRules;
import dev.sluice.webhook.rules.topology.TopologyRules;
import dev.sluice.webhook.rules.workload.ManagedFieldsDefaulter;
import dev.sluice.webhook.rules.workload.PartialAdmissionDefaulter;
import dev.sluice.webhook.rules.workload.WorkloadRules;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** The rules that Sluice serves: the one place where a kind is added. */
public final class StandardRules {
  private static final RuleBook BOOK = book(List.of());

  private StandardRules() {}

  /** All kinds with their rules. */
  public static RuleBook book() {
    return BOOK;
  }

  /** All kinds with their rules, and these kinds of jobs beside them. */
  public static RuleBook book(Collection<CustomKind> custom) {
    return new RuleBook(Stream.concat(core().stream(), JobKinds.rules(custom).stream()).toList());
  }

  private static List<KindRules> core() {
    return List.of(
        KindRules.of(ApiKind.ADMISSION_CHECK.hub(), new AdmissionCheckRules()),
        KindRules.of(
            ApiKind.CLUSTER_QUEUE.hub(), new FinalizerDefaulter(), new ClusterQueueRules()),
        KindRules.of(ApiKind.COHORT.hub(), new CohortRules()),
        KindRules.of(ApiKind.LOCAL_QUEUE.hub(), new LocalQueueRules()),
        KindRules.of(ApiKind.MULTI_KUEUE_CLUSTER.hub(), new MultiKueueClusterRules()),
        KindRules.of(ApiKind.MULTI_KUEUE_CONFIG.hub(), new MultiKueueConfigRules()),
        KindRules.of(
            ApiKind.PROVISIONING_REQUEST_CONFIG.hub(), new ProvisioningRequestConfigRules()),
        KindRules.of(
            ApiKind.RESOURCE_FLAVOR.hub(), new FinalizerDefaulter(), new ResourceFlavorRules()),
        KindRules.of(ApiKind.TOPOLOGY.hub(), new TopologyRules()),
        KindRules.of(
            ApiKind.WORKLOAD.hub(),
            new PartialAdmissionDefaulter().andThen(new ManagedFieldsDefaulter()),
            new WorkloadRules()),
        KindRules.of(ApiKind.WORKLOAD_PRIORITY_CLASS.hub(), new WorkloadPriorityClassRules()));
  }
}
