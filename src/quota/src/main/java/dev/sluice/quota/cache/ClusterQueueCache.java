package dev.sluice.quota.cache;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.RuntimeClass;
import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.device.ResourceSlice;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.history.LocalQueueFairness;
import dev.sluice.quota.inventory.ClusterQueueActivity;
import dev.sluice.quota.inventory.ClusterQueueReferences;
import dev.sluice.quota.inventory.Inactivity;
import dev.sluice.quota.inventory.Inventory;
import dev.sluice.quota.inventory.LocalQueues;
import dev.sluice.quota.queue.PendingQueue;
import dev.sluice.quota.queue.QueueEntry;
import dev.sluice.quota.queue.QueueManager;
import dev.sluice.quota.topology.capacity.TopologyCache;
import dev.sluice.quota.tree.CohortForest;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.world.QueueRules;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * ClusterQueues, LocalQueues and the objects they name: which ClusterQueues are active, and which
 * workloads a change wakes. Null removes an object. For one thread.
 */
public final class ClusterQueueCache {
  private final Inventory inventory;
  private final CohortForest forest;
  private final QueueManager queueManager;
  private final LocalQueues localQueues;
  private final LocalQueueFairness fairness;
  private final WorkloadCache workloads;
  private final ClusterQueueReferences references;

  /** No ClusterQueues. */
  public ClusterQueueCache(EngineParts parts, WorkloadCache workloads) {
    this(parts, workloads, new ClusterQueueReferences());
  }

  private ClusterQueueCache(
      EngineParts parts, WorkloadCache workloads, ClusterQueueReferences references) {
    this.inventory = parts.inventory();
    this.forest = parts.forest();
    this.queueManager = parts.queueManager();
    this.localQueues = parts.localQueues();
    this.fairness = parts.fairness();
    this.workloads = workloads;
    this.references = references;
  }

  /** The same ClusterQueues between those parts, which are forks of the parts around this cache. */
  public ClusterQueueCache fork(EngineParts forks, WorkloadCache otherWorkloads) {
    return new ClusterQueueCache(forks, otherWorkloads, references.fork());
  }

  /** Takes a ClusterQueue that was added or changed, or removes it where it is null. */
  public void putClusterQueue(ObjectKey key, @Nullable ClusterQueue queue, Instant now) {
    if (queue == null) {
      removeClusterQueue(key.name());
    } else {
      put(queue, now);
    }
  }

  private void put(ClusterQueue queue, Instant now) {
    var rules = new QueueRules(queue);
    QueueEntry old = queueManager.find(rules.name());
    if (old != null && old.rules().saysAs(rules)) {
      return;
    }
    forest.put(NodeSpecReader.of(queue));
    references.changed(old == null ? null : old.rules(), rules);
    List<Inactivity> inactivity = ClusterQueueActivity.of(rules, inventory);
    if (old == null) {
      queueManager.put(rules.name(), new QueueEntry(rules, inactivity, PendingQueue.EMPTY));
      enterAll(rules.name(), now);
    } else {
      put(old, old.with(rules, inactivity), now);
    }
  }

  /**
   * The rules of the ClusterQueue changed: wakes the workloads whose decision the change can
   * affect.
   */
  private void put(QueueEntry old, QueueEntry entry, Instant now) {
    QueueRules before = old.rules();
    QueueRules rules = entry.rules();
    String name = rules.name();
    queueManager.put(name, entry);
    if (fairness.orders(before) != fairness.orders(rules) || before.strict() != rules.strict()) {
      wakeAll(name, now); // or what enters would be parked again with those that are like it
      enterAll(name, now);
    } else if (!before.offersAs(rules) || !before.splitsAs(rules)) {
      wakeAll(name, now);
    } else {
      boolean selects = before.selectsAs(rules);
      boolean serves = before.servesAs(rules);
      queueManager.wake(
          name,
          interest ->
              (!selects && (interest.namespace() || interest.inQuota()))
                  || (!serves && interest.inQuota()));
    }
    reviewed(old, entry, now);
  }

  private void wakeAll(String queue, Instant now) {
    queueManager.wakeAll(queue, key -> workloads.backoffOver(key, now));
  }

  /** Workloads can be preempted only while their ClusterQueue is active. */
  private void reviewed(QueueEntry old, QueueEntry entry, Instant now) {
    if (old.active() != entry.active()) {
      forest.touch(entry.rules().name());
      if (entry.active()) {
        wakeAll(entry.rules().name(), now);
      }
    }
  }

  /** Every workload whose LocalQueue names the ClusterQueue enters it. */
  private void enterAll(String clusterQueue, Instant now) {
    localQueues.of(clusterQueue).forEach(key -> workloads.enterAll(key, now));
  }

