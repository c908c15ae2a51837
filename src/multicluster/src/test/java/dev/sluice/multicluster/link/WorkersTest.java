package dev.sluice.multicluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.multicluster.protocol.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkersTest {
  private static final Link CONNECTED = new Link.Connected(true);
  private static final GroupKind JOB = new GroupKind("batch", "Job");

  private final Workers workers = new Workers();
  private final List<String> told = new ArrayList<>();

  @BeforeEach
  void somebodyListens() {
    workers.listen(
        new Workers.Listener() {
          @Override
          public void linkChanged(String cluster) {
            told.add(cluster);
          }

          @Override
          public void workloadChanged(String cluster, GroupKind kind, ObjectKey workload) {
            throw new AssertionError("no Workload changed");
          }

          @Override
          public void namespaceChanged(String cluster, String namespace) {
            throw new AssertionError("no namespace changed");
          }
        });
  }

  private void report(Set<GroupKind> notServed) {
    workers.report("a", CONNECTED, Optional.empty(), notServed);
  }

  @Test
  void tellsWhenAKindCanBeUsedThoughTheLinkIsAsBefore() {
    report(Set.of(JOB));
    report(Set.of());

    assertThat(told).containsExactly("a", "a");
    assertThat(workers.find("a").orElseThrow().notServed()).isEmpty();
  }

  @Test
  void tellsNothingWhenNothingChanged() {
    report(Set.of(JOB));
    report(Set.of(JOB));

    assertThat(told).containsExactly("a");
  }

  @Test
  void tellsOfAWorkerThatGoesOnce() {
    report(Set.of());
    workers.remove("a");
    workers.remove("a");

    assertThat(told).containsExactly("a", "a");
    assertThat(workers.names()).isEmpty();
  }
}
