package dev.sluice.scheduler.engine;

import dev.sluice.quota.Change;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.decision.CycleResult;
import java.time.Instant;

/**
 * Sees every call of an engine that changes it, in order. All methods are called on the engine's
 * thread; they must not block, and what they throw is a failure of the engine's part.
 */
public interface EngineTap {
  /** Sees nothing. */
  EngineTap NONE =
      new EngineTap() {
        @Override
        public void applying(Instant now, Change change) {}

        @Override
        public void looked(Instant now, Snapshot snapshot) {}

        @Override
        public void cycled(Instant now, CycleResult result) {}

        @Override
        public void failed(Instant now, RuntimeException cause) {}
      };

  /** The engine is about to take that change. */
  void applying(Instant now, Change change);

  /** The engine made that snapshot, for which it settled its trees. */
  void looked(Instant now, Snapshot snapshot);

  /** The engine ran a cycle; also one without outcomes. */
  void cycled(Instant now, CycleResult result);

  /** A cycle threw this. It is the last call, and may take some seconds. */
  void failed(Instant now, RuntimeException cause);
}