  private void removeClusterQueue(String name) {
    QueueEntry old = queueManager.find(name);
    if (old != null) {
      references.changed(old.rules(), null);
    }
    queueManager.remove(name);
    forest.remove(NodeName.clusterQueue(name));
  }

  public void putLocalQueue(ObjectKey key, @Nullable LocalQueue queue, Instant now) {
    LocalQueue old = localQueues.put(key, queue);
    fairness.changed(key, old, queue, now);
    boolean changed =
        old == null
            || queue == null
            || !old.spec().equals(queue.spec())
            || !Objects.equals(LocalQueues.target(old), LocalQueues.target(queue));
    if (changed) {
      workloads.enterAll(key, now);
    }
  }

  public void putFlavor(ObjectKey key, @Nullable ResourceFlavor flavor, Instant now) {
    String name = key.name();
    ResourceFlavor old = inventory.put(name, flavor);
    boolean changed = old == null || flavor == null || !old.spec().equals(flavor.spec());
    if (changed) {
      review(references.ofFlavor(name), true, now);
    }
  }

  /** Nodes of flavors changed: domains may have other levels, and there may be more room. */
  public void settled(TopologyCache.Settled settled, Instant now) {
    Set<String> queues = new TreeSet<>();
    settled.rebuilt().forEach(flavor -> queues.addAll(references.ofFlavor(flavor)));
    review(queues, false, now);
    queueManager.roomChanged(settled.roomier());
  }

  private Set<String> usersOfTopology(String topology) {
    Set<String> queues = new TreeSet<>();
    for (String flavor : references.flavors()) {
      ResourceFlavor known = inventory.flavor(flavor);
      if (known != null && topology.equals(known.spec().topologyName())) {
        queues.addAll(references.ofFlavor(flavor));
      }
    }
    return queues;
  }

  /**
   * Checks again whether those queues are active; requeues the workloads of a queue that became
   * active, or of all of them.
   */
  private void review(Collection<String> queues, boolean wakeAll, Instant now) {
    for (String queue : queues) {
      QueueEntry entry = queueManager.find(queue);
      if (entry != null) {
        QueueEntry reviewed =
            entry.with(entry.rules(), ClusterQueueActivity.of(entry.rules(), inventory));
        queueManager.put(queue, reviewed);
        reviewed(entry, reviewed, now);
        if (reviewed.active() && wakeAll) {
          wakeAll(queue, now);
        }
      }
    }
  }

  public void putNamespace(ObjectKey key, @Nullable Namespace namespace, Instant now) {
    String name = key.name();
    Namespace old = inventory.environment().namespace(name);
    inventory.put(name, namespace);
    boolean changed =
        old == null
            || namespace == null
            || !old.metadata().labels().equals(namespace.metadata().labels());
    if (changed) {
      queueManager.wakeNamespace(name);
    }
  }

  public void putLimitRange(ObjectKey key, @Nullable LimitRange range, Instant now) {
    boolean isNew = !inventory.knows(key);
    if (inventory.put(key, range)) {
      workloads.readAgain(key.namespace(), isNew, now);
      queueManager.wakeNamespace(key.namespace());
    }
  }

  public void putCheck(ObjectKey key, @Nullable AdmissionCheck check, Instant now) {
    String name = key.name();
    inventory.put(name, check);
    review(references.ofCheck(name), false, now);
  }

  public void putTopology(ObjectKey key, @Nullable Topology topology, Instant now) {
    String name = key.name();
    inventory.put(name, topology);
    review(usersOfTopology(name), topology != null, now);
  }

  public void putRuntimeClass(ObjectKey key, @Nullable RuntimeClass runtimeClass, Instant now) {
    String name = key.name();
    boolean isNew = !inventory.knowsRuntimeClass(name);
    if (inventory.put(name, runtimeClass)) {
      workloads.readAllAgain(isNew, now);
    }
  }

  public void putClaimTemplate(
      ObjectKey key, @Nullable ResourceClaimTemplate template, Instant now) {
    if (inventory.put(key, template)) {
      workloads.claimantsReadAgain(key, now);
      queueManager.wakeNamespace(key.namespace());
    }
  }

  public void putDeviceClass(ObjectKey key, @Nullable DeviceClass deviceClass, Instant now) {
    String name = key.name();
    if (inventory.put(name, deviceClass)) {
      workloads.readAllAgain(false, now);
    }
  }

  /** What devices count as is settled with the next cycle: a driver writes many slices at once. */
  public void putResourceSlice(ObjectKey key, @Nullable ResourceSlice slice, Instant now) {
    inventory.put(key.name(), slice);
  }

  /** Counts devices again, if ResourceSlices or classes changed since the last call. */
  public void recountDevices(Instant now) {
    if (inventory.recountsDevices()) {
      workloads.slicedReadAgain(now).forEach(queueManager::wakeNamespace);
    }
  }
}
