package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.groups;
import static dev.sluice.quota.TestCluster.quota;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import dev.sluice.api.configuration.Scheduling.DeviceSource;
import dev.sluice.api.configuration.Scheduling.Resources;
import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.device.ResourceSlice;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Workloads that claim devices: 4 of gpu are to be had in queue q, as which class a100 counts. */
class DevicesTest {
  private final TestCluster cluster =
      new TestCluster(
              EngineConfiguration.defaults()
                  .withResources(
                      new Resources(
                          List.of(),
                          false,
                          List.of(),
                          List.of(new DeviceClassMapping("gpu", List.of("a100"))))))
          .flavor("default")
          .queue("q", groups(quota("gpu", "default 4")));

  private void template(String namespace, String name, String request) {
    cluster.apply(
        Change.upserted(
            ObjectKind.RESOURCE_CLAIM_TEMPLATE,
            TestCluster.read(
                ResourceClaimTemplate.class,
                """
                {'metadata':{'name':'%s','namespace':'%s'},'spec':{'spec':{'devices':{'requests':[
                %s]}}}}\
                """
                    .formatted(name, namespace, request))));
  }

  private static String devices(int count) {
    return "{'name':'r','exactly':{'deviceClassName':'a100','count':%d}}".formatted(count);
  }

  private void deviceClass(String name, String created, String serves) {
    cluster.apply(
        Change.upserted(
            ObjectKind.DEVICE_CLASS,
            TestCluster.read(
                DeviceClass.class,
                """
                {'metadata':{'name':'%s','creationTimestamp':'%s'},'spec':{
                'extendedResourceName':'%s'}}\
                """
                    .formatted(name, created, serves))));
  }

  private void claimant(String name, String template) {
    claimant(name, "q", template);
  }

  private void claimant(String name, String queue, String template) {
    cluster
        .workload(name, queue)
        .podSet(
            "main",
            1,
            "",
            "{}",
            ",'resourceClaims':[{'name':'c','resourceClaimTemplateName':'%s'}]".formatted(template))
        .put();
  }

  private List<PodSetAssignment> assigned(String workload) {
    return requireNonNull(cluster.get(workload).status().admission()).podSetAssignments();
  }

  private Condition quotaReserved(String workload) {
    return cluster.get(workload).status().conditions().getFirst();
  }

