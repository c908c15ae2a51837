package dev.sluice.webhook.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.webhook.endpoint.Answer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A page that takes time to compute, computed once for all requests that arrive before it starts.
 * So frequent requests cannot block others: at most one computation runs and one is queued.
 * Thread-safe.
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

  /** Later requests need a state that is read later. */
  private synchronized void begin() {
    waiting = null;
  }
}
