package dev.sluice.quota.cycle;

import static dev.sluice.quota.decision.Decision.Skipped.Because.BETTER_VARIANT;
import static dev.sluice.quota.decision.Decision.Skipped.Because.NO_LONGER_FITS;
import static dev.sluice.quota.decision.Decision.Skipped.Because.OVERLAPPING_TARGETS;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.quota.assign.Head;
import dev.sluice.quota.assign.Nominated;
import dev.sluice.quota.assign.Nominator;
import dev.sluice.quota.assign.Placement;
import dev.sluice.quota.assign.Slot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Mode;
import dev.sluice.quota.decision.Target;
import dev.sluice.quota.preempt.Victim;
import dev.sluice.quota.topology.capacity.TopologyUsage;
import dev.sluice.quota.trial.Held;
import dev.sluice.quota.trial.TreeTrial;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides the heads of one cycle, one after the other, on their trials. Used once, by one thread.
 */
// Nothing is decided twice: a head is served against all that was served before it in the cycle, or
// it is skipped and tried again in the next one.
public final class SchedulingCycle {
  private final EngineConfiguration configuration;
  private final Nominator nominator;
  private final Placement placement;
  private final Siblings siblings;
  private final LaterReclaim later;
  private final LoopGuard loops;
  private final Instant now;
  private final boolean blocks;
  private boolean blocked;
  private final List<Entry> entries = new ArrayList<>();
  private final List<Verdict> verdicts = new ArrayList<>();
  private final TopologyUsage room;
  private final ChosenVictims victims;

  /**
   * A cycle without heads yet.
   *
   * @param room what is taken of the domains, for this cycle alone
   * @param blocks whether an admission holds up the others until its pods are ready
   * @param blocked whether admitted workloads whose pods are not ready hold up every admission
   * @param now the time of the cycle
   */
  public SchedulingCycle(
      EngineConfiguration configuration,
      Nominator nominator,
      Placement placement,
      Siblings siblings,
      LoopGuard loops,
      TopologyUsage room,
      boolean blocks,
      boolean blocked,
      Instant now) {
    this.configuration = configuration;
    this.nominator = nominator;
    this.placement = placement;
    this.siblings = siblings;
    this.later = new LaterReclaim(configuration, placement);
    this.loops = loops;
    this.room = room;
    this.victims = new ChosenVictims(room);
    this.blocks = blocks;
    this.blocked = blocked;
    this.now = now;
  }

  /** A head with what was nominated for it on that trial, before anything was served. */
  public void add(TreeTrial trial, Head head, Nominated nominated) {
    trial.enter(room);
    entries.add(new Entry(head, trial, nominated));
  }

  /** Decides all heads in order; reservations stay in the trials. */
  public List<Verdict> run() {
    EntryOrder order =
        configuration.fairSharing() == null
            ? new ClassicalOrder(entries, configuration)
            : new FairOrder(entries, configuration);
    for (Entry entry = order.next(); entry != null; entry = order.next()) {
      serve(entry);
    }
    return List.copyOf(verdicts);
  }

  private void serve(Entry nominated) {
    WorkloadState sibling = sibling(nominated.head());
    if (sibling != null && VariantPreference.isBetter(sibling, nominated.head())) {
      skip(nominated, BETTER_VARIANT);
      return;
    }
    Entry entry = nominated;
    boolean overlapping = victims.overlap(entry);
    if (overlapping
        && configuration.on(FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP)) {
      entry = renominate(entry, true);
    } else if (onlyPlacesAreTaken(entry)) {
      entry = renominate(entry, false);
    }
    Set<String> failedNodes = entry.head().failedNodes();
    if (entry.nominated().assignment().mode() != Mode.FIT
        && !failedNodes.isEmpty()
        && configuration.on(FeatureGate.TAS_FAILED_NODE_REPLACEMENT_FAIL_FAST)) {
      displace(entry, failedNodes);
      return;
    }
    switch (entry.nominated().assignment().mode()) {
      case NO_FIT -> wait(entry, RequeueReason.NO_FIT);
      case PREEMPT -> servePreempting(entry);
      case DEFERRED_FIT -> defer(entry);
      case FIT -> serveFitting(entry, sibling);
    }
  }

  private @Nullable WorkloadState sibling(Head head) {
    return configuration.on(FeatureGate.CONCURRENT_ADMISSION)
        ? siblings.holding(head.workload())
        : null;
  }

  private void displace(Entry entry, Set<String> failedNodes) {
    List<String> nodes = List.copyOf(new TreeSet<>(failedNodes));
    Assignment assignment = entry.nominated().assignment();
    decide(entry, new Decision.Displaced(assignment, nodes), RequeueReason.NONE, null);
  }

  /**
   * Records the verdict.
   *
   * @param resume where the next search for flavors continues; null to start over. A blocked head
   *     keeps the progress with which its search began
   */
  private void decide(
      Entry entry, Decision decision, RequeueReason reason, @Nullable Assignment resume) {
    verdicts.add(new Verdict(entry.head(), decision, reason, resume));
  }

  /** Whether the quota is still there, but others of this cycle took the places. */
  private boolean onlyPlacesAreTaken(Entry entry) {
    return configuration.on(FeatureGate.TAS_RECOMPUTE_ASSIGNMENT_WITHIN_SCHEDULING_CYCLE)
        && entry.nominated().assignment().placesPods()
        && quotaFits(entry)
        && !placesFit(entry);
  }

