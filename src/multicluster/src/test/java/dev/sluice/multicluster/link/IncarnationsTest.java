package dev.sluice.multicluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class IncarnationsTest {
  private final Incarnations incarnations = new Incarnations(() -> Optional.of("uid-manager"));

  @Test
  void ofTwoLinksToOneClusterTheLaterByNameIsNotUsed() {
    assertThat(incarnations.claim("b", "uid")).isEmpty();
    assertThat(incarnations.claim("a", "uid")).isEmpty();

    assertThat(incarnations.claim("b", "uid"))
        .contains("the cluster is that of MultiKueueCluster \"a\"");
    assertThat(incarnations.claim("c", "other")).isEmpty();
  }

  @Test
  void aLinkThatEndedIsInNobodysWay() {
    assertThat(incarnations.claim("a", "uid")).isEmpty();
    incarnations.release("a");

    assertThat(incarnations.claim("b", "uid")).isEmpty();
  }

  @Test
  void theManagerItselfIsNoWorker() {
    assertThat(incarnations.claim("a", "uid-manager"))
        .contains("the cluster is the manager itself");
  }
}
