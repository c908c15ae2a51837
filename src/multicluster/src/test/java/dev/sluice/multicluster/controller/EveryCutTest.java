package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.multicluster.apiserver.MemoryApiServer;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The manager's process may die at any of its writes: before the write was stored, or after it was
 * stored and before the answer. The next process brings the job to the same end, and it ran once.
 */
@Timeout(600)
@Order(1) // it takes long, so it begins first
class EveryCutTest {
  private static final List<String> WORKERS = List.of("a", "b");
  private static final String JOB = Clusters.JOBS + "/j";

  /** More writes than one job ever takes: a loop without end fails the test. */
  private static final int MOST = 60;

  @TempDir private Path folder;

  /** Kills the process of a manager at its k-th write. */
  private static final class Cut {
    private final int at;
    private final Answer fate;
    private final InMemoryFleet fleet;
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicBoolean dead = new AtomicBoolean();
    private final List<String> seen = new CopyOnWriteArrayList<>();

    Cut(int at, Answer fate, InMemoryFleet fleet) {
      this.at = at;
      this.fate = fate;
      this.fleet = fleet;
      servers(fleet).forEach(it -> it.with(this::on));
    }

    private Optional<Answer> on(String call) {
      if (dead.get()) {
        return Optional.of(Answer.LOST);
      }
      if (call.startsWith("GET ")) {
        return Optional.empty();
      }
      seen.add(call);
      if (writes.incrementAndGet() != at) {
        return Optional.empty();
      }
      dead.set(true);
      fleet.clusters.leads = false;
      return Optional.of(fate);
    }

    boolean hasHappened() {
      return dead.get();
    }

    /** Another process begins. */
    void end() {
      servers(fleet).forEach(MemoryApiServer::endWatches);
      fleet.restart();
      servers(fleet).forEach(MemoryApiServer::mend);
    }
  }

  private static Stream<MemoryApiServer> servers(InMemoryFleet fleet) {
    return Stream.concat(Stream.of(fleet.clusters.manager), WORKERS.stream().map(fleet::worker));
  }

  /** Plays one job; returns the writes until the cut, all of them if it never came. */
  private Cut play(int at, Answer fate) {
    String what = at + ", " + (fate.equals(Answer.LOST) ? "before" : "after") + " it is stored";
    try (InMemoryFleet fleet = new InMemoryFleet(folder.resolve(at + "" + fate.status()))) {
      fleet.startConnected("a", "b");
      Cut cut = new Cut(at, fate, fleet);
      Schedulers schedulers =
          new Schedulers(fleet, at % 2 == 0 ? WORKERS : WORKERS.reversed(), List.of("j"));
      fleet.job("j");
      Awaitility.await("cut " + what)
          .atMost(InMemoryFleet.AMPLE)
          .until(
              () -> {
                schedulers.step();
                return cut.hasHappened() || schedulers.areOver();
              });
      if (cut.hasHappened()) {
        cut.end();
      }
      Awaitility.await("end after cut " + what + " of " + cut.seen)
          .atMost(InMemoryFleet.AMPLE)
          .until(
              () -> {
                schedulers.step();
                return schedulers.areOver();
              });
      assertThat(schedulers.starts()).as("starts, cut " + what + " of " + cut.seen).hasSize(1);
      assertThat(fleet.clusters.manager.objects().find(JOB).orElseThrow().at("/status/succeeded"))
          .as("the status came here, cut " + what)
          .hasToString("1");
      return cut;
    }
  }

  @FullTier
  @Test
  void aJobRunsOnceWhereverTheManagerDies() {
    int writes = 0;
    for (int at = 1; at == writes + 1; at++) {
      for (Answer fate : List.of(Answer.LOST, Answer.LOST_AFTERWARDS)) {
        Cut cut = play(at, fate);
        writes = cut.hasHappened() ? at : writes;
      }
      assertThat(writes).as("writes for one job").isLessThan(MOST);
    }
    assertThat(writes).isGreaterThan(5);
  }
}