  /**
   * Searches for other places and other victims on the same flavors.
   *
   * @param overlapping whether already chosen victims count as gone
   */
  private Entry renominate(Entry entry, boolean overlapping) {
    TreeTrial trial = entry.trial();
    Head head = entry.head();
    List<Held> gone = overlapping ? victims.goneFrom(trial) : List.of();
    List<ObjectKey> goneElsewhere = overlapping ? victims.goneElsewhere(trial) : List.of();
    gone.forEach(trial::withdraw);
    goneElsewhere.forEach(room::remove);
    Nominated again =
        nominator.nominate(trial, head.fromTheStart(), pins(entry.nominated().assignment()));
    goneElsewhere.forEach(room::add);
    gone.forEach(trial::putBack);
    if (overlapping && again.assignment().mode() == Mode.FIT) {
      again = new Nominated(again.assignment().withMode(Mode.DEFERRED_FIT), List.of());
    }
    return entry.renominated(again);
  }

  private static Map<Slot, String> pins(Assignment assignment) {
    Map<Slot, String> pins = new HashMap<>();
    assignment
        .podSets()
        .forEach(
            p ->
                p.flavors()
                    .forEach((resource, f) -> pins.put(new Slot(p.name(), resource), f.flavor())));
    return pins;
  }

  private void servePreempting(Entry entry) {
    Head head = entry.head();
    Assignment assignment = entry.nominated().assignment();
    if (entry.nominated().victims().isEmpty()) {
      wait(entry, RequeueReason.NO_CANDIDATES);
      later.reserve(entry, room);
      return;
    }
    if (gated(head.workload())) {
      Decision gated = new Decision.Gated(assignment, targets(entry));
      decide(entry, gated, RequeueReason.PREEMPTION_GATED, null);
      return;
    }
    Target other = loops.loopsWith(head.workload(), targets(entry), now);
    if (other != null) {
      decide(entry, new Decision.Looping(assignment, other), RequeueReason.GENERIC, null);
      return;
    }
    if (victims.overlap(entry)) {
      skip(entry, OVERLAPPING_TARGETS);
      return;
    }
    if (!fits(entry)) {
      skip(entry, NO_LONGER_FITS);
      return;
    }
    victims.add(entry.nominated().victims());
    take(entry);
    Decision preempting = new Decision.Preempting(assignment, targets(entry));
    decide(entry, preempting, RequeueReason.PENDING_PREEMPTION, null);
  }

  private boolean gated(WorkloadState workload) {
    boolean gatesCount =
        configuration.on(FeatureGate.CONCURRENT_ADMISSION)
            || configuration.on(FeatureGate.MULTI_KUEUE_ORCHESTRATED_PREEMPTION);
    return gatesCount && workload.preemptionGated();
  }

  private static List<Target> targets(Entry entry) {
    return entry.nominated().victims().stream().map(Victim::target).toList();
  }

  private void defer(Entry entry) {
    take(entry);
    Decision deferred = new Decision.Deferred(entry.nominated().assignment());
    decide(entry, deferred, RequeueReason.PENDING_PREEMPTION, null);
  }

  private void serveFitting(Entry entry, @Nullable WorkloadState sibling) {
    Head head = entry.head();
    Assignment assignment = entry.nominated().assignment();
    if (victims.overlap(entry)) {
      skip(entry, OVERLAPPING_TARGETS);
      return;
    }
    if (!fits(entry)) {
      skip(entry, NO_LONGER_FITS);
      return;
    }
    take(entry);
    if (blocked && !head.workload().holdsQuota()) {
      Decision waiting = new Decision.Blocked(assignment);
      decide(entry, waiting, RequeueReason.FAILED_AFTER_NOMINATION, null);
      return;
    }
    if (sibling != null) {
      migrate(entry, sibling);
      return;
    }
    ObjectKey replaces = head.replaced() == null ? null : head.replaced().key();
    blocked |= blocks && !head.workload().isTrue(ConditionTypes.PODS_READY);
    decide(entry, new Decision.Reserved(assignment, replaces), RequeueReason.NONE, null);
  }

  private void migrate(Entry entry, WorkloadState sibling) {
    Assignment assignment = entry.nominated().assignment();
    if (VariantPreference.mayMigrate(entry.head())) {
      Decision migrating = new Decision.Migrating(assignment, sibling.key());
      decide(entry, migrating, RequeueReason.PENDING_MIGRATION, null);
    } else {
      Decision keptBack = new Decision.KeptBack(assignment, sibling.key());
      decide(entry, keptBack, RequeueReason.GENERIC, assignment);
    }
  }

  private void wait(Entry entry, RequeueReason reason) {
    Assignment assignment = entry.nominated().assignment();
    decide(entry, new Decision.Waiting(assignment), reason, assignment);
  }

  private void skip(Entry entry, Decision.Skipped.Because because) {
    Assignment assignment = entry.nominated().assignment();
    boolean resumes = configuration.on(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS);
    Decision skipped = new Decision.Skipped(assignment, because);
    decide(entry, skipped, RequeueReason.FAILED_AFTER_NOMINATION, resumes ? assignment : null);
  }

  /**
   * Whether it fits without the victims of others and its own. As recorded of Kueue, a head that
   * needs no preemption itself may thus get more than is free, until victims of the same cycle are
   * gone.
   */
  private boolean fits(Entry entry) {
    return quotaFits(entry) && placesFit(entry);
  }

  private boolean quotaFits(Entry entry) {
    return victims.without(entry, () -> entry.trial().ledger().fits(entry.node(), entry.usage()));
  }

  private boolean placesFit(Entry entry) {
    return victims.without(
        entry, () -> placement.fits(entry.head(), entry.nominated().assignment(), room));
  }

  private void take(Entry entry) {
    entry.trial().ledger().add(entry.node(), entry.usage());
    placement.take(entry.head(), entry.nominated().assignment(), room);
  }
}
