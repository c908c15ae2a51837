package dev.sluice.webhook.server;

/**
 * Where requests are answered that an event loop does not answer itself. Thread-safe.
 *
 * <p>The lanes do not hold each other up: what waits for the API server takes no thread from what
 * computes, and what is large takes none from what is not.
 */
@FunctionalInterface
public interface Workers {
  /** What is special about a request. */
  enum Lane {
    /** Nothing: it is only too large for an event loop. */
    MEDIUM,
    /** It is large, or becomes so. */
    LARGE,
    /** It may wait for something else than a processor. */
    WAITING
  }

  /**
   * Has a worker do this.
   *
   * @return whether one will; otherwise too much is waiting in this lane
   * @throws java.util.concurrent.RejectedExecutionException if the server is stopping
   */
  boolean tryExecute(Lane lane, Runnable work);
}
