package dev.sluice.see.log;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.Step;
import dev.sluice.see.history.Transition;
import dev.sluice.see.names.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The last transitions of all Workloads, in the order of their times. It keeps a number of them
 * that is bounded, and forgets the oldest ones first. Thread-safe.
 */
public final class TransitionLog {
  /** How many entries are kept. */
  public static final int MOST_ENTRIES = 10_000;

  /** What they take together, in bytes. */
  public static final long MOST_BYTES = 8L << 20;

  /** So many Workloads are known by their uid, those of the last lines. */
  private static final int MOST_UIDS = 2 * MOST_ENTRIES;

  private final int mostEntries;
  private final long mostBytes;
  private final NavigableSet<LogEntry> entries = new TreeSet<>(LogEntry.LAST_FIRST);
  private final Map<String, ObjectKey> byUid =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ObjectKey> eldest) {
          return size() > MOST_UIDS;
        }
      };
  private long bytes;
  private long last;

  /** An empty log. */
  public TransitionLog() {
    this(MOST_ENTRIES, MOST_BYTES);
  }

  TransitionLog(int mostEntries, long mostBytes) {
    this.mostEntries = mostEntries;
    this.mostBytes = mostBytes;
  }

  /**
   * Takes in a line. Lines that tell of nothing that happened to a Workload are not entries: gaps,
   * quotas, and the first half of a change of amounts.
   */
  public synchronized void add(HistoryLine line) {
    if (!(line instanceof Transition transition)
        || transition.step() == Step.CHANGED
        || transition.step() == Step.OPEN) {
      return;
    }
    byUid.put(transition.subject().uid(), transition.subject().workload());
    LogEntry entry = LogEntry.of(++last, transition);
    if (entries.add(entry)) {
      bytes += entry.bytes();
    }
    while (entries.size() > mostEntries || bytes > mostBytes) {
      LogEntry oldest = entries.removeLast();
      bytes -= oldest.bytes();
    }
  }

  /** The number of the last entry that came; 0 for none. It only grows. */
  public synchronized long last() {
    return last;
  }

  /** When the oldest entry happened; null for an empty log. */
  public synchronized @Nullable Instant since() {
    return entries.isEmpty() ? null : entries.last().at();
  }

  /** The namespaces of all entries, those of the last ones first. */
  public synchronized Set<String> namespaces() {
    Set<String> namespaces = new LinkedHashSet<>();
    entries.forEach(it -> namespaces.add(it.workload().namespace()));
    return namespaces;
  }

  /**
   * A page of what a reader may see. Costs the entries before its end.
   *
   * @param filter compares only with what the reader sees, so that it says nothing of the rest
   * @param names whose entries the reader may see; the others are left out
   * @param namespace of the entries; empty for all
   * @param from only entries after that place are wanted; null for all
   * @param limit how many are wanted at most
   * @param target the present ClusterQueue of a LocalQueue; empty for an unknown one
   */
  public synchronized LogPage page(
      LogFilter filter,
      Names names,
      String namespace,
      @Nullable LogCursor from,
      int limit,
      Function<ObjectKey, String> target) {
    List<LogPage.Shown> found = new ArrayList<>();
    boolean begins = from == null;
    for (LogEntry entry : entries) {
      begins = begins || (from != null && entry.at().isBefore(from.at()));
      boolean mayShow =
          begins
              && names.shows(entry.workload())
              && (namespace.isEmpty() || namespace.equals(entry.workload().namespace()));
      LogPage.Shown shown = mayShow ? shown(entry, names, target) : null;
      if (shown != null && filter.wants(shown)) {
        if (found.size() >= limit) {
          return new LogPage(found, true);
        }
        found.add(shown);
      }
      begins = begins || (from != null && from.equals(LogCursor.after(entry)));
    }
    return new LogPage(found, false);
  }

  private LogPage.Shown shown(LogEntry entry, Names names, Function<ObjectKey, String> target) {
    ObjectKey preemptor = entry.by().isEmpty() ? null : byUid.get(entry.by());
    String queue = entry.clusterQueue();
    if (queue.isEmpty() && !entry.localQueue().isEmpty()) {
      queue = target.apply(new ObjectKey(entry.workload().namespace(), entry.localQueue()));
    }
    return new LogPage.Shown(
        entry, queue, preemptor != null && names.shows(preemptor) ? preemptor : null);
  }
}
