package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.groups;
import static dev.sluice.quota.TestCluster.quota;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import dev.sluice.api.configuration.Scheduling.Resources;
import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.util.List;
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
}
