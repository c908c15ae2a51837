package dev.sluice.webhook.fence;

import static dev.sluice.testkit.json.SingleQuoted.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.rules.quota.QuotaLoss;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Quotas of cpu in flavor f, as a view would show them. Thread-safe. */
public final class Quotas implements QuotaSource, SeenWorkloads {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private final List<Reservation> decided = new ArrayList<>();
  private final List<Runnable> moved = new CopyOnWriteArrayList<>();
  private final Map<ObjectKey, Seen> seen = new HashMap<>();
  private @Nullable List<QuotaLoss> foreseen;
  private long reached;

  /** A ClusterQueue; {@code limits} such as {@code ,'borrowingLimit':1} may be empty. */
  public synchronized Quotas queue(String name, String cohort, int cpu, String limits) {
    JsonNode queue =
        json(
            """
            {'metadata':{'name':'%s'},'spec':{'namespaceSelector':{},'cohortName':'%s',
            'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[
            {'name':'cpu','nominalQuota':%d%s}]}]}]}}\
            """
                .formatted(name, cohort, cpu, limits));
    engine.apply(
        Change.upserted(ObjectKind.CLUSTER_QUEUE, HubObjects.read(ClusterQueue.class, queue)), NOW);
    if (!cohort.isEmpty()) {
      JsonNode named = json("{'metadata':{'name':'" + cohort + "'},'spec':{}}");
      engine.apply(Change.upserted(ObjectKind.COHORT, HubObjects.read(Cohort.class, named)), NOW);
    }
    return this;
  }

  /** The view sees the Workload, whose LocalQueue leads to ClusterQueue a. */
  public void see(JsonNode workload) {
    watch(workload);
    count(workload);
  }

  /** The watch shows the Workload, and the quotas do not yet. */
  synchronized void watch(JsonNode json) {
    Workload workload = HubObjects.read(Workload.class, json);
    long version = FencedQuotaView.version(workload);
    seen.put(
        ObjectKey.of(workload.metadata()),
        new Seen(workload.metadata().uid(), version, Optional.of("a")));
    reach(version);
  }

  /** The quotas follow the watch in what it showed of the Workload. */
  void count(JsonNode workload) {
    change(Change.upserted(ObjectKind.WORKLOAD, HubObjects.read(Workload.class, workload)));
  }

  /** The watch has come to that version. */
  synchronized void reach(long version) {
    reached = Math.max(reached, version);
  }

  /** The view sees that there is no such Workload any more. */
  void forget(String name) {
    long deletion;
    synchronized (this) {
      deletion = reached + 1;
    }
    watchGone(name, deletion);
    countGone(name);
  }

  /** The watch shows that the Workload was deleted at that version. */
  synchronized void watchGone(String name, long version) {
    seen.remove(new ObjectKey("n", name));
    reach(version);
  }

  /** The quotas follow the watch in that the Workload is gone. */
  void countGone(String name) {
    change(new Change.Deleted(ObjectKind.WORKLOAD, new ObjectKey("n", name)));
  }

  @Override
  public SeenWorkloads workloads() {
    return this;
  }

  @Override
  public synchronized long reached() {
    return reached;
  }

  @Override
  public synchronized Optional<Seen> find(ObjectKey workload) {
    return Optional.ofNullable(seen.get(workload));
  }

  /** From now on an engine says that these lose quota by any edit; null for no engine. */
  public synchronized void foresee(@Nullable List<QuotaLoss> losses) {
    foreseen = losses;
  }

  @Override
  public synchronized boolean foreseesLosses() {
    return foreseen != null;
  }

  @Override
  public synchronized Optional<List<QuotaLoss>> losses(JsonNode clusterQueue) {
    return Optional.ofNullable(foreseen);
  }

  private void change(Change change) {
    synchronized (this) {
      engine.apply(change, NOW);
    }
    moved.forEach(Runnable::run);
  }

  @Override
  public void onMove(Runnable listener) {
    moved.add(listener);
  }

  synchronized void decide(Reservation reservation) {
    decided.add(reservation);
  }

  @Override
  public synchronized Optional<Snapshot> snapshot() {
    return Optional.of(engine.snapshot(NOW));
  }

  @Override
  public synchronized Collection<Reservation> decided() {
    return List.copyOf(decided);
  }

  /** A Workload of that version without quota. */
  public static JsonNode waiting(String name, int version) {
    return workload(name, version, "", "");
  }

  /** A Workload of that version with so much cpu in that ClusterQueue. */
  public static JsonNode holding(String name, int version, String queue, int cpu) {
    return holding(name, version, queue, cpu, "");
  }

  /** As {@link #holding}, with an annotation such as {@code 'a':'b'}. */
  public static JsonNode holding(
      String name, int version, String queue, int cpu, String annotation) {
    return workload(
        name,
        version,
        annotation,
        """
        'admission':{'clusterQueue':'%s','podSetAssignments':[{'name':'main','count':1,
        'flavors':{'cpu':'f'},'resourceUsage':{'cpu':'%d'}}]},'conditions':[{
        'type':'QuotaReserved','status':'True','reason':'QuotaReserved','message':'',
        'lastTransitionTime':'2026-01-01T12:00:00Z'}]\
        """
            .formatted(queue, cpu));
  }

  private static JsonNode workload(String name, int version, String annotation, String status) {
    return json(
        """
        {'metadata':{'namespace':'n','name':'%s','uid':'uid-%s','resourceVersion':'%d',
        'annotations':{%s}},'spec':{'queueName':'q','podSets':[{'name':'main','count':1,
        'template':{'spec':{'containers':[{'name':'c','image':'i'}]}}}]},'status':{%s}}\
        """
            .formatted(name, name, version, annotation, status));
  }
}
