package dev.sluice.scheduler.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EngineForkTest {
  private static final long PATIENCE_SECONDS = 60;

  private static Change queue(String name) {
    byte[] json = "{\"metadata\":{\"name\":\"%s\"},\"spec\":{}}".formatted(name).getBytes(UTF_8);
    return Change.upserted(ObjectKind.CLUSTER_QUEUE, HubObjects.read(ClusterQueue.class, json));
  }

  private static EngineLoop loop() {
    return new EngineLoop(
        new QuotaEngine(EngineConfiguration.defaults()),
        InstantSource.system(),
        EngineLoop.Listener.NONE);
  }

  private static EngineFork get(CompletableFuture<EngineFork> wanted) throws Exception {
    return wanted.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void aForkHasAllThatWasSubmittedBeforeAndLeavesTheLoopAlone() throws Exception {
    try (EngineLoop loop = loop()) {
      loop.start();
      loop.submit(queue("before"));

      EngineFork fork = get(loop.fork());
      fork.engine().apply(queue("only-there"), Instant.EPOCH);

      assertThat(fork.snapshot().clusterQueues()).containsExactly("before");
      assertThat(fork.engine().snapshot(Instant.EPOCH).clusterQueues())
          .containsExactly("before", "only-there");
      assertThat(get(loop.fork()).snapshot()).isSameAs(fork.snapshot());
      assertThat(loop.snapshot()).isSameAs(fork.snapshot());
    }
  }

  @Test
  void whoAsksAClosedLoopHearsThatItHasStopped() {
    EngineLoop loop = loop();
    CompletableFuture<EngineFork> waiting = loop.fork();

    loop.close();

    for (CompletableFuture<EngineFork> wanted : List.of(waiting, loop.fork())) {
      assertThatThrownBy(() -> get(wanted)).hasMessageContaining("has stopped");
    }
  }
}
