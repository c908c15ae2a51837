package dev.sluice.quota.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import dev.sluice.api.configuration.Scheduling.Resources;
import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.TestCluster;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.request.RequestReader;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Classes a100 and h100 count as gpu, and nic as net. In namespace {@code team} there are the
 * templates that are in the cluster's list.
 */
class DeviceCounterTest {
  private static final List<DeviceClassMapping> MAPPINGS =
      List.of(
          new DeviceClassMapping("example.com/gpu", List.of("a100", "h100")),
          new DeviceClassMapping("example.com/net", List.of("nic")));

  private static final Map<String, String> TEMPLATES =
      Map.ofEntries(
          template("one", exactly("'deviceClassName':'a100'")),
          template("four", exactly("'deviceClassName':'a100','count':4")),
          template("zero", exactly("'deviceClassName':'a100','count':0")),
          template(
              "mixed",
              exactly(
                  "'deviceClassName':'h100','count':2,'selectors':[{'cel':{'expression':'x'}}]"),
              exactly("'deviceClassName':'nic'"),
              exactly("'deviceClassName':'a100'")),
          template("empty"),
          template("all", exactly("'deviceClassName':'a100','allocationMode':'All'")),
          template("admin", exactly("'deviceClassName':'a100','adminAccess':true")),
          template("minus", exactly("'deviceClassName':'a100','count':-1")),
          template("foreign", exactly("'deviceClassName':'fpga'")),
          template(
              "either", "{'name':'r','firstAvailable':[{'name':'s','deviceClassName':'a100'}]}"));

  private static final DeviceCatalog CATALOG =
      new DeviceCatalog() {
        @Override
        public @Nullable ResourceClaimTemplate template(String namespace, String name) {
          String json = namespace.equals("team") ? TEMPLATES.get(name) : null;
          return json == null ? null : TestCluster.read(ResourceClaimTemplate.class, json);
        }

        @Override
        public @Nullable String classServing(String extendedResource) {
          return Map.of("vendor/gpu", "a100", "vendor/fpga", "fpga").get(extendedResource);
        }

        @Override
        public @Nullable DeviceClass deviceClass(String name) {
          return null;
        }

        @Override
        public ListedDevices devices() {
          return ListedDevices.NONE;
        }
      };

  private static Map.Entry<String, String> template(String name, String... requests) {
    return Map.entry(
        name,
        "{'spec':{'spec':{'devices':{'requests':[%s]}}}}".formatted(String.join(",", requests)));
  }

  private static String exactly(String members) {
    return "{'name':'r','exactly':{%s}}".formatted(members);
  }

  private static EngineConfiguration configuration(List<DeviceClassMapping> mappings) {
    return EngineConfiguration.defaults()
        .withResources(new Resources(List.of(), false, List.of(), mappings));
  }

  /** A pod of that namespace with claims of those templates, which also asks for that. */
  private static Workload workload(String namespace, String templates, String requests) {
    String claims =
        Stream.of(templates.split(" ", -1))
            .filter(name -> !name.isEmpty())
            .map("{'name':'c','resourceClaimTemplateName':'%s'}"::formatted)
            .collect(Collectors.joining(","));
    return workload(namespace, claims, requests, 3);
  }

  private static Workload workload(String namespace, String claims, String requests, int pods) {
    return TestCluster.read(
        Workload.class,
        """
        {'metadata':{'name':'w','namespace':'%s','uid':'u'},'spec':{'podSets':[{'name':'main',
        'count':%d,'template':{'spec':{'resourceClaims':[%s],'containers':[{'name':'c','resources':{
        'requests':{%s}}}]}}}]}}\
        """
            .formatted(namespace, pods, claims, requests));
  }

