package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import org.junit.jupiter.api.Test;

/** Jobs are managed where the namespace has a label, and the watch of namespaces is behind. */
class UnseenNamespaceTest {
  private static final JobKey SET = JobKey.of(new GroupKind("apps", "StatefulSet"), "ns", "db");
  private static final String NAMESPACE =
      "{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'ns', 'labels': {%s}}}";

  private final TestCluster cluster =
      new TestCluster(JobSettings.of(configuration(), Extensions.DEFAULT));

  private static Configuration configuration() {
    return ConfigurationReader.excerpt(
        json(
            """
            {'managedJobsNamespaceSelector': {'matchLabels': {'managed': 'true'}},
             'integrations': {'frameworks': ['batch/job', 'pod', 'statefulset']}}\
            """));
  }

  private void isAskedForAgainUntilItsNamespaceIsSeen(JobKey key) {
    assertThat(cluster.plan(key).writes()).isEmpty();
    assertThat(cluster.plan(key).again()).isPresent();

    cluster.add(NAMESPACE.formatted("'managed': 'true'"));
    assertThat(cluster.plan(key).writes()).isNotEmpty();
  }

  @Test
  void aJobIsLookedAtAgain() {
    cluster.add(Jobs.job("j", 1, 1));

    isAskedForAgainUntilItsNamespaceIsSeen(JobKey.of(new GroupKind("batch", "Job"), "ns", "j"));
  }

  @Test
  void aPodIsLookedAtAgain() {
    cluster.add(TestPods.pod("p").toString());

    isAskedForAgainUntilItsNamespaceIsSeen(TestPods.key("p"));
  }

  @Test
  void aSetIsLookedAtAgain() {
    cluster.add(
        """
        {'apiVersion': 'apps/v1', 'kind': 'StatefulSet',
         'metadata': {'name': 'db', 'namespace': 'ns', 'labels': {'kueue.x-k8s.io/queue-name': 'lq'}},
         'spec': {'replicas': 2, 'template': {
           'metadata': {'annotations': {'kueue.x-k8s.io/pod-suspending-parent': 'statefulset'}},
           'spec': {'containers': [{'name': 'c', 'image': 'i'}]}}}}\
        """);

    isAskedForAgainUntilItsNamespaceIsSeen(SET);
  }

  @Test
  void aJobInANamespaceThatIsNotSelectedIsLeftAlone() {
    cluster.add(NAMESPACE.formatted(""));
    cluster.add(Jobs.job("j", 1, 1));

    assertThat(cluster.plan(JobKey.of(new GroupKind("batch", "Job"), "ns", "j")).again()).isEmpty();
  }
}
