package dev.sluice.webhook.server;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;

/**
 * Lets callers leave before a server closes. A server that closes first may lose answers: if a
 * caller has just sent something more, the system answers it with a reset, and the caller then
 * drops what it has received and not read yet. So each caller is asked to go, keeps being answered,
 * and closes the connection itself.
 *
 * @param gate knows the connections, and its clock is used
 */
record Farewell(Vertx vertx, ConnectionGate gate) {
  private static final long LOOK_MILLIS = 20;

  /** After so long without a request, a caller that has not left is not going to send one. */
  private static final Duration SILENCE = Duration.ofSeconds(1);

  /**
   * Asks all callers to leave.
   *
   * @return done when they have left or ask for nothing, or after this time
   */
  Future<Void> say(Duration patience) {
    List<OpenConnection> asked = gate.all().stream().filter(OpenConnection::sayFarewell).toList();
    if (asked.isEmpty()) {
      return Future.succeededFuture();
    }
    Promise<Void> done = Promise.promise();
    long began = gate.nanoTime();
    vertx.setPeriodic(
        LOOK_MILLIS,
        timer -> {
          long now = gate.nanoTime();
          boolean isLate = now - began >= patience.toNanos();
          if (isLate || asked.stream().noneMatch(it -> isAwaited(it, began, now))) {
            vertx.cancelTimer(timer);
            done.tryComplete();
          }
        });
    return done.future();
  }

  private boolean isAwaited(OpenConnection connection, long began, long now) {
    long silentSince = Math.max(connection.idleSince() - began, 0) + began;
    return gate.isOpen(connection)
        && (connection.isBusy() || now - silentSince < SILENCE.toNanos());
  }
}
