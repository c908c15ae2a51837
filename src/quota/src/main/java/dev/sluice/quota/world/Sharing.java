package dev.sluice.quota.world;

import dev.sluice.api.flavor.Toleration;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.meta.OwnerReference;
import dev.sluice.api.pod.PodSpec;
import dev.sluice.api.pod.PodTemplate;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets workloads share what they have in common: all of their PodSets where these are equal, as
 * those of one CronJob are, and otherwise the parts that seldom differ. Safe for several threads.
 */
final class Sharing {
  private final Canonical<List<PodSet>> podSets = new Canonical<>();
  private final Canonical<ObjectMeta> templates = new Canonical<>();
  private final Canonical<List<Toleration>> tolerations = new Canonical<>();
  private final Canonical<Map<String, String>> selectors = new Canonical<>();

  /**
   * An equal workload.
   *
   * @param known the same one as it was shared before, which seldom had others; or null
   */
  Workload of(Workload workload, @Nullable Workload known) {
    WorkloadSpec spec = workload.spec();
    List<PodSet> before = known == null ? List.of() : known.spec().podSets();
    List<PodSet> shared =
        before.equals(spec.podSets()) ? before : podSets.of(spec.podSets(), this::sharingParts);
    return workload.with(sharingUid(workload.metadata())).with(spec.with(shared));
  }

  /** A label has the uid of the owner, too; with this the two are one text. */
  private static ObjectMeta sharingUid(ObjectMeta own) {
    String label = own.labels().get(Labels.JOB_UID);
    if (label == null || own.ownerReferences().size() != 1) {
      return own;
    }
    return own.toBuilder()
        .ownerReferences(List.of(withUid(own.ownerReferences().getFirst(), label)))
        .build();
  }

  private static OwnerReference withUid(OwnerReference owner, String label) {
    return !label.equals(owner.uid())
        ? owner
        : new OwnerReference(
            owner.apiVersion(),
            owner.kind(),
            owner.name(),
            label,
            owner.controller(),
            owner.blockOwnerDeletion());
  }

  private List<PodSet> sharingParts(List<PodSet> own) {
    // as the spec will keep it: a list that it copies would be forgotten at once
    return List.copyOf(own.stream().map(this::sharingParts).toList());
  }

  private PodSet sharingParts(PodSet podSet) {
    PodTemplate template = podSet.template();
    return podSet.with(
        new PodTemplate(templates.of(template.metadata()), sharingParts(template.spec())));
  }

  private PodSpec sharingParts(PodSpec pod) {
    return pod.toBuilder()
        .nodeSelector(selectors.of(pod.nodeSelector()))
        .tolerations(tolerations.of(pod.tolerations()))
        .build();
  }
}
