package dev.sluice.api.workload;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.HubObject;
import dev.sluice.api.meta.ObjectMeta;

/** The pods of one job as the queues see them. */
public record Workload(
    @Default("{}") ObjectMeta metadata,
    @Default("{}") WorkloadSpec spec,
    @Default("{}") WorkloadStatus status)
    implements HubObject {
  /** The same with other metadata. */
  public Workload with(ObjectMeta changed) {
    return new Workload(changed, spec, status);
  }

  /** The same with another spec. */
  public Workload with(WorkloadSpec changed) {
    return new Workload(metadata, changed, status);
  }

  /** The same with another status. */
  public Workload with(WorkloadStatus changed) {
    return new Workload(metadata, spec, changed);
  }
}
