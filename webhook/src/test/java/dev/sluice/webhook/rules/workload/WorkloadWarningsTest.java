package dev.sluice.webhook.rules.workload;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.rules.Reviews.creation;
import static dev.sluice.rules.Reviews.existing;
import static dev.sluice.rules.Reviews.json;
import static dev.sluice.rules.Reviews.update;
import static dev.sluice.rules.Reviews.worldOf;
import static dev.sluice.webhook.rules.StandardReviews.check;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.ValidationResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadWarningsTest {
  private static final ReviewContext WORLD =
      worldOf(
          json(
              "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'LocalQueue',"
                  + "'metadata':{'name':'lq','namespace':'n'},'spec':{'clusterQueue':'cq'}}"),
          existing(CLUSTER_QUEUE, "cq", "'spec':{'resourceGroups':[{'flavors':[{'name':'f'}]}]}"));

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nothing wrong       | {'queueName':'lq','podSets':[{'name':'a','count':2}]}                      |
          OPP-30 no pod sets  | {}                                                                         | spec.podSets: none
          OPP-31 two modes    | {'podSets':[{'topologyRequest':{'required':'a','preferred':'b'}}]}         | spec.podSets[0].topologyRequest: only one of required, preferred
          OPP-31 unconstrained false is none | {'podSets':[{'topologyRequest':{'required':'a','unconstrained':false}}]} |
          OPP-31 no label     | {'podSets':[{'topologyRequest':{'required':'@'}}]}                         | spec.podSets[0].topologyRequest.required: no Node can have a label "@"
          OPP-31 both ways    | {'podSets':[{'count':4,'topologyRequest':{'podSetSliceRequiredTopology':'a','podSetSliceSize':2,'podsetSliceRequiredTopologyConstraints':[{'topology':'a','size':2}]}}]} | spec.podSets[0].topologyRequest.podsetSliceRequiredTopologyConstraints: cannot be combined
          OPP-31 layer twice  | {'podSets':[{'count':4,'topologyRequest':{'podsetSliceRequiredTopologyConstraints':[{'topology':'a','size':4},{'topology':'a','size':2}]}}]} | spec.podSets[0].topologyRequest.podsetSliceRequiredTopologyConstraints[1].topology: is a layer already
          OPP-31 not divided  | {'podSets':[{'count':4,'topologyRequest':{'podsetSliceRequiredTopologyConstraints':[{'topology':'a','size':4},{'topology':'b','size':3}]}}]} | spec.podSets[0].topologyRequest.podsetSliceRequiredTopologyConstraints[1].size: does not divide the 4
          OPP-31 slice > set  | {'podSets':[{'count':4,'topologyRequest':{'podSetSliceRequiredTopology':'a','podSetSliceSize':5}}]} | spec.podSets[0].topologyRequest.podSetSliceSize: more than the 4 pods
          OPP-31 no pods yet  | {'podSets':[{'count':0,'topologyRequest':{'podSetSliceRequiredTopology':'a','podSetSliceSize':5}}]} |
          OPP-31 group of one | {'podSets':[{'topologyRequest':{'podSetGroupName':'g','required':'a'}}]}   | spec.podSets[0].topologyRequest.podSetGroupName: a group is made of two
          OPP-32 over limit   | {'podSets':[{'template':{'spec':{'containers':[{'resources':{'requests':{'cpu':2},'limits':{'cpu':'1'}}}]}}}]} | spec.podSets[0].template.spec.containers[0].resources.requests[cpu]: more than the limit of 1
          OPP-32 no resource  | {'podSets':[{'template':{'spec':{'containers':[{'resources':{'requests':{'@':2}}}]}}}]} | spec.podSets[0].template.spec.containers[0].resources.requests[@]: no name
          OPP-32 overhead     | {'podSets':[{'template':{'spec':{'overhead':{'cpu':'-1'}}}}]}              | spec.podSets[0].template.spec.overhead[cpu]: negative
          OPP-76 no queue     | {'queueName':'gone','podSets':[{}]}                                        | spec.queueName: there is no LocalQueue "gone"
          OPP-76 no class     | {'podSets':[{}],'priorityClassRef':{'kind':'WorkloadPriorityClass','name':'gone'}} | spec.priorityClassRef.name: there is no WorkloadPriorityClass "gone"
          """)
  void warnsOfASpec(String rule, String spec, String warning) {
    JsonNode workload =
        json("{'metadata':{'name':'w','namespace':'n'},'spec':" + spec + ",'status':{}}");

    assertWarns(check(WORKLOAD, creation(workload, WORLD)), warning);
    assertThat(check(WORKLOAD, update(workload, workload, WORLD)).warnings()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nothing wrong        | 'admission':{'clusterQueue':'cq','podSetAssignments':[{'name':'a','count':3,'flavors':{'cpu':'f'}}]} |
          OPP-34 another queue | 'admission':{'clusterQueue':'other','podSetAssignments':[]}                              | status.admission.clusterQueue: LocalQueue "lq" belongs to "cq"
          OPP-34 flavor        | 'admission':{'clusterQueue':'cq','podSetAssignments':[{'name':'a','count':3,'flavors':{'cpu':'g'}}]} | status.admission.podSetAssignments[0].flavors[cpu]: "g" is no flavor
          OPP-34 too many      | 'admission':{'clusterQueue':'cq','podSetAssignments':[{'name':'a','count':5}]}           | status.admission.podSetAssignments[0].count: 5, but the pod set asks for 2 to 4
          OPP-34 too few       | 'admission':{'clusterQueue':'cq','podSetAssignments':[{'name':'a','count':1}]}           | status.admission.podSetAssignments[0].count: 1, but
          OPP-40 twice         | 'admissionChecks':[{'name':'c','podSetUpdates':[{'name':'a'},{'name':'a'}]}]             | status.admissionChecks[0].podSetUpdates[1].name: names a pod set for the second time
          OPP-43 too many back | 'admission':{'clusterQueue':'cq','podSetAssignments':[{'name':'a','count':2}]},'reclaimablePods':[{'name':'a','count':3}] | status.reclaimablePods[a].count: more than the 2 pods that were admitted
          """)
  void warnsOfAStatus(String rule, String status, String warning) {
    JsonNode before = workload("", "");
    JsonNode after = workload("", status);

    assertWarns(check(WORKLOAD, update(before, after, WORLD)), warning);
    assertThat(check(WORKLOAD, update(after, after, WORLD)).warnings()).isEmpty();
  }

  @Test
  void warnsOfAnnotationsThatChange() { // OPP-36
    String slice = "kueue.x-k8s.io/workload-slice-replacement-for";

    assertWarns(
        check(WORKLOAD, update(workload("", ""), workload("'" + slice + "':'w'", ""), WORLD)),
        "metadata.annotations[" + slice + "]: is meant to stay");
  }

  @Test
  void warnsOfPreemptionGatesThatChangeOnceReserved() { // OPP-41
    String reserved =
        "'conditions':[{'type':'QuotaReserved','status':'True','reason':'R','lastTransitionTime':'t'}],"
            + "'admission':{'clusterQueue':'cq','podSetAssignments':[]}";
    JsonNode before = workload("", reserved);
    var after = (ObjectNode) before.deepCopy();
    after.withObject("/spec").putArray("preemptionGates").addObject().put("name", "g");

    assertWarns(check(WORKLOAD, update(before, after, WORLD)), "spec.preemptionGates: changed");
  }

  @ParameterizedTest(name = "from {0}, evicted {1}, to {2}")
  @CsvSource({
    "a, False, b, true",
    "a, False, '', true",
    "a, True, '', false",
    "'', False, a, false"
  })
  void warnsOfAClusterThatIsLeftWithoutAnEviction( // OPP-39
      String before, String evicted, String after, boolean warned) {
    String status =
        "'conditions':[{'type':'QuotaReserved','status':'True'},{'type':'Evicted','status':'%s'}],"
            + "'admission':{'clusterQueue':'cq','podSetAssignments':[]},"
            + "'nominatedClusterNames':['a','b'],'clusterName':'%s'";
    ValidationResult findings =
        check(
            WORKLOAD,
            update(
                workload("", status.formatted(evicted, before)),
                workload("", status.formatted(evicted, after)),
                WORLD));

    assertThat(findings.warnings().stream().anyMatch(it -> it.startsWith("status.clusterName: ")))
        .isEqualTo(warned);
  }

  @Test
  void warnsOfAnAllowedFlavorThatIsNotThere() { // OPP-37
    String allowed = "kueue.x-k8s.io/workload-allowed-resource-flavors";
    ReviewContext world =
        worldOf(
            existing(RESOURCE_FLAVOR, "here", "'spec':{}"),
            json(
                "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'LocalQueue',"
                    + "'metadata':{'name':'lq','namespace':'n'},'spec':{'clusterQueue':'cq'}}"));
    JsonNode gone = workload("'" + allowed + "':'gone'", "");

    assertWarns(
        check(WORKLOAD, creation(gone, world)),
        "metadata.annotations[" + allowed + "]: there is no ResourceFlavor \"gone\"");
    assertThat(check(WORKLOAD, update(gone, gone, world)).warnings()).isEmpty();
    assertThat(
            check(WORKLOAD, creation(workload("'" + allowed + "':'here'", ""), world)).warnings())
        .isEmpty();
  }

  private static void assertWarns(ValidationResult findings, String warning) {
    assertThat(findings.violations()).isEmpty();
    if (warning == null) {
      assertThat(findings.warnings()).isEmpty();
    } else {
      assertThat(findings.warnings()).singleElement().asString().startsWith(warning);
    }
  }

  private static JsonNode workload(String annotations, String status) {
    return json(
        ("{'metadata':{'name':'w','namespace':'n','annotations':{%s}},'spec':{'queueName':'lq',"
                + "'podSets':[{'name':'a','count':4,'minCount':2}]},'status':{%s}}")
            .formatted(annotations, status));
  }
}
