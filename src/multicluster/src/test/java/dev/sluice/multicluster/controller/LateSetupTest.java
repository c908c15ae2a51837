package dev.sluice.multicluster.controller;

import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Orders;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A Workload that was there first is dispatched, in whatever order its manager is set up. */
@FullTier
@Timeout(120)
class LateSetupTest {
  /** What an operator creates on a manager. */
  enum Part {
    CHECK,
    CONFIG,
    CLUSTER,
    SECRET
  }

  @TempDir private Path folder;

  static Stream<List<Part>> orders() {
    return Orders.of(List.of(Part.values())).stream();
  }

  private static void create(InMemoryFleet fleet, Part part) {
    switch (part) {
      case CHECK -> fleet.createCheck();
      case CONFIG -> fleet.createConfig("a");
      case CLUSTER -> fleet.createCluster("a");
      case SECRET -> fleet.login("a", "second");
    }
  }

  @ParameterizedTest
  @MethodSource("orders")
  void theWorkloadIsDispatchedAfterTheLastOfThem(List<Part> order) {
    try (InMemoryFleet fleet = new InMemoryFleet(folder)) {
      fleet.start("a");
      fleet.clusters.manager.objects().remove(InMemoryFleet.SECRETS + "/a");
      fleet.clusters.manager.objects().remove(InMemoryFleet.CHECKS + "/mk");
      fleet.job("j");

      order.forEach(it -> create(fleet, it));

      fleet.awaitCopy("a", "j");
    }
  }
}
