package dev.sluice.webhook.ledger;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.rules.quota.Doubt;
import dev.sluice.rules.quota.Refusal;
import dev.sluice.rules.quota.Shortage;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Lets no reservation through that does not fit beside all others. Thread-safe.
 *
 * <p>What is let through is promised: it counts from then on, for it may be stored before the view
 * shows it, and the next one must not get the same quota. A promise ends when the view shows a
 * later state of its Workload: either the write is in it, or it was not stored, since a write is
 * stored only onto the state that was reviewed. It ends too when the view shows that the Workload
 * was deleted. One whose write failed and whose Workload stays as it is ends after a while. So
 * several reviews at a time are as safe as one after the other, in one process; under the lock a
 * review adds to a ledger what is promised and decided and not seen yet.
 *
 * <p>Anybody who reaches the port can send a review, so the fence counts what the view confirms:
 * see {@link Evidence}. A review may come before the view shows what it is about; such a one counts
 * for a moment, as {@link Promises} and {@link Strictness} say, unless the view contradicts it.
 */
final class Fence {
  private final QuotaSource source;
  private final LongSupplier nanoTime;

  private final LongAdder unconfirmedAllowed = new LongAdder();
  private final LongAdder unconfirmedRefused = new LongAdder();

  @GuardedBy("this")
  private final Promises promises = new Promises();

  @GuardedBy("this")
  private final Strictness strictness = new Strictness();

  private Fence(QuotaSource source, LongSupplier nanoTime) {
    this.source = source;
    this.nanoTime = nanoTime;
  }

  /** Looks at each move of its source what has ended there. */
  static Fence following(QuotaSource source, LongSupplier nanoTime) {
    Fence fence = new Fence(source, nanoTime);
    source.onMove(fence::settle);
    return fence;
  }

  /** How much it remembers. */
  synchronized int size() {
    return promises.size();
  }

  /** Counts reviews of what the view does not confirm, from now on; to be called once. */
  void bindTo(MeterRegistry registry) {
    count("allowed", unconfirmedAllowed, registry);
    count("refused", unconfirmedRefused, registry);
    Gauge.builder("sluice.fence.promises", this, Fence::size)
        .description("reservations that were let through and are not seen as stored yet")
        .register(registry);
  }

  private static void count(String outcome, LongAdder reviews, MeterRegistry registry) {
    FunctionCounter.builder("sluice.fence.unconfirmed.reviews", reviews, LongAdder::doubleValue)
        .description("reservations that were reviewed and that the view did not confirm")
        .tag("outcome", outcome)
        .register(registry);
  }

  private synchronized void settle() {
    if (!promises.isEmpty()) {
      source
          .snapshot()
          .ifPresent(it -> promises.settle(it, source.workloads(), nanoTime.getAsLong()));
    }
  }

  /** Promises the Workload what it is to have, if that fits; else says what speaks against it. */
  synchronized Optional<Refusal> reserve(Claim claim) {
    Optional<Snapshot> snapshot = source.snapshot();
    QuotaTree tree = snapshot.map(it -> it.treeOf(claim.clusterQueue())).orElse(null);
    if (tree == null || claim.wanted().isEmpty()) {
      return Optional.empty();
    }
    long now = nanoTime.getAsLong();
    Snapshot seen = snapshot.orElseThrow();
    promises.settle(seen, source.workloads(), now);
    Pledge pledge = claim.pledge(tree.shape());
    Evidence evidence = evidence(pledge, claim);
    Optional<Refusal> refusal = refusal(claim, pledge, evidence, new Room(seen, tree, claim), now);
    if (evidence == Evidence.UNCONFIRMED) {
      (refusal.isPresent() ? unconfirmedRefused : unconfirmedAllowed).increment();
    }
    return refusal;
  }

  @GuardedBy("this")
  private Optional<Refusal> refusal(
      Claim claim, Pledge pledge, Evidence evidence, Room room, long now) {
    Optional<Shortage> shortage = shortage(room, now);
    if (shortage.isPresent()) {
      boolean mayKnow = claim.callerIsKnown() || evidence == Evidence.CONFIRMED;
      return Optional.of(mayKnow ? shortage.get() : Doubt.DOES_NOT_FIT);
    }
    return claim.isTrial() ? Optional.empty() : promise(pledge, evidence, root(room.tree()), now);
  }

  private static NodeName root(QuotaTree tree) {
    return tree.shape().name(0);
  }

  private Evidence evidence(Pledge pledge, Claim claim) {
    Evidence evidence = Evidence.of(pledge, source.workloads());
    return evidence == Evidence.UNCONFIRMED && claim.callerIsKnown()
        ? Evidence.CONFIRMED
        : evidence;
  }

  @GuardedBy("this")
  private Optional<Shortage> shortage(Room room, long now) {
    List<Pledge> sure = new ArrayList<>(promises.counting(true, now));
    sure.addAll(decided(room.snapshot()));
    List<Pledge> doubtful = promises.counting(false, now);
    Optional<Shortage> shortage = room.shortage(List.of(sure));
    if (shortage.isPresent() || doubtful.isEmpty()) {
      return shortage;
    }
    Optional<Shortage> doubted = room.shortage(List.of(sure, doubtful));
    if (doubted.isPresent()) {
      strictness.begin(root(room.tree()), now);
    }
    return doubted;
  }

  /** What the scheduler has decided and need not know to be over yet. */
  private List<Pledge> decided(Snapshot snapshot) {
    SeenWorkloads view = source.workloads();
    return source.decided().stream()
        .filter(it -> !it.isSettledBy(snapshot) && Evidence.of(it, view) != Evidence.GONE)
        .toList();
  }

  @GuardedBy("this")
  private Optional<Refusal> promise(Pledge pledge, Evidence evidence, NodeName root, long now) {
    boolean isConfirmed = evidence == Evidence.CONFIRMED;
    boolean isUnconfirmed = evidence == Evidence.UNCONFIRMED;
    if (isUnconfirmed
        && !promises.has(pledge, now)
        && (strictness.holds(root, now) || !promises.hasRoomForUnconfirmed())) {
      return Optional.of(Doubt.NOT_SEEN_YET);
    }
    if (isConfirmed || isUnconfirmed) { // else it cannot be stored
      promises.make(pledge, now, isConfirmed);
    }
    return Optional.empty();
  }
}
