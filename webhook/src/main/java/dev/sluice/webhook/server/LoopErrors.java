package dev.sluice.webhook.server;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

/** Errors in the work of a request or connection, which libraries would catch and forget. */
final class LoopErrors {
  private LoopErrors() {}

  /**
   * Reports an {@link Error} to the supervisor, which ends the process: the work may have left more
   * half done than what failed. Does nothing for exceptions, nor where nothing supervises.
   *
   * @param vertx its exception handler is the supervisor's
   */
  static void report(Vertx vertx, Throwable failure) {
    Handler<Throwable> supervisor = vertx.exceptionHandler();
    if (supervisor != null && failure instanceof Error) {
      supervisor.handle(failure);
    }
  }

  /** The same for what a router caught. It reports an AssertionError itself, and no other Error. */
  static void report(RoutingContext context) {
    Throwable failure = context.failure();
    if (failure != null && !(failure instanceof AssertionError)) {
      report(context.vertx(), failure);
    }
  }
}
