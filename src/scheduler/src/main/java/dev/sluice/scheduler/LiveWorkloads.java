package dev.sluice.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.scheduler.audit.StoredAudit;
import dev.sluice.scheduler.store.Objects;
import java.util.Collection;
import java.util.Optional;

/** The Workloads that a view shows, for the audit. Thread-safe. */
record LiveWorkloads(Objects objects) implements StoredAudit.Stored {
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  @Override
  public boolean isKnown() {
    return objects.knows(WORKLOAD);
  }

  @Override
  public Collection<JsonNode> all() {
    return objects.all(WORKLOAD);
  }

  @Override
  public Optional<JsonNode> find(ObjectKey workload) {
    return objects.find(WORKLOAD, workload.namespace(), workload.name());
  }
}
