package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.PersistentMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The workloads that wait in one ClusterQueue, each either pending or parked. Immutable: a change
 * answers the queue after it, in O(log n); waking a lane moves all of it at once, however long.
 */
// A lane is pending or parked as a whole; only a verdict that concerns one workload alone parks it
// beside its lane. The heads of the pending lanes are ordered among themselves, so that the head of
// the queue is the first of them.
public final class PendingQueue {
  /** An empty queue. */
  public static final PendingQueue EMPTY =
      new PendingQueue(
          PersistentMap.empty(),
          PersistentMap.empty(),
          PersistentMap.empty(),
          PersistentMap.empty(),
          PersistentMap.empty(),
          null);

  /** Where a workload stands. */
  record Member(QueuePosition position, Lane lane) {}

  private record ParkedLane(
      Lane lane,
      PersistentMap<QueuePosition, ObjectKey> members,
      Interest interest,
      QueuePosition judged) {
    ParkedLane with(PersistentMap<QueuePosition, ObjectKey> others) {
      return new ParkedLane(lane, others, interest, judged);
    }
  }

  private record ParkedAlone(Member member, Interest interest) {}

  private final PersistentMap<ObjectKey, Member> members;
  private final PersistentMap<Lane, PersistentMap<QueuePosition, ObjectKey>> pending;
  private final PersistentMap<String, PersistentMap<QueuePosition, Lane>> heads;
  private final PersistentMap<Lane, ParkedLane> parked;
  private final PersistentMap<ObjectKey, ParkedAlone> alone;
  private final @Nullable Preemptor preemptor;

  private PendingQueue(
      PersistentMap<ObjectKey, Member> members,
      PersistentMap<Lane, PersistentMap<QueuePosition, ObjectKey>> pending,
      PersistentMap<String, PersistentMap<QueuePosition, Lane>> heads,
      PersistentMap<Lane, ParkedLane> parked,
      PersistentMap<ObjectKey, ParkedAlone> alone,
      @Nullable Preemptor preemptor) {
    this.members = members;
    this.pending = pending;
    this.heads = heads;
    this.parked = parked;
    this.alone = alone;
    this.preemptor = preemptor;
  }

  public boolean contains(ObjectKey workload) {
    return members.containsKey(workload);
  }

  /** All that wait here, in the order of their names. */
  public Iterable<ObjectKey> members() {
    return members.keys();
  }

  /** All that wait here, with where they stand. */
  PersistentMap<ObjectKey, Member> membersWithPositions() {
    return members;
  }

  /** Whether the workload is here in exactly one place, and found there if it is pending. */
  public boolean isSound(ObjectKey workload) {
    Member member = members.find(workload);
    if (member == null) {
      return false;
    }
    PersistentMap<QueuePosition, ObjectKey> lane = pending.find(member.lane());
    ParkedLane laneParked = parked.find(member.lane());
    boolean isPending = lane != null && lane.containsKey(member.position());
    boolean withLane = laneParked != null && laneParked.members().containsKey(member.position());
    int places = (isPending ? 1 : 0) + (withLane ? 1 : 0) + (alone.containsKey(workload) ? 1 : 0);
    return places == 1 && (lane == null || isLinedUp(member.lane(), lane.firstKey()));
  }

  private boolean isLinedUp(Lane lane, QueuePosition first) {
    PersistentMap<QueuePosition, Lane> lanes = heads.find(lane.localQueue());
    return lanes != null && lane.equals(lanes.find(first));
  }

  /** How many wait here, pending and parked. */
  public int size() {
    return members.size();
  }

  public boolean hasPending() {
    return !pending.isEmpty();
  }

  /** Where the workload stands here, or null; also while it is parked. */
  @Nullable Member member(ObjectKey workload) {
    return members.find(workload);
  }

  public boolean isParked(ObjectKey workload) {
    return parkedFor(workload) != null;
  }

  private boolean isParked(ObjectKey workload, Member member) {
    return parkedFor(workload, member) != null;
  }

  /** What would re-open the verdict of a parked workload; null for one that is not parked. */
  public @Nullable Interest parkedFor(ObjectKey workload) {
    Member member = members.find(workload);
    return member == null ? null : parkedFor(workload, member);
  }

  /** As {@link #parkedFor(ObjectKey)}, of a workload that stands there. */
  @Nullable Interest parkedFor(ObjectKey workload, Member member) {
    ParkedAlone own = alone.isEmpty() ? null : alone.find(workload);
    if (own != null) {
      return own.interest();
    }
    ParkedLane lane = parked.find(member.lane());
    return lane == null ? null : lane.interest();
  }

