package dev.sluice.cli.migrate;

import static dev.sluice.cli.cluster.ClusterException.Reason.DENIED;
import static dev.sluice.cli.cluster.ClusterException.Reason.INTERRUPTED;
import static dev.sluice.cli.cluster.ClusterException.Reason.OVERLOADED;
import static dev.sluice.cli.cluster.ClusterException.Reason.UNREACHABLE;

import dev.sluice.api.ExponentialBackoff;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ApiServer.Call;
import dev.sluice.cli.cluster.ClusterException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls that may be repeated, with retries.
 *
 * <p>While the server does not answer or is overloaded (429, 502, 503, 504), all callers wait: as
 * long as Retry-After says, otherwise with exponential backoff up to a minute, and in total no
 * longer than the patience. An error of one object (500, 409) is retried a few times and is then
 * the answer. Thread-safe.
 */
final class RetryingCaller {
  private static final Duration CALL = Duration.ofSeconds(60);
  private static final ExponentialBackoff PAUSES =
      new ExponentialBackoff(Duration.ofMillis(100), Duration.ofSeconds(15));
  private static final long LONGEST_RETRY_AFTER_MILLIS = 60_000;
  private static final int TRIES_OF_AN_OBJECT = 8;

  /** The shortest time between two lines about troubles. */
  private static final long QUIET_NANOS = Duration.ofSeconds(10).toNanos();

  private final ApiServer server;
  private final RateLimiter limiter;
  private final Duration patience;
  private final Consumer<String> told;
  private final AtomicLong nextLine = new AtomicLong(System.nanoTime());

  /**
   * The result of a call.
   *
   * @param answer the last answer
   * @param conflicts the number of conflicts with other writers
   */
  record Outcome(Answer answer, int conflicts) {}

  /**
   * A caller of that server.
   *
   * @param patience how long a call is repeated while there is no answer
   * @param told receives a sentence about why it waits, at most every ten seconds; on the thread of
   *     the call
   */
  RetryingCaller(ApiServer server, RateLimiter limiter, Duration patience, Consumer<String> told) {
    this.server = server;
    this.limiter = limiter;
    this.patience = patience;
    this.told = told;
  }

  /** A GET of metadata. */
  Answer list(String path) {
    return send(Call.get(path, CALL).accepting(ApiServer.METADATA_LIST)).answer();
  }

  /** A GET. */
  Answer get(String path) {
    return send(Call.get(path, CALL)).answer();
  }

  /** A merge patch whose answer has metadata only. */
  Outcome patch(String path, String patch) {
    return send(Call.mergePatch(path, patch, CALL).accepting(ApiServer.METADATA_ONLY));
  }

  /** A server-side apply by force, with a precondition: a conflict is an answer. */
  Answer apply(String path, String fieldManager, String body) {
    String query = "?force=true&fieldManager=" + fieldManager;
    return send(new Call("PATCH", path + query, ApiServer.JSON, ApiServer.APPLY, body, CALL), 1)
        .answer();
  }

  /** A merge patch with a precondition: a conflict is an answer. */
  Answer patchOnce(String path, String patch) {
    return send(Call.mergePatch(path, patch, CALL), 1).answer();
  }

  /**
   * Sends until there is an answer that repeating does not change.
   *
   * @throws ClusterException with reason UNREACHABLE or OVERLOADED when its time has passed, with
   *     DENIED if the server does not know the user
   */
  private Outcome send(Call call) {
    return send(call, TRIES_OF_AN_OBJECT);
  }

  private Outcome send(Call call, int conflictTries) {
    long end = System.nanoTime() + patience.toNanos();
    int conflicts = 0;
    int errors = 0;
    for (int troubles = 0; ; ) {
      sleep(limiter.reserve(System.nanoTime()));
      Attempt attempt = attempt(call);
      Answer answer = attempt.answer();
      if (answer == null || isTrouble(answer.status())) {
        long pause = pauseMillis(++troubles, answer);
        if (System.nanoTime() + pause * 1_000_000 - end > 0) {
          throw failure(attempt);
        }
        tell(attempt);
        limiter.holdUntil(System.nanoTime() + pause * 1_000_000);
      } else if (answer.status() == 409 && conflicts + 1 < conflictTries) {
        sleep(pauseMillis(++conflicts, null) * 1_000_000);
      } else if (answer.status() == 500 && errors + 1 < TRIES_OF_AN_OBJECT) {
        sleep(pauseMillis(++errors, answer) * 1_000_000);
      } else if (answer.status() == 401) {
        throw new ClusterException(
            DENIED, "the API server does not accept the credentials: " + answer.message());
      } else {
        return new Outcome(answer, conflicts);
      }
    }
  }

  private record Attempt(@Nullable Answer answer, @Nullable ClusterException failure) {}

  private Attempt attempt(Call call) {
    try {
      return new Attempt(server.send(call), null);
    } catch (ClusterException e) {
      if (e.reason() != UNREACHABLE) {
        throw e;
      }
      return new Attempt(null, e);
    }
  }

  private static boolean isTrouble(int status) {
    return status == 429 || status == 502 || status == 503 || status == 504;
  }

  /** Grows with each try, with some chance in it so that callers do not come back together. */
  private static long pauseMillis(int tries, @Nullable Answer answer) {
    Optional<Duration> asked = answer == null ? Optional.empty() : answer.retryAfter();
    if (asked.isPresent()) {
      return Math.min(asked.get().toMillis(), LONGEST_RETRY_AFTER_MILLIS);
    }
    return PAUSES.jittered(tries, ThreadLocalRandom.current()).toMillis();
  }

  private void tell(Attempt attempt) {
    long now = System.nanoTime();
    long due = nextLine.get();
    if (now - due >= 0 && nextLine.compareAndSet(due, now + QUIET_NANOS)) {
      told.accept(
          "%s; retrying for up to %d s"
              .formatted(failure(attempt).getMessage(), patience.toSeconds()));
    }
  }

  private ClusterException failure(Attempt attempt) {
    if (attempt.failure() != null) {
      return attempt.failure();
    }
    String said = attempt.answer() == null ? "" : attempt.answer().message();
    return new ClusterException(
        OVERLOADED, "the API server " + server.base() + " asks to retry later: " + said);
  }

  private static void sleep(long nanos) {
    if (nanos <= 0) {
      return;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException(INTERRUPTED, "interrupted", e);
    }
  }
}
