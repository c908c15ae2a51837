package dev.sluice.webhook.server;

import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;

/** The heartbeat of one event loop: a timer on it, which a dead or blocked loop does not run. */
public final class Pulse extends VerticleBase {
  private static final long EVERY_MILLIS = 1_000;
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final Heartbeat heart;

  private Pulse(Heartbeat heart) {
    this.heart = heart;
  }

  /** Starts one on each of so many event loops, which Vert.x hands out in turn. */
  public static Future<Void> start(Vertx vertx, int eventLoops, Part part) {
    return vertx
        .deployVerticle(
            () -> new Pulse(part.heartbeat(DEADLINE)),
            new DeploymentOptions().setInstances(eventLoops))
        .mapEmpty();
  }

  @Override
  public Future<?> start() {
    heart.beat();
    vertx.setPeriodic(EVERY_MILLIS, _ -> heart.beat());
    return Future.succeededFuture();
  }

  @Override
  public Future<?> stop() {
    heart.close();
    return Future.succeededFuture();
  }
}
