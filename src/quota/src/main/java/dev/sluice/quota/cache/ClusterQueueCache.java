package dev.sluice.quota.cache;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.RuntimeClass;
import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
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
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * ClusterQueues, LocalQueues and what they refer to by name: who is active, and who is woken when
 * that changes. Null removes an object. For one thread.
 */
public final class ClusterQueueCache {
  private final Inventory inventory;
  private final CohortForest forest;
  private final QueueManager room;
  private final LocalQueues localQueues;
  private final LocalQueueFairness fairQueues;
  private final WorkloadCache workloads;
  private final ClusterQueueReferences users = new ClusterQueueReferences();

  public ClusterQueueCache(
      Inventory inventory,
      CohortForest forest,
      QueueManager room,
      LocalQueues localQueues,
      LocalQueueFairness fairQueues,
      WorkloadCache workloads) {
    this.inventory = inventory;
    this.forest = forest;
    this.room = room;
    this.localQueues = localQueues;
    this.fairQueues = fairQueues;
    this.workloads = workloads;
  }

  public void put(ClusterQueue queue, Instant now) {
    var rules = new QueueRules(queue);
    QueueEntry old = room.find(rules.name());
    if (old != null && old.rules().saysAs(rules)) {
      return;
    }
    forest.put(NodeSpecReader.of(queue));
    users.changed(old == null ? null : old.rules(), rules);
    List<Inactivity> inactivity = ClusterQueueActivity.of(rules, inventory);
    if (old == null) {
      room.put(rules.name(), new QueueEntry(rules, inactivity, PendingQueue.EMPTY));
      enterAll(rules.name(), now);
    } else {
      put(old, old.with(rules, inactivity), now);
    }
  }

  /** The ClusterQueue has other rules: wakes those whose verdict these can change. */
  private void put(QueueEntry old, QueueEntry entry, Instant now) {
    QueueRules before = old.rules();
    QueueRules rules = entry.rules();
    String name = rules.name();
    room.put(name, entry);
    if (fairQueues.orders(before) != fairQueues.orders(rules)
        || before.strict() != rules.strict()) {
      enterAll(name, now);
    } else if (!before.offersAs(rules)) {
      wakeAll(name, now);
    } else {
      boolean selects = before.selectsAs(rules);
      boolean serves = before.servesAs(rules);
      room.wake(
          name,
          interest ->
              (!selects && (interest.namespace() || interest.inQuota()))
                  || (!serves && interest.inQuota()));
    }
    reviewed(old, entry, now);
  }

  private void wakeAll(String queue, Instant now) {
    room.wakeAll(queue, key -> workloads.backoffOver(key, now));
  }

  /** Who holds quota of a queue may be preempted only while it is active. */
  private void reviewed(QueueEntry old, QueueEntry entry, Instant now) {
    if (old.active() != entry.active()) {
      forest.touch(entry.rules().name());
      if (entry.active()) {
        wakeAll(entry.rules().name(), now);
      }
    }
  }

  /** Everybody whose LocalQueue points to the ClusterQueue enters it anew. */
  private void enterAll(String clusterQueue, Instant now) {
    localQueues.of(clusterQueue).forEach(key -> workloads.enterAll(key, now));
  }

  public void removeClusterQueue(String name) {
    QueueEntry old = room.find(name);
    if (old != null) {
      users.changed(old.rules(), null);
    }
    room.remove(name);
    forest.remove(NodeName.clusterQueue(name));
  }

  public void put(ObjectKey key, @Nullable LocalQueue queue, Instant now) {
    LocalQueue old = localQueues.put(key, queue);
    fairQueues.changed(key, old, queue, now);
    boolean changed =
        old == null
            || queue == null
            || !old.spec().equals(queue.spec())
            || !Objects.equals(LocalQueues.target(old), LocalQueues.target(queue));
    if (changed) {
      workloads.enterAll(key, now);
    }
  }

  public void put(String name, @Nullable ResourceFlavor flavor, Instant now) {
    ResourceFlavor old = inventory.put(name, flavor);
    boolean changed = old == null || flavor == null || !old.spec().equals(flavor.spec());
    if (changed) {
      review(users.ofFlavor(name), true, now);
    }
  }

  /** The nodes of flavors changed: others may have their levels, and there may be more room. */
  public void settled(TopologyCache.Settled settled, Instant now) {
    Set<String> queues = new TreeSet<>();
    settled.rebuilt().forEach(flavor -> queues.addAll(users.ofFlavor(flavor)));
    review(queues, false, now);
    room.roomChanged(settled.roomier());
  }

  private Set<String> usersOfTopology(String topology) {
    Set<String> queues = new TreeSet<>();
    for (String flavor : users.flavors()) {
      ResourceFlavor known = inventory.flavor(flavor);
      if (known != null && topology.equals(known.spec().topologyName())) {
        queues.addAll(users.ofFlavor(flavor));
      }
    }
    return queues;
  }

  /** Looks anew at the activity of those queues; wakes those that became active, or all. */
  private void review(Set<String> queues, boolean wakeAll, Instant now) {
    for (String queue : queues) {
      QueueEntry entry = room.find(queue);
      if (entry != null) {
        QueueEntry reviewed =
            entry.with(entry.rules(), ClusterQueueActivity.of(entry.rules(), inventory));
        room.put(queue, reviewed);
        reviewed(entry, reviewed, now);
        if (reviewed.active() && wakeAll) {
          wakeAll(queue, now);
        }
      }
    }
  }

  public void put(String name, @Nullable Namespace namespace) {
    Namespace old = inventory.namespace(name);
    inventory.put(name, namespace);
    boolean changed =
        old == null
            || namespace == null
            || !old.metadata().labels().equals(namespace.metadata().labels());
    if (changed) {
      room.wakeNamespace(name);
    }
  }

  public void put(ObjectKey key, @Nullable LimitRange range, Instant now) {
    inventory.put(key, range);
    workloads.readAgain(key.namespace(), now);
    room.wakeNamespace(key.namespace());
  }

  public void put(String name, @Nullable AdmissionCheck check, Instant now) {
    inventory.put(name, check);
    review(users.ofCheck(name), false, now);
  }

  public void put(String name, @Nullable Topology topology, Instant now) {
    inventory.put(name, topology);
    review(usersOfTopology(name), topology != null, now);
  }

  public void put(String name, @Nullable RuntimeClass runtimeClass, Instant now) {
    inventory.put(name, runtimeClass);
    workloads.readAgain(null, now);
  }

  public void put(ObjectKey key, @Nullable ResourceClaimTemplate template, Instant now) {
    if (inventory.devices().put(key, template)) {
      workloads.claimantsReadAgain(key, now);
      room.wakeNamespace(key.namespace());
    }
  }

  public void put(String name, @Nullable DeviceClass deviceClass, Instant now) {
    if (inventory.devices().put(name, deviceClass)) {
      workloads.readAgain(null, now);
    }
  }
}
