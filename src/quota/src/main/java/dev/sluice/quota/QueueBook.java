package dev.sluice.quota;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.RuntimeClass;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.queue.PendingQueue;
import dev.sluice.quota.tree.Forest;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.world.ObjectKey;
import dev.sluice.quota.world.QueueRules;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * ClusterQueues, LocalQueues and what they refer to by name: who is active, and who is woken when
 * that changes. Null removes an object. For one thread.
 */
final class QueueBook {
  private final Inventory inventory;
  private final Forest forest;
  private final WaitingRoom room;
  private final LocalQueues localQueues;
  private final FairQueues fairQueues;
  private final WorkloadBook workloads;

  QueueBook(
      Inventory inventory,
      Forest forest,
      WaitingRoom room,
      LocalQueues localQueues,
      FairQueues fairQueues,
      WorkloadBook workloads) {
    this.inventory = inventory;
    this.forest = forest;
    this.room = room;
    this.localQueues = localQueues;
    this.fairQueues = fairQueues;
    this.workloads = workloads;
  }

  void put(ClusterQueue queue, Instant now) {
    var rules = new QueueRules(queue);
    QueueEntry old = room.find(rules.name());
    if (old != null && old.rules().queue().equals(queue)) {
      return;
    }
    forest.put(NodeSpecs.of(queue));
    List<Inactivity> inactivity = Activity.of(rules, inventory);
    if (old == null) {
      room.put(rules.name(), new QueueEntry(rules, inactivity, PendingQueue.EMPTY));
    } else {
      room.put(rules.name(), new QueueEntry(rules, inactivity, old.waiting()));
    }
    if (old == null
        || fairQueues.orders(old.rules()) != fairQueues.orders(rules)
        || old.rules().strict() != rules.strict()) {
      enterAll(rules.name(), now);
    }
  }

  /** Everybody whose LocalQueue points to the ClusterQueue enters it anew. */
  private void enterAll(String clusterQueue, Instant now) {
    localQueues.of(clusterQueue).forEach(key -> workloads.enterAll(key, now));
  }

  void removeClusterQueue(String name) {
    room.remove(name);
    forest.remove(NodeName.clusterQueue(name));
  }

  void put(ObjectKey key, @Nullable LocalQueue queue, Instant now) {
    LocalQueue old = localQueues.put(key, queue);
    fairQueues.changed(key, old, queue);
    if (old == null || queue == null || !old.spec().equals(queue.spec())) {
      workloads.enterAll(key, now);
    }
  }

  void put(String name, @Nullable ResourceFlavor flavor, Instant now) {
    ResourceFlavor old = inventory.put(name, flavor);
    boolean changed = old == null || flavor == null || !old.spec().equals(flavor.spec());
    if (changed) {
      review(rules -> rules.flavors().contains(name), true, now);
    }
  }

  /** Nodes of these flavors changed: there may be more room. */
  void changedRoom(Set<String> flavors, Instant now) {
    review(rules -> rules.flavors().stream().anyMatch(flavors::contains), true, now);
  }

  private static boolean namesCheck(QueueRules rules, String check) {
    return rules.checks().stream().anyMatch(c -> c.name().equals(check));
  }

  private boolean usesTopology(QueueRules rules, String topology) {
    return rules.flavors().stream()
        .map(inventory::flavor)
        .anyMatch(f -> f != null && topology.equals(f.spec().topologyName()));
  }

  private interface Users {
    boolean test(QueueRules rules);
  }

  /** Looks anew at the activity of those queues; wakes those that became active, or all. */
  private void review(Users users, boolean wakeAll, Instant now) {
    for (var named : room.queues()) {
      QueueEntry entry = named.getValue();
      if (!users.test(entry.rules())) {
        continue;
      }
      boolean wasActive = entry.active();
      QueueEntry reviewed = entry.with(Activity.of(entry.rules(), inventory));
      room.put(named.getKey(), reviewed);
      if (reviewed.active() && (wakeAll || !wasActive)) {
        room.wakeAll(named.getKey(), key -> workloads.backoffOver(key, now));
      }
    }
  }

  void put(String name, @Nullable Namespace namespace) {
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

  void put(ObjectKey key, @Nullable LimitRange range, Instant now) {
    inventory.put(key, range);
    workloads.readAgain(key.namespace(), now);
    room.wakeNamespace(key.namespace());
  }

  void put(String name, @Nullable AdmissionCheck check, Instant now) {
    inventory.put(name, check);
    review(rules -> namesCheck(rules, name), false, now);
  }

  void put(String name, @Nullable Topology topology, Instant now) {
    inventory.put(name, topology);
    review(rules -> usesTopology(rules, name), topology != null, now);
  }

  void put(String name, @Nullable RuntimeClass runtimeClass, Instant now) {
    inventory.put(name, runtimeClass);
    workloads.readAgain(null, now);
  }
}
