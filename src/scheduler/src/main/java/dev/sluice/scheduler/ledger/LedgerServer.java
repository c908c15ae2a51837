package dev.sluice.scheduler.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.api.configuration.RoleSettings;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves on a Unix domain socket which Workloads hold quota: first all of them, then each change
 * within some milliseconds. With many Workloads it takes longer to compare, about a second at most.
 * Each reader has a bounded buffer; a reader that does not keep up is disconnected and may connect
 * again. Readers never block the engine or each other. Thread-safe.
 */
public final class LedgerServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerServer.class);

  /** The longest that a comparison may take. */
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  private static final int READERS = 8;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

  /**
   * Comparing costs time by the number of Workloads: it uses at most this fraction of a processor,
   * or more where readers would otherwise wait longer than for a heartbeat.
   */
  private static final int SHARE = 20;

  /** The time between two keep-alive lines. */
  private static final long HEARTBEAT = TimeUnit.SECONDS.toNanos(1);

  private final Path path;
  private final Supplier<Snapshot> source;
  private final RoleSettings settings;
  private final Part part;
  private final List<SupervisedThread> threads = new ArrayList<>();
  private volatile ServerSocketChannel server;
  private volatile boolean closed;

  @GuardedBy("this")
  private final List<LedgerConnection> readers = new ArrayList<>();

  @GuardedBy("this")
  private final LedgerState state = new LedgerState();

  @GuardedBy("this")
  private final Map<ObjectKey, WorkloadState> told = new HashMap<>();

  @GuardedBy("this")
  private @Nullable Snapshot last;

  @GuardedBy("this")
  private long sequence;

  @GuardedBy("this")
  private long sealedAt;

  private LedgerServer(Path path, Supplier<Snapshot> source, RoleSettings settings, Part part)
      throws IOException {
    this.path = path;
    this.settings = settings;
    this.source = source;
    this.part = part;
    this.server = PrivateSocket.bind(path);
  }

  /**
   * Starts to listen.
   *
   * @param path of the socket; a socket left by a killed process is replaced
   * @param source the current state of the quotas
   * @param settings what readers compare their own with
   * @throws IOException if the socket cannot be created, or if another file is there
   */
  public static LedgerServer start(
      Path path, Supplier<Snapshot> source, RoleSettings settings, Supervisor supervisor)
      throws IOException {
    Part part = supervisor.part("ledger");
    LedgerServer ledger = new LedgerServer(path, source, settings, part);
    ledger.threads.add(part.thread(Thread.ofPlatform().daemon(), DEADLINE, ledger::publish));
    ledger.threads.add(
        supervisor
            .part("ledger-accept")
            .thread(Thread.ofPlatform().daemon(), DEADLINE, ledger::accept));
    ledger.threads.forEach(SupervisedThread::start);
    return ledger;
  }

  /** One reader. A failure, such as too many open files, is followed by another attempt. */
  private boolean accept(Heartbeat heart) throws IOException {
    if (!server.isOpen()) { // an interrupt closes the channel that it finds us waiting for
      reopen();
    }
    heart.rest();
    SocketChannel channel;
    try {
      channel = server.accept();
    } catch (IOException e) {
      if (closed) {
        return false;
      }
      throw e;
    }
    heart.beat();
    boolean welcomed = false;
    try {
      welcome(channel);
      welcomed = true;
    } finally {
      if (!welcomed) {
        quietly(channel);
        startOver();
      }
    }
    return true;
  }

  private synchronized void reopen() throws IOException {
    if (!closed) {
      server = PrivateSocket.bind(path);
    }
  }

  private synchronized void welcome(SocketChannel channel) throws IOException {
    readers.removeIf(LedgerConnection::isGone);
    if (closed || readers.size() == READERS) {
      channel.close();
      return;
    }
    update(); // so that the first ledger is complete
    LedgerConnection reader = new LedgerConnection(channel, part);
    StringBuilder all =
        new StringBuilder().append(new Line.Begin(Optional.of(settings)).text()).append('\n');
    state.entries().values().forEach(it -> all.append(new Line.Put(it).text()).append('\n'));
    all.append(state.seal(sequence).text()).append('\n');
    reader.offer(all.toString().getBytes(UTF_8));
    readers.add(reader);
  }

  private boolean publish(Heartbeat heart) throws InterruptedException {
    boolean told = false;
    try {
      long cost = tell();
      told = true;
      // a busy machine makes it slow, and readers disconnect after some seconds without a line
      TimeUnit.NANOSECONDS.sleep(Math.clamp(SHARE * cost, PAUSE, HEARTBEAT));
    } finally {
      if (!told) {
        startOver();
      }
    }
    return true;
  }

  /**
   * After a failure the state may be incomplete: readers are disconnected, reconnect and read all.
   */
  private synchronized void startOver() {
    readers.forEach(LedgerConnection::close);
    readers.clear();
    state.clear();
    told.clear();
    last = null;
  }

  /** Returns its duration in nanoseconds, without the wait for the lock. */
  private synchronized long tell() {
    long began = System.nanoTime();
    readers.removeIf(LedgerConnection::isGone);
    if (!readers.isEmpty()) {
      update();
    }
    return System.nanoTime() - began;
  }

  /** Finds the changes and sends them to all readers. */
  @GuardedBy("this")
  private void update() {
    Snapshot now = source.get();
    boolean isDue = System.nanoTime() - sealedAt > HEARTBEAT;
    if (now == last && !isDue) {
      return;
    }
    StringBuilder lines = new StringBuilder();
    if (now != last) {
      compare(now, lines);
      last = now;
    }
    if (lines.isEmpty() && !isDue) {
      return;
    }
    sealedAt = System.nanoTime();
    lines.append(state.seal(++sequence).text()).append('\n');
    byte[] bytes = lines.toString().getBytes(UTF_8);
    readers.forEach(reader -> reader.offer(bytes));
  }

  @GuardedBy("this")
  private void compare(Snapshot now, StringBuilder lines) {
    Map<ObjectKey, WorkloadState> gone = new HashMap<>(told);
    for (String queue : now.clusterQueues()) {
      for (WorkloadState holder : now.holders(queue)) {
        WorkloadState before = gone.remove(holder.key());
        if (before != holder) { // a state that changes is another object
          Entry entry = Entry.of(holder);
          told.put(holder.key(), holder);
          if (!entry.equals(state.entries().get(holder.key()))) {
            state.put(entry);
            lines.append(new Line.Put(entry).text()).append('\n');
          }
        }
      }
    }
    for (ObjectKey key : gone.keySet()) {
      told.remove(key);
      state.drop(key);
      lines.append(new Line.Drop(key).text()).append('\n');
    }
  }

  /** How many follow. */
  public synchronized int readers() {
    readers.removeIf(LedgerConnection::isGone);
    return readers.size();
  }

  /** Lets all readers go and removes the socket. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      quietly(server);
      readers.forEach(LedgerConnection::close);
    }
    threads.forEach(thread -> thread.close(Duration.ZERO));
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.debug("the socket file could not be deleted", e);
    }
  }

  private static void quietly(AutoCloseable closed) {
    try {
      closed.close();
    } catch (Exception e) {
      LOG.debug("a connection could not be closed", e);
    }
  }
}
