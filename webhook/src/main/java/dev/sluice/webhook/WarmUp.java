package dev.sluice.webhook;

import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.server.HttpsListener;
import dev.sluice.webhook.server.SelfProbe;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers reviews on a port of its own for a while, so that the JVM compiles what reviews need.
 * What is measured stays untouched. One review follows after the other, so that those of the API
 * server, which come meanwhile, never wait for more than one. Thread-safe.
 */
final class WarmUp {
  /** Where it listens. */
  static final String HOST = "127.0.0.1";

  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
  private static final Duration CLOSING = Duration.ofSeconds(1);

  /** How often each endpoint is asked at most. */
  private static final int ROUNDS = 400;

  private final Duration longest;
  private final List<Endpoint> endpoints;
  private final Supplier<Future<HttpsListener>> listen;
  private final IntFunction<SelfProbe> probeOf;
  private final Promise<Void> over = Promise.promise();
  private volatile boolean begun;
  private volatile boolean closed;

  /**
   * A warm-up that has not begun.
   *
   * @param longest zero for none
   * @param listen opens a port where the endpoints answer
   * @param probeOf asks at that port
   */
  WarmUp(
      Duration longest,
      List<Endpoint> endpoints,
      Supplier<Future<HttpsListener>> listen,
      IntFunction<SelfProbe> probeOf) {
    this.longest = longest;
    this.endpoints = List.copyOf(endpoints);
    this.listen = listen;
    this.probeOf = probeOf;
  }

  /** Begins and returns at once; to be called once. A warm-up that fails ends. */
  void begin() {
    begun = true;
    if (longest.isZero()) {
      over.complete();
      return;
    }
    long end = System.nanoTime() + longest.toNanos();
    listen
        .get()
        .compose(
            listener -> {
              SelfProbe probe = probeOf.apply(listener.port());
              return ask(probe, 0, end)
                  .eventually(probe::close)
                  .eventually(() -> listener.shutdown(CLOSING));
            })
        .onFailure(e -> LOG.debug("the warm-up has ended early", e))
        .onComplete(_ -> over.complete());
  }

  /** Completes when it has ended, also if it failed. */
  Future<Void> over() {
    return over.future();
  }

  /** Asks the endpoint of that number, and then the others in turn. */
  private Future<Void> ask(SelfProbe probe, int number, long end) {
    boolean isOver = closed || number >= ROUNDS * endpoints.size() || System.nanoTime() - end >= 0;
    return isOver
        ? Future.succeededFuture()
        : probe
            .probe(List.of(endpoints.get(number % endpoints.size())))
            .compose(_ -> ask(probe, number + 1, end));
  }

  /** Ends it soon; completes then. */
  Future<Void> stop() {
    closed = true;
    return begun ? over.future() : Future.succeededFuture();
  }
}
