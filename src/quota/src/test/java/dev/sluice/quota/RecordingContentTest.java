package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.Node;
import dev.sluice.api.core.Pod;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.recording.Event;
import dev.sluice.quota.recording.RecordedEvent;
import dev.sluice.quota.recording.RecordedOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is in a recording, and what is not. */
class RecordingContentTest {
  private static final String CANARY = "canary-5f2e";
  private static final int WORKLOADS = 200;
  private static final int MOST_BYTES_OF_A_WORKLOAD = 400;

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private final RecordedWorld recorded = new RecordedWorld(EngineConfiguration.defaults(), 50);
  private Instant now = TestCluster.START;
  private int version = 1000;

  private void tell(Change change) {
    recorded.take(now, new Event.Applied(change));
    engine.apply(change, now);
  }

  private void cycle() {
    var result = engine.cycle(now);
    recorded.take(
        now, new Event.Cycled(result.outcomes().stream().map(RecordedOutcome::of).toList()));
  }

  @Test
  void whatNoDecisionReadsIsInNoByte() {
    tell(
        upserted(
            ObjectKind.WORKLOAD,
            Workload.class,
            """
            {'metadata':{'name':'w','namespace':'default','uid':'u','generateName':'%1$s-',
              'labels':{'team':'%1$s','%1$s':'x'},'annotations':{'note':'%1$s'},'finalizers':['x/%1$s']},
             'spec':{'queueName':'l','podSets':[{'name':'main','count':1,'template':{
              'metadata':{'labels':{'a':'%1$s'},'annotations':{'b':'%1$s'},'name':'%1$s'},
              'spec':{'serviceAccountName':'%1$s','volumes':[{'name':'v','secret':{'secretName':'%1$s'}}],
               'containers':[{'name':'c','image':'%1$s','command':['%1$s'],'args':['%1$s'],
                'env':[{'name':'PASSWORD','value':'%1$s'}],'resources':{'requests':{'cpu':'1'}}}]}}}]},
             'status':{'admissionChecks':[{'name':'check','state':'Pending','message':'',
              'lastTransitionTime':'2026-01-01T00:00:00Z','podSetUpdates':[{'name':'main',
              'labels':{'c':'%1$s'},'annotations':{'d':'%1$s'}}]}]}}\
            """));
    tell(
        upserted(
            ObjectKind.POD,
            Pod.class,
            """
            {'metadata':{'name':'p','namespace':'default','labels':{'a':'%1$s'},
              'annotations':{'b':'%1$s'}},'spec':{'nodeName':'n','containers':[{'name':'c',
              'env':[{'name':'PASSWORD','value':'%1$s'}],'args':['%1$s']}]}}\
            """));
    tell(
        upserted(
            ObjectKind.NODE,
            Node.class,
            """
            {'metadata':{'name':'n','annotations':{'b':'%1$s'}},
             'status':{'addresses':[{'address':'%1$s'}]}}\
            """));
    tell(
        upserted(
            ObjectKind.NAMESPACE,
            Namespace.class,
            """
            {'metadata':{'name':'default','annotations':{'b':'%1$s'}}}\
            """));
    tell(
        upserted(
            ObjectKind.CLUSTER_QUEUE,
            ClusterQueue.class,
            """
            {'metadata':{'name':'q','labels':{'a':'%1$s'},'annotations':{'b':'%1$s'}},'spec':{},
             'status':{'conditions':[{'type':'Active','status':'True','reason':'R','message':'%1$s',
              'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}\
            """));
    cycle();

    List<byte[]> segments = recorded.segments();

    for (RecordedEvent event : RecordedWorld.read(segments.getFirst())) {
      assertThat(event.toString()).doesNotContain(CANARY);
    }
    assertThat(RecordedWorld.expanded(segments.getFirst())).doesNotContain(CANARY);
  }

  private static <T> Change upserted(ObjectKind<T> kind, Class<T> type, String json) {
    return Change.upserted(kind, read(type, json.formatted(CANARY)));
  }

