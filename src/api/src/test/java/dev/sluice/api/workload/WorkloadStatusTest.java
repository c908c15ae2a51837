package dev.sluice.api.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkloadStatusTest {
  private static final WorkloadStatus FULL =
      WorkloadStatus.EMPTY.toBuilder()
          .admission(new Admission("queue", List.of()))
          .reclaimablePods(List.of(new ReclaimablePod("main", 1)))
          .accumulatedPastExecutionTimeSeconds(7)
          .nominatedClusterNames(List.of("a"))
          .clusterName("b")
          .unhealthyNodes(List.of(new UnhealthyNode("node")))
          .build();

  @Test
  void whatIsNotSetStaysAsItWas() {
    assertThat(FULL.toBuilder().build()).isEqualTo(FULL);
    WorkloadStatus changed = FULL.toBuilder().clusterName(null).build();
    assertThat(changed.clusterName()).isNull();
    assertThat(changed.toBuilder().clusterName("b").build()).isEqualTo(FULL);
  }

  @Test
  void everyComponentCanBeSet() {
    List<String> setters =
        Arrays.stream(WorkloadStatus.Builder.class.getMethods())
            .filter(it -> it.getReturnType() == WorkloadStatus.Builder.class)
            .map(Method::getName)
            .toList();
    assertThat(setters)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(WorkloadStatus.class.getRecordComponents())
                .map(RecordComponent::getName)
                .toList());
  }
}
