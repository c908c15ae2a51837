package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.webhook.Served;
import dev.sluice.webhook.server.Workers.Lane;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of work under way when a server stops. */
@Timeout(60)
class WorkerPoolsTest {
  @ParameterizedTest
  @EnumSource(Lane.class)
  void closingWaitsForWorkThatIsUnderWay(Lane lane) throws InterruptedException {
    WorkerPools pools = new WorkerPools(2, Served.OPTIONS.bounds());
    Thread closing = Thread.ofPlatform().unstarted(pools::close);
    CompletableFuture<Thread.State> whileItRan = new CompletableFuture<>();
    pools.tryExecute(lane, () -> whileItRan.complete(stateOnceItWaitsOrEnds(closing)));

    closing.start();
    closing.join();

    assertThat(whileItRan).isCompletedWithValue(Thread.State.TIMED_WAITING);
  }

  private static Thread.State stateOnceItWaitsOrEnds(Thread thread) {
    Thread.State state = thread.getState();
    while (state != Thread.State.TIMED_WAITING && state != Thread.State.TERMINATED) {
      Thread.onSpinWait();
      state = thread.getState();
    }
    return state;
  }
}
