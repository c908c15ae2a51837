package dev.sluice.supervision;

/** Ends the process. Tests use an implementation that only records the call. */
@FunctionalInterface
public interface ProcessEnd {
  /** The exit code after an {@link Error} or broken state: an internal software error. */
  int BROKEN = 70;

  /** The exit code of a scheduler that lost the Lease. */
  int DEPOSED = 1;

  /**
   * Ends the process at once. Nothing is closed, because what would have to close may be what is
   * broken. Does not return in production.
   *
   * @param why one sentence that names the part and the cause
   */
  void halt(int code, String why);

  /**
   * Ends the process in order: shutdown hooks run, for a bounded time. Returns at once.
   *
   * @param why one sentence
   */
  default void leave(int code, String why) {
    halt(code, why);
  }
}
