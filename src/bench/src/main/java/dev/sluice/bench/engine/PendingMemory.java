package dev.sluice.bench.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.bench.load.LiveHeap;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.time.Instant;
import java.util.List;

/** What workloads that wait keep of the heap, the objects themselves included. */
public final class PendingMemory {
  private static final Instant NOW = BusyQueues.START;
  private static final int QUEUES = 100;

  /** How different the workloads are, each read from a text of its own as from the API server. */
  public enum Variety {
    /** All ask for the same, as the jobs of one CronJob do. */
    ALIKE(1),
    /** A hundred different ones. */
    A_HUNDRED_SHAPES(100),
    /** No two are alike. */
    ALL_DIFFERENT(Integer.MAX_VALUE);

    private final int shapes;

    Variety(int shapes) {
      this.shapes = shapes;
    }

    String words() {
      return switch (this) {
        case ALIKE -> "all alike";
        case A_HUNDRED_SHAPES -> "of 100 shapes";
        case ALL_DIFFERENT -> "all different";
      };
    }
  }

  private PendingMemory() {}

  /** The bytes of the heap that so many waiting workloads take, parked for want of quota. */
  static long bytes(int workloads, Variety variety) {
    return LiveHeap.bytesOf(() -> waiting(workloads, variety))
        - LiveHeap.bytesOf(PendingMemory::emptyQueues);
  }

  private static QuotaEngine waiting(int workloads, Variety variety) {
    QuotaEngine engine = emptyQueues();
    for (int i = 0; i < workloads; i++) {
      engine.apply(Change.upserted(ObjectKind.WORKLOAD, workload(i, i % variety.shapes)), NOW);
    }
    while (engine.cycle(NOW).changed()) {
      // until everybody was looked at
    }
    if (!engine.snapshot(NOW).workloads().iterator().hasNext()) {
      throw new IllegalStateException("nobody waits");
    }
    return engine;
  }

  private static QuotaEngine emptyQueues() {
    var engine = new QuotaEngine(EngineConfiguration.defaults());
    engine.apply(EngineObjects.namespace(), NOW);
    engine.apply(EngineObjects.flavor("flavor"), NOW);
    for (int i = 0; i < QUEUES; i++) {
      String name = "queue-" + i;
      engine.apply(EngineObjects.clusterQueue(name, "all", List.of("flavor"), 0, 100, false), NOW);
      engine.apply(EngineObjects.localQueue(name), NOW);
    }
    engine.snapshot(NOW);
    return engine;
  }

  private static Workload workload(int number, int shape) {
    return HubObjects.read(
        Workload.class,
        """
        {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{
          "name":"job-sample-job-%1$d-3f5a1","namespace":"default",
          "uid":"6c0a5a0e-9e0b-4c3e-8a57-%1$012d","resourceVersion":"%1$d","generation":1,
          "creationTimestamp":"2026-01-01T00:00:00Z",
          "labels":{"kueue.x-k8s.io/job-uid":"0b7d5a0e-9e0b-4c3e-8a57-%1$012d"},
          "ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"sample-job-%1$d",
            "uid":"0b7d5a0e-9e0b-4c3e-8a57-%1$012d","controller":true}],
          "finalizers":["kueue.x-k8s.io/resource-in-use"]},
        "spec":{"active":true,"queueName":"queue-%2$d","priority":0,"podSets":[{"name":"main",
          "count":3,"template":{"metadata":{"labels":{"app":"sample"}},"spec":{
            "containers":[{"name":"main","image":"registry.example.com/sample:1",
              "command":["sh","-c","sleep 30"],
              "resources":{"requests":{"cpu":"%3$dm","memory":"200Mi"}}}],
            "restartPolicy":"Never","nodeSelector":{"disk":"ssd"},
            "tolerations":[{"key":"spot","operator":"Exists"}]}}}]}}
        """
            .formatted(number, number % QUEUES, 1000 + shape)
            .getBytes(UTF_8));
  }
}
