package dev.sluice.controlplane;

import static dev.sluice.controlplane.ControlPlaneException.Reason.INTERRUPTED;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for a condition by polling. */
public final class Poll {
  private Poll() {}

  /**
   * Asks at once and then after each pause until the answer is yes or the bound has passed.
   *
   * @return whether the condition came true within {@code bound}
   * @throws ControlPlaneException if the thread is interrupted
   */
  public static boolean until(Duration bound, Duration pause, BooleanSupplier condition) {
    long end = System.nanoTime() + bound.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      pause(pause);
    }
    return true;
  }

  private static void pause(Duration pause) {
    try {
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ControlPlaneException(INTERRUPTED, "interrupted while waiting", e);
    }
  }
}
