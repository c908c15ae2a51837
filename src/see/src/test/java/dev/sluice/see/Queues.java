package dev.sluice.see;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.time.Instant;

/** An engine with flavor {@code f} and namespaces {@code a} and {@code b}. */
public final class Queues {
  private final QuotaEngine engine;
  private final Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private int workloads;

  public Queues() {
    this(EngineConfiguration.defaults());
  }

  /** Queues with other settings. */
  public Queues(EngineConfiguration configuration) {
    engine = new QuotaEngine(configuration);
    apply(ObjectKind.RESOURCE_FLAVOR, ResourceFlavor.class, "{'metadata':{'name':'f'}}");
    apply(ObjectKind.NAMESPACE, Namespace.class, "{'metadata':{'name':'a'}}");
    apply(ObjectKind.NAMESPACE, Namespace.class, "{'metadata':{'name':'b'}}");
  }

  public QuotaEngine engine() {
    return engine;
  }

  public Instant now() {
    return now;
  }

  public Snapshot snapshot() {
    return engine.snapshot(now);
  }

  /** Applies an object of that JSON, in which single quotes stand for double ones. */
  public <T> void apply(ObjectKind<T> kind, Class<T> type, String json) {
    engine.apply(
        Change.upserted(kind, HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8))), now);
  }

  /** A ClusterQueue with so much cpu and these members of its spec. */
  public void clusterQueue(String name, int cpu, String members) {
    apply(
        ObjectKind.CLUSTER_QUEUE,
        ClusterQueue.class,
        """
        {'metadata':{'name':'%s'},'spec':{'namespaceSelector':{},%s'resourceGroups':[
        {'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[
        {'name':'cpu','nominalQuota':'%d'}]}]}]}}\
        """
            .formatted(name, members, cpu));
  }

  public void localQueue(String namespace, String name, String clusterQueue) {
    apply(
        ObjectKind.LOCAL_QUEUE,
        LocalQueue.class,
        "{'metadata':{'name':'%s','namespace':'%s'},'spec':{'clusterQueue':'%s'}}"
            .formatted(name, namespace, clusterQueue));
  }

  /**
   * A Workload of pods with one cpu each, a second younger than the one before.
   *
   * @param members of its spec
   */
  public ObjectKey workload(String namespace, String name, String queue, int pods, String members) {
    apply(
        ObjectKind.WORKLOAD,
        Workload.class,
        """
        {'metadata':{'name':'%s','namespace':'%s','uid':'%s','resourceVersion':'%d',
        'creationTimestamp':'%s','ownerReferences':[{'apiVersion':'batch/v1','kind':'Job',
        'name':'job-%s','uid':'u','controller':true}]},'spec':{'queueName':'%s',%s'podSets':[
        {'name':'main','count':%d,'template':{'spec':{'containers':[{'name':'c',
        'resources':{'requests':{'cpu':'1'}}}]}}}]}}\
        """
            .formatted(
                name,
                namespace,
                namespace + "-" + name,
                workloads + 1,
                now.plusSeconds(workloads++),
                name,
                queue,
                members,
                pods));
    return new ObjectKey(namespace, name);
  }

  /** Cycles until nothing changes. */
  public void rest() {
    while (engine.cycle(now).changed()) {
      // until it is at rest
    }
  }
}
