package dev.sluice.server.see;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.Set;

/** Lets two simulations run at a time, and one of each user. Thread-safe. */
final class SimulationSlots {
  private static final int MOST = 2;

  @GuardedBy("this")
  private final Set<String> running = new HashSet<>();

  /** Takes a slot for the user and returns true if one is free; {@link #leave} gives it back. */
  synchronized boolean enter(String user) {
    return running.size() < MOST && running.add(user);
  }

  synchronized void leave(String user) {
    running.remove(user);
  }
}
