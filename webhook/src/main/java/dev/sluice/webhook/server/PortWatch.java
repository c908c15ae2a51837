package dev.sluice.webhook.server;

import dev.sluice.certs.ServingCertificate;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.endpoint.Endpoint;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the HTTPS port for a review every ten seconds, on a thread of its own, as the part {@code
 * probe}. Thread-safe.
 */
public final class PortWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PortWatch.class);
  private static final Duration EVERY = Duration.ofSeconds(10);

  /** Most callers give up on a slower server. */
  private static final Duration BOUND = Duration.ofSeconds(15);

  private static final Duration DEADLINE = Duration.ofMinutes(1);

  private final PortProbe probe;
  private final Duration every;
  private final LongSupplier nanoTime;
  private final PortState state;
  private final SupervisedThread thread;

  private PortWatch(PortProbe probe, Duration every, LongSupplier nanoTime, Supervisor supervisor) {
    this.probe = probe;
    this.every = every;
    this.nanoTime = nanoTime;
    this.state = new PortState(nanoTime.getAsLong());
    this.thread =
        supervisor.part("probe").thread(Thread.ofPlatform().daemon(), DEADLINE, this::step);
  }

  /**
   * Starts the probes; their result is part of the supervisor's health.
   *
   * @param endpoint the probed endpoint
   * @param certificate the currently served certificate
   */
  public static PortWatch start(
      String host,
      int port,
      Endpoint endpoint,
      Supplier<ServingCertificate> certificate,
      Supervisor supervisor) {
    return start(
        new PortProbe(new InetSocketAddress(host, port), endpoint, certificate, BOUND),
        EVERY,
        System::nanoTime,
        supervisor);
  }

  static PortWatch start(
      PortProbe probe, Duration every, LongSupplier nanoTime, Supervisor supervisor) {
    PortWatch watch = new PortWatch(probe, every, nanoTime, supervisor);
    supervisor.check(() -> watch.state.problem(nanoTime.getAsLong()));
    watch.thread.start();
    return watch;
  }

  private boolean step(Heartbeat heart) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(every.toNanos());
    boolean wasReady = whyNotReady().isEmpty();
    PortProbe.Outcome outcome = probe.ask();
    state.ended(outcome, nanoTime.getAsLong());
    Optional<String> why = whyNotReady();
    if (why.isEmpty() && outcome instanceof PortProbe.Outcome.Late(String sentence)) {
      LOG.warn("own probe: {}; the server is not ready if the next probe fails too", sentence);
    } else if (why.isEmpty() && !wasReady) {
      LOG.info("the server answers its own probe again");
    } else if (why.isPresent() && wasReady) {
      LOG.error("not ready: {}", why.get());
    }
    return true;
  }

  /** Why no requests should come; empty if they should. */
  public Optional<String> whyNotReady() {
    return state.whyNotReady();
  }

  /** Asks no more; the health of the server is as it was found last. */
  @Override
  public void close() {
    thread.close(Duration.ofSeconds(1));
  }
}
