package dev.sluice.quota.inventory;

import dev.sluice.quota.world.QueueRules;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The ClusterQueues that name a flavor or an AdmissionCheck. For one thread. */
public final class ClusterQueueReferences {
  private final Map<String, Set<String>> byFlavor = new HashMap<>();
  private final Map<String, Set<String>> byCheck = new HashMap<>();

  /** A ClusterQueue was created, changed or deleted. */
  public void changed(@Nullable QueueRules old, @Nullable QueueRules rules) {
    changed(byFlavor, old, rules, QueueRules::flavors);
    changed(byCheck, old, rules, QueueRules::checkNames);
  }

  private static void changed(
      Map<String, Set<String>> users,
      @Nullable QueueRules old,
      @Nullable QueueRules rules,
      Function<QueueRules, Set<String>> names) {
    if (old != null) {
      for (String name : names.apply(old)) {
        Set<String> queues = users.get(name);
        if (queues != null && queues.remove(old.name()) && queues.isEmpty()) {
          users.remove(name);
        }
      }
    }
    if (rules != null) {
      for (String name : names.apply(rules)) {
        users.computeIfAbsent(name, _ -> new TreeSet<>()).add(rules.name());
      }
    }
  }

  /** All flavors that any ClusterQueue names. */
  public Set<String> flavors() {
    return byFlavor.keySet();
  }

  /** The ClusterQueues that name that flavor, in order. */
  public Set<String> ofFlavor(String flavor) {
    return byFlavor.getOrDefault(flavor, Set.of());
  }

  /** The ClusterQueues that name that check, in order. */
  public Set<String> ofCheck(String check) {
    return byCheck.getOrDefault(check, Set.of());
  }
}
