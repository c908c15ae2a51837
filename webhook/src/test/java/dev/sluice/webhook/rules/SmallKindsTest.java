package dev.sluice.webhook.rules;

import static dev.sluice.rules.Reviews.creation;
import static dev.sluice.rules.Reviews.existing;
import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static dev.sluice.rules.Reviews.object;
import static dev.sluice.rules.Reviews.update;
import static dev.sluice.rules.Reviews.worldOf;
import static dev.sluice.webhook.rules.StandardReviews.check;
import static dev.sluice.webhook.rules.StandardReviews.onCreate;
import static dev.sluice.webhook.rules.StandardReviews.onUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.rules.ValidationResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kinds that Kueue leaves to their schema. */
class SmallKindsTest {
  private static final JsonNode NO_SPEC = json("{'metadata':{'name':'a'}}");

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          OPP-01 | ADMISSION_CHECK             | spec.controllerName
          OPP-01 | MULTI_KUEUE_CLUSTER         | spec.clusterSource
          OPP-01 | MULTI_KUEUE_CONFIG          | spec.clusters
          OPP-01 | PROVISIONING_REQUEST_CONFIG | spec.provisioningClassName
          OPP-01 | TOPOLOGY                    | spec.levels
          """)
  void refusesWhatMeansNothingWithoutASpec(String rule, ApiKind kind, String field) {
    assertThat(faults(onCreate(kind, NO_SPEC))).containsExactly("REQUIRED " + field);
    assertThat(faults(onUpdate(kind, NO_SPEC, NO_SPEC))).isEmpty();
    assertThat(faults(onUpdate(kind, object("{'x':1}"), NO_SPEC)))
        .as("OPP-02")
        .containsExactly("FORBIDDEN spec");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          OPP-04 weight negative  | LOCAL_QUEUE         | {'clusterQueue':'q','fairSharing':{'weight':-1}}             | INVALID spec.fairSharing
          OPP-04 weight tiny      | LOCAL_QUEUE         | {'clusterQueue':'q','fairSharing':{'weight':'1n'}}           | INVALID spec.fairSharing
          no quantity as a weight | LOCAL_QUEUE         | {'clusterQueue':'q','fairSharing':{'weight':'1e1.5'}}        | INVALID spec.fairSharing.weight
          OPP-27 two ways         | MULTI_KUEUE_CLUSTER | {'clusterSource':{'kubeConfig':{'location':'s'},'clusterProfileRef':{'name':'p'}}} | INVALID spec.clusterSource
          """)
  void refusesAFaultThatIsNew(String rule, ApiKind kind, String spec, String fault) {
    assertThat(faults(onCreate(kind, object(spec)))).containsExactly(fault);
    assertThat(onUpdate(kind, object(spec), object(spec)).violations()).isEmpty();
    assertThat(onUpdate(kind, object(spec), object(spec)).warnings())
        .allSatisfy(it -> assertThat(it).endsWith("(kept as it was before this update)"))
        .isNotEmpty();
  }

  @Test
  void keepsALocalQueueAtItsClusterQueue() { // OPP-03
    JsonNode before = object("{'clusterQueue':'q'}");

    for (JsonNode after : new JsonNode[] {object("{}"), NO_SPEC, object("{'clusterQueue':null}")}) {
      assertThat(faults(onUpdate(ApiKind.LOCAL_QUEUE, before, after)))
          .containsExactly("FORBIDDEN spec.clusterQueue");
    }
    assertThat(faults(onUpdate(ApiKind.LOCAL_QUEUE, object("{}"), before))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no queue              | LOCAL_QUEUE        | {}                                                     | spec.clusterQueue: absent
          OPP-12 no such queue  | LOCAL_QUEUE        | {'clusterQueue':'gone'}                                | spec.clusterQueue: there is no ClusterQueue "gone"
          OPP-12 no such flavor | COHORT             | {'resourceGroups':[{'coveredResources':['c'],'flavors':[{'name':'gone','resources':[{'name':'c','nominalQuota':1}]}]}]} | spec.resourceGroups[0].flavors[0].name: there is no ResourceFlavor "gone"
          OPP-07 cycle          | COHORT             | {'parentName':'b'}                                     | spec.parentName: closes the cycle "b", "c", "a"
          OPP-24 no parameters  | ADMISSION_CHECK    | {'controllerName':'kueue.x-k8s.io/multikueue'}         | spec.parameters: this controller needs a MultiKueueConfig
          OPP-24 another kind   | ADMISSION_CHECK    | {'controllerName':'kueue.x-k8s.io/provisioning-request','parameters':{'apiGroup':'kueue.x-k8s.io','kind':'MultiKueueConfig','name':'x'}} | spec.parameters: this controller needs a ProvisioningRequestConfig
          OPP-24 missing        | ADMISSION_CHECK    | {'controllerName':'kueue.x-k8s.io/multikueue','parameters':{'apiGroup':'kueue.x-k8s.io','kind':'MultiKueueConfig','name':'gone'}} | spec.parameters.name: there is no MultiKueueConfig "gone"
          OPP-25 negative       | PROVISIONING_REQUEST_CONFIG | {'provisioningClassName':'p','retryStrategy':{'backoffLimitCount':-1}} | spec.retryStrategy.backoffLimitCount: negative
          OPP-25 base over max  | PROVISIONING_REQUEST_CONFIG | {'provisioningClassName':'p','retryStrategy':{'backoffBaseSeconds':9,'backoffMaxSeconds':8}} | spec.retryStrategy: backoffBaseSeconds is more
          OPP-25 no resource    | PROVISIONING_REQUEST_CONFIG | {'provisioningClassName':'p','managedResources':['@']} | spec.managedResources[0]: no Pod can ask for
          OPP-26 empty name     | MULTI_KUEUE_CONFIG | {'clusters':['']}                                      | spec.clusters[0]: no MultiKueueCluster can
          OPP-26 no cluster     | MULTI_KUEUE_CONFIG | {'clusters':['gone']}                                  | spec.clusters[0]: there is no MultiKueueCluster "gone"
          OPP-26 gate is off    | MULTI_KUEUE_CONFIG | {'clusters':[],'quotaManagement':'Automated'}          | spec.quotaManagement: has no effect
          no Secret's name      | MULTI_KUEUE_CLUSTER | {'clusterSource':{'kubeConfig':{'location':'No_Name'}}} | spec.clusterSource.kubeConfig.location: no Secret
          """)
  void warnsOnce(String rule, ApiKind kind, String spec, String warning) {
    var world =
        worldOf(
            existing(ApiKind.COHORT, "b", "'spec':{'parentName':'c'}"),
            existing(ApiKind.COHORT, "c", "'spec':{'parentName':'a'}"));

    ValidationResult findings = check(kind, creation(object(spec), world));

    assertThat(findings.violations()).isEmpty();
    assertThat(findings.warnings()).singleElement().asString().startsWith(warning);
    assertThat(check(kind, update(object(spec), object(spec), world)).warnings()).isEmpty();
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({"OPP-05, LOCAL_QUEUE", "OPP-06, WORKLOAD_PRIORITY_CLASS"})
  void warnsOfANameThatNoLabelCanHave(String rule, ApiKind kind) {
    assertThat(onCreate(kind, named(63)).warnings()).isEmpty();
    assertThat(onCreate(kind, named(64)).warnings())
        .singleElement()
        .asString()
        .startsWith("metadata.name: has 64 characters");
    assertThat(onUpdate(kind, named(64), named(64)).warnings()).isEmpty();
  }

  private static JsonNode named(int length) {
    return json(
        "{'metadata':{'name':'%s'},'spec':{'clusterQueue':'q'},'value':1}"
            .formatted("n".repeat(length)));
  }

  @Test
  void namesWhoUsesATopologyThatChanges() { // OPP-22
    JsonNode before = levels("a");
    JsonNode after = levels("b");
    var unused = worldOf(existing(ApiKind.RESOURCE_FLAVOR, "f", "'spec':{'topologyName':'other'}"));
    var used = worldOf(existing(ApiKind.RESOURCE_FLAVOR, "f", "'spec':{'topologyName':'a'}"));

    assertThat(check(ApiKind.TOPOLOGY, update(before, after, unused)).warnings()).isEmpty();
    assertThat(check(ApiKind.TOPOLOGY, update(before, after, used)).warnings())
        .singleElement()
        .asString()
        .endsWith("used by ResourceFlavor \"f\"");
  }

  private static JsonNode levels(String top) {
    return object(
        "{'levels':[{'nodeLabel':'%s'},{'nodeLabel':'kubernetes.io/hostname'}]}".formatted(top));
  }
}
