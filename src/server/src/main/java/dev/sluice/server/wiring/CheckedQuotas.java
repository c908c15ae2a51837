package dev.sluice.server.wiring;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ResourceVersion;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.quota.Snapshot;
import dev.sluice.rules.quota.QuotaLoss;
import dev.sluice.webhook.fence.QuotaSource;
import dev.sluice.webhook.fence.Reservation;
import dev.sluice.webhook.fence.SeenWorkloads;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Quotas from a source, and the Workloads of a view to check reviews by. */
record CheckedQuotas(QuotaSource source, WatchedView view) implements QuotaSource, SeenWorkloads {
  @Override
  public Optional<Snapshot> snapshot() {
    return source.snapshot();
  }

  @Override
  public SeenWorkloads workloads() {
    return this;
  }

  @Override
  public void onMove(Runnable listener) {
    source.onMove(listener);
  }

  @Override
  public Collection<Reservation> decided() {
    return source.decided();
  }

  @Override
  public boolean foreseesLosses() {
    return source.foreseesLosses();
  }

  @Override
  public Optional<List<QuotaLoss>> losses(JsonNode clusterQueue) {
    return source.losses(clusterQueue);
  }

  @Override
  public long reached() {
    return view.reached(ApiKind.WORKLOAD.groupKind());
  }

  @Override
  public Optional<Seen> find(ObjectKey workload) {
    return view.find(ApiKind.WORKLOAD.groupKind(), workload.namespace(), workload.name())
        .map(it -> seen(workload.namespace(), it));
  }

  private Seen seen(String namespace, JsonNode workload) {
    JsonNode metadata = workload.path("metadata");
    String version = metadata.path("resourceVersion").asText();
    return new Seen(
        metadata.path("uid").asText(),
        ResourceVersion.number(version).orElse(0),
        clusterQueue(namespace, workload.path("spec").path("queueName").asText()));
  }

  private Optional<String> clusterQueue(String namespace, String localQueue) {
    return view.find(ApiKind.LOCAL_QUEUE.groupKind(), namespace, localQueue)
        .map(it -> it.path("spec").path("clusterQueue").asText());
  }
}