  @Test
  void aWorkloadFromItsCreationToItsDeletionTakesFewBytes() {
    tell(
        Change.upserted(
            ObjectKind.NAMESPACE, read(Namespace.class, "{'metadata':{'name':'team-a'}}")));
    tell(
        Change.upserted(
            ObjectKind.RESOURCE_FLAVOR,
            read(ResourceFlavor.class, "{'metadata':{'name':'default'}}")));
    tell(
        Change.upserted(
            ObjectKind.CLUSTER_QUEUE,
            read(
                ClusterQueue.class,
                """
                {'metadata':{'name':'team-a'},'spec':{'namespaceSelector':{},'resourceGroups':[
                 {'coveredResources':['cpu','memory'],'flavors':[{'name':'default','resources':[
                  {'name':'cpu','nominalQuota':'40'},{'name':'memory','nominalQuota':'400Gi'}]}]}]}}\
                """)));
    tell(
        Change.upserted(
            ObjectKind.LOCAL_QUEUE,
            read(
                LocalQueue.class,
                """
                {'metadata':{'name':'main','namespace':'team-a'},'spec':{'clusterQueue':'team-a'}}\
                """)));
    int before = recorded.bytes();

    List<Workload> running = new ArrayList<>();
    for (int i = 0; i < WORKLOADS; i++) {
      Workload workload = arrive(i);
      cycle();
      Workload decided = engine.snapshot(now).workload(ObjectKey.of(workload.metadata()));
      recorded.take(now, new Event.Looked());
      Workload stored = newer(decided == null ? workload : decided);
      tell(new Change.WorkloadAnswered(stored));
      tell(new Change.StatusStored(ObjectKey.of(stored.metadata()), stored.metadata().uid()));
      tell(Change.upserted(ObjectKind.WORKLOAD, stored));
      Workload ready = with(stored, "PodsReady", "Started");
      tell(Change.upserted(ObjectKind.WORKLOAD, ready));
      running.add(ready);
      if (running.size() == 20) {
        Workload ended = with(running.removeFirst(), "Finished", "Succeeded");
        tell(Change.upserted(ObjectKind.WORKLOAD, ended));
        cycle();
        tell(
            new Change.Deleted(
                ObjectKind.WORKLOAD, ObjectKey.of(ended.metadata()), ended.metadata().uid()));
      }
      now = now.plusSeconds(1);
    }

    assertThat((recorded.bytes() - before) / WORKLOADS)
        .isLessThanOrEqualTo(MOST_BYTES_OF_A_WORKLOAD);
    assertThat(RecordedWorld.replay(recorded.segments())).isEmpty();
  }

  private Workload arrive(int number) {
    UUID uid = new UUID(number * 0x9e3779b97f4a7c15L, ~number * 0xc2b2ae3d27d4eb4fL);
    Workload workload =
        read(
            Workload.class,
            """
            {'metadata':{'name':'job-train-%d-%s','namespace':'team-a','uid':'%s','generation':1,
              'resourceVersion':'%d','creationTimestamp':'%s',
              'labels':{'kueue.x-k8s.io/job-uid':'%s'},'ownerReferences':[{'apiVersion':'batch/v1',
              'kind':'Job','name':'train-%d','uid':'%s','controller':true}]},
             'spec':{'queueName':'main','priority':0,'active':true,'podSets':[{'name':'main','count':2,
              'template':{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'1',
              'memory':'2Gi'}}}]}}}]}}\
            """
                .formatted(
                    number,
                    uid.toString().substring(0, 5),
                    uid,
                    ++version,
                    now,
                    new UUID(number, 7),
                    number,
                    new UUID(number, 7)));
    tell(Change.upserted(ObjectKind.WORKLOAD, workload));
    return workload;
  }

  private Workload newer(Workload workload) {
    ObjectMeta meta = workload.metadata();
    return workload.with(meta.toBuilder().resourceVersion(String.valueOf(++version)).build());
  }

  private Workload with(Workload workload, String type, String reason) {
    WorkloadStatus old = workload.status();
    List<Condition> conditions = new ArrayList<>(old.conditions());
    conditions.add(new Condition(type, ConditionStatus.TRUE, 1L, now, reason, "Job " + reason));
    return newer(workload.with(old.toBuilder().conditions(conditions).build()));
  }
}
