package dev.sluice.server.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.write.MergePatch;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.see.whatif.QuotaEdit;
import dev.sluice.see.whatif.WhatIfResult;
import dev.sluice.testkit.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The short way to those who lose quota by an edit names the same as a whole simulation. */
class QuotaEditAgreementTest {
  private static final int MOST_CYCLES = 2_000;

  private final List<String> broken = new ArrayList<>();
  private int losses;

  @Test
  void theEngineAloneNamesThoseThatASimulationNames() {
    int edits = Tier.number("sluice.see.edits", 8, 300);
    LongStream.rangeClosed(1, edits).forEach(this::compare);

    assertThat(broken).isEmpty();
    assertThat(losses).isGreaterThan(edits / 8);
  }

  private void compare(long seed) {
    RandomCluster world = new RandomCluster(seed);
    ObjectNode edit = world.edit();
    WhatIfResult simulated = world.simulated(edit);
    Set<String> expected = new TreeSet<>();
    simulated.delayed().forEach(it -> expected.add(text(it.workload(), it.returns())));

    Set<String> named = new TreeSet<>();
    AtomicInteger cycles = new AtomicInteger();
    QuotaEdit.losses(
            world.watching(),
            change(world, edit),
            world.cluster().now(),
            () -> cycles.incrementAndGet() < MOST_CYCLES)
        .ifPresentOrElse(
            all -> all.forEach(it -> named.add(text(it.workload().key(), it.returns()))),
            () -> named.add("never stable"));

    losses += named.size();
    if (!named.equals(expected)) {
      broken.add("seed %d, %s: simulated %s, named %s".formatted(seed, edit, expected, named));
    }
  }

  private static String text(ObjectKey workload, boolean returns) {
    return workload + (returns ? " returns" : " waits");
  }

  private static Change change(RandomCluster world, ObjectNode edit) {
    JsonNode whole =
        world.find(WhatIfRequest.kind(edit).groupKind(), WhatIfRequest.key(edit)).orElseThrow();
    JsonNode edited = MergePatch.applied(whole, edit);
    return WhatIfRequest.kind(edit).groupKind().equals(ApiKind.COHORT.groupKind())
        ? Change.upserted(ObjectKind.COHORT, HubObjects.read(Cohort.class, edited))
        : Change.upserted(ObjectKind.CLUSTER_QUEUE, HubObjects.read(ClusterQueue.class, edited));
  }
}
