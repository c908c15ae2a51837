package dev.sluice.supervision;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends this process. The threads that end it exist from the start, because a process without memory
 * may be unable to create one. A log that hangs or a shutdown hook that hangs delays the end for a
 * bounded time only. Thread-safe.
 */
public final class Halt implements ProcessEnd {
  private static final Logger LOG = LoggerFactory.getLogger(Halt.class);

  /** How long the log may take before {@link #halt} ends the process without it. */
  private static final Duration FOR_THE_LOG = Duration.ofSeconds(2);

  /** How long shutdown hooks may take after {@link #leave}. */
  private static final Duration GRACE = Duration.ofSeconds(15);

  private static final Pattern NOT_PRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]");
  private static final int LONGEST = 1_000;

  private final Duration grace;
  private final AtomicBoolean asked = new AtomicBoolean();
  private final CountDownLatch halting = new CountDownLatch(1);
  private final CountDownLatch graceBegins = new CountDownLatch(1);
  private final CountDownLatch leaving = new CountDownLatch(1);
  private volatile int code = BROKEN;

  /** Creates the threads that wait for the end. */
  public Halt() {
    this(GRACE);
  }

  Halt(Duration grace) {
    this.grace = grace;
    wait("sluice-halt", halting, () -> haltAfter(FOR_THE_LOG));
    wait("sluice-leave", leaving, () -> Runtime.getRuntime().exit(code));
    wait("sluice-leave-grace", graceBegins, () -> haltAfter(grace));
  }

  private static void wait(String name, CountDownLatch latch, Runnable then) {
    Thread.ofPlatform()
        .daemon()
        .name(name)
        .start(
            () -> {
              boolean asked = false;
              while (!asked) {
                try {
                  latch.await();
                  asked = true;
                } catch (InterruptedException _) {
                  LOG.debug("an interrupt of the thread {} is ignored", name);
                }
              }
              then.run();
            });
  }

  private void haltAfter(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    long left = time.toNanos();
    while (left > 0) {
      try {
        TimeUnit.NANOSECONDS.sleep(left);
      } catch (InterruptedException _) {
        LOG.debug("an interrupt of a thread that ends the process is ignored");
      }
      left = end - System.nanoTime();
    }
    Runtime.getRuntime().halt(code);
  }

  @Override
  public void halt(int with, String why) {
    code = with;
    halting.countDown();
    try {
      System.err.println("sluice: ending with exit code " + with + ": " + oneLine(why));
      LOG.error("ending with exit code {}: {}", with, why);
    } finally {
      Runtime.getRuntime().halt(with);
    }
  }

  /** The message of a failure may hold text of a caller, and the log may be what is broken. */
  private static String oneLine(String why) {
    String shown = why.length() > LONGEST ? why.substring(0, LONGEST) + " ..." : why;
    return NOT_PRINTABLE.matcher(shown).replaceAll("?");
  }

  @Override
  public void leave(int with, String why) {
    if (!asked.compareAndSet(false, true)) {
      return;
    }
    code = with;
    graceBegins.countDown(); // before the log, which may hang
    try {
      LOG.error("ending with exit code {} within {} s: {}", with, grace.toSeconds(), why);
    } finally {
      leaving.countDown(); // after the log, or the process could end before the line is written
    }
  }
}
