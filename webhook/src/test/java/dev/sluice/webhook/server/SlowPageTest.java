package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.webhook.endpoint.Answer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SlowPageTest {
  private final AtomicInteger made = new AtomicInteger();
  private final Queue<Runnable> work = new ArrayDeque<>();
  private final Page page =
      new Page("/slow", true, () -> Answer.sentence(200, "no. " + made.incrementAndGet()));
  private final SlowPage slow = new SlowPage(page, work::add);

  private static int status(CompletableFuture<Answer> answer) {
    return answer.join().status();
  }

  @Test
  void isMadeOnceForAllWhoAskBeforeItIsBegun() {
    CompletableFuture<Answer> first = slow.ask();
    for (int i = 0; i < 1000; i++) {
      assertThat(slow.ask()).isSameAs(first);
    }
    assertThat(work).hasSize(1);

    work.remove().run();
    assertThat(status(first)).isEqualTo(200);
    assertThat(made).hasValue(1);
  }

  @Test
  void isMadeAgainForThoseWhoAskLater() {
    CompletableFuture<Answer> first = slow.ask();
    work.remove().run();
    CompletableFuture<Answer> second = slow.ask();

    assertThat(second).isNotSameAs(first).isNotDone();
    work.remove().run();
    assertThat(status(second)).isEqualTo(200);
    assertThat(made).hasValue(2);
  }

  @Test
  void oneThatIsBeingMadeIsNotForThoseWhoAskMeanwhile() {
    AtomicInteger asked = new AtomicInteger();
    CompletableFuture<CompletableFuture<Answer>> meanwhile = new CompletableFuture<>();
    SlowPage[] self = new SlowPage[1];
    Page asking =
        new Page(
            "/slow",
            true,
            () -> {
              if (asked.getAndIncrement() == 0) {
                meanwhile.complete(self[0].ask());
              }
              return Answer.sentence(200, "made");
            });
    self[0] = new SlowPage(asking, work::add);

    CompletableFuture<Answer> first = self[0].ask();
    work.remove().run();

    assertThat(first).isDone();
    assertThat(meanwhile.join()).isNotSameAs(first).isNotDone();
  }

  @Test
  void aRefusalIsToldAndTheNextOneTries() {
    Queue<Boolean> refusals = new ArrayDeque<>();
    refusals.add(true);
    SlowPage stopping =
        new SlowPage(
            page,
            task -> {
              if (refusals.poll() != null) {
                throw new RejectedExecutionException("stopping");
              }
              work.add(task);
            });

    assertThatThrownBy(stopping::ask).isInstanceOf(RejectedExecutionException.class);
    var _ = stopping.ask();
    assertThat(work).hasSize(1);
  }
}