  /** The one whose verdict parked the workload too, unseen, since it is like it; or null. */
  public @Nullable ObjectKey judgedFor(ObjectKey workload) {
    Member member = alone.containsKey(workload) ? null : members.find(workload);
    ParkedLane lane = member == null ? null : parked.find(member.lane());
    ObjectKey judged = lane == null ? workload : lane.judged().workload();
    return judged.equals(workload) ? null : judged;
  }

  /** The workload for which others are evicted, or null. */
  public @Nullable Preemptor preemptor() {
    return preemptor;
  }

  public PendingQueue withPreemptor(@Nullable Preemptor other) {
    return Objects.equals(preemptor, other)
        ? this
        : new PendingQueue(members, pending, heads, parked, alone, other);
  }

  /** The position of the workload that goes before all others, or null. */
  @Nullable QueuePosition sticky() {
    Member member = stickyMember();
    return member == null ? null : member.position();
  }

  private @Nullable Member stickyMember() {
    return preemptor == null || !preemptor.sticky() ? null : members.find(preemptor.workload());
  }

  boolean isSticky(ObjectKey workload) {
    return preemptor != null && preemptor.sticky() && preemptor.workload().equals(workload);
  }

  /**
   * The pending workload that comes first, or null.
   *
   * @param usage of a LocalQueue; the lowest goes before everything else
   */
  public @Nullable ObjectKey head(ToDoubleFunction<String> usage) {
    QueuePosition best = null;
    String bestQueue = null;
    for (var entry : heads) {
      QueuePosition first = firstOf(entry.getKey(), entry.getValue());
      if (best == null || bestQueue == null) {
        best = first;
        bestQueue = entry.getKey();
        continue;
      }
      int byUsage =
          Double.compare(usage.applyAsDouble(entry.getKey()), usage.applyAsDouble(bestQueue));
      if (byUsage < 0 || (byUsage == 0 && before(first, best))) {
        best = first;
        bestQueue = entry.getKey();
      }
    }
    return best == null ? null : best.workload();
  }

  private QueuePosition firstOf(String localQueue, PersistentMap<QueuePosition, Lane> own) {
    Member member = stickyMember();
    return member != null
            && member.lane().localQueue().equals(localQueue)
            && !isParked(member.position().workload(), member)
        ? member.position()
        : own.firstKey();
  }

  private boolean before(QueuePosition a, QueuePosition b) {
    boolean stickyA = isSticky(a.workload());
    boolean stickyB = isSticky(b.workload());
    return stickyA != stickyB ? stickyA : a.compareTo(b) < 0;
  }

  /**
   * This queue with the workload; it is parked at once where its lane is, unless it comes before
   * the one whose verdict parked the lane. It must not be in the queue.
   */
  public PendingQueue with(QueuePosition position, Lane lane) {
    ObjectKey workload = position.workload();
    ParkedLane laneParked = parked.find(lane);
    if (laneParked == null) {
      var joined = members.with(workload, new Member(position, shared(lane)));
      return replaced(joined, lane, lanePending(lane).with(position, workload));
    }
    var joined = members.with(workload, new Member(position, laneParked.lane()));
    var all = laneParked.members().with(position, workload);
    if (position.compareTo(laneParked.judged()) > 0) {
      var same = laneParked.with(all);
      return new PendingQueue(joined, pending, heads, parked.with(lane, same), alone, preemptor);
    }
    return new PendingQueue(joined, pending, heads, parked.without(lane), alone, preemptor)
        .replaced(joined, lane, all);
  }

  /** The shared instance of the lane: a long queue keeps it once. */
  private Lane shared(Lane lane) {
    PersistentMap<QueuePosition, ObjectKey> own = pending.find(lane);
    Member first = own == null ? null : members.find(own.firstValue());
    return first == null ? lane : first.lane();
  }

  private PersistentMap<QueuePosition, ObjectKey> lanePending(Lane lane) {
    PersistentMap<QueuePosition, ObjectKey> own = pending.find(lane);
    return own == null ? PersistentMap.empty() : own;
  }

