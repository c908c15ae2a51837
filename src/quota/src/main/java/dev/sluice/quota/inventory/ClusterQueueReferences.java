package dev.sluice.quota.inventory;

import dev.sluice.quota.persistent.ForkableIndex;
import dev.sluice.quota.world.QueueRules;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The ClusterQueues that name a flavor or an AdmissionCheck. For one thread. */
public final class ClusterQueueReferences {
  private final ForkableIndex<String, String> byFlavor;
  private final ForkableIndex<String, String> byCheck;

  public ClusterQueueReferences() {
    this(new ForkableIndex<>(), new ForkableIndex<>());
  }

  private ClusterQueueReferences(
      ForkableIndex<String, String> byFlavor, ForkableIndex<String, String> byCheck) {
    this.byFlavor = byFlavor;
    this.byCheck = byCheck;
  }

  /** A copy with the same references that changes independently. */
  public ClusterQueueReferences fork() {
    return new ClusterQueueReferences(byFlavor.fork(), byCheck.fork());
  }

  /** A ClusterQueue was created, changed or deleted. */
  public void changed(@Nullable QueueRules old, @Nullable QueueRules rules) {
    changed(byFlavor, old, rules, QueueRules::flavors);
    changed(byCheck, old, rules, QueueRules::checkNames);
  }

  private static void changed(
      ForkableIndex<String, String> users,
      @Nullable QueueRules old,
      @Nullable QueueRules rules,
      Function<QueueRules, Set<String>> names) {
    if (old != null) {
      for (String name : names.apply(old)) {
        users.remove(name, old.name());
      }
    }
    if (rules != null) {
      for (String name : names.apply(rules)) {
        users.add(name, rules.name());
      }
    }
  }

  /** All flavors that any ClusterQueue names. */
  public List<String> flavors() {
    return byFlavor.keys();
  }

  /** The ClusterQueues that name that flavor, in order. */
  public List<String> ofFlavor(String flavor) {
    return byFlavor.of(flavor);
  }

  /** The ClusterQueues that name that check, in order. */
  public List<String> ofCheck(String check) {
    return byCheck.of(check);
  }
}
