package dev.sluice.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.testkit.json.SingleQuoted;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettledQueuesTest {
  private static final LocalQueue QUEUE =
      HubObjects.read(
          LocalQueue.class,
          SingleQuoted.json(
              "{'metadata':{'name':'lq','namespace':'ns'},'spec':{'clusterQueue':'cq'}}"));

  private final SettledQueues settled = new SettledQueues();

  private static ClusterQueue clusterQueue(String cohort, int pending) {
    return HubObjects.read(
        ClusterQueue.class,
        SingleQuoted.json(
            "{'metadata':{'name':'cq'},'spec':{'cohortName':'%s'},'status':{'pendingWorkloads':%d}}"
                .formatted(cohort, pending)));
  }

  private SettledQueues.Basis pass(ClusterQueue clusterQueue) {
    settled.begin(List.of(clusterQueue));
    return settled.basis(clusterQueue, List.of(), new Tally.Count());
  }

  @Test
  void aLocalQueueStaysSettledWhateverTheStatusOfItsClusterQueueSays() {
    settled.add(QUEUE, pass(clusterQueue("a", 0)));

    for (int pending = 1; pending < 4; pending++) {
      assertThat(settled.contains(QUEUE, pass(clusterQueue("a", pending)))).isTrue();
    }
  }

  @Test
  void aLocalQueueIsNotSettledOnceItsClusterQueueSaysSomethingElse() {
    settled.add(QUEUE, pass(clusterQueue("a", 0)));

    assertThat(settled.contains(QUEUE, pass(clusterQueue("b", 0)))).isFalse();
  }

  @Test
  void aLocalQueueThatAPassDidNotFindSettledIsForgotten() {
    ClusterQueue clusterQueue = clusterQueue("a", 0);
    settled.add(QUEUE, pass(clusterQueue));
    pass(clusterQueue);

    assertThat(settled.contains(QUEUE, pass(clusterQueue))).isFalse();
  }
}
