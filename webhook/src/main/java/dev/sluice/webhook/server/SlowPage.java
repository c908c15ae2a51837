package dev.sluice.webhook.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.webhook.endpoint.Answer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A page that takes time, made once for all who ask before it is begun. So nobody can keep others
 * from it by asking often: at most one is being made and one waits. Thread-safe.
 */
final class SlowPage {
  private final Page page;
  private final Executor worker;

  @GuardedBy("this")
  private @Nullable CompletableFuture<Answer> waiting;

  SlowPage(Page page, Executor worker) {
    this.page = page;
    this.worker = worker;
  }

  /**
   * The page as it is at some moment from now on.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the worker takes no more
   */
  CompletableFuture<Answer> ask() {
    CompletableFuture<Answer> mine;
    synchronized (this) {
      if (waiting != null) {
        return waiting;
      }
      mine = new CompletableFuture<>();
      waiting = mine;
    }
    boolean accepted = false;
    try {
      worker.execute(() -> make(mine));
      accepted = true;
    } finally {
      if (!accepted) {
        begin();
      }
    }
    return mine;
  }

  private void make(CompletableFuture<Answer> answer) {
    begin();
    answer.complete(page.show());
  }

  /** Those who ask from now on want to know what is so from now on. */
  private synchronized void begin() {
    waiting = null;
  }
}
