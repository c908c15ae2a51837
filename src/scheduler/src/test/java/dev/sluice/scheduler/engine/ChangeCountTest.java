package dev.sluice.scheduler.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class ChangeCountTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static Change queue(int number) {
    byte[] queue =
        "{\"metadata\":{\"name\":\"q%d\"},\"spec\":{}}".formatted(number).getBytes(UTF_8);
    return Change.upserted(ObjectKind.CLUSTER_QUEUE, HubObjects.read(ClusterQueue.class, queue));
  }

  @Test
  void whatIsCountedAsPublishedIsInTheSnapshot() {
    var engine = new QuotaEngine(EngineConfiguration.defaults());
    try (var loop = new EngineLoop(engine, InstantSource.system(), EngineLoop.Listener.NONE)) {
      for (int i = 0; i < 100; i++) {
        loop.submit(queue(i));
      }
      assertThat(loop.changes().submitted()).isEqualTo(100);
      assertThat(loop.changes().published()).as("before it starts").isZero();

      loop.start();
      await().atMost(PATIENCE).until(() -> loop.changes().published() == 100);

      assertThat(loop.snapshot().clusterQueues()).hasSize(100);
    }
  }
}
