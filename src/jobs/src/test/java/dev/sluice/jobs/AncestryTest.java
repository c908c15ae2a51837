package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Job of a JobSet of an AppWrapper: who of its owners decides whether it runs. */
class AncestryTest {
  private static final Framework TOP = Framework.APP_WRAPPER;
  private static final Framework MIDDLE = Framework.JOB_SET;

  private static TestCluster cluster(boolean all, boolean middle, boolean top) {
    List<Framework> on = new ArrayList<>(List.of(Framework.JOB));
    if (middle) {
      on.add(MIDDLE);
    }
    if (top) {
      on.add(TOP);
    }
    return new TestCluster(Jobs.settings(on, all));
  }

  private static void add(TestCluster cluster, Framework kind, boolean isQueued) {
    ObjectNode object =
        json("{'metadata': {'name': 'o', 'namespace': 'ns'}, 'spec': {}}")
            .put("apiVersion", kind.type().apiVersion())
            .put("kind", kind.type().kind());
    if (isQueued) {
      object.withObject("/metadata/labels").put("kueue.x-k8s.io/queue-name", "lq");
    }
    if (kind == MIDDLE) {
      own(cluster, object, TOP);
    }
    cluster.add(object.toString());
  }

  private static JobKey key(Framework kind) {
    return JobKey.of(kind.type().groupKind(), "ns", "o");
  }

  private static void own(TestCluster cluster, ObjectNode object, Framework owner) {
    object
        .withObject("/metadata")
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", owner.type().apiVersion())
        .put("kind", owner.type().kind())
        .put("name", "o")
        .put("controller", true)
        .set("uid", cluster.get(key(owner)).at("/metadata/uid"));
  }

  private static void addRunningJob(TestCluster cluster) {
    ObjectNode job = json(Jobs.job("j", 1, 1));
    job.withObject("/metadata").remove("labels");
    job.withObject("/spec").put("suspend", false);
    own(cluster, job, MIDDLE);
    cluster.add(job.toString());
  }

  private static boolean isHeld(TestCluster cluster) {
    cluster.settle(Jobs.KEY);
    return cluster.get(Jobs.KEY).at("/spec/suspend").asBoolean();
  }

  private static void admit(TestCluster cluster, Framework owner) {
    ObjectNode workload =
        json(
            "{'apiVersion': 'kueue.x-k8s.io/v1beta2', 'kind': 'Workload',"
                + " 'metadata': {'name': 'w', 'namespace': 'ns'}, 'spec': {'podSets': []}}");
    own(cluster, workload, owner);
    Admissions.admit(workload);
    cluster.add(workload.toString());
  }

  @ParameterizedTest
  @CsvSource(
      useHeadersInDisplayName = true,
      textBlock =
          """
          all,   JobSet on, JobSet queued, AppWrapper on, AppWrapper queued, decides
          false, true,      false,         true,          false,             nobody
          false, true,      true,          true,          false,             JOB_SET
          false, true,      false,         true,          true,              APP_WRAPPER
          false, true,      true,          true,          true,              APP_WRAPPER
          true,  true,      false,         true,          false,             APP_WRAPPER
          false, false,     true,          true,          false,             nobody
          false, false,     false,         true,          true,              APP_WRAPPER
          false, false,     true,          true,          true,              APP_WRAPPER
          true,  false,     false,         true,          false,             APP_WRAPPER
          false, true,      true,          false,         true,              JOB_SET
          true,  true,      false,         false,         false,             JOB_SET
          """)
  void theFarthestManagedOwnerOfAKindThatIsOnDecides(
      boolean all,
      boolean middle,
      boolean isMiddleQueued,
      boolean top,
      boolean isTopQueued,
      String decides) {
    TestCluster cluster = cluster(all, middle, top);
    add(cluster, TOP, isTopQueued);
    add(cluster, MIDDLE, isMiddleQueued);
    if (!decides.equals("nobody")) {
      admit(cluster, Framework.valueOf(decides));
    }
    addRunningJob(cluster);
    assertThat(isHeld(cluster)).isFalse();

    if (!decides.equals("nobody")) {
      cluster.delete(JobKey.of(WorkloadView.KIND, "ns", "w"));
      assertThat(isHeld(cluster)).isTrue();
    }
  }

  @Test
  void readsTheOwnersOfKindsThatAreOffOnlyWhereOneMayStandAboveThem() {
    assertThat(new JobPlanner(Jobs.settings(List.of(Framework.JOB), false)).followed()).isEmpty();
    assertThat(cluster(false, false, true).planner().followed())
        .contains(MIDDLE.type(), Framework.TRAIN_JOB.type())
        .doesNotContain(Framework.POD.type(), Framework.JOB.type(), TOP.type());
    assertThat(cluster(false, true, true).planner().followed()).doesNotContain(MIDDLE.type());
  }
}
