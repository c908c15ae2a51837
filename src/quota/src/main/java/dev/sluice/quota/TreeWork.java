package dev.sluice.quota;

import java.util.List;

/**
 * Runs the parts of a cycle that do not touch each other: the nomination of heads, tree by tree.
 */
@FunctionalInterface
public interface TreeWork {
  /** One after the other, in the caller's thread. */
  TreeWork SEQUENTIAL = tasks -> tasks.forEach(Runnable::run);

  /** Runs every task to its end before it returns, in whatever threads; they do not block. */
  void runAll(List<Runnable> tasks);
}
