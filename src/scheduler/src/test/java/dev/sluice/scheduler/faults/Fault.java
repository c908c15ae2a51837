package dev.sluice.scheduler.faults;

import java.util.concurrent.atomic.AtomicInteger;

/** What is thrown into a thread. */
public enum Fault {
  ERROR,
  RUNTIME_EXCEPTION,
  INTERRUPTED_EXCEPTION;

  /** Throws it, checked or not, as a library can. */
  public void strike() {
    Fault.<RuntimeException>sneak(
        switch (this) {
          case ERROR -> new AssertionError("thrown by a test");
          case RUNTIME_EXCEPTION -> new IllegalStateException("thrown by a test");
          case INTERRUPTED_EXCEPTION -> new InterruptedException("thrown by a test");
        });
  }

  @SuppressWarnings("unchecked") // the compiler is to believe that it is unchecked
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** Throws it the first time it is passed. */
  public static final class Trap {
    private final Fault fault;
    private final AtomicInteger passes = new AtomicInteger();

    /** One that has not struck yet. */
    public Trap(Fault fault) {
      this.fault = fault;
    }

    /** Throws the first time, and never again. */
    public void pass() {
      if (passes.incrementAndGet() == 1) {
        fault.strike();
      }
    }

    /** Whether it was passed. */
    public boolean hasStruck() {
      return passes.get() > 0;
    }
  }
}
