package dev.sluice.scheduler.ledger;

import dev.sluice.api.configuration.RoleSettings;
import dev.sluice.api.meta.ObjectKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Parses a ledger from pieces of bytes. Reports entries only once they are sealed. A seal that does
 * not match the lines before it, or a malformed line, throws an exception. For one thread.
 */
final class LedgerReader {
  /** Longer than any line with names as Kubernetes allows them, of a Workload of 18 pod sets. */
  private static final int LONGEST_LINE = 256 << 10;

  private static final int MOST_ENTRIES = 500_000;

  private final LedgerState state = new LedgerState();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final Consumer<RoleSettings> scheduler;
  private final Consumer<Sealed> sealed;
  private final Map<ObjectKey, Entry> fresh = new LinkedHashMap<>();
  private final Set<ObjectKey> gone = new HashSet<>();
  private boolean begun;
  private long sequence = -1;

  /**
   * The ledger at a seal.
   *
   * @param fresh the entries that were added or changed since the last seal
   * @param gone the Workloads that lost their entry since the last seal
   */
  record Sealed(long sequence, int size, List<Entry> fresh, Set<ObjectKey> gone) {}

  /**
   * A reader that knows nothing yet.
   *
   * @param scheduler receives the settings of the scheduler when a ledger begins, if it tells them
   * @param sealed receives what each seal makes valid
   */
  LedgerReader(Consumer<RoleSettings> scheduler, Consumer<Sealed> sealed) {
    this.scheduler = scheduler;
    this.sealed = sealed;
  }

  /** Takes the next bytes. */
  void take(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      byte next = bytes.get();
      if (next == '\n') {
        see(Line.read(line.toByteArray()));
        line.reset();
      } else if (line.size() == LONGEST_LINE) {
        throw new IOException("a line is longer than " + LONGEST_LINE + " bytes");
      } else {
        line.write(next);
      }
    }
  }

  private void see(Line told) throws IOException {
    if (!begun && !(told instanceof Line.Begin)) {
      throw new IOException("a ledger has to begin");
    }
    switch (told) {
      case Line.Begin(var settings) -> {
        begun = true;
        settings.ifPresent(scheduler);
        gone.addAll(state.entries().keySet());
        state.clear();
        fresh.clear();
        sequence = -1;
      }
      case Line.Put(var entry) -> {
        state.put(entry);
        fresh.put(entry.workload(), entry);
        gone.remove(entry.workload());
        if (fresh.size() > MOST_ENTRIES) {
          throw new IOException("more than " + MOST_ENTRIES + " entries without a seal");
        }
      }
      case Line.Drop(var key) -> {
        state.drop(key);
        fresh.remove(key);
        gone.add(key);
      }
      case Line.Seal seal -> seal(seal);
    }
  }

  private void seal(Line.Seal seal) throws IOException {
    if (sequence >= 0 && seal.sequence() != sequence + 1) {
      throw new IOException("sequence %d (expected: %d)".formatted(seal.sequence(), sequence + 1));
    }
    if (!seal.equals(state.seal(seal.sequence()))) {
      throw new IOException("the digest is not that of what was told");
    }
    sequence = seal.sequence();
    sealed.accept(new Sealed(sequence, seal.size(), List.copyOf(fresh.values()), Set.copyOf(gone)));
    fresh.clear();
    gone.clear();
  }
}
