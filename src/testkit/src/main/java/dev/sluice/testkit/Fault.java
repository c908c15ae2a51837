package dev.sluice.testkit;

import java.util.concurrent.atomic.AtomicInteger;

/** What a test throws into a thread of the product, through work that it gives to the thread. */
public enum Fault {
  ERROR,
  RUNTIME_EXCEPTION,
  INTERRUPTED_EXCEPTION;

  /** How the product names it in a message. */
  public static final String ERROR_TEXT = "java.lang.AssertionError: thrown by a test";

  /** Throws it, checked or not, as a library can. */
  public void strike() {
    Fault.<RuntimeException>sneak(
        switch (this) {
          case ERROR -> new AssertionError("thrown by a test");
          case RUNTIME_EXCEPTION -> new IllegalStateException("thrown by a test");
          case INTERRUPTED_EXCEPTION -> new InterruptedException("thrown by a test");
        });
  }

  /** Throws it at the first pass, and never again. */
  public Trap once() {
    return new Trap(this);
  }

  @SuppressWarnings("unchecked") // the compiler is to believe that it is unchecked
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** Throws it the first time it is passed. */
  public static final class Trap {
    private final Fault fault;
    private final AtomicInteger passes = new AtomicInteger();

    private Trap(Fault fault) {
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
