package dev.sluice.cli.hostile;

import dev.sluice.controlplane.Poll;
import java.time.Duration;

/**
 * No attack at all: what honest callers see of this machine. If this fails, it is too busy for the
 * others to tell anything.
 */
final class Calm implements Attack {
  private static final Duration PAUSE = Duration.ofMillis(50);

  @Override
  public String name() {
    return "calm";
  }

  @Override
  public String run(Target target, Breaches breaches) {
    Duration left = Duration.ofNanos(Math.max(0, target.end() - System.nanoTime()));
    Poll.until(left, PAUSE, () -> false);
    return "nothing";
  }
}
