package dev.sluice.multicluster.link;

import dev.sluice.multicluster.protocol.Link;
import dev.sluice.multicluster.view.WorkerView;
import java.util.Optional;
import java.util.Set;

/** Workers whose links a test reports. */
public final class ReportedWorkers {
  private ReportedWorkers() {}

  /** The link of that worker is this now. */
  public static void report(Workers workers, String cluster, Link link, Optional<WorkerView> view) {
    workers.report(cluster, link, view, view.map(WorkerView::notServed).orElse(Set.of()));
  }

  /** There is no MultiKueueCluster of that name any more. */
  public static void remove(Workers workers, String cluster) {
    workers.remove(cluster);
  }
}
