package dev.sluice.cli.installed;

import static org.awaitility.Awaitility.await;

import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlaneException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A client that calls at a constant rate: writes that are reviewed, reads that are converted, and
 * new connections that trust what is published. What is sent does not wait for answers, up to a
 * number of calls under way; a call that would be one more is not sent, and counted. So is one that
 * the API server itself does not answer, on a machine with too much to do: it says nothing of the
 * servers behind it.
 *
 * <p>A call that gets 429 is retried after a second, as clients of Kubernetes do. The API server
 * answers so while it rebuilds the handlers of a CRD, after each change of the CRD.
 */
final class ConstantCalls implements AutoCloseable {
  private static final int FEWEST_UNDER_WAY = 2;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
  private static final Duration PATIENCE = RETRY_AFTER.multipliedBy(10);

  private final Replicas replicas;
  private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
  private final int mostUnderWay;
  private final Semaphore underWay;
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger heldBack = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final AtomicInteger retried = new AtomicInteger();
  private final AtomicLong slowest = new AtomicLong();
  private final List<Failure> failures = new CopyOnWriteArrayList<>();

  /**
   * A call that failed.
   *
   * @param began by {@link System#nanoTime}
   * @param ended likewise
   */
  record Failure(String call, long began, long ended, String why) {
    /** Whether it was under way at some moment of that span. */
    boolean overlaps(long from, long until) {
      return began <= until && ended >= from;
    }
  }

  private ConstantCalls(Replicas replicas, int rate) {
    this.replicas = replicas;
    this.mostUnderWay = Math.max(FEWEST_UNDER_WAY, rate / 8);
    this.underWay = new Semaphore(mostUnderWay);
  }

  /** Begins, with that many calls a second. */
  static ConstantCalls start(Replicas replicas, int rate) {
    ConstantCalls started = new ConstantCalls(replicas, rate);
    var _ =
        started.ticks.scheduleAtFixedRate(
            started::next, 0, Duration.ofSeconds(1).toNanos() / rate, TimeUnit.NANOSECONDS);
    return started;
  }

  private void next() {
    if (!underWay.tryAcquire()) {
      heldBack.incrementAndGet();
      return;
    }
    int turn = sent.getAndIncrement();
    calls.execute(
        () -> {
          try {
            switch (turn % 4) {
              case 0, 1 -> call("create", () -> answered(replicas::createsAJob));
              case 2 -> call("read", () -> answered(replicas::readsAnotherVersion));
              default -> call("handshake", this::handshake);
            }
          } finally {
            underWay.release();
          }
        });
  }

  private void call(String name, Supplier<Optional<String>> call) {
    long began = System.nanoTime();
    Optional<String> problem;
    try {
      problem = call.get();
    } catch (ControlPlaneException e) {
      unanswered.incrementAndGet();
      return;
    } catch (RuntimeException e) {
      problem = Optional.of(e.toString());
    }
    answered.incrementAndGet();
    long ended = System.nanoTime();
    slowest.accumulateAndGet(ended - began, Math::max);
    problem.ifPresent(why -> failures.add(new Failure(name, began, ended, why)));
  }

  private Optional<String> answered(Supplier<ApiClient.Response> call) {
    ApiClient.Response answer = call.get();
    if (answer.status() == TOO_MANY_REQUESTS) {
      retried.incrementAndGet();
      answer =
          await()
              .pollInterval(RETRY_AFTER)
              .atMost(PATIENCE)
              .until(call::get, it -> it.status() != TOO_MANY_REQUESTS);
    }
    return answer.isSuccess()
        ? Optional.empty()
        : Optional.of(answer.status() + " " + answer.body());
  }

  private Optional<String> handshake() {
    try {
      return Handshakes.problem(replicas.bundle(), replicas.port());
    } catch (GeneralSecurityException e) {
      return Optional.of(e.toString());
    }
  }

  /** How many were sent so far. */
  int sent() {
    return sent.get();
  }

  /** How many had an answer so far, good or bad. */
  int answered() {
    return answered.get();
  }

  List<Failure> failures() {
    return List.copyOf(failures);
  }

  /** How it went, for people. */
  @Override
  public String toString() {
    return ("%d calls, %d failed, %d unanswered, %d asked again after 429, %d not sent because %d"
            + " were under way, slowest %d ms")
        .formatted(
            sent.get(),
            failures.size(),
            unanswered.get(),
            retried.get(),
            heldBack.get(),
            mostUnderWay,
            Duration.ofNanos(slowest.get()).toMillis());
  }

  /** Sends no more, and waits for what is under way. */
  @Override
  public void close() {
    ticks.shutdownNow();
    calls.close();
  }
}
