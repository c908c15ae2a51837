package dev.sluice.see.explain;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.explain.Explanation.Remedy;
import dev.sluice.see.explain.RandomQueues.Pods;
import dev.sluice.see.explain.RandomQueues.QueueText;
import dev.sluice.see.names.Names;
import dev.sluice.testkit.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A remedy that is carried out as it says admits the workload. */
class RemedyLawTest {
  private static final Pattern END = Pattern.compile("Workload (\\S+)/(\\S+) ends");
  private static final Pattern PODS = Pattern.compile("run with (\\d+) pods in place of (\\d+)");
  private static final Pattern QUOTA =
      Pattern.compile(
          "in ClusterQueue (\\S+) raise the (nominalQuota|borrowingLimit) of flavor (\\S+): (.*)");
  private static final Pattern AMOUNT = Pattern.compile("(\\S+) from (\\S+) to (\\S+)");
  private static final Pattern PRIORITY =
      Pattern.compile("give it the priority (\\d+) \\(it has (\\d+)\\)");
  private static final Pattern OPEN_LOCAL =
      Pattern.compile("set spec.stopPolicy of LocalQueue (\\S+) to None");
  private static final Pattern OPEN =
      Pattern.compile("set spec.stopPolicy of ClusterQueue (\\S+) to None");
  private static final String ACTIVATE = "set spec.active of the Workload to true";

  private int atOnce;
  private int inTurn;
  private final List<String> broken = new ArrayList<>();

  @Test
  void aRemedyThatIsCarriedOutAdmits() {
    LongStream.rangeClosed(1, Tier.number("sluice.see.worlds", 3, 30)).forEach(this::world);

    assertThat(broken).as("of %d at once and %d in turn", atOnce, inTurn).isEmpty();
    assertThat(atOnce).isGreaterThan(Tier.number(20, 250));
    assertThat(inTurn).isPositive();
  }

  private void world(long seed) {
    RandomQueues queues = new RandomQueues(seed);
    if (!queues.rests()) {
      return; // some evict each other in turn
    }
    QuotaEngine watching = queues.watching();
    QuotaEngine asked =
        seed % 2 > 0 && haveSameLines(queues, watching) ? watching : queues.engine();
    for (WorkloadState state : queues.snapshot(queues.engine()).workloads()) {
      if (!state.holdsQuota()) {
        Explanation explanation =
            Explainer.explain(asked, state.key(), queues.now(), Names.ALL, () -> "");
        for (Remedy remedy : explanation.remedies()) {
          carryOut(queues, state.key(), remedy, "seed %d, %s".formatted(seed, state.key()));
        }
      }
    }
  }

  /** Only the scheduler remembers who evicted others, and goes first until it has the quota. */
  private static boolean haveSameLines(RandomQueues queues, QuotaEngine watching) {
    Snapshot known = queues.snapshot(watching);
    Snapshot real = queues.snapshot(queues.engine());
    return real.clusterQueues().stream().allMatch(it -> line(real, it).equals(line(known, it)));
  }

  private static List<ObjectKey> line(Snapshot snapshot, String queue) {
    return snapshot.line(queue).places().stream().map(it -> it.workload().key()).toList();
  }

  private void carryOut(RandomQueues queues, ObjectKey key, Remedy remedy, String where) {
    QuotaEngine cluster = queues.engine().fork();
    boolean waitsForItsTurn = remedy.effect().contains("when its turn comes");
    if (waitsForItsTurn) {
      inTurn++;
      othersLeave(queues, cluster, key);
    } else {
      atOnce++;
    }
    apply(queues, cluster, key, remedy.change());

    for (Pods pods : Pods.values()) {
      QuotaEngine later = cluster.fork();
      boolean rests = queues.rest(later, pods);
      WorkloadState after = queues.snapshot(later).state(key);
      if (!rests || after == null || !after.holdsQuota() || after.evicted()) {
        broken.add("%s, %s: %s: %s".formatted(where, pods, remedy.change(), remedy.effect()));
      }
    }
  }

  private static void othersLeave(RandomQueues queues, QuotaEngine cluster, ObjectKey key) {
    for (WorkloadState state : queues.snapshot(cluster).workloads()) {
      if (!state.holdsQuota() && !state.key().equals(key)) {
        queues.delete(cluster, state.key());
      }
    }
  }

  /** Does what the sentence says. */
  private static void apply(
      RandomQueues queues, QuotaEngine cluster, ObjectKey key, String change) {
    Snapshot snapshot = queues.snapshot(cluster);
    Workload workload = requireNonNull(snapshot.workload(key), key.toString());
    WorkloadSpec spec = workload.spec();
    Matcher end = END.matcher(change);
    Matcher pods = PODS.matcher(change);
    Matcher quota = QUOTA.matcher(change);
    Matcher priority = PRIORITY.matcher(change);
    Matcher localQueue = OPEN_LOCAL.matcher(change);
    Matcher queue = OPEN.matcher(change);
    if (end.matches()) {
      queues.delete(cluster, new ObjectKey(end.group(1), end.group(2)));
    } else if (pods.matches()) {
      PodSet old = spec.podSets().getFirst();
      assertThat(pods.group(2)).isEqualTo(Integer.toString(old.count()));
      int count = Integer.parseInt(pods.group(1));
      var podSet = new PodSet(old.name(), old.template(), count, null, old.topologyRequest());
      edit(queues, cluster, workload, spec.with(List.of(podSet)));
    } else if (priority.matches()) {
      int wanted = Integer.parseInt(priority.group(1));
      edit(queues, cluster, workload, spec.toBuilder().priority(wanted).build());
    } else if (change.equals(ACTIVATE)) {
      edit(queues, cluster, workload, spec.toBuilder().active(true).build());
    } else if (localQueue.matches()) {
      cluster.apply(
          Change.upserted(
              ObjectKind.LOCAL_QUEUE,
              RandomQueues.localQueue(key.namespace(), localQueue.group(1), "None")),
          queues.now());
    } else if (queue.matches()) {
      cluster.apply(queues.queueText(queue.group(1)).opened().change(), queues.now());
    } else if (quota.matches()) {
      cluster.apply(raised(queues.queueText(quota.group(1)), quota).change(), queues.now());
    } else {
      throw new AssertionError("no known remedy: " + change);
    }
  }

  private static QueueText raised(QueueText text, Matcher quota) {
    QueueText raised = text;
    for (String part : quota.group(4).split(", ", -1)) {
      Matcher amount = AMOUNT.matcher(part);
      assertThat(amount.matches()).as(part).isTrue();
      raised =
          raised.with(
              quota.group(3), amount.group(1), quota.group(2), amount.group(2), amount.group(3));
    }
    return raised;
  }

  private static void edit(
      RandomQueues queues, QuotaEngine cluster, Workload workload, WorkloadSpec spec) {
    Workload edited =
        workload.with(workload.metadata().toBuilder().resourceVersion(null).build()).with(spec);
    cluster.apply(Change.upserted(ObjectKind.WORKLOAD, edited), queues.now());
  }
}
