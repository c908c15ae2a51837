package dev.sluice.cluster.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ResourceVersion;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.cluster.api.ConnectionException.Reason;
import dev.sluice.cluster.view.KindStatus.State;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the objects of one kind as the API server has them: a list page by page, then a watch from
 * the list's version on, resumed where it broke off; a new list only when the API server no longer
 * has the events since then. Pages are stored as they arrive, and objects missing from a list are
 * removed at its end, so readers never see fewer objects than exist.
 *
 * <p>At intervals, between two watches, it lists the objects at exactly the last version it has
 * seen. Any difference from the store means a missed event: it is counted, and all objects are
 * listed again.
 *
 * <p>One thread runs its steps; events arrive on the client's threads, but never while that thread
 * writes.
 */
final class Reflector {
  private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);

  /** A page is read whole before its objects are pruned, and many kinds are listed at once. */
  private static final int MOST_BYTES_OF_PAGE = 16 << 20;

  private static final int TOO_MANY_REQUESTS = 429;

  private final WatchedKind kind;
  private final Connection connection;
  private final Served served;
  private final WatchTimes times;
  private final RandomGenerator random;
  private final ObjectStore store;
  private final VersionComparison comparison;
  private final WatchReader reader;
  private final WatchFailures failures;
  private final AtomicLong resyncs = new AtomicLong();
  private final AtomicLong missed = new AtomicLong();

  private volatile String resourceVersion = "";
  private volatile boolean listed;
  private volatile State state = State.FILLING;
  private volatile long heardAt;
  private volatile boolean heard;
  private volatile @Nullable String problem;
  private volatile boolean waitsForUs;
  private boolean doubted; // whether the API server said once that it does not serve what it did
  private int limit;
  private boolean open; // of the thread that runs this, as is the next
  private long openedAt;
  private long comparedAt;
  private volatile String complaint = "";
  private volatile @Nullable Heartbeat heart;

  Reflector(
      WatchedKind kind,
      Connection connection,
      Served served,
      WatchTimes times,
      RandomGenerator random,
      Consumer<ObjectChange> listener,
      Part part) {
    this.failures = new WatchFailures(times.leastWait(), times.mostWait(), random);
    this.reader = new WatchReader(kind);
    this.store = new ObjectStore(new ChangeDelivery(listener, part));
    this.kind = kind;
    this.connection = connection;
    this.served = served;
    this.times = times;
    this.comparison = new VersionComparison(kind, connection, times, reader);
    this.random = random;
  }

  ObjectStore store() {
    return store;
  }

  /** Whether all objects were there once, and may be there now. */
  boolean isKnown() {
    return listed;
  }

  boolean isServed() {
    return state != State.NOT_SERVED;
  }

  /** The version up to which the store has all changes; 0 while that is unknown. */
  long reached() {
    // none while there is no list from which the watch can continue
    return ResourceVersion.number(resourceVersion).orElse(0);
  }

  /** Whether the API server needs our conversion webhook to list this kind. */
  boolean waitsForUs() {
    return waitsForUs;
  }

  /** How often all was compared. */
  long resyncs() {
    return resyncs.get();
  }

  /** The number of objects that differed from what the watch had delivered. */
  long missed() {
    return missed.get();
  }

  KindStatus status() {
    Optional<Duration> age =
        heard ? Optional.of(Duration.ofNanos(System.nanoTime() - heardAt)) : Optional.empty();
    return new KindStatus(kind.kind(), state, store.size(), age, Optional.ofNullable(problem));
  }

  /**
   * One round and, if it ends with what an API server may do, the wait after it. All else is thrown
   * on; the next step lists all again then, since an event may be missing.
   */
  boolean step(Heartbeat alive) throws InterruptedException {
    heart = alive;
    boolean known = false;
    try {
      round();
      known = true;
      if (wasInVain()) {
        Thread.sleep(failures.next()); // a proxy may end every watch at once
      } else {
        failures.reset();
      }
    } catch (ConnectionException e) {
      known = true;
      if (watchedFor().compareTo(times.mostWait()) > 0) {
        failures.reset(); // what failed before has nothing to do with it
      }
      Duration wait = after(e, failures);
      alive.succeeded(); // it is the API server's failure, not ours
      Thread.sleep(wait);
    } finally {
      if (!known) {
        resourceVersion = "";
        state = listed ? State.STALE : State.FILLING;
      }
    }
    return true;
  }

  /** How long the watch of this round was open; nothing if none was. */
  private Duration watchedFor() {
    return open ? Duration.ofNanos(System.nanoTime() - openedAt) : Duration.ZERO;
  }

  /** Whether the watch of this round ended well, but at once and without any event. */
  private boolean wasInVain() {
    boolean hadEvent = heardAt - openedAt > 0;
    return !hadEvent && watchedFor().compareTo(times.leastWait()) < 0;
  }

  private void round() {
    open = false;
    if (kind.isOptional() && !listed && !served.hasGroup(kind)) {
      throw Connection.refusal(404, kind.type().apiVersion() + " is not served");
    }
    Optional<String> plural = served.plural(kind);
    if (plural.isEmpty()) {
      throw Connection.refusal(404, kind.type() + " is not served");
    }
    String path = kind.collection(plural.get());
    if (listed && !resourceVersion.isEmpty() && isToBeCompared()) {
      compare(path);
    }
    if (resourceVersion.isEmpty()) {
      list(path);
    }
    watch(path);
  }

  private boolean isToBeCompared() {
    return System.nanoTime() - comparedAt >= times.resync().toNanos();
  }

  /** If that version is too old to be listed, the next comparison suffices. */
  private void compare(String path) {
    comparedAt = System.nanoTime();
    try {
      int differing = comparison.differing(path, resourceVersion, store.versions(), this::heardOf);
      resyncs.incrementAndGet();
      if (differing > 0) {
        missed.addAndGet(differing);
        LOG.warn(
            "{}: the watch missed {} changes; listing all objects again", kind.kind(), differing);
        resourceVersion = "";
      }
    } catch (ConnectionException e) {
      if (e.reason() == Reason.INTERRUPTED) {
        throw e;
      }
      LOG.debug(
          "{}: the store was not compared with the API server, skipped until the next time: {}",
          kind.kind(),
          e.getMessage());
    }
  }

  /** What to do about a failure, and how long to wait first. */
  private Duration after(ConnectionException e, WatchFailures failures) {
    if (e.reason() == Reason.INTERRUPTED) {
      return Duration.ZERO;
    }
    if (e.reason() == Reason.NOT_SERVED && listed && !doubted) {
      doubted = true; // one answer is not enough to count all objects as deleted
      resourceVersion = "";
      state = State.STALE;
      problem = String.valueOf(e.getMessage());
      return failures.next();
    }
    if (e.reason() == Reason.NOT_SERVED) {
      forget();
      return times.discovery();
    }
    if (e.reason() == Reason.GONE) {
      resourceVersion = "";
      LOG.debug("{}: listing again: {}", kind.kind(), e.getMessage());
      return failures.next();
    }
    if (e.reason() == Reason.UNREADABLE) {
      resourceVersion = ""; // an event was missed
    }
    waitsForUs = e.isForLackOfConversion();
    complain(e, failures);
    state = listed ? State.STALE : State.FILLING;
    return failures.next();
  }

  private void forget() {
    doubted = false;
    if (state != State.NOT_SERVED) {
      LOG.info("{} is not served by the API server; the watch starts when it is", kind.type());
    }
    resourceVersion = "";
    listed = false;
    waitsForUs = false;
    store.retain(Set.of());
    problem = null;
    heardOf();
    state = State.NOT_SERVED;
  }

  /**
   * Says the same thing once, and nothing of a watch that only broke off or of an API server that
   * asks for a moment of patience, as it does when we have just put our CA bundle into its CRDs.
   */
  private void complain(ConnectionException e, WatchFailures failures) {
    String sentence = String.valueOf(e.getMessage());
    if (failures.isFirst() && listed) {
      LOG.debug("{}: resuming the watch: {}", kind.kind(), sentence);
    } else if (e.reason() == Reason.BUSY && !failures.isLong()) {
      LOG.debug("{} cannot be watched now, retrying: {}", kind.kind(), sentence);
    } else if (waitsForUs) {
      LOG.debug(
          "{} cannot be listed before the API server reaches our conversion webhook, retrying: {}",
          kind.kind(),
          sentence);
    } else if (!sentence.equals(complaint)) {
      complaint = sentence;
      LOG.warn("{} cannot be watched, retrying: {}", kind.kind(), sentence);
    }
    problem = sentence;
  }

  private void list(String path) {
    Set<ObjectKey> seen = new HashSet<>();
    String next = "";
    String version;
    limit = times.pageSize();
    do {
      JsonNode page = page(path, next);
      for (JsonNode item : page.path("items")) {
        if (!store.has(item)) {
          store.put(reader.typed(item));
        }
        seen.add(ObjectKey.of(item));
      }
      version = page.path("metadata").path("resourceVersion").asText();
      next = URLEncoder.encode(page.path("metadata").path("continue").asText(), UTF_8);
      heardOf();
    } while (!next.isEmpty());
    store.retain(seen);
    resourceVersion = version;
    listed = true;
    doubted = false;
    comparedAt = System.nanoTime();
  }

  /** The next page, of fewer objects if they are large. */
  private JsonNode page(String path, String next) {
    while (true) {
      String query =
          "?limit=" + limit + (next.isEmpty() ? "" : "&continue=" + next) + kind.querySuffix();
      Optional<byte[]> page =
          connection.get(
              path + query,
              kind.acceptsList(),
              times.call(),
              limit == 1 ? Integer.MAX_VALUE : MOST_BYTES_OF_PAGE);
      if (page.isPresent()) {
        return reader.page(page.get());
      }
      limit = Math.max(1, limit / 4);
    }
  }

  private void watch(String path) {
    int seconds = times.watchSeconds(random);
    connection.follow(
        path
            + "?watch=1&allowWatchBookmarks=true&resourceVersion="
            + URLEncoder.encode(resourceVersion, UTF_8)
            + "&timeoutSeconds="
            + seconds
            + kind.querySuffix(),
        kind.acceptsEvents(),
        times.silence(),
        this::current,
        this::event);
  }

  private void current() {
    heardOf();
    open = true;
    openedAt = System.nanoTime();
    waitsForUs = false;
    if (!complaint.isEmpty()) {
      LOG.info("{} is watched again", kind.kind());
      complaint = "";
    }
    if (state == State.NOT_SERVED) {
      LOG.info("the API server now serves {}, watching it", kind.type());
    }
    state = State.CURRENT; // first, so that no reader sees an incomplete kind without its problem
    problem = null;
  }

  private void event(byte[] bytes, int length) throws IOException {
    JsonNode event = reader.event(bytes, length);
    heardOf();
    JsonNode object = event.path("object");
    String type = event.path("type").asText();
    switch (type) {
      case "ADDED", "MODIFIED" -> store.put(reader.typed(object));
      case "DELETED" -> store.remove(ObjectKey.of(object));
      case "BOOKMARK" -> {}
      case "ERROR" -> {
        int code = object.path("code").asInt();
        if (code != TOO_MANY_REQUESTS) {
          resourceVersion = ""; // the same watch might end so again and again
        }
        throw Connection.refusal(code, object.path("message").asText("watch ended"));
      }
      default -> throw new IOException("event of type \"" + type + "\"");
    }
    resourceVersion = object.path("metadata").path("resourceVersion").asText(resourceVersion);
  }

  private void heardOf() {
    Heartbeat known = heart;
    if (known != null) {
      known.succeeded();
    }
    heardAt = System.nanoTime();
    heard = true;
  }
}
