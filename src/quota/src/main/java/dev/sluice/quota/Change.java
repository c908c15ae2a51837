package dev.sluice.quota;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.Node;
import dev.sluice.api.core.Pod;
import dev.sluice.api.core.RuntimeClass;
import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.workload.Workload;

/** What the engine is told of the cluster: an object is now so, or it is gone. */
public sealed interface Change {
  /** The object is now so, whether or not it was known before. */
  sealed interface Upsert extends Change {}

  record ClusterQueueIs(ClusterQueue queue) implements Upsert {}

  record CohortIs(Cohort cohort) implements Upsert {}

  record LocalQueueIs(LocalQueue queue) implements Upsert {}

  record FlavorIs(ResourceFlavor flavor) implements Upsert {}

  record CheckIs(AdmissionCheck check) implements Upsert {}

  record TopologyIs(Topology topology) implements Upsert {}

  record NamespaceIs(Namespace namespace) implements Upsert {}

  record LimitRangeIs(LimitRange range) implements Upsert {}

  /** Only nodes that are ready and schedulable have room for pods. */
  record NodeIs(Node node) implements Upsert {}

  /**
   * A pod that runs on a node and that no topology placed takes room there; of all others nothing
   * is kept.
   */
  record PodIs(Pod pod) implements Upsert {}

  record RuntimeClassIs(RuntimeClass runtimeClass) implements Upsert {}

  record ClaimTemplateIs(ResourceClaimTemplate template) implements Upsert {}

  record DeviceClassIs(DeviceClass deviceClass) implements Upsert {}

  /**
   * With a resourceVersion the Workload is a view that may be late: it is ignored where it is no
   * newer than what is known, and it does not take back a reservation or an eviction that the
   * engine decided and that is not stored yet. Without one it is taken at its word.
   */
  record WorkloadIs(Workload workload) implements Upsert {}

  /**
   * The Workload as a call answered it, not as a watch told it. It counts only while a Workload of
   * that uid is known: an answer may come after the deletion of its Workload, and only the watch
   * says which Workloads there are.
   */
  record WorkloadAnswered(Workload workload) implements Change {}

  /**
   * The status that the engine last decided for the Workload is stored in the cluster.
   *
   * @param uid of the Workload that it was decided for; empty for whichever has that name
   */
  record StatusStored(ObjectKey workload, String uid) implements Change {
    /** The same of whichever Workload has that name. */
    public StatusStored(ObjectKey workload) {
      this(workload, "");
    }
  }

  /**
   * It could not be stored: the Workload is as the cluster has it, and is looked at again.
   *
   * @param uid of the Workload that it was decided for; empty for whichever has that name
   */
  record StatusWriteFailed(ObjectKey workload, String uid) implements Change {
    /** The same of whichever Workload has that name. */
    public StatusWriteFailed(ObjectKey workload) {
      this(workload, "");
    }
  }

  /**
   * The object of that kind is gone.
   *
   * @param key its namespace is empty where the kind has none
   * @param uid of the Workload that is gone, so that another one of its name stays; empty for
   *     whichever has that name. Other kinds go by their names
   */
  record Deleted(Kind kind, ObjectKey key, String uid) implements Change {
    /** The same of whichever object has that name. */
    public Deleted(Kind kind, ObjectKey key) {
      this(kind, key, "");
    }

    /** A kind without a namespace. */
    public static Deleted of(Kind kind, String name) {
      return new Deleted(kind, new ObjectKey("", name));
    }
  }

  /** The kinds the engine knows. */
  enum Kind {
    CLUSTER_QUEUE,
    COHORT,
    LOCAL_QUEUE,
    RESOURCE_FLAVOR,
    ADMISSION_CHECK,
    TOPOLOGY,
    NAMESPACE,
    LIMIT_RANGE,
    RUNTIME_CLASS,
    RESOURCE_CLAIM_TEMPLATE,
    DEVICE_CLASS,
    NODE,
    POD,
    WORKLOAD
  }
}
