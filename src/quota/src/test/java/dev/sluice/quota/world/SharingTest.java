package dev.sluice.quota.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.workload.Workload;
import dev.sluice.quota.TestCluster;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.device.DeviceCatalog;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What a million workloads of few kinds have in common is there once. */
class SharingTest {
  private final WorkloadReader reader = new WorkloadReader(EngineConfiguration.defaults());

  private WorkloadState read(String name, String cpu) {
    return reader.read(
        TestCluster.read(
            Workload.class,
            """
            {'metadata':{'name':'%1$s','namespace':'default','uid':'uid-%1$s',
            'labels':{'kueue.x-k8s.io/job-uid':'job-%1$s'},
            'ownerReferences':[{'apiVersion':'batch/v1','kind':'Job','name':'j','uid':'job-%1$s'}]},
            'spec':{'podSets':[{'name':'main','count':1,'template':{'spec':{'containers':[
            {'name':'c','resources':{'requests':{'cpu':'%2$s'}}}]}}}]}}\
            """
                .formatted(name, cpu)),
        UnaryOperator.identity(),
        DeviceCatalog.EMPTY);
  }

  @Test
  void equalPodSetsAreSharedAsLongAsSomebodyHasThem() {
    WorkloadState one = read("a", "1");
    System.gc(); // takes what nobody has

    WorkloadState other = read("b", "1");

    assertThat(other.workload().spec().podSets()).isSameAs(one.workload().spec().podSets());
    assertThat(other.shape()).isSameAs(one.shape());
  }

  @Test
  void shapesThatDifferHaveNumbersOfTheirOwn() {
    WorkloadState one = read("a", "1");
    WorkloadState other = read("b", "2");

    assertThat(other.shape()).isNotEqualTo(one.shape());
    assertThat(other.shape().number()).isNotEqualTo(one.shape().number());
    assertThat(read("c", "2").shape().number()).isEqualTo(other.shape().number());
  }

  @Test
  void theUidOfTheOwnerIsOneTextWithTheLabelThatRepeatsIt() {
    var metadata = read("a", "1").workload().metadata();

    assertThat(metadata.ownerReferences().getFirst().uid())
        .isEqualTo("job-a")
        .isSameAs(metadata.labels().get("kueue.x-k8s.io/job-uid"));
  }

  @Test
  void manyValuesAreKnownAndThoseThatNobodyUsesForgotten() {
    var known = new Canonical<String>();
    String[] used = new String[1000];
    for (int i = 0; i < used.length; i++) {
      used[i] = known.of("value " + i);
    }
    for (int i = 0; i < used.length; i++) {
      assertThat(known.of("value " + i)).isSameAs(used[i]);
    }

    Arrays.fill(used, 10, used.length, null);
    System.gc();

    String fresh = "value " + used.length / 2;
    assertThat(known.of(fresh)).isSameAs(fresh);
    assertThat(known.of("value 3")).isSameAs(used[3]);
  }
}
