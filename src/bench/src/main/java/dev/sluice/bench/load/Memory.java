package dev.sluice.bench.load;

import com.sun.management.ThreadMXBean;
import dev.sluice.bench.objects.Corpus;
import dev.sluice.bench.objects.Review;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.review.BadReviewException;
import dev.sluice.conversion.review.ConversionListener;
import dev.sluice.conversion.review.ConversionRequest;
import dev.sluice.conversion.review.ReviewConverter;
import dev.sluice.conversion.step.Mode;
import dev.sluice.json.JsonOutput;
import dev.sluice.json.JsonSyntax;
import dev.sluice.webhook.server.Bounds;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * What a request of this many objects takes of memory.
 *
 * @param objects objects in the request
 * @param requestBytes its length
 * @param heldBytes heap that is reachable when the answer is complete and nothing of it sent: body,
 *     index of the body, answer; the most there is at any time but for one object's tree
 * @param allocatedBytes heap taken from the collector on the way
 * @param server what the server's process held after requests of this size, one at a time
 */
public record Memory(
    int objects, long requestBytes, long heldBytes, long allocatedBytes, ServerMemory server) {
  private static final long ENOUGH_TO_SEE = 32 << 20;

  private static final ConversionListener UNHEARD =
      new ConversionListener() {
        @Override
        public void starting() {}

        @Override
        public void finished(Outcome outcome, int bytes) {}
      };

  /** Held bytes for each byte of the request. */
  public double held() {
    return (double) heldBytes / requestBytes;
  }

  /** Allocated bytes for each byte of the request. */
  public double allocated() {
    return (double) allocatedBytes / requestBytes;
  }

  /** Measures in this process; requests are repeated until they are large enough to be seen. */
  public static Memory of(Corpus corpus, ServerMemory server) {
    JsonSyntax syntax = new JsonSyntax(Bounds.DEFAULT.json());
    ReviewConverter converter =
        new ReviewConverter(new Converter(Mode.CARRY), Bounds.DEFAULT.maxAnswerBytes());
    int repeats = Math.toIntExact(1 + ENOUGH_TO_SEE / (long) corpus.bytesPerReview());
    answer(corpus, repeats, syntax, converter); // classes, caches and compiled code are in now
    long before = LiveHeap.bytes();
    long allocatedBefore = allocatedByThisThread();
    List<Held> held = answer(corpus, repeats, syntax, converter);
    long allocated = allocatedByThisThread() - allocatedBefore;
    long after = LiveHeap.bytes();
    int answered = held.size(); // looked at only now, so that all of it was reachable until here
    return new Memory(
        corpus.objectsPerReview(),
        sentBytes(corpus, answered) / answered,
        (after - before) / answered,
        allocated / answered,
        server);
  }

  /**
   * All that is reachable while an answer waits to be sent; the request's objects hold the body.
   */
  private record Held(ConversionRequest request, JsonOutput answer) {}

  private static List<Held> answer(
      Corpus corpus, int repeats, JsonSyntax syntax, ReviewConverter converter) {
    List<Held> held = new ArrayList<>(repeats);
    for (int i = 0; i < repeats; i++) {
      byte[] body = review(corpus, i).json().clone();
      try {
        ConversionRequest request = ConversionRequest.read(body, syntax);
        held.add(new Held(request, converter.answer(request, UNHEARD, () -> false)));
      } catch (BadReviewException e) {
        throw new IllegalStateException("a review of ours was refused", e);
      }
    }
    return held;
  }

  private static long sentBytes(Corpus corpus, int repeats) {
    long bytes = 0;
    for (int i = 0; i < repeats; i++) {
      bytes += review(corpus, i).json().length;
    }
    return bytes;
  }

  private static Review review(Corpus corpus, int number) {
    return corpus.reviews().get(number % corpus.reviews().size());
  }

  private static long allocatedByThisThread() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
