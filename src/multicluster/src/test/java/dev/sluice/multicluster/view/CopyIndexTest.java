package dev.sluice.multicluster.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.multicluster.apiserver.MemoryObjects;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopyIndexTest {
  private static final GroupKind JOB = new GroupKind("batch", "Job");

  private final CopyIndex index = new CopyIndex();

  private static JsonNode copy(String name, String manager, String condition) {
    return MemoryObjects.tree(
        """
        {'metadata': {'name': '%s', 'namespace': 'ns', 'annotations': {
          'sluice.dev/multikueue-manager': '%s'}},
         'status': {'conditions': [{'type': '%s', 'status': 'True'}]}}\
        """
            .formatted(name, manager, condition));
  }

  private void add(GroupKind kind, JsonNode object) {
    index.note(kind, new ObjectChange(Optional.empty(), Optional.of(object)));
  }

  @ParameterizedTest
  @CsvSource({
    "'', PENDING",
    "QuotaReserved, RESERVED",
    "Admitted, ADMITTED",
    "Evicted, EVICTED",
    "Finished, FINISHED"
  })
  void copiesAreCountedByState(String condition, CopyState state) {
    add(WorkerKinds.WORKLOAD, copy("w", "us", condition));

    for (CopyState each : CopyState.values()) {
      assertThat(index.copies(each)).isEqualTo(each == state ? 1 : 0);
    }
  }

  @Test
  void aChangeMovesACopyFromOneStateToTheOther() {
    JsonNode before = copy("w", "us", "Admitted");
    add(WorkerKinds.WORKLOAD, before);
    index.note(
        WorkerKinds.WORKLOAD,
        new ObjectChange(Optional.of(before), Optional.of(copy("w", "us", "Finished"))));

    assertThat(index.copies(CopyState.ADMITTED)).isZero();
    assertThat(index.copies(CopyState.FINISHED)).isEqualTo(1);
  }

  @Test
  void objectsAreCountedByTheirManagerAndKind() {
    JsonNode ours = copy("w", "us", "");
    add(WorkerKinds.WORKLOAD, ours);
    add(JOB, copy("w", "us", ""));
    add(JOB, copy("x", "us", ""));
    add(WorkerKinds.WORKLOAD, copy("theirs", "them", ""));

    assertThat(index.objectsOf("us")).isEqualTo(Map.of(WorkerKinds.WORKLOAD, 1, JOB, 2));
    assertThat(index.isSharedBesides("us")).isTrue();

    index.note(WorkerKinds.WORKLOAD, new ObjectChange(Optional.of(ours), Optional.empty()));
    assertThat(index.objectsOf("us")).isEqualTo(Map.of(JOB, 2));
    assertThat(index.objectsOf("nobody")).isEmpty();
  }
}
