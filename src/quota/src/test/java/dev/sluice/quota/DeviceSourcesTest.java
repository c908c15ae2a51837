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
import dev.sluice.quota.configuration.EngineConfiguration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Workloads whose devices count as the memory that ResourceSlices say: 100 of it are to be had in
 * queue m.
 */
class DeviceSourcesTest {
  private static final DeviceSource MEMORY =
      new DeviceSource(DeviceSource.Type.COUNTER, "memory", "gpu.example.com", Optional.empty());

  private final TestCluster cluster =
      new TestCluster(
              EngineConfiguration.defaults()
                  .withResources(
                      new Resources(
                          List.of(),
                          false,
                          List.of(),
                          List.of(
                              new DeviceClassMapping("memory", List.of("a100"), List.of(MEMORY))))))
          .flavor("default")
          .queue("m", groups(quota("memory", "default 100")));

  private void slice(String name, int... memory) {
    String devices =
        IntStream.of(memory)
            .mapToObj(
                """
                {'name':'d','consumesCounters':[{'counterSet':'s','counters':{'memory':{
                'value':'%d'}}}]}\
                """
                    ::formatted)
            .collect(Collectors.joining(","));
    cluster.apply(
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

  private void classOf(String selector) {
    cluster.apply(
        Change.upserted(
            ObjectKind.DEVICE_CLASS,
            TestCluster.read(
                DeviceClass.class,
                """
                {'metadata':{'name':'a100'},'spec':{'selectors':[{'cel':{'expression':'%s'}}]}}\
                """
                    .formatted(selector))));
  }

  private void claimantOf(String name, int count) {
    cluster.apply(
        Change.upserted(
            ObjectKind.RESOURCE_CLAIM_TEMPLATE,
            TestCluster.read(
                ResourceClaimTemplate.class,
                """
                {'metadata':{'name':'%s','namespace':'default'},'spec':{'spec':{'devices':{
                'requests':[%s]}}}}\
                """
                    .formatted(
                        name,
                        "{'name':'r','exactly':{'deviceClassName':'a100','count':%d}}"
                            .formatted(count)))));
    cluster
        .workload(name, "m")
        .podSet(
            "main",
            1,
            "",
            "{}",
            ",'resourceClaims':[{'name':'c','resourceClaimTemplateName':'%s'}]".formatted(name))
        .put();
  }

  private Condition waiting(String name) {
    return cluster.get(name).status().conditions().getFirst();
  }

  @Test
  void whoseDevicesNoDriverListsIsMisconfiguredUntilOneDoes() {
    classOf("true");
    claimantOf("early", 1);
    cluster.rest();
    assertThat(waiting("early").reason()).isEqualTo("Misconfigured");
    assertThat(waiting("early").message()).contains("insufficient matching devices: 0");

    slice("node-1", 40, 10);
    cluster.rest();

    assertThat(cluster.reserved("early")).isTrue();
    assertThat(
            requireNonNull(cluster.get("early").status().admission())
                .podSetAssignments()
                .getFirst()
                .resourceUsage()
                .get("memory"))
        .hasToString("40");
  }

  @Test
  void whoWaitsForAClassIsToldAndCountedWhenItComes() {
    slice("node-1", 40);
    claimantOf("early", 1);
    cluster.rest();
    assertThat(waiting("early").message()).contains("there is no DeviceClass a100");

    classOf("true");
    cluster.rest();

    assertThat(cluster.reserved("early")).isTrue();
  }

  @Test
  void whoWaitsIsCountedAgainWhenDevicesOrTheirClassChangeAndWhoHasQuotaIsNot() {
    classOf("true");
    slice("node-1", 40);
    claimantOf("first", 1);
    cluster.rest();
    assertThat(cluster.reserved("first")).isTrue();

    slice("node-1", 70);
    claimantOf("second", 1);
    cluster.rest();
    assertThat(cluster.reserved("second")).isFalse();

    slice("node-1", 60);
    cluster.rest();
    assertThat(cluster.reserved("second")).as("40 and 60 of 100").isTrue();
    assertThat(cluster.reserved("first")).isTrue();

    classOf("false");
    claimantOf("third", 1);
    cluster.rest();
    assertThat(waiting("third").message()).contains("insufficient matching devices: 0");
    cluster.gone(ObjectKind.RESOURCE_SLICE, "node-1");
    cluster.delete("first");
    classOf("true");
    slice("node-2", 20);
    cluster.rest();
    assertThat(cluster.reserved("third")).isTrue();
  }

  @Test
  void aForkCountsDevicesOnItsOwn() {
    classOf("true");
    claimantOf("early", 1);
    cluster.rest();
    QuotaEngine fork = cluster.engine().fork();

    slice("node-1", 40);
    cluster.rest();

    assertThat(cluster.reserved("early")).isTrue();
    assertThat(fork.cycle(TestCluster.START).changed()).isFalse();
  }
}
