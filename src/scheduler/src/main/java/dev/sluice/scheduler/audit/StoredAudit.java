package dev.sluice.scheduler.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.world.WorkloadState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Compares stored Workloads with themselves and with the engine, continuously and in pieces. A
 * status that contradicts itself in two rounds is a finding. So is a Workload that the engine holds
 * and that no watch or list has shown for three minutes, which is longer than a watch can be silent
 * before it lists again: the engine deletes it, which releases its quota and places. For one
 * thread, but for {@link #contradictory} and {@link #now}.
 */
public final class StoredAudit {
  /** How long a Workload may be known to the engine alone, as after a change of the leader. */
  private static final Duration GRACE = Duration.ofMinutes(3);

  /** The Workloads as watches show them. Thread-safe; nothing waits. */
  public interface Stored {
    /** Whether all Workloads are known; nothing is compared before. */
    boolean isKnown();

    /** All Workloads. */
    Collection<JsonNode> all();

    /** The Workload of that name. */
    Optional<JsonNode> find(ObjectKey workload);
  }

  private final Stored stored;
  private final Supplier<Snapshot> snapshots;
  private final Consumer<Change> engine;
  private final Consumer<ObjectKey> repair;
  private final LongSupplier nanoTime;

  /** Of Workloads that nothing shows, by uid: since when. */
  private final Map<String, Long> missing = new HashMap<>();

  private final Set<String> stillMissing = new HashSet<>();
  private Set<String> contradictoryBefore = new HashSet<>();
  private Set<String> contradictoryNow = new HashSet<>();
  private Iterator<JsonNode> objects = Collections.emptyIterator();
  private Iterator<WorkloadState> known = Collections.emptyIterator();
  private boolean begun;
  private volatile int contradictory;

  /**
   * Before its first round.
   *
   * @param engine receives deletions of Workloads that no longer exist
   * @param repair receives Workloads whose status contradicts itself
   * @param nanoTime a steady clock in nanoseconds
   */
  public StoredAudit(
      Stored stored,
      Supplier<Snapshot> snapshots,
      Consumer<Change> engine,
      Consumer<ObjectKey> repair,
      LongSupplier nanoTime) {
    this.stored = stored;
    this.snapshots = snapshots;
    this.engine = engine;
    this.repair = repair;
    this.nanoTime = nanoTime;
  }

  /** How many stored Workloads contradicted themselves in the last whole round. */
  int contradictory() {
    return contradictory;
  }

  /** One sentence for each stored Workload that contradicts itself at this moment. */
  List<String> now() {
    List<String> findings = new ArrayList<>();
    for (JsonNode workload : stored.all()) {
      QuotaHold.contradiction(workload)
          .ifPresent(it -> findings.add(sentence(key(workload), it.sentence())));
    }
    return findings;
  }

  /**
   * Checks that many Workloads, and starts again after the last.
   *
   * @return a sentence for each finding
   */
  List<String> goOn(int budget) {
    if (!stored.isKnown()) {
      begun = false;
      missing.clear();
      return List.of();
    }
    if (!begun) {
      begin();
    }
    List<String> findings = new ArrayList<>();
    int left = budget;
    for (; left > 0 && objects.hasNext(); left--) {
      checkStatus(objects.next(), findings);
    }
    for (; left > 0 && known.hasNext(); left--) {
      checkPresence(known.next(), findings);
    }
    if (!objects.hasNext() && !known.hasNext()) {
      end();
    }
    return findings;
  }

  private void begin() {
    begun = true;
    objects = stored.all().iterator();
    known = snapshots.get().workloads().iterator();
    contradictoryNow = new HashSet<>();
    stillMissing.clear();
  }

  private void end() {
    begun = false;
    contradictory = contradictoryNow.size();
    contradictoryBefore = contradictoryNow;
    missing.keySet().retainAll(stillMissing);
  }

  private void checkStatus(JsonNode workload, List<String> findings) {
    Optional<QuotaHold.Contradiction> found = QuotaHold.contradiction(workload);
    if (found.isPresent()) {
      ObjectKey key = key(workload);
      contradictoryNow.add(uid(workload));
      repair.accept(key);
      if (contradictoryBefore.contains(uid(workload))) {
        findings.add(sentence(key, found.get().sentence()));
      }
    }
  }

  private static String sentence(ObjectKey workload, String what) {
    return "Workload " + workload + " contradicts itself: " + what;
  }

  private void checkPresence(WorkloadState workload, List<String> findings) {
    String uid = workload.uid();
    if (stored.find(workload.key()).filter(it -> uid(it).equals(uid)).isPresent()) {
      return;
    }
    stillMissing.add(uid);
    long now = nanoTime.getAsLong();
    Long since = missing.putIfAbsent(uid, now);
    if (since != null && now - since >= GRACE.toNanos()) {
      stillMissing.remove(uid);
      findings.add(
          "Workload %s (UID: %s) is not there, and the engine %s; that is given back"
              .formatted(
                  workload.key(),
                  uid,
                  workload.holdsQuota()
                      ? "holds quota of ClusterQueue " + workload.reservedIn() + " for it"
                      : "holds a place in the queue for it"));
      engine.accept(new Change.Deleted(ObjectKind.WORKLOAD, workload.key(), uid));
    }
  }

  private static String uid(JsonNode workload) {
    return workload.path("metadata").path("uid").asText();
  }

  private static ObjectKey key(JsonNode workload) {
    JsonNode metadata = workload.path("metadata");
    return new ObjectKey(metadata.path("namespace").asText(), metadata.path("name").asText());
  }
}
