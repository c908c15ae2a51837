package dev.sluice.webhook;

import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.server.HttpsListener;
import dev.sluice.webhook.server.SelfProbe;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
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
  private final Supplier<List<Endpoint>> endpoints;
  private final Function<List<Endpoint>, Future<HttpsListener>> listen;
  private final IntFunction<SelfProbe> probeOf;
  private final Promise<Void> over = Promise.promise();
  private volatile boolean begun;
  private volatile boolean closed;

  /**
   * A warm-up that has not begun.
   *
   * @param longest zero for none
   * @param endpoints makes those that are asked
   * @param listen opens a port where they answer
   * @param probeOf asks at that port
   */
  WarmUp(
      Duration longest,
      Supplier<List<Endpoint>> endpoints,
      Function<List<Endpoint>, Future<HttpsListener>> listen,
      IntFunction<SelfProbe> probeOf) {
    this.longest = longest;
    this.endpoints = endpoints;
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
    List<Endpoint> asked = endpoints.get();
    listen
        .apply(asked)
        .compose(
            listener -> {
              SelfProbe probe = probeOf.apply(listener.port());
              int most = ROUNDS * asked.size();
              return repeat(
                      number -> !closed && number < most && System.nanoTime() - end < 0,
                      number -> probe.probe(List.of(asked.get(number % asked.size()))))
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

  /**
   * Takes steps while that holds of their number, one after the other.
   *
   * @param step completes later, not at once
   */
  static Future<Void> repeat(IntPredicate goOn, IntFunction<Future<Void>> step) {
    Promise<Void> over = Promise.promise();
    next(goOn, step, 0, over);
    return over.future();
  }

  // futures composed of each other would all be on the stack when the last one completes
  private static void next(
      IntPredicate goOn, IntFunction<Future<Void>> step, int number, Promise<Void> over) {
    if (goOn.test(number)) {
      step.apply(number).onSuccess(_ -> next(goOn, step, number + 1, over)).onFailure(over::fail);
    } else {
      over.complete();
    }
  }

  /** Ends it soon; completes then. */
  Future<Void> stop() {
    closed = true;
    return begun ? over.future() : Future.succeededFuture();
  }
}
