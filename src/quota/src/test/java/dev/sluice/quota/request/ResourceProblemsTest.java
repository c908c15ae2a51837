package dev.sluice.quota.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.core.LimitRange;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceProblemsTest {
  private static final NamespaceLimits LIMITS =
      NamespaceLimits.of(
          List.of(
              range(
                  """
                  {"type": "Container", "min": {"cpu": "100m"}, "max": {"cpu": "4"}},
                  {"type": "Pod", "max": {"cpu": "6"}, "min": {"memory": "1Mi"}}
                  """),
              range(
                  """
                  {"type": "Container", "min": {"cpu": "200m"}, "max": {"cpu": "8"}}
                  """)));

  @Test
  void findsARequestAboveItsLimitInEveryPlaceThatHasBoth() {
    Workload workload =
        workload(
            """
            {"containers": [
               {"name": "a", "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "1"}}},
               {"name": "b", "resources": {"requests": {"cpu": "1500m"}, "limits": {"cpu": "1"}}}],
             "initContainers": [
               {"name": "i", "resources": {"requests": {"gpu": "2"}, "limits": {"gpu": "1", "cpu": "1"}}}],
             "resources": {"requests": {"memory": "2"}, "limits": {"memory": "1"}}}
            """);

    assertThat(ResourceProblems.of(workload, NamespaceLimits.NONE))
        .containsExactly(
            "spec.podSets[0].template.spec.initContainers[0].resources.requests[gpu]: 2"
                + " (expected: at most the limit 1)",
            "spec.podSets[0].template.spec.containers[1].resources.requests[cpu]: 1.5"
                + " (expected: at most the limit 1)",
            "spec.podSets[0].template.spec.resources.requests[memory]: 2"
                + " (expected: at most the limit 1)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"requests": {"cpu": "200m"}}                           | 0
          {"requests": {"cpu": "150m"}}                           | 1
          {"requests": {"cpu": "150m"}, "limits": {"cpu": "5"}}   | 2
          {"requests": {"cpu": "4"}, "limits": {"cpu": "4"}}      | 0
          {"requests": {"cpu": "5"}}                              | 1
          {"limits": {"cpu": "100m"}}                             | 1
          {"requests": {"gpu": "100"}}                            | 0
          {}                                                      | 0
          """)
  void holdsEachContainerToTheTightestBoundsOfAllLimitRanges(String resources, int problems) {
    Workload workload =
        workload("{\"containers\": [{\"name\": \"c\", \"resources\": " + resources + "}]}");

    assertThat(ResourceProblems.of(workload, LIMITS)).hasSize(problems);
  }

  @Test
  void holdsThePodAsAWholeToItsOwnBounds() {
    Workload workload =
        workload(
            """
            {"containers": [
               {"name": "a", "resources": {"requests": {"cpu": "4"}}},
               {"name": "b", "resources": {"requests": {"cpu": "3"}}}]}
            """);

    assertThat(ResourceProblems.of(workload, LIMITS))
        .containsExactly(
            "spec.podSets[0].template.spec[cpu]: 7 (expected: at most 6, by a LimitRange)");
  }

  @Test
  void beginsTheMessageWithWhatALimitRangeForbidsInTheWordsOfKueue() {
    Workload workload =
        workload(
            """
            {"containers": [{"name": "a",
               "resources": {"requests": {"gpu": "2", "cpu": "5"}, "limits": {"gpu": "1"}}}]}
            """);

    assertThat(ResourceProblems.message(workload, LIMITS))
        .hasValueSatisfying(
            message ->
                assertThat(message)
                    .startsWith("resources didn't satisfy LimitRange constraints: spec.podSets[0]")
                    .endsWith("[gpu]: 2 (expected: at most the limit 1)"));
    assertThat(ResourceProblems.message(workload("{\"containers\": []}"), LIMITS)).isEmpty();
  }

  private static LimitRange range(String items) {
    return HubObjects.read(
        LimitRange.class, ("{\"spec\": {\"limits\": [" + items + "]}}").getBytes(UTF_8));
  }

  private static Workload workload(String pod) {
    return HubObjects.read(
        Workload.class,
        ("{\"spec\": {\"podSets\": [{\"template\": {\"spec\": " + pod + "}}]}}").getBytes(UTF_8));
  }
}
