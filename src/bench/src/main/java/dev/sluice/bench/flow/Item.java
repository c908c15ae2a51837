package dev.sluice.bench.flow;

import dev.sluice.bench.engine.Story.Kind;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** One workload of a run. Read and written under its own lock. */
final class Item {
  final String name;
  final String queue;
  final Kind kind;
  long createdAt;
  long admittedAt;
  int admissions;
  int evictions;
  boolean running;
  boolean releasing;
  boolean holding;
  boolean finished;
  @Nullable Future<?> end;
  Seen seen = new Seen("", List.of());

  /**
   * How it was seen last.
   *
   * @param conditions each as JSON, but for those of quota
   */
  record Seen(String resourceVersion, List<String> conditions) {}

  Item(String name, String queue, Kind kind) {
    this.name = name;
    this.queue = queue;
    this.kind = kind;
  }
}
