package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Whatever comes first, the end is the same. docs/concepts/scheduler.md tells how to ask for more.
 */
@FullTier
@NeedsControlPlane
@Timeout(900)
class OrdersE2E {
  private static final int WORLDS = Integer.getInteger("sluice.worlds", 40);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration SAME = Duration.ofMinutes(2);

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private static final SchedulerBeside SCHEDULER = new SchedulerBeside(CLUSTER, "");

  private static List<World> worlds(ApiClient api) {
    Random random = new Random(Long.getLong("sluice.seed", 11));
    List<World> worlds = new ArrayList<>();
    for (int i = 0; i < WORLDS; i++) {
      worlds.add(new World(api, "world-%03d".formatted(i), random));
    }
    return worlds;
  }

  /** One thing in each world, then the next: time enough to be noticed before it is complete. */
  private static void create(List<World> worlds, ApiClient api) {
    boolean goesOn = true;
    while (goesOn) {
      goesOn = false;
      for (World world : worlds) {
        goesOn |= world.create();
      }
      World.check(api);
    }
  }

  private static boolean areAtTheirEnd(List<World> left, ApiClient api) {
    World.check(api);
    left.removeIf(World::isAtItsEnd);
    return left.isEmpty();
  }

  /** Who has which state. */
  private static Map<Map<String, String>, List<World>> states(List<World> worlds) {
    Map<Map<String, String>, List<World>> states = new HashMap<>();
    worlds.forEach(it -> states.computeIfAbsent(it.state(), _ -> new ArrayList<>()).add(it));
    return states;
  }

  @Test
  void whateverComesFirstTheEndIsTheSame() throws IOException, InterruptedException {
    ApiClient api = CLUSTER.api();
    try (SluiceProcess process = SCHEDULER.start()) {
      List<World> worlds = worlds(api);
      long began = System.nanoTime();
      create(worlds, api);
      long created = System.nanoTime();

      List<World> left = new ArrayList<>(worlds);
      SCHEDULER.await(
          "all are at their end",
          () -> areAtTheirEnd(left, api),
          () -> left + "\n" + left.getFirst().state());
      System.out.printf(
          "orders: %d worlds were created within %d s and complete %d ms later%n",
          WORLDS, (created - began) / 1_000_000_000, (System.nanoTime() - created) / 1_000_000);
      Poll.until(SAME, PAUSE, () -> states(worlds).size() == 1);
      assertThat(states(worlds)).hasSize(1);
      SchedulerBeside.stop(process);
    }
  }
}
