package dev.sluice.cli.hostile;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.Deadline;
import dev.sluice.webhook.endpoint.Endpoint;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/**
 * Gives generated bodies straight to the endpoints of all paths. {@code
 * -Dsluice.hostile.inputs=10000000} gives that many.
 */
class EndpointFuzzTest {
  private static final Knobs KNOBS = Knobs.read();
  private static final int MOST_BYTES = 256 << 10;
  private static final int LARGE = 16 << 10;
  private static final Duration TIME = Duration.ofSeconds(30);

  /** Most bodies are small objects of wrong types; what costs much comes now and then. */
  private static final List<String> SHARES =
      List.of(
          "types",
          "types",
          "types",
          "types",
          "types",
          "envelopes",
          "envelopes",
          "spelling",
          "spelling",
          "depth");

  private static final int RARE_EVERY = 200;

  private final Map<String, BodyGenerator> generators =
      Generators.ALL.stream().collect(toMap(BodyGenerator::name, it -> it));
  private final Map<String, Cost> costs =
      Generators.ALL.stream().collect(toMap(BodyGenerator::name, _ -> new Cost()));
  private final List<BodyGenerator> wanted = wanted();
  private final Map<String, Endpoint> endpoints = Endpoints.create();
  private final Breaches breaches = new Breaches("endpoints", KNOBS.seed());
  private final AtomicLong next = new AtomicLong(KNOBS.first());
  private final LongAdder reviews = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final AtomicLong slowest = new AtomicLong();
  private volatile String slowestBody = "";

  private List<BodyGenerator> wanted() {
    return Generators.ALL.stream().filter(it -> KNOBS.wants(it.name())).toList();
  }

  /** Which generator draws the body of that number. */
  private BodyGenerator generator(long number) {
    if (!KNOBS.only().isEmpty()) {
      return wanted.get((int) (number % wanted.size()));
    }
    if (number % RARE_EVERY == 0) {
      return number / RARE_EVERY % 2 == 0
          ? generators.getOrDefault("expansion", wanted.getFirst())
          : generators.getOrDefault("structures", wanted.getFirst());
    }
    String name = SHARES.get((int) (number % SHARES.size()));
    return requireNonNull(generators.get(name), name);
  }

  @Test
  void everyBodyIsAnsweredWithAReviewOfItsUidOrRefusedInOneSentence() throws Exception {
    if (wanted.isEmpty()) {
      return; // another attack was asked for
    }
    System.out.printf("endpoints: %d inputs, seed %d%n", KNOBS.inputs(), KNOBS.seed());
    long began = System.nanoTime();
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors());
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        tasks.add(this::fuzz);
      }
      for (Future<Void> task : pool.invokeAll(tasks)) {
        task.get();
      }
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    System.out.printf(
        "endpoints: %d inputs in %.1f s (%.0f a second), %d reviews, %d bytes of answers; the"
            + " slowest took %d ms: %s%n",
        KNOBS.inputs(),
        seconds,
        KNOBS.inputs() / seconds,
        reviews.sum(),
        bytes.sum(),
        slowest.get() / 1_000_000,
        slowestBody);
    costs.forEach((name, cost) -> System.out.printf("endpoints: %s: %s%n", name, cost));
    assertThat(breaches.report()).isEmpty();
    assertThat(reviews.sum()).as("reviews among the answers").isPositive();
  }

  private Void fuzz() throws IOException {
    long end = KNOBS.first() + KNOBS.inputs();
    for (long number = next.getAndIncrement(); number < end; number = next.getAndIncrement()) {
      BodyGenerator generator = generator(number);
      long begun = Cost.now();
      Body body = generator.body(KNOBS.seed(), number, most(number));
      Optional<String> breach = breach(body, begun, costs.get(generator.name()));
      breach.ifPresent(what -> breaches.add(body, what));
    }
    return null;
  }

  private static int most(long number) {
    return number % 1000 == 0 ? MOST_BYTES : LARGE;
  }

  private Optional<String> breach(Body body, long begun, Cost cost) throws IOException {
    long drawn = Cost.now();
    long began = System.nanoTime();
    Answer answer;
    try {
      Endpoint endpoint = requireNonNull(endpoints.get(body.path()), body.path());
      answer = endpoint.answer(body.bytes(), Deadline.after(TIME, System::nanoTime));
    } catch (RuntimeException | StackOverflowError e) {
      return Optional.of("threw " + e);
    }
    note(body, System.nanoTime() - began);
    long answered = Cost.now();
    bytes.add(answer.length());
    if (Answered.isReview(answer.status())) {
      reviews.increment();
    }
    Optional<String> breach = Answered.breach(body, answer.status(), stream(answer));
    cost.add(begun, drawn, answered, Cost.now());
    return breach;
  }

  private void note(Body body, long nanos) {
    if (nanos > slowest.get()) {
      slowest.set(nanos);
      slowestBody = body.toString();
    }
  }

  private static InputStream stream(Answer answer) {
    return new SequenceInputStream(
        Collections.enumeration(
            answer.segments().stream().map(ByteArrayInputStream::new).toList()));
  }
}
