package dev.sluice.multicluster.link;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.multicluster.link.LinkSource.Unusable;
import dev.sluice.multicluster.link.LinkSource.Usable;
import dev.sluice.multicluster.protocol.Link;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of the link to one worker. Immutable: each event returns the next state, and the time
 * is an argument. Its owner opens and closes connections as the phase says.
 *
 * @param source what the kubeconfig amounts to; empty before it was read
 * @param failures attempts in a row that failed; the loss of a connection counts as one
 * @param isConcluded whether this process has ended an attempt, or the source leads nowhere; before
 *     that the stored condition stays
 * @param lostSince since when there is no connection, also by an earlier process; empty while there
 *     is one
 * @param epoch grows with each connection; what was seen in an earlier one says nothing in this one
 */
record LinkState(
    Optional<LinkSource> source,
    Phase phase,
    int failures,
    boolean isConcluded,
    Optional<Instant> lostSince,
    long epoch) {
  private static final Duration FIRST_DELAY = Duration.ofSeconds(5);
  private static final int LONGEST_STEP = 7;
  private static final List<Duration> BOUNDS =
      List.of(
          Duration.ofMinutes(1),
          Duration.ofMinutes(2),
          Duration.ofMinutes(4),
          Duration.ofMinutes(8),
          Duration.ofMinutes(10));

  /** The phase of a link. */
  sealed interface Phase {
    /** The source was not read, or names no usable cluster. */
    record Closed() implements Phase {}

    /**
     * The next attempt begins then.
     *
     * @param error what ended the last one; empty if there was none
     */
    record Waiting(Instant nextAttempt, String error) implements Phase {}

    /**
     * An attempt is under way, until then at most.
     *
     * @param error what ended the last one; empty if there was none
     */
    record Connecting(Instant until, String error) implements Phase {}

    /**
     * The link is connected.
     *
     * @param incarnation the uid of the namespace kube-system there; empty if it may not be read
     * @param restrictions what cannot be done there, as the condition tells it; empty if nothing
     */
    record Connected(Optional<String> incarnation, String restrictions) implements Phase {}
  }

  LinkState {
    requireNonNull(source, "source");
    requireNonNull(phase, "phase");
    requireNonNull(lostSince, "lostSince");
  }

  /**
   * The state of a link at the start of this process.
   *
   * @param stored the condition Active of the MultiKueueCluster, as an earlier process left it
   */
  static LinkState unread(Optional<Condition> stored, Instant now) {
    Instant since =
        stored
            .filter(it -> it.status() == ConditionStatus.FALSE)
            .map(Condition::lastTransitionTime)
            .orElse(now);
    return new LinkState(Optional.empty(), new Phase.Closed(), 0, false, Optional.of(since), 0);
  }

  /**
   * The source was read. Equal content changes nothing; of the same server with another login
   * neither the phase. Otherwise the link ends, and the next attempt begins at once.
   */
  LinkState read(LinkSource read, Instant now) {
    if (source.equals(Optional.of(read))) {
      return this;
    }
    Optional<LinkSource> next = Optional.of(read);
    return switch (read) {
      case Unusable _ ->
          new LinkState(next, new Phase.Closed(), 0, true, Optional.of(since(now)), epoch);
      case Usable usable when isRotation(usable) && isOpen() ->
          new LinkState(next, phase, failures, isConcluded, lostSince, epoch);
      case Usable _ ->
          new LinkState(
              next, new Phase.Waiting(now, ""), 0, isConcluded, Optional.of(since(now)), epoch);
    };
  }

  /** Whether a kubeconfig names the server of this link, maybe with another login. */
  private boolean isRotation(Usable next) {
    return source
        .filter(Usable.class::isInstance)
        .map(Usable.class::cast)
        .filter(it -> it.target().isSameServer(next.target()))
        .isPresent();
  }

  /** Whether a connection is there or being made. */
  boolean isOpen() {
    return phase instanceof Phase.Connecting || phase instanceof Phase.Connected;
  }

  /** Whether an attempt has to begin. */
  boolean isDue(Instant now) {
    return phase instanceof Phase.Waiting waiting && !now.isBefore(waiting.nextAttempt());
  }

  /** An attempt begins. */
  LinkState begun(Instant now) {
    String error = phase instanceof Phase.Waiting waiting ? waiting.error() : "";
    Duration bound = BOUNDS.get(Math.min(failures, BOUNDS.size() - 1));
    return new LinkState(
        source,
        new Phase.Connecting(now.plus(bound), error),
        failures,
        isConcluded,
        lostSince,
        epoch + 1);
  }

  /** Whether the attempt takes too long. */
  boolean isOverdue(Instant now) {
    return phase instanceof Phase.Connecting connecting && !now.isBefore(connecting.until());
  }

  /** The link is connected, maybe with restrictions. */
  LinkState connected(Optional<String> incarnation, String restrictions) {
    return new LinkState(
        source, new Phase.Connected(incarnation, restrictions), 0, true, Optional.empty(), epoch);
  }

  /**
   * The attempt failed, or the connection is lost.
   *
   * @param jitter what is added to the delay, so that not all links are tried at once
   */
  LinkState failed(String error, Instant now, Duration jitter) {
    int count = failures + 1;
    return new LinkState(
        source,
        new Phase.Waiting(now.plus(delay(count)).plus(jitter), error),
        count,
        true,
        Optional.of(since(now)),
        epoch);
  }

  /** The server is another cluster than before: all that was known of the old one is dropped. */
  LinkState replaced(Instant now) {
    return new LinkState(
        source,
        new Phase.Waiting(now, "the server is another cluster than before"),
        0,
        isConcluded,
        Optional.of(since(now)),
        epoch);
  }

  private Instant since(Instant now) {
    return lostSince.orElse(now);
  }

  /** The delay before the next attempt, without jitter. */
  static Duration delay(int failures) {
    return FIRST_DELAY.multipliedBy(1L << (Math.min(failures, LONGEST_STEP) - 1));
  }

  /** The condition Active that tells it; empty while the stored one stays. */
  Optional<Condition> active(@Nullable Long generation, Instant now) {
    return switch (phase) {
      case Phase.Closed _ ->
          source
              .filter(Unusable.class::isInstance)
              .map(Unusable.class::cast)
              .map(it -> condition(false, it.reason(), it.message(), generation, now));
      case Phase.Connected(_, var restrictions) ->
          Optional.of(
              condition(
                  true,
                  ConditionTypes.ACTIVE,
                  restrictions.isEmpty() ? "Connected" : "Connected; " + restrictions,
                  generation,
                  now));
      case Phase.Waiting(var nextAttempt, var error) when failures > 0 ->
          Optional.of(
              condition(
                  false,
                  Reasons.CLIENT_CONNECTION_FAILED,
                  "%s; connection attempts: %d, next connection attempt: %s"
                      .formatted(error, failures, nextAttempt.truncatedTo(ChronoUnit.SECONDS)),
                  generation,
                  now));
      case Phase.Waiting _, Phase.Connecting _ -> Optional.empty();
    };
  }

  /** The state as the planner needs it. */
  Link link() {
    return switch (phase) {
      case Phase.Connected _ -> new Link.Connected(true);
      case Phase.Closed _ ->
          isConcluded ? lost(sourceError(), Optional.empty()) : new Link.Connecting();
      case Phase.Waiting(var nextAttempt, var error) ->
          isConcluded ? lost(error, Optional.of(nextAttempt)) : new Link.Connecting();
      case Phase.Connecting(_, var error) ->
          isConcluded ? lost(error, Optional.empty()) : new Link.Connecting();
    };
  }

  private Link lost(String error, Optional<Instant> nextAttempt) {
    return new Link.Lost(
        lostSince.orElseThrow(), error, nextAttempt.map(it -> it.truncatedTo(ChronoUnit.SECONDS)));
  }

  private String sourceError() {
    return source
        .filter(Unusable.class::isInstance)
        .map(Unusable.class::cast)
        .map(Unusable::message)
        .orElse("");
  }

  private static Condition condition(
      boolean active, String reason, String message, @Nullable Long generation, Instant now) {
    return new Condition(
        ConditionTypes.ACTIVE,
        active ? ConditionStatus.TRUE : ConditionStatus.FALSE,
        generation,
        now,
        reason,
        message);
  }
}
