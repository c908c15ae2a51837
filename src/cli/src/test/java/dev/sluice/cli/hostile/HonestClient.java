package dev.sluice.cli.hostile;

import dev.sluice.cli.hostile.HonestCalls.Call;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Calls fifty times a second as honest callers do: over one connection of HTTP/2 as an API server,
 * on plain ports as a kubelet and a Prometheus, and twice a second on a connection that is new, as
 * an API server that was just started. Each call must succeed in bounded time.
 */
final class HonestClient implements AutoCloseable {
  private static final int CALLS_A_SECOND = 50;
  private static final int NEW_CONNECTION_EVERY = 25;
  private static final int PAGE_EVERY = 10;
  private static final int MOST_TOLD = 5;

  private final HonestCalls calls;
  private final SSLContext trust;
  private final long slowMicros;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final HttpClient reviews;
  private final HttpClient pages;
  private long number;
  private Tally tally = new Tally();
  private long lastBad = System.nanoTime();

  /** The results of the calls since the last time that they were asked for. */
  static final class Tally {
    private final List<Long> micros = new ArrayList<>();
    private final List<String> bad = new ArrayList<>();
    private int badCount;

    int badCount() {
      return badCount;
    }

    int calls() {
      return micros.size() + badCount;
    }

    /** The first of the calls that failed or were slow. */
    String bad() {
      return badCount + " of " + calls() + " honest calls failed or were slow: " + bad;
    }

    private double millis(double part) {
      List<Long> sorted = new ArrayList<>(micros);
      sorted.sort(null);
      return sorted.isEmpty()
          ? 0
          : sorted.get((int) Math.min(sorted.size() - 1, part * sorted.size())) / 1e3;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%d honest calls, %d bad, p50 %.1f ms, p99 %.1f ms, at most %.0f ms",
          calls(),
          badCount,
          millis(0.5),
          millis(0.99),
          millis(1));
    }
  }

  HonestClient(HonestCalls calls, SSLContext trust, Duration slow) {
    this.calls = calls;
    this.slowMicros = TimeUnit.MILLISECONDS.toMicros(slow.toMillis());
    this.trust = trust;
    this.reviews = client();
    this.pages = HttpClient.newBuilder().version(Version.HTTP_1_1).executor(threads).build();
  }

  private HttpClient client() {
    return HttpClient.newBuilder()
        .sslContext(trust)
        .version(Version.HTTP_2)
        .executor(threads)
        .build();
  }

  /** Calls from now on. */
  void start() {
    var _ =
        clock.scheduleAtFixedRate(this::tick, 0, 1_000_000 / CALLS_A_SECOND, TimeUnit.MICROSECONDS);
  }

  private void tick() {
    long current = number++;
    threads.execute(() -> call(current));
  }

  private void call(long current) {
    if (current % NEW_CONNECTION_EVERY == 3) {
      try (HttpClient fresh = client()) {
        call(fresh, calls.review(current), " on a new connection");
        fresh.shutdownNow();
      }
    } else if (current % PAGE_EVERY == 0) {
      call(pages, calls.page(current / PAGE_EVERY), "");
    } else {
      call(reviews, calls.review(current), "");
    }
  }

  private void call(HttpClient client, Call call, String how) {
    long began = System.nanoTime();
    String problem;
    try {
      HttpResponse<String> answer = client.send(call.request(), BodyHandlers.ofString());
      problem =
          answer.statusCode() == 200 && call.good().test(answer.body())
              ? null
              : answer.statusCode() + " " + Answered.brief(answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    } catch (java.io.IOException e) {
      problem = e.toString();
    }
    note(call.name() + how, (System.nanoTime() - began) / 1000, problem);
  }

  private synchronized void note(String name, long micros, @Nullable String problem) {
    boolean isSlow = micros > slowMicros;
    if (problem == null && !isSlow) {
      tally.micros.add(micros);
      return;
    }
    lastBad = System.nanoTime();
    tally.badCount++;
    if (tally.bad.size() < MOST_TOLD) {
      tally.bad.add(
          "%s: %s after %d ms".formatted(name, problem == null ? "slow" : problem, micros / 1000));
    }
  }

  /** What came since the last time; the next begins now. */
  synchronized Tally take() {
    Tally taken = tally;
    tally = new Tally();
    return taken;
  }

  /** Whether nothing went wrong for that long. */
  synchronized boolean isContentFor(long millis) {
    return System.nanoTime() - lastBad > TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Override
  public void close() {
    clock.shutdownNow();
    threads.shutdownNow();
    reviews.shutdownNow();
    pages.shutdownNow();
  }
}
