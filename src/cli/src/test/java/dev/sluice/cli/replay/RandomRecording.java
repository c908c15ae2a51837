package dev.sluice.cli.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.recording.ConfigurationDocument;
import dev.sluice.quota.recording.Event;
import dev.sluice.quota.recording.RecordedEvent;
import dev.sluice.quota.recording.RecordedOutcome;
import dev.sluice.quota.recording.SegmentHeader;
import dev.sluice.quota.recording.SegmentWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** A recording of random Workloads that arrive, are preempted and end, in one segment. */
final class RandomRecording {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int QUEUES = 4;
  private static final String[] RECLAIM = {"Never", "LowerPriority", "Any"};
  private static final String[] WITHIN = {"Never", "LowerPriority", "LowerOrNewerEqualPriority"};

  /** A decision that was made. */
  record Made(Instant at, ObjectKey workload, Decision decision) {}

  private final Random random;
  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private final SegmentWriter writer;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<Made> made = new ArrayList<>();
  private final Set<ObjectKey> running = new LinkedHashSet<>();
  private final Set<ObjectKey> evicted = new LinkedHashSet<>();
  private Instant now = Instant.parse("2026-01-31T12:00:00Z");
  private long sequence;
  private int created;

  private RandomRecording(long seed) {
    this.random = new Random(seed);
    this.writer =
        new SegmentWriter(
            new SegmentHeader(
                "run" + seed,
                0,
                1,
                true,
                "test",
                "",
                ConfigurationDocument.write(EngineConfiguration.defaults())));
    bytes.writeBytes(writer.opening());
    record(new Event.Checkpoint(List.of()));
    tell(ObjectKind.NAMESPACE, Namespace.class, "{'metadata':{'name':'team-secret'}}");
    for (int i = 0; i < 2; i++) {
      tell(ObjectKind.RESOURCE_FLAVOR, ResourceFlavor.class, "{'metadata':{'name':'f%d'}}", i);
    }
  }

  private RandomRecording withQueues() {
    for (int i = 0; i < QUEUES; i++) {
      queue(i);
    }
    return this;
  }

  /** A recording of that many steps. */
  static RandomRecording of(long seed, int steps) {
    return new RandomRecording(seed).withQueues().steps(steps);
  }

  /** Three jobs of one cpu that run for 10 s arrive at once in q0, which has one cpu. */
  static RandomRecording threeInALine() {
    var recording = new RandomRecording(0);
    recording.tell(
        ObjectKind.CLUSTER_QUEUE,
        ClusterQueue.class,
        """
        {'metadata':{'name':'q0'},'spec':{'namespaceSelector':{},'resourceGroups':[{
        'coveredResources':['cpu'],'flavors':[{'name':'f0','resources':[
        {'name':'cpu','nominalQuota':'1'}]}]}]}}\
        """);
    recording.tell(
        ObjectKind.LOCAL_QUEUE,
        LocalQueue.class,
        "{'metadata':{'name':'l0','namespace':'team-secret'},'spec':{'clusterQueue':'q0'}}");
    for (int i = 0; i < 3; i++) {
      recording.arrive(0, 0, 1);
    }
    for (int i = 0; i < 3; i++) {
      recording.cycle();
      recording.now = recording.now.plusSeconds(10);
      recording.tell(
          new Change.Deleted(ObjectKind.WORKLOAD, new ObjectKey("team-secret", "secret-" + i)));
    }
    return recording;
  }

  private RandomRecording steps(int count) {
    for (int i = 0; i < count; i++) {
      now = now.plusSeconds(1 + random.nextInt(5));
      int dice = random.nextInt(10);
      if (dice < 4) {
        arrive();
      } else if (dice < 5) {
        end();
      } else {
        cycle();
      }
    }
    return this;
  }

  /** Writes the segment. */
  Path write(Path folder) throws IOException {
    record(new Event.Ended());
    bytes.writeBytes(writer.frame());
    writer.close();
    return Files.write(folder.resolve("20260131T120000-run-00000.rec"), bytes.toByteArray());
  }

