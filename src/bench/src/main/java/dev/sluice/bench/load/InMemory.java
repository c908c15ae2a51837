package dev.sluice.bench.load;

import dev.sluice.bench.objects.Corpus;
import dev.sluice.bench.objects.Review;
import java.util.function.ToLongFunction;

/** Measures work on reviews in memory, on one thread and without a server. */
public final class InMemory {
  private InMemory() {}

  /**
   * Does the work on one review after the other; it returns the length of the answer, so that no
   * work can be skipped.
   */
  public static Sample measure(ToLongFunction<byte[]> work, Corpus corpus, Window window) {
    Tally tally = new Tally(System.nanoTime(), window, false);
    Usage before = Usage.ofThisProcess();
    boolean measuring = false;
    int next = 0;
    for (long began = System.nanoTime(); began < tally.to(); ) {
      if (!measuring && began >= tally.from()) {
        before = Usage.ofThisProcess();
        measuring = true;
        began = System.nanoTime();
      }
      Review review = corpus.reviews().get(next);
      next = (next + 1) % corpus.reviews().size();
      tally.sent(began, began);
      long length = work.applyAsLong(review.json());
      long done = System.nanoTime();
      if (length > review.json().length / 2) {
        tally.good(review, began, done);
      } else {
        tally.failed("an answer of " + length + " bytes");
      }
      began = done;
    }
    return tally.sample(Usage.ofThisProcess().since(before));
  }
}
