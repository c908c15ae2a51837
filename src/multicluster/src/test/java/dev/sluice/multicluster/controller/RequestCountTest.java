package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.multicluster.apiserver.MemoryApiServer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many requests a Workload costs. They decide how many are dispatched in a second, whatever the
 * machine.
 */
@Timeout(240)
class RequestCountTest {
  /** A read of one object, or a write; lists and watches do not grow with the Workloads. */
  private static final Pattern OF_AN_OBJECT =
      Pattern.compile("(POST|PATCH|DELETE|GET) .*/namespaces/ns/(workloads|jobs)(/[^?]*)?(\\?.*)?");

  private static final int MANY = 60;

  @TempDir private Path folder;
  private InMemoryFleet fleet;

  @BeforeEach
  void aManagerWithTwoWorkers() {
    fleet = new InMemoryFleet(folder);
    fleet.start("a", "b");
    fleet.connect("a", "b");
    fleet.awaitActive("a", "Connected");
    fleet.awaitActive("b", "Connected");
  }

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  /** The requests for objects of the Workloads, as method and resource. */
  private static List<String> requests(MemoryApiServer server) {
    return server.calls().stream()
        .map(OF_AN_OBJECT::matcher)
        .filter(it -> it.matches() && (it.group(3) != null || it.group(1).equals("POST")))
        .map(it -> it.group(1) + " " + it.group(2))
        .toList();
  }

  private static List<String> once(List<String> requests) {
    return requests.stream()
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
        .entrySet()
        .stream()
        .map(it -> it.getValue() + " x " + it.getKey())
        .sorted()
        .toList();
  }

  @Test
  void aWorkloadCostsTwoWritesHereUntilItRunsAndAtMostSevenRequestsOnItsWorker() {
    fleet.job("j");
    fleet.awaitCopy("a", "j");
    fleet.awaitCopy("b", "j");
    fleet.admit("a", "j");
    fleet.runs("a", "j");

    assertThat(once(requests(fleet.clusters.manager)))
        .as("nominated and chosen")
        .containsExactly("2 x PATCH workloads");
    assertThat(once(requests(fleet.worker("a"))))
        .as("the name is free, the copy, its job")
        .containsExactly("1 x GET jobs", "1 x POST jobs", "1 x POST workloads");

    fleet.finish("j");
    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(
            () ->
                !fleet.has("a", Clusters.WORKLOADS + "/j")
                    && !fleet.has("b", Clusters.WORKLOADS + "/j"));

    assertThat(requests(fleet.clusters.manager)).hasSizeLessThanOrEqualTo(6);
    assertThat(requests(fleet.worker("a")).size()).as("the winner").isLessThanOrEqualTo(7);
    assertThat(requests(fleet.worker("b")).size()).as("the loser").isLessThanOrEqualTo(4);
  }

  @Test
  void manyAtOnceCostNoMoreThanOneEach() {
    List<String> names = IntStream.range(0, MANY).mapToObj(it -> "j-" + it).toList();
    names.forEach(fleet::job);
    names.forEach(it -> fleet.awaitCopy("a", it));
    names.forEach(it -> fleet.awaitCopy("b", it));

    for (String worker : List.of("a", "b")) {
      assertThat(once(requests(fleet.worker(worker))))
          .containsExactlyInAnyOrder(MANY + " x GET jobs", MANY + " x POST workloads");
    }
  }
}
