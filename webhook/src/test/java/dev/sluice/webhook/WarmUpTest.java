package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  private static final int MANY = 200_000; // reviews of a long warm-up
  private static final int PATIENCE_SECONDS = 60;

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger steps = new AtomicInteger();

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private Future<Void> later() {
    steps.incrementAndGet();
    Promise<Void> done = Promise.promise();
    vertx.runOnContext(_ -> done.complete());
    return done.future();
  }

  private void repeat(int times) throws Exception {
    Promise<Void> over = Promise.promise();
    vertx.runOnContext(_ -> WarmUp.repeat(number -> number < times, _ -> later()).onComplete(over));
    over.future().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void itTakesAsManyStepsAsThereIsTimeForWithoutAStackOfThem() throws Exception {
    repeat(MANY);

    assertThat(steps).hasValue(MANY);
  }

  @Test
  void itEndsWithAStepThatFails() {
    Future<Void> over =
        WarmUp.repeat(
            _ -> true,
            number -> number < 3 ? Future.succeededFuture() : Future.failedFuture("refused"));

    assertThat(over.cause()).hasMessage("refused");
  }
}
