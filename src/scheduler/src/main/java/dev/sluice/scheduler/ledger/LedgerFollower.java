package dev.sluice.scheduler.ledger;

import dev.sluice.api.configuration.RoleSettings;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the ledger of the scheduler in another process of this machine. Stops using it if a digest
 * does not match, if nothing arrives for 4 s, or if the connection closes; then it reconnects
 * automatically and reads the whole ledger again. Answers come from memory. Thread-safe.
 */
public final class LedgerFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerFollower.class);
  private static final Duration PAUSE = Duration.ofMillis(250);

  /** After so long without a line the scheduler counts as lost. */
  private static final Duration SILENCE = Duration.ofSeconds(4);

  /** What is older has been seen by watches, too. */
  private static final Duration FRESH = Duration.ofSeconds(15);

  /** The longest time between two checks of the socket or the clock. */
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  private static final int MOST_FRESH = 10_000;
  private static final int BUFFER = 64 << 10;

  private record Came(Entry entry, long at) {}

  private final Path path;
  private final LongSupplier nanoTime;
  private final Consumer<RoleSettings> scheduler;
  private final Part part;
  private final SupervisedThread thread;
  private final AtomicLong breaks = new AtomicLong();

  /** Recent entries, the oldest first; used by the reading thread only. */
  private final Map<ObjectKey, Came> came = new LinkedHashMap<>();

  private volatile List<Came> fresh = List.of();
  private volatile boolean following;
  private volatile long sequence = -1;
  private volatile int size;
  private volatile boolean closed;

  /**
   * A follower of the ledger at that socket; nothing happens before {@link #start}.
   *
   * @param scheduler receives the settings of the scheduler at each connection, on the reading
   *     thread
   */
  public LedgerFollower(
      Path path, LongSupplier nanoTime, Consumer<RoleSettings> scheduler, Supervisor supervisor) {
    this.path = path;
    this.scheduler = scheduler;
    this.nanoTime = nanoTime;
    this.part = supervisor.part("ledger-follow");
    this.thread = part.thread(Thread.ofPlatform().daemon(), DEADLINE, this::follow);
  }

  /** Starts to follow. */
  public void start() {
    thread.start();
  }

  /** Whether the ledger is followed at this moment. */
  public boolean isFollowing() {
    return following;
  }

  /** How often it was followed and then was not. */
  public long breaks() {
    return breaks.get();
  }

  /** How many Workloads have quota by the ledger; 0 while it is not followed. */
  public int size() {
    return following ? size : 0;
  }

  /** The number of the last seal; -1 before the first. */
  public long sequence() {
    return sequence;
  }

  /** What has got quota lately by the ledger and has it still; nothing while it is not followed. */
  public Collection<Entry> fresh() {
    if (!following) {
      return List.of();
    }
    long now = nanoTime.getAsLong();
    return fresh.stream().filter(it -> now - it.at() < FRESH.toNanos()).map(Came::entry).toList();
  }

  /** One connection to its end, and the pause after it. */
  private boolean follow(Heartbeat heart) throws InterruptedException {
    try (SocketChannel channel = PrivateSocket.connect(path);
        Selector selector = Selector.open()) {
      channel.register(selector, SelectionKey.OP_READ);
      read(channel, selector, heart);
    } catch (IOException e) {
      LOG.debug("the ledger cannot be read, reconnecting: {}", e.toString());
    } catch (
        RuntimeException e) { // a failed reader needs no restart: the watches deliver the same data
      part.failed(e, "the ledger is read again from its beginning");
    } finally {
      lose();
    }
    TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
    return true;
  }

  private void lose() {
    if (following) {
      following = false;
      breaks.incrementAndGet();
      LOG.warn("the scheduler's ledger is lost; the quota fence uses the watches until it is back");
    }
    came.clear();
    fresh = List.of();
  }

  private void read(SocketChannel channel, Selector selector, Heartbeat heart) throws IOException {
    LedgerReader reader = new LedgerReader(scheduler, this::sealed);
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    while (!closed && selector.select(SILENCE.toMillis()) > 0) {
      heart.succeeded();
      selector.selectedKeys().clear();
      buffer.clear();
      if (channel.read(buffer) < 0) {
        return;
      }
      reader.take(buffer.flip());
    }
  }

  private void sealed(LedgerReader.Sealed sealed) {
    long now = nanoTime.getAsLong();
    boolean changes = came.keySet().removeAll(sealed.gone());
    for (Entry entry : sealed.fresh()) {
      changes = true;
      came.remove(entry.workload()); // it is the youngest now
      came.put(entry.workload(), new Came(entry, now));
    }
    if (forgetOld(now) || changes) {
      fresh = List.copyOf(came.values());
    }
    size = sealed.size();
    sequence = sealed.sequence();
    if (!following) {
      following = true;
      LOG.info("reading the scheduler's ledger: {} entries", size);
    }
  }

  private boolean forgetOld(long now) {
    int before = came.size();
    Iterator<Came> oldest = came.values().iterator();
    while (oldest.hasNext()
        && (now - oldest.next().at() >= FRESH.toNanos() || came.size() > MOST_FRESH)) {
      oldest.remove();
    }
    return came.size() < before;
  }

  @Override
  public void close() {
    closed = true;
    thread.close(Duration.ofSeconds(1));
  }
}
