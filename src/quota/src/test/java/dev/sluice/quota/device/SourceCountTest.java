package dev.sluice.quota.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.cel.CelExpression;
import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import dev.sluice.api.configuration.Scheduling.DeviceSource;
import dev.sluice.api.configuration.Scheduling.Resources;
import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.device.ResourceSlice;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.TestCluster;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.request.RequestReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A driver lists a GPU of 40 Gi whole and in parts of 5 and 10 Gi. Class {@code gpu} has all of
 * them, class {@code mig} the parts.
 */
class SourceCountTest {
  private static final String DRIVER = "gpu.example.com";
  private static final DeviceClassMapping MEMORY = mapping("gpu.memory", counter("memory", ""));
  private static final String SLICE =
      slice(
          1,
          1,
          gpu("gpu-0", "full", "memory", "40Gi"),
          gpu("gpu-0-part-0", "1g.5gb", "memory", "4864Mi"),
          gpu("gpu-0-part-1", "1g.5gb", "memory", "4864Mi"),
          gpu("gpu-0-part-2", "2g.10gb", "memory", "10Gi"));

  private static DeviceClassMapping mapping(String name, DeviceSource... sources) {
    return new DeviceClassMapping(name, List.of("gpu", "mig"), List.of(sources));
  }

  private static DeviceSource counter(String name, String selector) {
    return source(DeviceSource.Type.COUNTER, name, selector);
  }

  private static DeviceSource source(DeviceSource.Type type, String name, String selector) {
    return new DeviceSource(
        type,
        name,
        DRIVER,
        Optional.of(selector)
            .filter(it -> !it.isEmpty())
            .map(it -> CelExpression.parse(it, Set.of("device"))));
  }

  private static String gpu(String name, String profile, String counter, String amount) {
    return """
    {'name':'%s','attributes':{'profile':{'string':'%s'}},'consumesCounters':[{'counterSet':
    'gpu-0','counters':{'%s':{'value':'%s'}}}]}\
    """
        .formatted(name, profile, counter, amount);
  }

  private static String slice(int generation, int slices, String... devices) {
    return """
    {'metadata':{'name':'s'},'spec':{'driver':'%s','pool':{'name':'node-1','generation':%d,
    'resourceSliceCount':%d},'devices':[%s]}}\
    """
        .formatted(DRIVER, generation, slices, String.join(",", devices));
  }

  /** A cluster with these slices, and templates of one request each. */
  private record Cluster(List<String> slices, String request) implements DeviceCatalog {
    @Override
    public ResourceClaimTemplate template(String namespace, String name) {
      return TestCluster.read(
          ResourceClaimTemplate.class,
          "{'spec':{'spec':{'devices':{'requests':[{'name':'r','exactly':{%s}}]}}}}"
              .formatted(request));
    }

    @Override
    public @Nullable String classServing(String extendedResource) {
      return extendedResource.equals("example.com/mig") ? "mig" : null;
    }

    @Override
    public @Nullable DeviceClass deviceClass(String name) {
      String selector =
          name.equals("mig")
              ? "{'cel':{'expression':'device.attributes[\\\"%s\\\"].profile != \\\"full\\\"'}}"
                  .formatted(DRIVER)
              : "";
      return name.equals("none")
          ? null
          : TestCluster.read(
              DeviceClass.class,
              "{'metadata':{'name':'%s'},'spec':{'selectors':[%s]}}".formatted(name, selector));
    }

    @Override
    public ListedDevices devices() {
      List<SliceEntry> entries = new ArrayList<>();
      for (String slice : slices) {
        entries.add(new SliceEntry(TestCluster.read(ResourceSlice.class, slice).spec()));
      }
      return new ListedDevices(entries);
    }
  }

  private static Workload workload(String spec) {
    return TestCluster.read(
        Workload.class,
        """
        {'metadata':{'name':'w','namespace':'team','uid':'u'},'spec':{'podSets':[{'name':'main',
        'count':2,'template':{'spec':{%s}}}]}}\
        """
            .formatted(spec));
  }

  private static final Workload CLAIMING =
      workload("'resourceClaims':[{'name':'c','resourceClaimTemplateName':'t'}]");

  private static String counted(
      List<DeviceClassMapping> mappings, Workload workload, DeviceCatalog catalog) {
    EngineConfiguration configuration =
        EngineConfiguration.defaults()
            .withResources(new Resources(List.of(), false, List.of(), mappings));
    var counter = new DeviceCounter(configuration);
    List<String> problems = counter.problems(workload, catalog);
    if (!problems.isEmpty()) {
      return problems.toString();
    }
    return new RequestReader(configuration.resources(), true, counter)
        .requested(workload, catalog)
        .getFirst()
        .total()
        .asMap()
        .toString();
  }

