package dev.sluice.bench.report;

import dev.sluice.bench.load.Memory;
import java.util.List;
import java.util.Locale;

/** What requests of each size take of memory. */
final class MemoryTable {
  private static final List<String> HEADS =
      List.of(
          "objects",
          "request kB",
          "held kB",
          "held / request",
          "allocated / request",
          "server's live heap MB",
          "server resident MB");

  private MemoryTable() {}

  static String of(List<Memory> rows) {
    Table table = new Table(HEADS);
    for (Memory row : rows) {
      table.add(
          List.of(
              Integer.toString(row.objects()),
              number(row.requestBytes() / 1e3),
              number(row.heldBytes() / 1e3),
              number(row.held()),
              number(row.allocated()),
              number(row.server().liveHeapBytes() / 1e6),
              number(row.server().residentBytes() / 1e6)));
    }
    return table.text();
  }

  private static String number(double number) {
    return String.format(Locale.ROOT, number < 100 ? "%.2f" : "%,.0f", number);
  }
}
