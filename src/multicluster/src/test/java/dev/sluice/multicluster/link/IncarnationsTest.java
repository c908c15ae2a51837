package dev.sluice.multicluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class IncarnationsTest {
  private static final String OF_B = "the cluster is that of MultiKueueCluster \"b\"";

  /** The MultiKueueClusters, and whether each was in use before. */
  private final Map<String, Boolean> clusters = new TreeMap<>();

  private final Incarnations incarnations =
      new Incarnations(() -> Optional.of("uid-manager"), () -> clusters);

  IncarnationsTest() {
    clusters.putAll(Map.of("a", false, "b", false, "c", false));
  }

  @Test
  void ofTwoLinksToOneClusterTheOneThatUsesItStays() {
    assertThat(incarnations.claim("b", "uid")).isEmpty();

    assertThat(incarnations.claim("a", "uid")).contains(OF_B);
    assertThat(incarnations.claim("b", "uid")).isEmpty();
    assertThat(incarnations.claim("c", "other")).isEmpty();
  }

  @Test
  void theUserOfAClusterKeepsItUntilItsObjectIsGone() {
    assertThat(incarnations.claim("b", "uid")).isEmpty();
    clusters.remove("b");

    assertThat(incarnations.claim("a", "uid")).isEmpty();
    clusters.put("b", false);
    assertThat(incarnations.claim("b", "uid"))
        .contains("the cluster is that of MultiKueueCluster \"a\"");
  }

  @Test
  void aLinkThatLeadsElsewhereNowIsInNobodysWay() {
    assertThat(incarnations.claim("b", "uid")).isEmpty();
    assertThat(incarnations.claim("b", "other")).isEmpty();

    assertThat(incarnations.claim("a", "uid")).isEmpty();
  }

  @Test
  void aLinkThatIsToLeadElsewhereKeepsNothing() {
    assertThat(incarnations.claim("b", "uid")).isEmpty();
    incarnations.release("b");

    assertThat(incarnations.claim("a", "uid")).isEmpty();
    assertThat(incarnations.claim("b", "other")).isEmpty();
  }

  @Test
  void aClusterThatComesAgainUnderItsNameIsNew() {
    assertThat(incarnations.claim("b", "uid")).isEmpty();
    incarnations.forget("b");

    assertThat(incarnations.claim("a", "uid")).isEmpty();
    assertThat(incarnations.claim("b", "uid"))
        .contains("the cluster is that of MultiKueueCluster \"a\"");
  }

  @Test
  void afterARestartAClusterGoesToTheLinkThatUsedItBefore() {
    clusters.put("b", true);

    assertThat(incarnations.claim("a", "uid"))
        .contains("MultiKueueCluster \"b\" was in use before, and is to be reached first");
    assertThat(incarnations.claim("b", "uid")).isEmpty();
    assertThat(incarnations.claim("a", "uid")).contains(OF_B);
  }

  @Test
  void aNewLinkDoesNotWaitForeverForOneThatIsOutOfReach() {
    clusters.put("b", true);
    for (int i = 0; i < Incarnations.MOST_WAITS; i++) {
      assertThat(incarnations.claim("a", "uid")).isPresent();
    }

    assertThat(incarnations.claim("a", "uid")).isEmpty();
  }

  @Test
  void oneThatHasItsClusterWaitsForNobodyAnyMore() {
    clusters.put("b", true);
    for (int i = 0; i <= Incarnations.MOST_WAITS; i++) {
      incarnations.claim("a", "uid");
    }

    for (int i = 0; i <= Incarnations.MOST_WAITS; i++) {
      assertThat(incarnations.claim("a", "uid")).isEmpty();
    }
  }

  @Test
  void nobodyWaitsForALinkWhoseClusterCannotBeToldFromOthers() {
    clusters.put("b", true);
    incarnations.reached("b");

    assertThat(incarnations.claim("a", "uid")).isEmpty();
  }

  @Test
  void linksThatWereInUseDoNotWaitForEachOther() {
    clusters.putAll(Map.of("a", true, "b", true));

    assertThat(incarnations.claim("a", "uid")).isEmpty();
    assertThat(incarnations.claim("b", "other")).isEmpty();
  }

  @Test
  void theManagerItselfIsNoWorker() {
    assertThat(incarnations.claim("a", "uid-manager"))
        .contains("the cluster is the manager itself");
  }
}