  /** This queue with that lane pending so; an empty lane is none. */
  private PendingQueue replaced(
      PersistentMap<ObjectKey, Member> newMembers,
      Lane lane,
      PersistentMap<QueuePosition, ObjectKey> own) {
    PersistentMap<QueuePosition, Lane> sameQueue = heads.find(lane.localQueue());
    PersistentMap<QueuePosition, Lane> firsts =
        sameQueue == null ? PersistentMap.empty() : sameQueue;
    PersistentMap<QueuePosition, ObjectKey> old = pending.find(lane);
    firsts = old == null ? firsts : firsts.without(old.firstKey());
    firsts = own.isEmpty() ? firsts : firsts.with(own.firstKey(), lane);
    return new PendingQueue(
        newMembers,
        own.isEmpty() ? pending.without(lane) : pending.with(lane, own),
        firsts.isEmpty() ? heads.without(lane.localQueue()) : heads.with(lane.localQueue(), firsts),
        parked,
        alone,
        preemptor);
  }

  /** This queue without the workload. */
  public PendingQueue without(ObjectKey workload) {
    Member member = members.find(workload);
    if (member == null) {
      return this;
    }
    var left = members.without(workload);
    if (alone.containsKey(workload)) {
      return new PendingQueue(left, pending, heads, parked, alone.without(workload), preemptor);
    }
    Lane lane = member.lane();
    ParkedLane laneParked = parked.find(lane);
    if (laneParked == null) {
      return replaced(left, lane, lanePending(lane).without(member.position()));
    }
    var rest = laneParked.members().without(member.position());
    var lanes = rest.isEmpty() ? parked.without(lane) : parked.with(lane, laneParked.with(rest));
    return new PendingQueue(left, pending, heads, lanes, alone, preemptor);
  }

  /** This queue with the workload parked beside its lane. It must be in the queue. */
  PendingQueue parkAlone(ObjectKey workload, Interest interest) {
    Member member = members.find(workload);
    if (member == null) {
      throw new IllegalArgumentException(workload + " (expected: a workload of this queue)");
    }
    PendingQueue rest = without(workload);
    return new PendingQueue(
        rest.members.with(workload, member),
        rest.pending,
        rest.heads,
        rest.parked,
        rest.alone.with(workload, new ParkedAlone(member, interest)),
        preemptor);
  }

  /** This queue with the whole pending lane of the workload, which stands there, parked. */
  PendingQueue parkLane(ObjectKey workload, Member member, Interest interest) {
    if (isParked(workload, member)) {
      throw new IllegalArgumentException(workload + " (expected: pending in this queue)");
    }
    Lane lane = member.lane();
    var laneParked = new ParkedLane(lane, lanePending(lane), interest, member.position());
    PendingQueue rest = replaced(members, lane, PersistentMap.empty());
    return new PendingQueue(
        members, rest.pending, rest.heads, parked.with(lane, laneParked), alone, preemptor);
  }

  /** This queue with the workloads pending whose interest matches the predicate. */
  public PendingQueue wake(Predicate<Interest> what) {
    return wake(_ -> true, what);
  }

  /** This queue after a namespace changed. */
  public PendingQueue wakeNamespace(String namespace) {
    return wake(w -> w.namespace().equals(namespace), Interest::namespace);
  }

  /** This queue with every inadmissible workload pending that matches the predicate. */
  public PendingQueue wakeAll(Predicate<ObjectKey> backoffOver) {
    return wake(backoffOver, _ -> true);
  }

  private PendingQueue wake(Predicate<ObjectKey> who, Predicate<Interest> what) {
    PendingQueue queue = this;
    for (var entry : parked) {
      if (what.test(entry.getValue().interest())) {
        queue = queue.reopened(entry.getKey(), entry.getValue());
      }
    }
    for (var entry : alone) {
      if (who.test(entry.getKey()) && what.test(entry.getValue().interest())) {
        queue = queue.reopened(entry.getKey());
      }
    }
    return queue;
  }

  private PendingQueue reopened(Lane lane, ParkedLane own) {
    return new PendingQueue(members, pending, heads, parked.without(lane), alone, preemptor)
        .replaced(members, lane, own.members());
  }

  /** This queue with the workload, which is parked alone, pending again. */
  public PendingQueue reopened(ObjectKey workload) {
    ParkedAlone own = alone.find(workload);
    return own == null
        ? this
        : without(workload).with(own.member().position(), own.member().lane());
  }

  /** The workloads that wait for a change of their namespace. */
  public List<ObjectKey> awaitingNamespace() {
    List<ObjectKey> found = new ArrayList<>();
    for (var entry : alone) {
      if (entry.getValue().interest().namespace()) {
        found.add(entry.getKey());
      }
    }
    return found;
  }

  /** What parked workloads wait for, each once or more often. */
  public List<Interest> interests() {
    List<Interest> interests = new ArrayList<>();
    parked.values().forEach(lane -> interests.add(lane.interest()));
    alone.values().forEach(one -> interests.add(one.interest()));
    return interests;
  }
}
