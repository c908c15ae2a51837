package dev.sluice.webhook.fence;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.rules.quota.Refusal;
import dev.sluice.rules.quota.Shortage;
import dev.sluice.rules.quota.UnconfirmedRefusal;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Refuses every reservation that does not fit beside all others. Thread-safe.
 *
 * <p>An allowed reservation counts at once: it may be stored before the view shows it, and the next
 * request must not get the same quota. It stops counting when the view shows a later state of its
 * Workload: the write is either part of that state or was not stored, since a write is stored only
 * onto the state that was reviewed. It also stops when the view shows that the Workload was
 * deleted. If the write failed and the Workload does not change, the reservation expires. So
 * concurrent reviews in one process are as safe as sequential ones: under the lock, a review adds
 * to the usage of the snapshot all reservations and scheduling decisions that are not seen yet.
 *
 * <p>Anybody who reaches the port can send a review, so the fence counts what the view confirms:
 * see {@link ViewConfirmation}. A review may arrive before the view shows its Workload; it counts
 * for a short time, as {@link UnseenReservations} and {@link Strictness} say, unless the view
 * contradicts it.
 */
final class Fence {
  private final QuotaSource source;
  private final LongSupplier nanoTime;

  private final LongAdder unconfirmedAllowed = new LongAdder();
  private final LongAdder unconfirmedRefused = new LongAdder();

  @GuardedBy("this")
  private final UnseenReservations unseen = new UnseenReservations();

  @GuardedBy("this")
  private final Strictness strictness = new Strictness();

  private Fence(QuotaSource source, LongSupplier nanoTime) {
    this.source = source;
    this.nanoTime = nanoTime;
  }

  /** A fence that removes settled reservations each time its source changes. */
  static Fence following(QuotaSource source, LongSupplier nanoTime) {
    Fence fence = new Fence(source, nanoTime);
    source.onMove(fence::settle);
    return fence;
  }

  /** The number of reservations it remembers. */
  synchronized int size() {
    return unseen.size();
  }

  /** Registers the metrics of this fence; to be called once. */
  void bindTo(MeterRegistry registry) {
    count("allowed", unconfirmedAllowed, registry);
    count("refused", unconfirmedRefused, registry);
    Gauge.builder("sluice.fence.promises", this, Fence::size)
        .description("allowed reservations that are not seen as stored yet")
        .register(registry);
  }

  private static void count(String outcome, LongAdder reviews, MeterRegistry registry) {
    FunctionCounter.builder("sluice.fence.unconfirmed.reviews", reviews, LongAdder::doubleValue)
        .description("reviewed reservations that the view did not confirm")
        .tag("outcome", outcome)
        .register(registry);
  }

  private synchronized void settle() {
    if (!unseen.isEmpty()) {
      source
          .snapshot()
          .ifPresent(it -> unseen.settle(it, source.workloads(), nanoTime.getAsLong()));
    }
  }

  /** Reserves what the Workload asks for if it fits; otherwise returns why it does not. */
  synchronized Optional<Refusal> reserve(ReservationRequest request) {
    Optional<Snapshot> snapshot = source.snapshot();
    QuotaTree tree = snapshot.map(it -> it.treeOf(request.clusterQueue())).orElse(null);
    if (tree == null || request.wanted().isEmpty()) {
      return Optional.empty();
    }
    long now = nanoTime.getAsLong();
    Snapshot seen = snapshot.orElseThrow();
    unseen.settle(seen, source.workloads(), now);
    Reservation reservation = request.reservation(tree.shape());
    ViewConfirmation confirmation = confirmation(reservation, request);
    Optional<Refusal> refusal =
        refusal(request, reservation, confirmation, new ReservationCheck(seen, tree, request), now);
    if (confirmation == ViewConfirmation.UNCONFIRMED) {
      (refusal.isPresent() ? unconfirmedRefused : unconfirmedAllowed).increment();
    }
    return refusal;
  }

  @GuardedBy("this")
  private Optional<Refusal> refusal(
      ReservationRequest request,
      Reservation reservation,
      ViewConfirmation confirmation,
      ReservationCheck room,
      long now) {
    Optional<Shortage> shortage = shortage(room, now);
    if (shortage.isPresent()) {
      boolean mayKnow = request.callerIsKnown() || confirmation == ViewConfirmation.CONFIRMED;
      return Optional.of(mayKnow ? shortage.get() : UnconfirmedRefusal.DOES_NOT_FIT);
    }
    return request.isTrial()
        ? Optional.empty()
        : remember(reservation, confirmation, root(room.tree()), now);
  }

  private static NodeName root(QuotaTree tree) {
    return tree.shape().name(0);
  }

  private ViewConfirmation confirmation(Reservation reservation, ReservationRequest request) {
    ViewConfirmation confirmation = ViewConfirmation.of(reservation, source.workloads());
    return confirmation == ViewConfirmation.UNCONFIRMED && request.callerIsKnown()
        ? ViewConfirmation.CONFIRMED
        : confirmation;
  }

  @GuardedBy("this")
  private Optional<Shortage> shortage(ReservationCheck room, long now) {
    List<Reservation> sure = new ArrayList<>(unseen.counting(true, now));
    sure.addAll(decided(room.snapshot()));
    List<Reservation> doubtful = unseen.counting(false, now);
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

  /** Decisions of the scheduler that the snapshot does not show yet. */
  private List<Reservation> decided(Snapshot snapshot) {
    SeenWorkloads view = source.workloads();
    return source.decided().stream()
        .filter(
            it ->
                !it.isSettledBy(snapshot) && ViewConfirmation.of(it, view) != ViewConfirmation.GONE)
        .toList();
  }

  @GuardedBy("this")
  private Optional<Refusal> remember(
      Reservation reservation, ViewConfirmation confirmation, NodeName root, long now) {
    boolean isConfirmed = confirmation == ViewConfirmation.CONFIRMED;
    boolean isUnconfirmed = confirmation == ViewConfirmation.UNCONFIRMED;
    if (isUnconfirmed
        && !unseen.has(reservation, now)
        && (strictness.holds(root, now) || !unseen.hasRoomForUnconfirmed())) {
      return Optional.of(UnconfirmedRefusal.NOT_SEEN_YET);
    }
    if (isConfirmed || isUnconfirmed) { // any other write conflicts and is not stored
      unseen.add(reservation, now, isConfirmed);
    }
    return Optional.empty();
  }
}
