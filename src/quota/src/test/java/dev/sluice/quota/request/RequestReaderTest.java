package dev.sluice.quota.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Quantity;
import dev.sluice.api.configuration.Scheduling.Resources;
import dev.sluice.api.configuration.Scheduling.Transformation;
import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.RuntimeClass;
import dev.sluice.api.pod.PodSpec;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.device.DeviceCatalog;
import dev.sluice.quota.device.DeviceCounter;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestReaderTest {
  private static final boolean RETAIN = false;
  private static final boolean REPLACE = true;
  private static final NamespaceLimits NO_LIMITS = NamespaceLimits.NONE;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          containers: [1, 1]                                  | 2
          containers: [1, 1], init: [3]                       | 3
          containers: [1, 1], init: [500m sidecar, 3]         | 3.5
          containers: [1, 1], init: [3, 500m sidecar]         | 3
          containers: [1, 1], init: [2 sidecar, 1 sidecar]    | 5
          containers: [1, 1], init: [1 sidecar, 1, 2 sidecar, 1] | 5
          containers: [], init: [1, 2]                        | 2
          containers: [1, 1], pod: 7                          | 7
          containers: [1, 1], init: [5], pod: 1               | 1
          containers: [1, 1], overhead: 250m                  | 2.25
          containers: [1, 1], pod: 7, overhead: 250m          | 7.25
          """)
  void addsUpAPodAsTheSchedulerOfKubernetesDoes(String pod, BigDecimal cores) {
    assertThat(PodRequests.of(Pods.parse(pod)).get("cpu")).isEqualByComparingTo(cores);
  }

  @Test
  void takesTheMostOfEachResourceAlone() {
    PodSpec pod =
        pod(
            """
            {"containers": [{"name": "a", "resources": {"requests": {"cpu": "2", "memory": "1Gi"}}}],
             "initContainers": [{"name": "i", "resources": {"requests": {"cpu": "1", "memory": "3Gi"}}}]}
            """);

    assertThat(PodRequests.of(pod))
        .isEqualTo(Map.of("cpu", decimal("2"), "memory", decimal("3221225472")));
  }

  @Test
  void takesForThePodAsAWholeOnlyWhatCanBeSaidForIt() {
    PodSpec pod =
        pod(
            """
            {"containers": [{"name": "a", "resources": {"requests":
               {"cpu": "2", "hugepages-2Mi": "4Mi", "example.com/gpu": "1"}}}],
             "resources": {"requests": {"cpu": "5", "hugepages-2Mi": "8Mi", "example.com/gpu": "9"}}}
            """);

    assertThat(PodRequests.of(pod))
        .isEqualTo(
            Map.of(
                "cpu", decimal("5"),
                "hugepages-2Mi", decimal("8388608"),
                "example.com/gpu", decimal("1")));
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, 100u, 1",
    "cpu, 1.5, 1500",
    "example.com/gpu, 1.5, 2",
    "memory, 1500m, 2",
    "memory, 1Ki, 1024",
    "memory, 9E, 9000000000000000000",
    "cpu, -1, 0",
  })
  void countsWholeUnitsRoundedUpAndNeverLessThanNothing(
      String resource, String quantity, long units) {
    Workload workload = workload(1, resource, quantity);

    assertThat(requested(Resources.AS_THEY_ARE, workload)).isEqualTo(Map.of(resource, units));
  }

  @Test
  void roundsBeforeItMultiplies() {
    assertThat(requested(Resources.AS_THEY_ARE, workload(10, "example.com/gpu", "100m")))
        .isEqualTo(Map.of("example.com/gpu", 10L));
  }

  @Test
  void saturatesInsteadOfWrapping() {
    assertThat(requested(Resources.AS_THEY_ARE, workload(100, "memory", "9E")))
        .isEqualTo(Map.of("memory", Long.MAX_VALUE));
  }

  @Test
  void leavesOutWhatTheConfigurationExcludes() {
    var settings = new Resources(List.of("example.com/", "mem"), false, List.of(), List.of());
    Workload workload =
        workload(1, "\"cpu\": \"1\", \"memory\": \"1Gi\", \"example.com/gpu\": \"1\"");

    assertThat(requested(settings, workload)).isEqualTo(Map.of("cpu", 1000L));
  }

  @Test
  void countsWhatResourcesAreTurnedInto() {
    var settings =
        transforming(
            turning("nvidia.com/gpu", REPLACE, Map.of("credits", "50")),
            turning("cpu", RETAIN, Map.of("credits", "2")));

    assertThat(requested(settings, workload(1, "\"nvidia.com/gpu\": \"2\", \"cpu\": \"4\"")))
        .isEqualTo(Map.of("cpu", 4000L, "credits", 108L));
  }

  @ParameterizedTest
  @CsvSource({"'', 0", "', \"credits\": \"5\"', 5"})
  void aNegativeFactorTakesFromWhatIsMadeNeverFromWhatIsAskedFor(String more, long credits) {
    var settings =
        transforming(
            turning("a.com/gpu", REPLACE, Map.of("credits", "50")),
            turning("b.com/gpu", REPLACE, Map.of("credits", "-60")),
            turning("cpu", RETAIN, Map.of("credits", "2")));
    Workload workload =
        workload(1, "\"a.com/gpu\": \"2\", \"b.com/gpu\": \"2\", \"cpu\": \"4\"" + more);

    assertThat(requested(settings, workload)).isEqualTo(Map.of("cpu", 4000L, "credits", credits));
  }

  @ParameterizedTest
  @CsvSource({"'\"gpu\": \"2\", \"memory\": \"8\"', 160", "'\"gpu\": \"2\"', 20"})
  void multipliesTheInputByAnotherResourceOfThePodIfItIsThere(String requests, long credits) {
    var settings =
        transforming(
            new Transformation(
                "gpu", REPLACE, Optional.of("memory"), Map.of("credits", quantity("10"))));

    assertThat(requested(settings, workload(1, requests))).containsEntry("credits", credits);
  }

  @Test
  void keepsFractionsExactUntilAllIsTransformed() {
    var settings = transforming(turning("gpu", REPLACE, Map.of("credits", "100m")));

    assertThat(requested(settings, workload(3, "gpu", "12"))).isEqualTo(Map.of("credits", 6L));
  }

  @ParameterizedTest
  @CsvSource({"0, 10", "3, 7", "10, 0", "15, 0"})
  void doesNotCountPodsThatWereGivenBack(int reclaimable, int count) {
    Workload workload = reclaiming(reclaimable);

    assertThat(reader(Resources.AS_THEY_ARE, true).requested(workload, DeviceCatalog.EMPTY))
        .containsExactly(
            new PodSetRequests("main", count, Requests.of(Map.of("cpu", count * 1000L))));
  }

  @Test
  void countsAllPodsWhereGivingBackIsSwitchedOff() {
    var reader = reader(Resources.AS_THEY_ARE, false);

    assertThat(reader.requested(reclaiming(3), DeviceCatalog.EMPTY).getFirst().count())
        .isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource({
    // reclaimable, assigned pods, their cpu, pods that count, cpu that counts
    "0, 10, 10, 10, 10000",
    "4, 10, 10, 6, 6000",
    "4, 6, 6, 6, 6000",
    "8, 6, 6, 2, 2000",
    "7, 10, 1001m, 3, 300",
    "10, 10, 10, 0, 0",
  })
  void whatIsReservedShrinksWithThePodsStillWanted(
      int reclaimable, int assigned, String usage, int count, long cpu) {
    Workload workload =
        workload(
            """
            {"metadata": {"name": "w"},
             "spec": {"podSets": [{"count": 10, "template": {"spec": {"containers": []}}}]},
             "status": {
               "reclaimablePods": [{"name": "main", "count": %d}],
               "admission": {"clusterQueue": "q", "podSetAssignments": [
                 {"count": %d, "flavors": {"cpu": "f"}, "resourceUsage": {"cpu": "%s"}}]}}}
            """
                .formatted(reclaimable, assigned, usage));

    assertThat(reserved(workload))
        .containsExactly(new PodSetRequests("main", count, Requests.of(Map.of("cpu", cpu))));
  }

  @Test
  void anAssignmentWithoutACountIsForAllPodsOfItsSet() {
    Workload workload =
        workload(
            """
            {"metadata": {"name": "w"},
             "spec": {"podSets": [{"count": 4, "template": {"spec": {"containers": []}}}]},
             "status": {"admission": {"podSetAssignments": [{"resourceUsage": {"cpu": "8"}}]}}}
            """);

    assertThat(reserved(workload))
        .containsExactly(new PodSetRequests("main", 4, Requests.of(Map.of("cpu", 8000L))));
  }

  @Test
  void dividesBeforeItMultipliesToScale() {
    var requests = new PodSetRequests("main", 3, Requests.of(Map.of("gpu", 10L)));

    assertThat(requests.scaledTo(2).total().amount("gpu")).isEqualTo(6);
    assertThat(requests.scaledTo(3)).isEqualTo(requests);
  }

  @Test
  void leavesASetWithoutPodsAsItIs() {
    var requests = new PodSetRequests("main", 0, Requests.of(Map.of("gpu", 0L)));

    assertThat(requests.scaledTo(2)).isEqualTo(requests);
  }

  @Test
  void countsPodsWhereTheyAreAResource() {
    var requests = new PodSetRequests("main", 3, Requests.of(Map.of("cpu", 3000L)));

    assertThat(requests.countingPods().total())
        .isEqualTo(Requests.of(Map.of("cpu", 3000L, "pods", 3L)));
  }

  @ParameterizedTest
  @CsvSource({
    "'', ab",
    "'\"overhead\": {\"memory\": \"1\"},', memory",
  })
  void takesTheOverheadOfTheRuntimeClassUnlessThePodHasOne(String own, String expected) {
    PodSpec pod = pod("{" + own + "\"runtimeClassName\": \"vm\", \"containers\": []}");
    RuntimeClass vm =
        HubObjects.read(
            RuntimeClass.class, "{\"overhead\": {\"podFixed\": {\"ab\": \"1\"}}}".getBytes(UTF_8));

    PodSpec adjusted = new PodAdjustments(NO_LIMITS, Map.of("vm", vm)::get).adjust(pod);

    assertThat(adjusted.overhead()).containsOnlyKeys(expected);
  }

  @Test
  void aRuntimeClassThatIsMissingAddsNothing() {
    PodSpec pod = pod("{\"runtimeClassName\": \"vm\", \"containers\": []}");

    assertThat(new PodAdjustments(NO_LIMITS, _ -> null).adjust(pod).overhead()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # own resources                                     | cpu asked for | cpu allowed
          {}                                                  | 1             | 4
          {"requests": {"cpu": "2"}}                          | 2             | 4
          {"limits": {"cpu": "3"}}                            | 1             | 3
          {"requests": {"cpu": "2"}, "limits": {"cpu": "3"}}  | 2             | 3
          """)
  void fillsInTheDefaultsOfTheNamespace(String own, String request, String limit) {
    NamespaceLimits limits =
        limits(
            "{\"type\": \"Container\", \"default\": {\"cpu\": \"4\"}, \"defaultRequest\": {\"cpu\":"
                + " \"1\"}}",
            "{\"type\": \"Container\", \"default\": {\"cpu\": \"9\"}}");
    PodSpec pod = pod("{\"containers\": [{\"name\": \"c\", \"resources\": " + own + "}]}");

    var resources = adjusted(pod, limits).containers().getFirst().resources();

    assertThat(resources.requests()).containsEntry("cpu", quantity(request));
    assertThat(resources.limits()).containsEntry("cpu", quantity(limit));
  }

  @Test
  void asksForAsMuchAsTheLimitWhereNothingElseIsSaid() {
    PodSpec pod =
        pod(
            """
            {"containers": [{"name": "c", "resources": {"limits": {"gpu": "2"}}}],
             "initContainers": [{"name": "i", "resources": {"limits": {"gpu": "3"}}}],
             "resources": {"limits": {"cpu": "4"}}}
            """);

    assertThat(PodRequests.of(adjusted(pod, NO_LIMITS)))
        .isEqualTo(Map.of("cpu", decimal("4"), "gpu", decimal("3")));
  }

  @Test
  void fillsInDefaultsForThePodAsAWholeOnlyIfItSaysSomething() {
    NamespaceLimits limits =
        limits("{\"type\": \"Pod\", \"default\": {\"cpu\": \"4\", \"memory\": \"1\"}}");

    assertThat(adjusted(pod("{\"containers\": []}"), limits).resources()).isNull();
    assertThat(PodRequests.of(adjusted(pod("{\"containers\": [], \"resources\": {}}"), limits)))
        .isEqualTo(Map.of("cpu", decimal("4"), "memory", decimal("1")));
  }

  private static PodSpec adjusted(PodSpec pod, NamespaceLimits limits) {
    return new PodAdjustments(limits, _ -> null).adjust(pod);
  }

  private static NamespaceLimits limits(String... items) {
    return NamespaceLimits.of(
        List.of(items).stream()
            .map(item -> "{\"spec\": {\"limits\": [" + item + "]}}")
            .map(json -> HubObjects.read(LimitRange.class, json.getBytes(UTF_8)))
            .toList());
  }

  private static List<PodSetRequests> reserved(Workload workload) {
    return reader(Resources.AS_THEY_ARE, true)
        .reserved(workload, requireNonNull(workload.status().admission()));
  }

  private static Map<String, Long> requested(Resources settings, Workload workload) {
    return reader(settings, true)
        .requested(workload, DeviceCatalog.EMPTY)
        .getFirst()
        .total()
        .asMap();
  }

  private static Resources transforming(Transformation... transformations) {
    return new Resources(List.of(), false, List.of(transformations), List.of());
  }

  private static Transformation turning(
      String input, boolean replace, Map<String, String> outputs) {
    Map<String, Quantity> quantities = new TreeMap<>();
    outputs.forEach((output, factor) -> quantities.put(output, quantity(factor)));
    return new Transformation(input, replace, Optional.empty(), quantities);
  }

  private static Workload reclaiming(int count) {
    return workload(
        """
        {"metadata": {"name": "w"},
         "spec": {"podSets": [{"count": 10, "template": {"spec": {"containers": [
           {"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}}]},
         "status": {"reclaimablePods": [{"name": "main", "count": %d}]}}
        """
            .formatted(count));
  }

  private static Workload workload(int count, String resource, String quantity) {
    return workload(count, "\"" + resource + "\": \"" + quantity + "\"");
  }

  private static Workload workload(int count, String requests) {
    return workload(
        """
        {"metadata": {"name": "w"},
         "spec": {"podSets": [{"count": %d, "template": {"spec": {"containers": [
           {"name": "c", "resources": {"requests": {%s}}}]}}}]}}
        """
            .formatted(count, requests));
  }

  private static Workload workload(String json) {
    return HubObjects.read(Workload.class, json.getBytes(UTF_8));
  }

  private static PodSpec pod(String json) {
    return HubObjects.read(PodSpec.class, json.getBytes(UTF_8));
  }

  private static Quantity quantity(String text) {
    return Quantity.parse(text).orElseThrow();
  }

  private static BigDecimal decimal(String text) {
    return quantity(text).value();
  }

  private static RequestReader reader(Resources settings, boolean reclaimablePods) {
    return new RequestReader(
        settings, reclaimablePods, new DeviceCounter(EngineConfiguration.defaults()));
  }
}