  List<Made> made() {
    return made;
  }

  private void record(Event event) {
    writer.add(new RecordedEvent(++sequence, now, event));
  }

  private void tell(Change change) {
    record(new Event.Applied(change));
    engine.apply(change, now);
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation is no dependency of tests
  private <T> T tell(ObjectKind<T> kind, Class<T> type, String json, Object... values) {
    try {
      T object = HubObjects.read(type, MAPPER.readTree(json.formatted(values).replace('\'', '"')));
      tell(Change.upserted(kind, object));
      return object;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private String pick(String... values) {
    return values[random.nextInt(values.length)];
  }

  private void queue(int index) {
    tell(
        ObjectKind.CLUSTER_QUEUE,
        ClusterQueue.class,
        """
        {'metadata':{'name':'q%d'},'spec':{'namespaceSelector':{},'cohortName':'all',
        'queueingStrategy':'%s','preemption':{'withinClusterQueue':'%s','reclaimWithinCohort':'%s'},
        'resourceGroups':[{'coveredResources':['cpu'],'flavors':[
        {'name':'f0','resources':[{'name':'cpu','nominalQuota':'%d'}]},
        {'name':'f1','resources':[{'name':'cpu','nominalQuota':'%d'}]}]}]}}\
        """,
        index,
        pick("StrictFIFO", "BestEffortFIFO"),
        pick(WITHIN),
        pick(RECLAIM),
        2 + random.nextInt(6),
        random.nextInt(4));
    tell(
        ObjectKind.LOCAL_QUEUE,
        LocalQueue.class,
        "{'metadata':{'name':'l%d','namespace':'team-secret'},'spec':{'clusterQueue':'q%d'}}",
        index,
        index);
  }

  private void arrive() {
    arrive(random.nextInt(QUEUES), random.nextInt(4), 1 + random.nextInt(5));
  }

  private void arrive(int queue, int priority, int pods) {
    String name = "secret-" + created++;
    Workload workload =
        tell(
            ObjectKind.WORKLOAD,
            Workload.class,
            """
            {'metadata':{'name':'%s','namespace':'team-secret','uid':'%s','creationTimestamp':'%s'},
            'spec':{'queueName':'l%d','priority':%d,'podSets':[{'name':'main','count':%d,
            'template':{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]}}}]
            }}\
            """,
            name,
            name,
            now,
            queue,
            priority,
            pods);
    running.add(ObjectKey.of(workload.metadata()));
  }

  private void end() {
    if (!running.isEmpty()) {
      ObjectKey key = List.copyOf(running).get(random.nextInt(running.size()));
      running.remove(key);
      tell(new Change.Deleted(ObjectKind.WORKLOAD, key));
    }
  }

  private void cycle() {
    for (ObjectKey key : List.copyOf(evicted)) {
      Workload workload = engine.snapshot(now).workload(key);
      record(new Event.Looked());
      if (workload != null) {
        tell(Change.upserted(ObjectKind.WORKLOAD, released(workload)));
      }
    }
    evicted.clear();
    CycleResult result = engine.cycle(now);
    record(new Event.Cycled(result.outcomes().stream().map(RecordedOutcome::of).toList()));
    for (Outcome outcome : result.outcomes()) {
      made.add(new Made(now, outcome.workload(), outcome.decision()));
      evicted.addAll(RecordedOutcome.victims(outcome.decision()));
    }
  }

  private Workload released(Workload workload) {
    List<Condition> conditions = new ArrayList<>(workload.status().conditions());
    conditions.removeIf(it -> it.type().equals("QuotaReserved"));
    conditions.add(
        new Condition("QuotaReserved", ConditionStatus.FALSE, null, now, "Pending", "gave way"));
    WorkloadStatus status =
        workload.status().toBuilder().conditions(conditions).admission(null).build();
    return workload.with(status);
  }
}