  private static String counted(DeviceClassMapping mapping, String request, String... slices) {
    return counted(List.of(mapping), CLAIMING, new Cluster(Arrays.asList(slices), request));
  }

  private static String profile(String name) {
    return "'selectors':[{'cel':{'expression':'device.attributes[\\\"%s\\\"].profile == \\\"%s\\\"'}}]"
        .formatted(DRIVER, name);
  }

  @Test
  void aDeviceCountsAsTheMostThatOneTakesOfThoseThatTheRequestMayGet() {
    assertThat(counted(MEMORY, "'deviceClassName':'gpu'", SLICE))
        .isEqualTo("{gpu.memory=%d}".formatted(2 * (40L << 30)));
    assertThat(counted(MEMORY, "'deviceClassName':'mig'", SLICE))
        .isEqualTo("{gpu.memory=%d}".formatted(2 * (10L << 30)));
    assertThat(counted(MEMORY, "'deviceClassName':'mig'," + profile("1g.5gb"), SLICE))
        .isEqualTo("{gpu.memory=%d}".formatted(2 * (4864L << 20)));
    assertThat(counted(MEMORY, "'deviceClassName':'mig','count':2," + profile("1g.5gb"), SLICE))
        .isEqualTo("{gpu.memory=%d}".formatted(4 * (4864L << 20)));
  }

  @Test
  void theSelectorOfASourceLeavesDevicesOut() {
    DeviceClassMapping parts =
        mapping(
            "gpu.memory",
            counter("memory", "device.attributes['%s'].profile.endsWith('gb')".formatted(DRIVER)));

    assertThat(counted(parts, "'deviceClassName':'gpu'", SLICE))
        .isEqualTo("{gpu.memory=%d}".formatted(2 * (10L << 30)));
  }

  @Test
  void aClassMayCountAsSeveralResourcesByDifferentCounters() {
    String both =
        slice(
            1,
            1,
            """
            {'name':'a','consumesCounters':[{'counterSet':'s','counters':{'memory':{'value':'5Gi'},
            'slices':{'value':'2'}}}]}\
            """);

    assertThat(
            counted(
                List.of(MEMORY, mapping("gpu.slices", counter("slices", ""))),
                CLAIMING,
                new Cluster(List.of(both), "'deviceClassName':'gpu'")))
        .isEqualTo("{gpu.memory=%d, gpu.slices=4}".formatted(2 * (5L << 30)));
  }