  @Test
  void devicesTakeQuotaUntilNoneIsLeft() {
    template("default", "three", devices(3));
    claimant("first", "three");
    claimant("second", "three");

    cluster.rest();

    assertThat(cluster.reserved("first")).isTrue();
    assertThat(assigned("first"))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.flavors()).containsEntry("gpu", "default");
              assertThat(it.resourceUsage().get("gpu")).hasToString("3");
            });
    assertThat(cluster.conditions("second"))
        .containsEntry("QuotaReserved", "False WaitingForQuota");

    cluster.delete("first");
    cluster.rest();
    assertThat(cluster.reserved("second")).isTrue();
  }

  @Test
  void whoNamesAMissingTemplateIsMisconfiguredUntilItIsThere() {
    claimant("early", "two");
    cluster.rest();

    assertThat(cluster.inadmissible("q")).containsExactly("early");
    assertThat(quotaReserved("early").reason()).isEqualTo("Misconfigured");
    assertThat(quotaReserved("early").message())
        .contains("there is no ResourceClaimTemplate default/two");

    template("elsewhere", "two", devices(2));
    cluster.rest();
    assertThat(cluster.reserved("early")).isFalse();
    template("default", "two", devices(2));
    cluster.rest();
    assertThat(cluster.reserved("early")).isTrue();
  }

  @Test
  void anEditOrTheEndOfATemplateIsHeardOf() {
    template("default", "t", "{'name':'r','firstAvailable':[]}");
    claimant("one", "t");
    cluster.rest();
    assertThat(quotaReserved("one").message()).contains("leaves open");

    template("default", "t", devices(5));
    cluster.rest();
    assertThat(quotaReserved("one").reason()).isEqualTo("ExceedsMaxQuota");
    cluster.apply(
        new Change.Deleted(ObjectKind.RESOURCE_CLAIM_TEMPLATE, new ObjectKey("default", "t")));
    cluster.rest();
    assertThat(quotaReserved("one").reason()).isEqualTo("Misconfigured");
    template("default", "t", ""); // no device at all
    cluster.rest();
    assertThat(cluster.reserved("one")).isTrue();
  }

  @Test
  void whoHasQuotaKeepsItWhateverBecomesOfTheTemplate() {
    template("default", "t", devices(3));
    claimant("one", "t");
    cluster.rest();

    template("default", "t", devices(1));
    claimant("two", "t");
    claimant("three", "t");
    cluster.rest();

    assertThat(cluster.reserved("one")).isTrue();
    assertThat(cluster.reserved("two")).isTrue();
    assertThat(cluster.reserved("three")).isFalse();
  }

  @Test
  void inAStrictQueueOthersGoOnBeforeWhoCannotBeCounted() {
    cluster.queue("s", groups(quota("gpu", "default 4")) + ",'queueingStrategy':'StrictFIFO'");
    template("default", "t", devices(1));
    claimant("broken", "s", "missing");
    claimant("whole", "s", "t");

    cluster.rest();

    assertThat(cluster.reserved("whole")).isTrue();
    assertThat(cluster.inadmissible("s")).containsExactly("broken");
  }

  @Test
  void aResourceCountsAsDevicesWhileAMappedClassServesIt() {
    cluster.workload("asking", "q").pods(1, "{'vendor/gpu':'1'}").put();
    cluster.rest();
    assertThat(cluster.reserved("asking")).isFalse();

    deviceClass("other", "2026-01-01T00:00:00Z", "vendor/gpu");
    deviceClass("a100", "2025-01-01T00:00:00Z", "vendor/gpu");
    cluster.rest();
    assertThat(cluster.reserved("asking")).isFalse(); // the class made last serves

    cluster.gone(ObjectKind.DEVICE_CLASS, "other");
    cluster.rest();
    assertThat(cluster.reserved("asking")).isTrue();
    assertThat(assigned("asking").getFirst().flavors()).containsOnlyKeys("gpu");
  }

  /** Of memory there are 100 in queue m; a device counts as what it takes of it. */
  private TestCluster sliced() {
    var source =
        new DeviceSource(DeviceSource.Type.COUNTER, "memory", "gpu.example.com", Optional.empty());
    return new TestCluster(
            EngineConfiguration.defaults()
                .withResources(
                    new Resources(
                        List.of(),
                        false,
                        List.of(),
                        List.of(
                            new DeviceClassMapping("memory", List.of("a100"), List.of(source))))))
        .flavor("default")
        .queue("m", groups(quota("memory", "default 100")));
  }

  private static void slice(TestCluster sliced, String name, int... memory) {
    String devices =
        IntStream.of(memory)
            .mapToObj(
                """
                {'name':'d','consumesCounters':[{'counterSet':'s','counters':{'memory':{
                'value':'%d'}}}]}\
                """
                    ::formatted)
            .collect(Collectors.joining(","));
    sliced.apply(
        Change.upserted(
            ObjectKind.RESOURCE_SLICE,
            TestCluster.read(
                ResourceSlice.class,
                """
                {'metadata':{'name':'%s'},'spec':{'driver':'gpu.example.com','pool':{'name':'%s',
                'generation':1,'resourceSliceCount':1},'devices':[%s]}}\
                """
                    .formatted(name, name, devices))));
  }

  private static void classOf(TestCluster sliced, String selector) {
    sliced.apply(
        Change.upserted(
            ObjectKind.DEVICE_CLASS,
            TestCluster.read(
                DeviceClass.class,
                """
                {'metadata':{'name':'a100'},'spec':{'selectors':[{'cel':{'expression':'%s'}}]}}\
                """
                    .formatted(selector))));
  }

  private static void claimantOf(TestCluster sliced, String name, int count) {
    sliced.apply(
        Change.upserted(
            ObjectKind.RESOURCE_CLAIM_TEMPLATE,
            TestCluster.read(
                ResourceClaimTemplate.class,
                """
                {'metadata':{'name':'%s','namespace':'default'},'spec':{'spec':{'devices':{
                'requests':[%s]}}}}\
                """
                    .formatted(name, devices(count)))));
    sliced
        .workload(name, "m")
        .podSet(
            "main",
            1,
            "",
            "{}",
            ",'resourceClaims':[{'name':'c','resourceClaimTemplateName':'%s'}]".formatted(name))
        .put();
  }

  private static Condition waiting(TestCluster sliced, String name) {
    return sliced.get(name).status().conditions().getFirst();
  }

  @Test
  void whoseDevicesNoDriverListsIsMisconfiguredUntilOneDoes() {
    TestCluster sliced = sliced();
    classOf(sliced, "true");
    claimantOf(sliced, "early", 1);
    sliced.rest();
    assertThat(waiting(sliced, "early").reason()).isEqualTo("Misconfigured");
    assertThat(waiting(sliced, "early").message()).contains("insufficient matching devices: 0");

    slice(sliced, "node-1", 40, 10);
    sliced.rest();

    assertThat(sliced.reserved("early")).isTrue();
    assertThat(
            requireNonNull(sliced.get("early").status().admission())
                .podSetAssignments()
                .getFirst()
                .resourceUsage()
                .get("memory"))
        .hasToString("40");
  }

  @Test
  void whoWaitsForAClassIsToldAndCountedWhenItComes() {
    TestCluster sliced = sliced();
    slice(sliced, "node-1", 40);
    claimantOf(sliced, "early", 1);
    sliced.rest();
    assertThat(waiting(sliced, "early").message()).contains("there is no DeviceClass a100");

    classOf(sliced, "true");
    sliced.rest();

    assertThat(sliced.reserved("early")).isTrue();
  }

  @Test
  void whoWaitsIsCountedAgainWhenDevicesOrTheirClassChangeAndWhoHasQuotaIsNot() {
    TestCluster sliced = sliced();
    classOf(sliced, "true");
    slice(sliced, "node-1", 40);
    claimantOf(sliced, "first", 1);
    sliced.rest();
    assertThat(sliced.reserved("first")).isTrue();

    slice(sliced, "node-1", 70);
    claimantOf(sliced, "second", 1);
    sliced.rest();
    assertThat(sliced.reserved("second")).isFalse();

    slice(sliced, "node-1", 60);
    sliced.rest();
    assertThat(sliced.reserved("second")).as("40 and 60 of 100").isTrue();
    assertThat(sliced.reserved("first")).isTrue();

    classOf(sliced, "false");
    claimantOf(sliced, "third", 1);
    sliced.rest();
    assertThat(waiting(sliced, "third").message()).contains("insufficient matching devices: 0");
    sliced.gone(ObjectKind.RESOURCE_SLICE, "node-1");
    sliced.delete("first");
    classOf(sliced, "true");
    slice(sliced, "node-2", 20);
    sliced.rest();
    assertThat(sliced.reserved("third")).isTrue();
  }

  @Test
  void aForkCountsDevicesOnItsOwn() {
    TestCluster sliced = sliced();
    classOf(sliced, "true");
    claimantOf(sliced, "early", 1);
    sliced.rest();
    QuotaEngine fork = sliced.engine().fork();

    slice(sliced, "node-1", 40);
    sliced.rest();

    assertThat(sliced.reserved("early")).isTrue();
    assertThat(fork.cycle(TestCluster.START).changed()).isFalse();
  }
}
