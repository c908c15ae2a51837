package dev.sluice.jobs.admission;

import dev.sluice.api.configuration.Spelling;
import dev.sluice.api.vocabulary.Domains;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The known labels and annotations of our domain, to find misspelt ones. */
final class KnownKeys {
  private static final Set<String> LABELS =
      keys(
          "queue-name priority-class max-exec-time-seconds prebuilt-workload-name managed"
              + " pod-group-name pod-group-pod-index multikueue-origin podset tas workload"
              + " job-uid local-queue-name cluster-queue-name"
              + " multikueue-worker-workload-pod concurrent-admission-parent");

  private static final Set<String> ANNOTATIONS =
      keys(
          "prebuilt-workload-name elastic-job admission-gated-by priority-boost"
              + " pod-suspending-parent pod-group-name pod-group-total-count"
              + " pod-group-fast-admission pod-group-serving role-hash retriable-in-group"
              + " pod-group-pod-index-label pod-index-offset job-min-parallelism"
              + " job-completions-equal-parallelism stopping podset-required-topology"
              + " podset-preferred-topology podset-unconstrained-topology"
              + " podset-slice-required-topology podset-slice-size"
              + " podset-slice-required-topology-constraints podset-group-name"
              + " workload-slice-replacement-for workload-slice-name workload"
              + " workload-allowed-resource-flavors provisioning-request safe-to-forcefully-delete"
              + " raycluster-generation multikueue-origin-uid job-owner-gvk is-group-workload"
              + " concurrent-admission concurrent-admission-parent");

  private static final Set<String> ALL =
      Stream.concat(LABELS.stream(), ANNOTATIONS.stream())
          .collect(Collectors.toCollection(TreeSet::new));

  private KnownKeys() {}

  private static Set<String> keys(String words) {
    return Stream.of(words.split(" ")).map(Domains.KUEUE::concat).collect(Collectors.toSet());
  }

  /** Why a label, or else an annotation, of this key of our domain has no effect. */
  static Optional<String> problem(String key, boolean isLabel) {
    if ((isLabel ? LABELS : ANNOTATIONS).contains(key)) {
      return Optional.empty();
    }
    if (ALL.contains(key)) {
      return Optional.of("has no effect here: it is " + (isLabel ? "an annotation" : "a label"));
    }
    return Optional.of(
        "is not known and has no effect"
            + Spelling.nearest(key.substring(Domains.KUEUE.length()), names())
                .map(name -> "; did you mean " + Domains.KUEUE + name + "?")
                .orElse(""));
  }

  private static Set<String> names() {
    return ALL.stream()
        .map(key -> key.substring(Domains.KUEUE.length()))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