  @Test
  void whatADeviceTakesOfSeveralSetsOrCountersIsAddedUp() {
    String spanning =
        slice(
            1,
            1,
            """
            {'name':'a','consumesCounters':[{'counterSet':'one','counters':{'left':{'value':'1'}}},
            {'counterSet':'two','counters':{'left':{'value':'2'},'right':{'value':'500m'}}}]}\
            """);

    assertThat(
            counted(
                mapping("all", counter("left", ""), counter("right", "")),
                "'deviceClassName':'gpu'",
                spanning))
        .as("3.5 rounded up, for two pods")
        .isEqualTo("{all=8}");
    assertThat(
            counted(
                mapping("all", counter("left", "true"), counter("left", "")),
                "'deviceClassName':'gpu'",
                spanning))
        .as("a device counts once, however many sources choose it")
        .isEqualTo("{all=6}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'deviceClassName':'gpu','count':5 | insufficient matching devices: 4 in ResourceSlices of driver gpu.example.com (expected: 5)
          'deviceClassName':'gpu','selectors':[{'cel':{'expression':'false'}}] | insufficient matching devices: 0 in
          'deviceClassName':'gpu','selectors':[{'cel':{'expression':'device.attributes.none.x == 1'}}] | a selector fails for device gpu-0: there is no member x
          'deviceClassName':'gpu','selectors':[{'cel':{'expression':'device.'}}] | selector device.: at 8: the end (expected: a name)
          'deviceClassName':'gpu','selectors':[{'cel':{'expression':'1'}}] | selector 1 is neither true nor false
          """)
  void whatCannotBeCountedIsAProblem(String request, String expected) {
    assertThat(counted(MEMORY, request, SLICE))
        .startsWith(
            "[spec.podSets[0].template.spec.resourceClaims[0]: ResourceClaimTemplate team/t,"
                + " request r: ")
        .contains(expected);
  }

  @Test
  void aCounterThatNoMatchingDeviceHasIsAProblemAndOneThatOnlySomeHaveIsNot() {
    DeviceClassMapping cores = mapping("gpu.cores", counter("cores", ""));

    assertThat(counted(cores, "'deviceClassName':'gpu'", SLICE))
        .contains("no consumesCounters entry for counter cores in 4 matching devices");
    assertThat(
            counted(
                cores,
                "'deviceClassName':'gpu'",
                slice(1, 1, gpu("a", "p", "cores", "3"), gpu("b", "p", "memory", "1"))))
        .isEqualTo("{gpu.cores=6}");
  }

  @Test
  void aClassThatIsNotThereIsAProblem() {
    assertThat(
            counted(
                new DeviceClassMapping("m", List.of("none"), List.of(counter("memory", ""))),
                "'deviceClassName':'none'",
                SLICE))
        .contains("there is no DeviceClass none");
  }

  @Test
  void onlyCompletePoolsOfTheNewestGenerationCount() {
    String old = slice(1, 1, gpu("a", "p", "memory", "9"));
    String firstOfTwo = slice(2, 2, gpu("b", "p", "memory", "5"));
    String secondOfTwo = slice(2, 2, gpu("c", "p", "memory", "7"));
    String request = "'deviceClassName':'gpu'";

    assertThat(counted(MEMORY, request, old)).isEqualTo("{gpu.memory=18}");
    assertThat(counted(MEMORY, request, old, firstOfTwo))
        .as("while the driver replaces them")
        .contains("insufficient matching devices: 0");
    assertThat(counted(MEMORY, request, firstOfTwo, old, secondOfTwo)).isEqualTo("{gpu.memory=14}");
    assertThat(counted(MEMORY, request, old.replace("node-1", "node-2"), firstOfTwo, secondOfTwo))
        .isEqualTo("{gpu.memory=18}");
    assertThat(counted(MEMORY, request, old.replace(DRIVER, "net.example.com"), secondOfTwo))
        .contains("insufficient matching devices: 0");
  }

  @Test
  void aResourceOfContainersThatDevicesServeCountsTheSameWay() {
    Workload asking =
        workload(
            "'containers':[{'name':'c','resources':{'requests':{'example.com/mig':'3','cpu':'1'}}}]");
    Cluster cluster = new Cluster(List.of(SLICE), "'deviceClassName':'mig'");

    assertThat(counted(List.of(MEMORY), asking, cluster))
        .isEqualTo("{cpu=2000, gpu.memory=%d}".formatted(6 * (10L << 30)));
    assertThat(counted(List.of(MEMORY), asking, new Cluster(List.of(), "")))
        .startsWith(
            "[spec.podSets[0].template.spec.containers[0].resources.requests[example.com/mig]: ")
        .contains("insufficient matching devices: 0");
  }

  /** Devices that claims share: 80 Gi each, the policy as given. */
  private static String shared(String policy) {
    return slice(
        1,
        1,
        """
        {'name':'a','allowMultipleAllocations':true,'capacity':{'memory':{'value':'80Gi'%s}}}\
        """
            .formatted(policy.isEmpty() ? "" : ",'requestPolicy':{" + policy + "}"));
  }

  private static final String VALUES = "'default':'8Gi','validValues':['8Gi','16Gi','40Gi']";
  private static final String STEPS =
      "'default':'4Gi','validRange':{'min':'4Gi','max':'40Gi','step':'3Gi'}";
  private static final String RANGE = "'default':'4Gi','validRange':{'min':'4Gi','max':'40Gi'}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          none   |       | 80
          none   | 5Gi   | 5
          none   | 80Gi  | 80
          none   | 81Gi  | unable
          values |       | 8
          values | 1Gi   | 8
          values | 16Gi  | 16
          values | 17Gi  | 40
          values | 41Gi  | unable
          steps  |       | 4
          steps  | 1Gi   | 4
          steps  | 5Gi   | 7
          steps  | 40Gi  | 40
          steps  | 41Gi  | unable
          range  | 5Gi   | 5
          range  | 1Gi   | 4
          range  | 41Gi  | unable
          """)
  void aClaimTakesOfACapacityWhatTheDriverMakesOfItsRequest(
      String policy, @Nullable String requested, String expected) {
    Map<String, String> policies = Map.of("values", VALUES, "steps", STEPS, "range", RANGE);
    String text = policies.getOrDefault(policy, "");
    String capacity =
        requested == null
            ? ""
            : ",'capacity':{'requests':{'%s/memory':'%s'}}".formatted(DRIVER, requested);

    String counted =
        counted(
            mapping("memory", source(DeviceSource.Type.CAPACITY, "memory", "")),
            "'deviceClassName':'gpu'" + capacity,
            shared(text));

    if (expected.equals("unable")) {
      assertThat(counted).contains("capacity request cannot be satisfied");
    } else {
      assertThat(counted).isEqualTo("{memory=%d}".formatted(2 * (Long.parseLong(expected) << 30)));
    }
  }

  @Test
  void aDeviceThatIsNotSharedIsTakenWholeAndASharedOneServesSeveralRequests() {
    DeviceClassMapping memory =
        mapping("memory", source(DeviceSource.Type.CAPACITY, DRIVER + "/memory", ""));
    String request = "'deviceClassName':'gpu','count':3,'capacity':{'requests':{'memory':'2Gi'}}";

    assertThat(counted(memory, request, shared("")))
        .isEqualTo("{memory=%d}".formatted(2 * 3 * (2L << 30)));
    assertThat(
            counted(
                memory,
                request.replace("3", "1"),
                shared("").replace("'allowMultipleAllocations':true,", "")))
        .isEqualTo("{memory=%d}".formatted(2 * (80L << 30)));
    assertThat(counted(memory, request, SLICE))
        .contains("matched devices have no capacity dimension gpu.example.com/memory");
  }

  @Test
  void aRequestForSeveralDevicesNeedsAsManyThatHaveSoMuch() {
    DeviceClassMapping memory = mapping("memory", source(DeviceSource.Type.CAPACITY, "memory", ""));
    String devices = slice(1, 1, exclusive("a", "80Gi"), exclusive("b", "10Gi"));
    String request = "'deviceClassName':'gpu','count':%d,'capacity':{'requests':{'memory':'20Gi'}}";

    assertThat(counted(memory, request.formatted(1), devices))
        .isEqualTo("{memory=%d}".formatted(2 * (80L << 30)));
    assertThat(counted(memory, request.formatted(2), devices))
        .contains("capacity request cannot be satisfied: 1 of 2 matching devices have so much");
  }

  private static String exclusive(String name, String memory) {
    return "{'name':'%s','capacity':{'memory':{'value':'%s'}}}".formatted(name, memory);
  }

  @Test
  void whatContainersOfAPodAskForTogetherTakesQuotaEvenIfNoNodeCanHaveIt() {
    String container = "{'name':'%s','resources':{'requests':{'example.com/mig':'2'}}}";
    Workload asking =
        workload(
            "'containers':[%s,%s]".formatted(container.formatted("a"), container.formatted("b")));

    assertThat(counted(List.of(MEMORY), asking, new Cluster(List.of(SLICE), "")))
        .as("two pods of four, three of which are there")
        .isEqualTo("{gpu.memory=%d}".formatted(8 * (10L << 30)));
  }

  @Test
  void selectorsThatTakeTooManyStepsEndAndSaySo() {
    String list = "[1,2,3,4,5,6,7,8,9]";
    String nested =
        "%1$s.all(a, %1$s.all(b, %1$s.all(c, %1$s.all(d, %1$s.all(e, e > 0)))))".formatted(list);

    assertThat(
            counted(
                MEMORY,
                "'deviceClassName':'gpu','selectors':[{'cel':{'expression':'%s'}}]"
                    .formatted(nested),
                SLICE))
        .contains("the selectors of devices take too many steps");
  }

  @Test
  void aSelectorIsRefusedAgainWhateverSlicesRememberOfIt() {
    String list = "[1,2,3,4,5,6,7,8,9]";
    String nested = "%1$s.all(a, %1$s.all(b, %1$s.all(c, c > 0)))".formatted(list);
    List<SliceEntry> slices =
        IntStream.range(0, 2000)
            .mapToObj(i -> slice(1, 1, gpu("a", "p", "memory", "1")).replace("node-1", "n-" + i))
            .map(it -> new SliceEntry(TestCluster.read(ResourceSlice.class, it).spec()))
            .toList();
    var query = new DeviceQuery(MEMORY.sources(), List.of(nested), Map.of());

    var devices = new ListedDevices(slices);
    for (ListedDevices asked : List.of(devices, devices, new ListedDevices(slices))) {
      assertThatThrownBy(() -> asked.matches(query)).hasMessageContaining("too many steps");
    }
    assertThat(new ListedDevices(slices.subList(0, 100)).matches(query).devices()).isEqualTo(100);
  }

  @Test
  void whatWasFoundInASliceIsFoundAgainHoweverManyQueriesThereWere() {
    var cluster = new Cluster(List.of(SLICE), "'deviceClassName':'gpu'");
    ListedDevices devices = cluster.devices();
    List<Integer> found =
        IntStream.range(0, 3000)
            .map(i -> i % 1500)
            .mapToObj(
                i ->
                    devices
                        .matches(
                            new DeviceQuery(
                                MEMORY.sources(), List.of("size(device.driver) > " + i), Map.of()))
                        .devices())
            .toList();

    assertThat(found).filteredOn(it -> it == 4).hasSize(2 * DRIVER.length());
    assertThat(found).filteredOn(it -> it == 0).hasSize(2 * (1500 - DRIVER.length()));
  }
}
