package dev.sluice.scheduler.queue;

import dev.sluice.api.ApiKind;
import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.HubObject;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.scheduler.store.Objects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All objects of a pass, read once. */
record QueueObjects(
    Map<String, ClusterQueue> clusterQueues,
    List<LocalQueue> localQueues,
    List<Cohort> cohorts,
    List<ResourceFlavor> flavors,
    List<AdmissionCheck> checks,
    List<Topology> topologies) {

  /** What a pass finds, read by these reads, in which the pass has begun. */
  static QueueObjects of(Objects objects, QueueReads reads) {
    Map<String, ClusterQueue> queues = new TreeMap<>();
    read(objects, reads, ApiKind.CLUSTER_QUEUE, ClusterQueue.class)
        .forEach(queue -> queues.put(queue.metadata().name(), queue));
    return new QueueObjects(
        queues,
        read(objects, reads, ApiKind.LOCAL_QUEUE, LocalQueue.class),
        read(objects, reads, ApiKind.COHORT, Cohort.class),
        read(objects, reads, ApiKind.RESOURCE_FLAVOR, ResourceFlavor.class),
        read(objects, reads, ApiKind.ADMISSION_CHECK, AdmissionCheck.class),
        read(objects, reads, ApiKind.TOPOLOGY, Topology.class));
  }

  private static <T extends HubObject> List<T> read(
      Objects objects, QueueReads reads, ApiKind kind, Class<T> type) {
    List<T> found = new ArrayList<>();
    objects.allLatest(kind.groupKind()).forEach(it -> reads.read(type, it).ifPresent(found::add));
    return found;
  }
}
