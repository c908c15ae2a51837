package dev.sluice.lifecycle.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.write.Write;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The objects that an autoscaler is asked with. */
class RequestsTest extends ProvisioningStory {
  private static final String GPU = "nvidia.com/gpu";

  private void config(String members) {
    checks.put("nodes", active("{'provisioningClassName':'class'," + members + "}"));
  }

  /** A pod set whose containers have these resources, with as many pods as quota was given for. */
  private void podSet(String name, int count, String resources, String more) {
    ObjectNode podSet =
        read(
            """
            {'name':'%s','count':9,'template':{'spec':{%s'containers':[{'name':'c','image':'%s',
            'resources':%s}]}}}\
            """
                .formatted(name, more, name, resources));
    workload().withObjectProperty("spec").withArrayProperty("podSets").add(podSet);
    JsonNode assignment =
        read("{'name':'%s','flavors':{'cpu':'plain'},'count':%d}".formatted(name, count));
    workload()
        .withObjectProperty("status")
        .withObjectProperty("admission")
        .withArrayProperty("podSetAssignments")
        .add(assignment);
  }

  private void noPodSets() {
    workload().withObjectProperty("spec").putArray("podSets");
    workload()
        .withObjectProperty("status")
        .withObjectProperty("admission")
        .putArray("podSetAssignments");
  }

  private static String requests(String resource) {
    return "{'requests':{'%s':'1'}}".formatted(resource);
  }

  private JsonNode spec() {
    return request("w-nodes-1").path("spec");
  }

  private String asked() {
    StringBuilder asked = new StringBuilder();
    for (JsonNode podSet : spec().path("podSets")) {
      String template = podSet.at("/podTemplateRef/name").asText();
      asked.append(template.replace("ppt-w-nodes-1-", "")).append(podSet.path("count").asText());
      asked.append(' ');
    }
    return asked.toString().strip();
  }

  @Test
  void asksForThePodsThatHaveQuota() {
    live();

    assertThat(request("w-nodes-1"))
        .isEqualTo(
            read(
                """
                {'apiVersion':'autoscaling.x-k8s.io/v1','kind':'ProvisioningRequest',
                'metadata':{'namespace':'ns','name':'w-nodes-1','ownerReferences':[{
                'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Workload','name':'w','uid':'u',
                'controller':true}],'uid':'uid-2','resourceVersion':'1'},
                'spec':{'provisioningClassName':'class','podSets':[{
                'podTemplateRef':{'name':'ppt-w-nodes-1-main'},'count':2}]}}\
                """));
    assertThat(events)
        .containsExactly("ProvisioningRequestCreated: Created ProvisioningRequest: \"w-nodes-1\"");
    assertThat(told()).isEqualTo("Pending: ");
  }

  @Test
  void aPodTemplateBelongsToTheWorkloadAndThenToTheRequest() {
    Write first = plan().writes().getFirst();
    assertThat(((Write.Create) first).body().at("/metadata/ownerReferences/0"))
        .isEqualTo(
            read(
                """
                {'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Workload','name':'w','uid':'u',
                'controller':true}\
                """));

    live();

    assertThat(template("ppt-w-nodes-1-main"))
        .isEqualTo(
            read(
                """
                {'apiVersion':'v1','kind':'PodTemplate','metadata':{'namespace':'ns',
                'name':'ppt-w-nodes-1-main','ownerReferences':[{
                'apiVersion':'autoscaling.x-k8s.io/v1','kind':'ProvisioningRequest',
                'name':'w-nodes-1','uid':'uid-2','controller':true}],
                'labels':{'kueue.x-k8s.io/managed':'true'},'uid':'uid-1','resourceVersion':'1'},
                'template':{'metadata':{'labels':{'app':'a'}},'spec':{'containers':[{'name':'c',
                'image':'i','resources':{'requests':{'cpu':'1'}}}]}}}\
                """));
  }

  @Test
  void thePodsAreAskedForAsTheirFlavorsMakeThem() {
    flavors.put(
        "plain",
        read(
            """
            {'spec':{'nodeLabels':{'pool':'a'},'tolerations':[{'key':'k','operator':'Exists'}]}}\
            """));

    live();

    JsonNode spec = template("ppt-w-nodes-1-main").at("/template/spec");
    assertThat(spec.path("nodeSelector")).isEqualTo(read("{'pool':'a'}"));
    assertThat(spec.path("tolerations").path(0)).isEqualTo(read("{'key':'k','operator':'Exists'}"));
  }

