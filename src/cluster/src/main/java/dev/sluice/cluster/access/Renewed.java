package dev.sluice.cluster.access;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value that is read again when it is stale. If that fails, the last good value stays and the
 * reading is tried again, at most every ten seconds. While one thread reads, the others get the
 * value before. Safe for many threads.
 */
final class Renewed<T> {
  /** How old what was read from a file may get. */
  static final Duration FILE_AGE = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(Renewed.class);
  private static final Duration RETRY = Duration.ofSeconds(10);
  private static final Duration BETWEEN_REFUSALS = Duration.ofSeconds(1);

  private final String name;
  private final Supplier<Reading<T>> reader;
  private final InstantSource clock;
  private final ReentrantLock reading = new ReentrantLock();
  private volatile Reading<T> last;
  private volatile Instant lastTried;
  private String lastComplaint = "";

  /**
   * What was read.
   *
   * @param staleAt when to read again; {@link Instant#MAX} if the value cannot change
   */
  record Reading<T>(T value, Instant staleAt) {}

  private Renewed(String name, Supplier<Reading<T>> reader, InstantSource clock) {
    this.name = name;
    this.reader = reader;
    this.clock = clock;
    this.last = reader.get();
    this.lastTried = Instant.MIN;
  }

  /**
   * Reads the first value.
   *
   * @param name what it is, for the log
   * @throws AccessException of the reader
   */
  static <T> Renewed<T> read(String name, Supplier<Reading<T>> reader, InstantSource clock) {
    return new Renewed<>(name, reader, clock);
  }

  /** A value that stays. */
  static <T> Renewed<T> fixed(T value) {
    return new Renewed<>("", () -> new Reading<>(value, Instant.MAX), InstantSource.system());
  }

  /** The value, read again if it is stale: may read files or run a program. */
  T get() {
    if (clock.instant().isBefore(last.staleAt())) {
      return last.value();
    }
    return readUnless(_ -> clock.instant().isBefore(last.staleAt()));
  }

  /**
   * The value after the server refused the one that was used, read again unless it has changed
   * since.
   *
   * @param refused whether a value is the one that was refused
   */
  T afterRefusal(Predicate<T> refused) {
    return readUnless(value -> !refused.test(value) || wasJustTried());
  }

  /** A clock that was set back says nothing. */
  private boolean wasJustTried() {
    Instant now = clock.instant();
    return !now.isBefore(lastTried) && now.isBefore(lastTried.plus(BETWEEN_REFUSALS));
  }

  private T readUnless(Predicate<T> good) {
    if (!reading.tryLock()) {
      return last.value();
    }
    try {
      if (!good.test(last.value())) {
        readAgain();
      }
      return last.value();
    } finally {
      reading.unlock();
    }
  }

  private void readAgain() {
    try {
      last = reader.get();
      lastComplaint = "";
    } catch (AccessException e) {
      String complaint = String.valueOf(e.getMessage());
      if (!complaint.equals(lastComplaint)) {
        LOG.warn("{} cannot be read again, using the previous content: {}", name, complaint);
        lastComplaint = complaint;
      }
      last = new Reading<>(last.value(), clock.instant().plus(RETRY));
    } finally {
      lastTried = clock.instant();
    }
  }
}
