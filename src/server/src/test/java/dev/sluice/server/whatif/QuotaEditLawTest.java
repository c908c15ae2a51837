package dev.sluice.server.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.whatif.WhatIfResult;
import dev.sluice.see.whatif.WhatIfResult.UsageChange;
import dev.sluice.testkit.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Who loses quota by an edit of quotas is who the simulation of it named. */
class QuotaEditLawTest {
  private int evictions;
  private final List<String> broken = new ArrayList<>();

  @Test
  void theEvictedAreThoseThatWereNamed() {
    int edits = Tier.number("sluice.see.edits", 8, 300);
    LongStream.rangeClosed(1, edits).forEach(this::edited);

    assertThat(broken).isEmpty();
    assertThat(evictions).isGreaterThan(edits / 8);
  }

  private void edited(long seed) {
    RandomCluster world = new RandomCluster(seed);
    ObjectNode edit = world.edit();
    WhatIfResult said = world.simulated(edit);
    Map<String, Integer> before = evictions(world);
    Set<String> held = holders(world);
    Snapshot then = world.cluster().snapshot();

    world.apply(edit);
    world.settle();

    Set<String> lost = new TreeSet<>();
    Map<String, Integer> after = evictions(world);
    Set<String> holds = holders(world);
    for (String name : held) {
      if (after.getOrDefault(name, 0) > before.getOrDefault(name, 0) || !holds.contains(name)) {
        lost.add(name + (holds.contains(name) ? " returns" : " waits"));
      }
    }
    evictions += lost.size();
    Set<String> named = new TreeSet<>();
    said.delayed()
        .forEach(it -> named.add(it.workload().name() + (it.returns() ? " returns" : " waits")));
    if (!lost.equals(named)) {
      broken.add("seed %d, %s: lost %s, named %s".formatted(seed, edit, lost, named));
    }
    for (UsageChange change : said.usage()) {
      if (!used(world.cluster().snapshot(), change).equals(change.after())
          || !used(then, change).equals(change.before())) {
        broken.add(
            "seed %d, %s: not %s but %s"
                .formatted(seed, edit, change, used(world.cluster().snapshot(), change)));
      }
    }
  }

  private static Amount used(Snapshot snapshot, UsageChange change) {
    Snapshot.Standing standing = snapshot.standing(change.clusterQueue()).get(change.pair());
    return standing == null ? Amount.ZERO : standing.used();
  }

  /** How often each Workload was evicted, as it is stored. */
  private static Map<String, Integer> evictions(RandomCluster world) {
    Map<String, Integer> counts = new TreeMap<>();
    for (JsonNode workload : world.cluster().workloads()) {
      workload
          .at("/status/schedulingStats/evictions")
          .forEach(
              it ->
                  counts.merge(
                      workload.at("/metadata/name").asText(),
                      it.path("count").asInt(),
                      Integer::sum));
    }
    return counts;
  }

  private static Set<String> holders(RandomCluster world) {
    Set<String> names = new TreeSet<>();
    for (WorkloadState state : world.cluster().snapshot().workloads()) {
      if (state.holdsQuota() && !state.evicted() && !state.finished()) {
        names.add(state.key().name());
      }
    }
    return names;
  }
}
