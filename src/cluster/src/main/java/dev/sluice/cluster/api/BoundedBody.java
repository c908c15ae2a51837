package dev.sluice.cluster.api;

import static dev.sluice.cluster.api.ConnectionException.Reason.UNREADABLE;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Reads a response as long as all that is held stays within a budget. */
final class BoundedBody implements AutoCloseable {
  private static final int PART = 16 << 10;

  private final AnswerBudget budget;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

  BoundedBody(AnswerBudget budget) {
    this.budget = budget;
  }

  /**
   * The whole body.
   *
   * @throws BodyTooLongException if it has more bytes than that
   * @throws ConnectionException if that is too much
   */
  byte[] read(InputStream body, int most) throws IOException {
    byte[] part = new byte[PART];
    for (int length = body.read(part); length >= 0; length = body.read(part)) {
      if (!budget.take(length)) {
        throw new ConnectionException(
            UNREADABLE,
            "answers of more than %d MiB at once (expected: less)".formatted(budget.most() >> 20));
      }
      kept.write(part, 0, length);
      if (kept.size() > most) {
        throw new BodyTooLongException();
      }
    }
    return kept.toByteArray();
  }

  /** From now on what was read is the caller's. */
  @Override
  public void close() {
    budget.giveBack(kept.size());
  }
}
