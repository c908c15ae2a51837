package dev.sluice.multicluster.link;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.Messages;
import dev.sluice.cluster.access.AccessException;
import dev.sluice.cluster.access.Target;
import dev.sluice.cluster.access.TargetAccess;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.cluster.view.KindStatus;
import dev.sluice.cluster.view.KindStatus.State;
import dev.sluice.multicluster.link.LinkSource.Unusable;
import dev.sluice.multicluster.link.LinkSource.Usable;
import dev.sluice.multicluster.link.LinkState.Phase;
import dev.sluice.multicluster.view.WorkerKinds;
import dev.sluice.multicluster.view.WorkerView;
import dev.sluice.supervision.Supervisor;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link to one worker: acts on its {@link LinkState}, and reports the results to it. For one
 * thread, which may wait for this worker; other links have threads of their own.
 */
final class WorkerLink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerLink.class);
  private static final int LONGEST_ERROR = 1024;
  private static final int MOST_JITTER_MILLIS = 500;

  private final String name;
  private final WorkerKinds kinds;
  private final Incarnations incarnations;
  private final LinkTimes times;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Supervisor supervisor;
  private final Workers workers;
  private final Runnable wake;

  /** Whether the worker refused our login to a request since the last step. Set by any thread. */
  private final AtomicBoolean isLoginRefused = new AtomicBoolean();

  private LinkState state;
  private @Nullable LinkSource lastRead;
  private LinkSource lastChecked = new Unusable("", "");
  private @Nullable WorkerConnection connection;
  private @Nullable WorkerView view;
  private Optional<String> incarnation = Optional.empty();

  /** The address at which the cluster was that this link holds; null if it holds none. */
  private @Nullable URI held;

  private @Nullable Instant brokenSince;

  /**
   * A link that is not open yet.
   *
   * @param wake asks for the next step; must not block
   */
  WorkerLink(
      String name,
      Optional<Condition> stored,
      WorkerKinds kinds,
      Incarnations incarnations,
      LinkTimes times,
      InstantSource clock,
      RandomGenerator random,
      Supervisor supervisor,
      Workers workers,
      Runnable wake) {
    this.name = name;
    this.kinds = kinds;
    this.incarnations = incarnations;
    this.times = times;
    this.clock = clock;
    this.random = random;
    this.supervisor = supervisor;
    this.workers = workers;
    this.wake = wake;
    this.state = LinkState.unread(stored, clock.instant());
  }

  LinkState state() {
    return state;
  }

  /** Whether the source should be read again, since the worker refused our login. */
  boolean isLoginRefused() {
    return isLoginRefused.get();
  }

  /**
   * The source is this now; opens, watches or closes the connection as that demands.
   *
   * @return whether the source is another than at the last step
   */
  boolean step(LinkSource read) {
    boolean wasRefused = isLoginRefused.getAndSet(false);
    boolean isNew = !read.equals(lastRead);
    if (isNew) {
      lastChecked = checked(read);
      lastRead = read;
      releaseFormer();
    }
    LinkState before = state;
    state = state.read(lastChecked, clock.instant());
    if (!state.isOpen()) {
      shut();
    } else if (isNew && before.isOpen() && lastChecked instanceof Usable usable) {
      rotate(usable);
    } else if (wasRefused && !isNew) {
      confirmRefusal();
    }
    advance();
    Optional<WorkerView> watched = Optional.ofNullable(view);
    workers.report(
        name, state.link(), watched, watched.map(WorkerView::notServed).orElse(Set.of()));
    return isNew;
  }

  /** Another login or certificate leads to the same cluster; another address may not. */
  private void releaseFormer() {
    if (held != null
        && lastChecked instanceof Usable(Target target)
        && !target.server().equals(held)) {
      held = null;
      incarnations.release(name);
    }
  }

  private static LinkSource checked(LinkSource read) {
    try {
      if (read instanceof Usable usable) {
        var _ = TargetAccess.to(usable.target());
      }
      return read;
    } catch (AccessException e) {
      return Unusable.noClient(String.valueOf(e.getMessage()));
    }
  }

  private void rotate(Usable usable) {
    WorkerConnection open = connection;
    if (open != null) {
      open.replaceLogin(usable.target());
      LOG.info("MultiKueueCluster {}: the login was replaced, its watches go on", name);
    }
  }

  /** The refused request may have had an earlier login, so the worker is asked once more. */
  private void confirmRefusal() {
    WorkerConnection open = connection;
    if (open != null && state.phase() instanceof Phase.Connected) {
      open.refusal(times.probe()).ifPresent(this::fail);
    }
  }

  private void advance() {
    Instant now = clock.instant();
    if (state.isDue(now) && lastChecked instanceof Usable usable) {
      state = state.begun(now);
      begin(usable);
    } else if (state.phase() instanceof Phase.Connecting) {
      awaitView(now);
    } else if (state.phase() instanceof Phase.Connected) {
      observe(now);
    }
  }

  private void begin(Usable usable) {
    shut();
    brokenSince = null;
    WorkerConnection opened = new WorkerConnection(TargetAccess.to(usable.target()));
    connection = opened;
    try {
      incarnation = opened.incarnation(times.probe());
      if (incarnation.isEmpty()) {
        incarnations.reached(name);
      }
      Optional<String> conflict = incarnation.flatMap(uid -> incarnations.claim(name, uid));
      if (conflict.isPresent()) {
        fail(conflict.get());
        return;
      }
      held = usable.target().server();
      view = opened.watch(kinds, workers.changesOf(name, this::loginRefused), supervisor);
    } catch (ConnectionException e) {
      fail(String.valueOf(e.getMessage()));
    }
  }

  private void loginRefused() {
    isLoginRefused.set(true);
    wake.run();
  }

  private void awaitView(Instant now) {
    WorkerView watched = view;
    if (watched == null) {
      fail("the attempt was interrupted");
      return;
    }
    KindStatus workloads = watched.workloads();
    if (workloads.state() == State.NOT_SERVED) {
      fail(notServed());
    } else if (watched.isComplete()) {
      state = state.connected(incarnation, restrictions(watched));
      LOG.info("MultiKueueCluster {}: connected", name);
    } else if (workloads.problem().isPresent()) {
      fail(kindProblem(workloads.problem().get()));
    } else if (state.isOverdue(now)) {
      fail("not all was listed in time");
    }
  }

  private void observe(Instant now) {
    WorkerView watched = view;
    if (watched == null) {
      fail("the connection was closed");
      return;
    }
    KindStatus workloads = watched.workloads();
    switch (workloads.state()) {
      case CURRENT -> whole(watched, now);
      case NOT_SERVED -> fail(notServed());
      case FILLING, STALE -> broken(workloads, now);
    }
  }

  private void whole(WorkerView watched, Instant now) {
    boolean wasBroken = brokenSince != null;
    brokenSince = null;
    if (wasBroken && isAnotherCluster()) {
      LOG.warn("MultiKueueCluster {}: the server is another cluster than before", name);
      shut();
      state = state.replaced(now);
      return;
    }
    incarnation
        .flatMap(uid -> incarnations.claim(name, uid))
        .ifPresentOrElse(
            this::fail, () -> state = state.connected(incarnation, restrictions(watched)));
  }

  private boolean isAnotherCluster() {
    WorkerConnection open = connection;
    try {
      return open != null
          && incarnation.isPresent()
          && open.incarnation(times.probe())
              .filter(it -> !incarnation.get().equals(it))
              .isPresent();
    } catch (ConnectionException _) {
      brokenSince = clock.instant(); // asked again at the next look
      return false;
    }
  }

  private void broken(KindStatus workloads, Instant now) {
    Instant since = brokenSince == null ? now : brokenSince;
    brokenSince = since;
    if (!now.isBefore(since.plus(times.loss()))) {
      fail(kindProblem(workloads.problem().orElse("their watch ended")));
    }
  }

  private static String kindProblem(String problem) {
    return "Workloads cannot be watched there: " + problem;
  }

  private String notServed() {
    return "Workloads are not served there (expected: %s)".formatted(kinds.workloads());
  }

  private static String restrictions(WorkerView watched) {
    return Messages.cut(watched.restrictions(), LONGEST_ERROR);
  }

  private void fail(String error) {
    shut();
    Duration jitter = Duration.ofMillis(random.nextInt(MOST_JITTER_MILLIS));
    state = state.failed(Messages.cut(error, LONGEST_ERROR), clock.instant(), jitter);
    LOG.info("MultiKueueCluster {}: not connected: {}", name, error);
  }

  /** When to look again without an event; empty for never. */
  Optional<Duration> pause() {
    return switch (state.phase()) {
      case Phase.Closed _ -> Optional.empty();
      case Phase.Connecting _ -> Optional.of(times.connecting());
      case Phase.Connected _ -> Optional.of(times.connected());
      case Phase.Waiting waiting ->
          Optional.of(Duration.between(clock.instant(), waiting.nextAttempt()).plusMillis(1));
    };
  }

  private void shut() {
    WorkerConnection open = connection;
    connection = null;
    view = null;
    incarnation = Optional.empty();
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() {
    workers.remove(name);
    shut();
  }
}