  private static Map<String, Long> amounts(EngineConfiguration configuration, Workload workload) {
    return new RequestReader(configuration.resources(), true, new DeviceCounter(configuration))
        .requested(workload, CATALOG)
        .getFirst()
        .total()
        .asMap();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          one       | {example.com/gpu=3}
          four      | {example.com/gpu=12}
          zero      | {example.com/gpu=3}
          one one   | {example.com/gpu=6}
          mixed     | {example.com/gpu=9, example.com/net=3}
          mixed one | {example.com/gpu=12, example.com/net=3}
          empty     | {}
          """)
  void countsTheDevicesOfAllClaimsOfEachOfThreePods(String templates, String expected) {
    Workload workload = workload("team", templates, "");

    assertThat(amounts(configuration(MAPPINGS), workload)).hasToString(expected);
    assertThat(problems(configuration(MAPPINGS), workload)).isEmpty();
  }

  private static List<String> problems(EngineConfiguration configuration, Workload workload) {
    return new DeviceCounter(configuration).problems(workload, CATALOG);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          none    | there is no ResourceClaimTemplate team/none
          all     | allocationMode All says no number
          either  | leaves open which devices are taken
          admin   | adminAccess is to devices that others have
          minus   | -1 devices (expected: 1 or more)
          foreign | device class fpga is not counted
          """)
  void whatCannotBeCountedIsAProblemThatNamesTheTemplate(String template, String expected) {
    Workload workload = workload("team", "empty " + template, "'cpu':'1'");

    assertThat(problems(configuration(MAPPINGS), workload))
        .singleElement()
        .asString()
        .startsWith("spec.podSets[0].template.spec.resourceClaims[1]: ")
        .contains("team/" + template)
        .contains(expected);
    assertThat(amounts(configuration(MAPPINGS), workload)).hasToString("{cpu=3000}");
  }

  @Test
  void templatesAreLookedForInTheNamespaceOfTheWorkload() {
    assertThat(problems(configuration(MAPPINGS), workload("other", "one", "")))
        .containsExactly(
            "spec.podSets[0].template.spec.resourceClaims[0]: there is no ResourceClaimTemplate"
                + " other/one");
  }

  @Test
  void aClaimThatOthersMayHaveTooIsAProblem() {
    Workload workload = workload("team", "{'name':'c','resourceClaimName':'shared'}", "", 1);

    assertThat(problems(configuration(MAPPINGS), workload))
        .singleElement()
        .asString()
        .contains("ResourceClaim shared")
        .contains("(expected: resourceClaimTemplateName)");
  }

  @Test
  void withoutMappingsNoClaimCanBeCounted() {
    assertThat(problems(configuration(List.of()), workload("team", "one", "")))
        .singleElement()
        .asString()
        .contains("(expected: resources.deviceClassMappings)");
  }

  @Test
  void whereDevicesAreNotCountedClaimsAreRefusedAndByAGateOfItsOwnPassedOver() {
    FeatureGates off = FeatureGates.DEFAULT.with(FeatureGate.KUEUE_DRA_INTEGRATION, false);
    FeatureGates lenient =
        off.with(FeatureGate.KUEUE_DRA_REJECT_WORKLOADS_WHEN_DRA_DISABLED, false);
    Workload workload = workload("team", "one none", "'cpu':'1'");

    assertThat(problems(configuration(MAPPINGS).withGates(off), workload))
        .hasSize(2)
        .allMatch(problem -> problem.contains("feature gate KueueDRAIntegration"));
    assertThat(problems(configuration(MAPPINGS).withGates(lenient), workload)).isEmpty();
    assertThat(amounts(configuration(MAPPINGS).withGates(lenient), workload))
        .hasToString("{cpu=3000}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'vendor/gpu':'2'                                     | ""  | {example.com/gpu=6}
          'vendor/gpu':'2','example.com/gpu':'1'               | ""  | {example.com/gpu=9}
          'vendor/gpu':'2'                                     | one | {example.com/gpu=9}
          'deviceclass.resource.kubernetes.io/nic':'1'         | ""  | {example.com/net=3}
          'vendor/fpga':'2'                                    | ""  | {vendor/fpga=6}
          'deviceclass.resource.kubernetes.io/fpga':'2'        | ""  | {deviceclass.resource.kubernetes.io/fpga=6}
          'example.com/other':'2'                              | ""  | {example.com/other=6}
          """)
  void aResourceThatAMappedClassServesCountsAsItsDevices(
      String requests, String templates, String expected) {
    Workload workload = workload("team", templates, requests);

    assertThat(amounts(configuration(MAPPINGS), workload)).hasToString(expected);
    assertThat(problems(configuration(MAPPINGS), workload)).isEmpty();
  }

  @Test
  void withoutTheirGateServedResourcesCountAsThemselves() {
    FeatureGates off =
        FeatureGates.DEFAULT.with(FeatureGate.KUEUE_DRA_INTEGRATION_EXTENDED_RESOURCE, false);

    assertThat(
            amounts(
                configuration(MAPPINGS).withGates(off), workload("team", "", "'vendor/gpu':'1'")))
        .hasToString("{vendor/gpu=3}");
  }
}
