package dev.sluice.cluster.api;

import static dev.sluice.cluster.api.ConnectionException.Reason.UNREADABLE;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps an answer as long as it is within a budget. Requests more only after what it has kept. */
final class BoundedBody implements AutoCloseable {
  private final AnswerBudget budget;

  @GuardedBy("this")
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

  @GuardedBy("this")
  private @Nullable ConnectionException failure;

  @GuardedBy("this")
  private boolean closed;

  BoundedBody(AnswerBudget budget) {
    this.budget = budget;
  }

  synchronized void take(List<ByteBuffer> chunks, AsyncBody body) {
    for (ByteBuffer chunk : chunks) {
      if (closed || failure != null) {
        return;
      }
      if (!budget.take(chunk.remaining())) {
        failure =
            new ConnectionException(
                UNREADABLE,
                "answers of more than %d MiB at once (expected: less)"
                    .formatted(budget.most() >> 20));
        body.cancel();
        return;
      }
      byte[] bytes = new byte[chunk.remaining()];
      chunk.get(bytes);
      kept.writeBytes(bytes);
    }
    body.consume();
  }

  /** Why the rest was not taken. */
  synchronized @Nullable ConnectionException failure() {
    return failure;
  }

  synchronized byte[] bytes() {
    return kept.toByteArray();
  }

  /** From now on takes nothing; what it has is the caller's. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      budget.giveBack(kept.size());
    }
  }
}
