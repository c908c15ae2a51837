package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.testkit.ApiClient;
import dev.sluice.testkit.Poll;
import dev.sluice.testkit.controlplane.ControlPlane;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.server.ListenAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever comes first, the end is the same. docs/scheduler.md tells how to ask for more. */
@NeedsControlPlane
@Timeout(900)
@SuppressWarnings("NullAway.Init") // set before all tests
class OrdersE2E {
  private static final int WORLDS = Integer.getInteger("sluice.worlds", 40);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration BOUND = Duration.ofSeconds(60 + WORLDS);
  private static final ListenAddress ANYWHERE = new ListenAddress("127.0.0.1", 0);

  @TempDir private static Path folder;

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
    Path log = folder.resolve("schedule.log");
    Path configuration =
        Files.writeString(
            folder.resolve("configuration.yaml"),
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            leaderElection:
              leaderElect: false
            """);
    try (DevCluster cluster =
            DevCluster.start(
                folder,
                ControlPlane.Options.apiServer(),
                ServerOptions.DEFAULT.listeningOn(ANYWHERE, ANYWHERE),
                _ -> {});
        ScheduleProcess process =
            new ScheduleProcess(cluster.controlPlane().kubeconfig(), configuration, log)) {
      ApiClient api = cluster.controlPlane().client();
      List<World> worlds = worlds(api);
      long began = System.nanoTime();
      create(worlds, api);
      long created = System.nanoTime();

      List<World> left = new ArrayList<>(worlds);
      assertThat(Poll.until(BOUND, PAUSE, () -> areAtTheirEnd(left, api)))
          .as(() -> left + "\n" + left.getFirst().state() + "\n" + tail(log))
          .isTrue();
      System.out.printf(
          "orders: %d worlds were created within %d s and complete %d ms later%n",
          WORLDS, (created - began) / 1_000_000_000, (System.nanoTime() - created) / 1_000_000);
      Poll.until(Duration.ofSeconds(15), PAUSE, () -> states(worlds).size() == 1);
      assertThat(states(worlds)).hasSize(1);
      assertThat(process.stop()).isTrue();
    }
  }

  private static String tail(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
