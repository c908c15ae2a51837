package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.multicluster.protocol.OwnOffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What this process did for each Workload. Thread-safe. */
final class OwnOffers {
  private final Map<ObjectKey, OwnOffer> offers = new ConcurrentHashMap<>();

  /**
   * A nomination was stored.
   *
   * @param before the Workload before that
   */
  void nominated(JsonNode before) {
    offers.compute(
        ObjectKey.of(before),
        (_, known) -> OwnOffer.nominated(Optional.ofNullable(known), before).orElse(null));
  }

  /**
   * These writes are about to be sent to that cluster. A job is sent by a patch as well: a slice
   * takes over the one that is there.
   */
  void sending(JsonNode workload, String cluster, List<Write> writes) {
    boolean sendsJob =
        writes.stream()
            .filter(it -> !(it instanceof Write.Delete))
            .anyMatch(it -> !it.target().kind().groupKind().equals(WorkloadView.TYPE.groupKind()));
    if (sendsJob) {
      offers.compute(
          ObjectKey.of(workload),
          (_, known) -> OwnOffer.sending(Optional.ofNullable(known), workload, cluster));
    }
  }

  Optional<OwnOffer> find(ObjectKey workload) {
    return Optional.ofNullable(offers.get(workload));
  }

  void forget(ObjectKey workload) {
    offers.remove(workload);
  }
}