  @Test
  void gatesThatHoldPodsBackAreNotPartOfTheTemplate() {
    noPodSets();
    podSet(
        "a",
        1,
        "{}",
        "'schedulingGates':[{'name':'kueue.x-k8s.io/admission'},{'name':'example.com/own'}],");

    live();

    assertThat(template("ppt-w-nodes-1-a").at("/template/spec/schedulingGates"))
        .hasSize(1)
        .first()
        .isEqualTo(read("{'name':'example.com/own'}"));
  }

  @Test
  void waitsForAFlavorThatIsNotSeenYet() {
    flavors.clear();

    assertThat(live()).isTrue();
    assertThat(requests).isEmpty();
    assertThat(templates).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "[]                       | a1 b2",
        "['nvidia.com/gpu']       | b2",
        "['cpu','nvidia.com/gpu'] | a1 b2",
      })
  void asksOnlyForPodSetsThatUseAManagedResource(String managed, String asked) {
    config("'managedResources':" + managed);
    noPodSets();
    podSet("a", 1, requests("cpu"), "");
    podSet("none", 0, requests(GPU), "");
    podSet("b", 2, "{'limits':{'%s':'1'}}".formatted(GPU), "");

    live();

    assertThat(asked()).isEqualTo(asked);
  }

  @Test
  void countsWhatQuotaCountsAlsoWhereNoContainerSaysIt() {
    config("'managedResources':['example.com/card']");
    noPodSets();
    podSet("a", 1, requests("cpu"), "");
    ((ObjectNode) workload().at("/status/admission/podSetAssignments/0"))
        .set("resourceUsage", read("{'example.com/card':'2'}"));

    live();

    assertThat(asked()).isEqualTo("a1");
  }

  @Test
  void aZeroIsNotARequest() {
    config("'managedResources':['nvidia.com/gpu']");
    noPodSets();
    podSet("a", 1, "{'requests':{'nvidia.com/gpu':'0'}}", "");

    live();

    assertThat(requests).isEmpty();
    assertThat(told()).isEqualTo("Ready: the provisioning request is not needed");
  }

  @ParameterizedTest
  @CsvSource({
    "'',                                      a1 b2 c3 d4",
    "IdenticalPodTemplates,                   a1 b2 c3 d4",
    "IdenticalWorkloadSchedulingRequirements, a3 c3 d4",
  })
  void mergesPodSetsThatAreScheduledAlike(String policy, String asked) {
    if (!policy.isEmpty()) {
      config("'podSetMergePolicy':'" + policy + "'");
    }
    noPodSets();
    podSet("a", 1, requests("cpu"), "");
    podSet("b", 2, requests("cpu"), ""); // another image
    podSet("c", 3, requests("memory"), "");
    podSet("d", 4, requests("cpu"), "'nodeSelector':{'zone':'z'},");

    live();

    assertThat(asked()).isEqualTo(asked);
  }

  @Test
  void mergesPodSetsWithOneTemplate() {
    config("'podSetMergePolicy':'IdenticalPodTemplates'");
    noPodSets();
    podSet("a", 1, requests("cpu"), "");
    podSet("b", 2, requests("cpu"), "");
    ((ObjectNode) workload().at("/spec/podSets/1/template/spec/containers/0")).put("image", "a");

    live();

    assertThat(asked()).isEqualTo("a3");
    assertThat(templates).containsOnlyKeys("ppt-w-nodes-1-a");
    says("w-nodes-1", condition("Provisioned", true));
    live();
    assertThat(state().podSetUpdates()).extracting("name").containsExactly("a", "b");
  }

  @Test
  void annotationsOfTheWorkloadCountMoreThanTheConfiguration() {
    config("'parameters':{'a':'1','b':'2'}");
    workload()
        .withObjectProperty("metadata")
        .set(
            "annotations",
            read("{'provreq.kueue.x-k8s.io/b':'3','provreq.kueue.x-k8s.io/c':'4','other/d':'5'}"));

    live();

    assertThat(spec().path("parameters")).isEqualTo(read("{'a':'1','b':'3','c':'4'}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'provisioningClassName':'other'",
        "'provisioningClassName':'class','parameters':{'a':'1'}",
      })
  void asksAgainWhenTheConfigurationChangesBeforeThereIsAnAnswer(String config) {
    live();
    String first = request("w-nodes-1").at("/metadata/uid").asText();
    checks.put("nodes", active("{" + config + "}"));

    live();

    assertThat(request("w-nodes-1").at("/metadata/uid").asText()).isNotEqualTo(first);
    assertThat(templates).hasSize(1);
  }

  @Test
  void takesTheRequestBackWhenNothingIsToBeAskedForAnyMore() {
    live();
    config("'managedResources':['memory']");

    live();

    assertThat(requests).isEmpty();
    assertThat(templates).isEmpty();
    assertThat(told()).isEqualTo("Ready: the provisioning request is not needed");
  }
}
