package dev.sluice.webhook.rules.workload;

import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.rules.Reviews.creation;
import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static dev.sluice.rules.Reviews.update;
import static dev.sluice.rules.Reviews.worldWith;
import static dev.sluice.webhook.rules.StandardReviews.check;
import static dev.sluice.webhook.rules.StandardReviews.onCreate;
import static dev.sluice.webhook.rules.StandardReviews.onUpdate;
import static dev.sluice.webhook.rules.StandardReviews.patch;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadRulesTest {
  private static final String RESERVED = condition("QuotaReserved", "True");
  private static final String WAITING = condition("QuotaReserved", "False");
  private static final String CONTAINER =
      "spec.podSets[0].template.spec.containers[0].resources.requests";

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          WL-01 label              | 'template':{'metadata':{'labels':{'@':'x'}}}                                  | INVALID spec.podSets[0].template.metadata.labels
          WL-02 annotation         | 'template':{'metadata':{'annotations':{'@':'x'}}}                             | INVALID spec.podSets[0].template.metadata.annotations
          WL-03 pods               | 'template':{'spec':{'containers':[{'resources':{'requests':{'pods':1}}}]}}    | INVALID spec.podSets[0].template.spec.containers[0].resources.requests[pods]
          WL-03 pods, init, limits | 'template':{'spec':{'initContainers':[{'resources':{'limits':{'pods':1}}}]}}  | INVALID spec.podSets[0].template.spec.initContainers[0].resources.limits[pods]
          WL-04 negative           | 'template':{'spec':{'containers':[{'resources':{'requests':{'cpu':'-1m'}}}]}} | INVALID spec.podSets[0].template.spec.containers[0].resources.requests[cpu]
          WL-05 of the pod         | 'template':{'spec':{'resources':{'limits':{'cpu':-1}}}}                       | INVALID spec.podSets[0].template.spec.resources.limits[cpu]
          no quantity              | 'template':{'spec':{'containers':[{'resources':{'requests':{'cpu':'1e1.5'}}}]}} | INVALID spec.podSets[0].template.spec.containers[0].resources.requests[cpu]
          no quantity, overhead    | 'template':{'spec':{'overhead':{'cpu':'1e1.5'}}}                              | INVALID spec.podSets[0].template.spec.overhead[cpu]
          WL-06 size missing       | 'topologyRequest':{'podSetSliceRequiredTopology':'a'}                         | REQUIRED spec.podSets[0].topologyRequest.podSetSliceSize
          WL-07 size zero          | 'topologyRequest':{'podSetSliceRequiredTopology':'a','podSetSliceSize':0}     | INVALID spec.podSets[0].topologyRequest.podSetSliceSize
          WL-08 size alone         | 'topologyRequest':{'podSetSliceSize':2}                                       | FORBIDDEN spec.podSets[0].topologyRequest.podSetSliceSize
          WL-09 size of a layer    | 'topologyRequest':{'podsetSliceRequiredTopologyConstraints':[{'topology':'a','size':0}]} | INVALID spec.podSets[0].topologyRequest.podsetSliceRequiredTopologyConstraints[0].size
          """)
  void refusesAPodSetWhereTheFaultIsNew(String rule, String member, String fault) {
    JsonNode workload = workload("{'name':'main','count':3," + member + "}", "", "");

    assertThat(faults(onCreate(WORKLOAD, workload))).containsExactly(fault);
    assertThat(faults(onUpdate(WORKLOAD, workload("{'count':3}", "", ""), workload)))
        .containsExactly(fault);
    ValidationResult kept = onUpdate(WORKLOAD, workload, withStatus(workload, WAITING));
    assertThat(kept.violations()).as("WLX-01 writes of the status go on").isEmpty();
    assertThat(kept.warnings()).hasSize(1);
  }

  @ParameterizedTest(name = "without {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          WL-01 POD_SET_METADATA        | 'template':{'metadata':{'labels':{'@':'x'}}}
          WL-04 NON_NEGATIVE_RESOURCES  | 'template':{'spec':{'containers':[{'resources':{'requests':{'cpu':-1}}}]}}
          WL-06 TAS_WORKLOAD_SLICE_SIZE | 'topologyRequest':{'podSetSliceSize':0}
          """)
  void asksNothingOfWhatIsOff(String gate, String member) {
    JsonNode workload = workload("{'count':3," + member + "}", "", "");

    assertThat(faults(check(WORKLOAD, creation(workload, worldWith())))).isEmpty();
  }

  @Test
  @DisplayName("WL-10 one minCount, WL-11 none for an elastic workload")
  void limitsMinCounts() {
    String two = "{'name':'a','count':2,'minCount':1},{'name':'b','count':2,'minCount':1}";
    String one = "{'name':'a','count':2,'minCount':1},{'name':'b','count':2}";

    assertThat(faults(onCreate(WORKLOAD, workload(two, "", ""))))
        .containsExactly("INVALID spec.podSets");
    assertThat(faults(onCreate(WORKLOAD, workload(one, "", "")))).isEmpty();
    assertThat(faults(onCreate(WORKLOAD, workload(one, elastic(), ""))))
        .containsExactly("INVALID spec.podSets");
    assertThat(faults(check(WORKLOAD, creation(workload(one, elastic(), ""), worldWith()))))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'admission':{'podSetAssignments':[{'name':'main','count':3,'resourceUsage':{'cpu':'1e1.5'}}]}"
            + "|status.admission.podSetAssignments[0].resourceUsage[cpu]",
        "'resourceRequests':[{'name':'main','resources':{'cpu':'1e1.5'}}]"
            + "|status.resourceRequests[0].resources[cpu]"
      })
  void refusesAStatusWithWhatIsNoQuantity(String status, String field) {
    JsonNode before = workload("{'name':'main','count':3}", "", "");
    JsonNode after = withStatus(before, status);

    assertThat(faults(onUpdate(WORKLOAD, before, after))).containsExactly("INVALID " + field);
  }

  @Test
  @DisplayName("WL-12 quota is reserved by an admission, but what was broken can be repaired")
  void asksForAnAdmissionOnceReserved() {
    JsonNode waiting = workload("{'count':3}", "", WAITING);
    JsonNode reserved = workload("{'count':3}", "", RESERVED);

    assertThat(faults(onUpdate(WORKLOAD, waiting, reserved)))
        .containsExactly("REQUIRED status.admission");
    assertThat(faults(onUpdate(WORKLOAD, reserved, reserved))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          WL-13 no such pod set    | 'name':'x','count':3                                             | NOT_FOUND status.admission.podSetAssignments[0].name
          WL-14 cpu in millis      | 'name':'main','count':3,'resourceUsage':{'cpu':'1'}              | INVALID status.admission.podSetAssignments[0].resourceUsage[cpu]
          WL-14 cpu divides        | 'name':'main','count':3,'resourceUsage':{'cpu':'1500m'}          |
          WL-14 others whole       | 'name':'main','count':3,'resourceUsage':{'memory':'4'}           | INVALID status.admission.podSetAssignments[0].resourceUsage[memory]
          WL-14 others divide      | 'name':'main','count':3,'resourceUsage':{'memory':'3Gi'}         |
          WLX-05 no count          | 'name':'main','resourceUsage':{'cpu':'1'}                        |
          """)
  void checksAnAdmissionOnceReserved(String rule, String assignment, String fault) {
    JsonNode waiting = workload("{'count':3}", "", WAITING + "," + admission("q", assignment));
    JsonNode reserved = workload("{'count':3}", "", RESERVED + "," + admission("q", assignment));
    List<String> faults = fault == null ? List.of() : List.of(fault);

    assertThat(faults(onUpdate(WORKLOAD, waiting, reserved))).isEqualTo(faults);
    ValidationResult early = onUpdate(WORKLOAD, workload("{'count':3}", "", WAITING), waiting);
    assertThat(early.violations()).as("WLX-04").isEmpty();
    assertThat(early.warnings()).as("OPP-33").hasSize(faults.size());
  }

  private static final String PLACES = "status.admission.podSetAssignments[0].topologyAssignment.";

  private static String places(@Nullable String count, String slices) {
    return admission(
        "q",
        "'name':'main'%s,'topologyAssignment':{'levels':['h'],'slices':[%s]}"
            .formatted(count == null ? "" : ",'count':" + count, slices));
  }

  private static String slice(String domains, String values, String pods) {
    return "{'domainCount':%s,'valuesPerLevel':[%s],'podCounts':{%s}}"
        .formatted(domains, values, pods);
  }

  /** OPP-34, for a pod set of three; ImpossiblePlacementTest has all that is wrong with one. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          OPP-34 as many as assigned | 2  | 1          | 'universal':'a'                    | 'universal':2          |
          as many as the pod set has |    | 1          | 'universal':'a'                    | 'universal':3          |
          one for each               | 3  | 2          | 'individual':{'roots':['a','b']}   | 'individual':[1,2]     |
          too few                    | 3  | 1          | 'universal':'a'                    | 'universal':2          | slices: Invalid value: 2: must have places for the 3 pods of the assignment
          too many                   |    | 1          | 'universal':'a'                    | 'universal':4          | slices: Invalid value: 4: must have places for the 3 pods of the assignment
          two billion                | 3  | 1          | 'universal':'a'                    | 'universal':2147483647 | slices: Invalid value: 2147483647: must have places for the 3 pods of the assignment
          more domains than possible | 3  | 2147483647 | 'universal':'a'                    | 'universal':1          | slices: Invalid value: 2147483647: must stand for at most 100000 domains
          no number of this world    | 3  | 1          | 'universal':'a'                    | 'universal':3000000000 | slices[0].podCounts.universal: Invalid value: has not the schema's type
          a list too short           | 3  | 3          | 'individual':{'roots':['a','b']}   | 'universal':1          | slices[0].valuesPerLevel[0].individual.roots: Invalid value: 2: must have an entry for each of the 3 domains
          no value                   | 3  | 3          |                                    | 'universal':1          | slices[0].valuesPerLevel[0]: Invalid value: must have either universal or individual
          """)
  void refusesPlacesThatCannotBe(
      String name, String count, String domains, String value, String pods, String fault) {
    String text = slice(domains, "{" + (value == null ? "" : value) + "}", pods);
    JsonNode without = workload("{'count':3}", "", WAITING);
    JsonNode reserved = workload("{'count':3}", "", RESERVED + "," + places(count, text));
    JsonNode early = workload("{'count':3}", "", WAITING + "," + places(count, text));
    List<String> expected = fault == null ? List.of() : List.of(PLACES + fault);

    assertThat(texts(onUpdate(WORKLOAD, without, reserved))).isEqualTo(expected);
    assertThat(texts(onUpdate(WORKLOAD, without, early))).isEqualTo(expected);
    assertThat(texts(onCreate(WORKLOAD, reserved))).isEqualTo(expected);
  }

  @Test
  void acceptsPlacesForFewerPodsWhereTheyWereFoundLater() {
    String later =
        places("3", slice("1", "{'universal':'a'}", "'universal':2"))
            .replace("'count':3", "'count':3,'delayedTopologyRequest':'Ready'");
    String pending = admission("q", "'name':'main','count':3,'delayedTopologyRequest':'Pending'");
    JsonNode before = workload("{'count':3}", "", RESERVED + "," + pending);

    assertThat(
            texts(onUpdate(WORKLOAD, before, workload("{'count':3}", "", RESERVED + "," + later))))
        .isEmpty();
  }

  private static List<String> texts(ValidationResult findings) {
    return findings.violations().stream().map(FieldError::text).toList();
  }

  /** A thousand slices of a hundred thousand domains each, in 99 KB. */
  @Test
  void refusesMoreDomainsThanThereAreInAnySliceByTheSum() {
    String slices =
        String.join(
            ",", Collections.nCopies(1000, slice("100000", "{'universal':'a'}", "'universal':1")));
    JsonNode reserved = workload("{'count':100000000}", "", RESERVED + "," + places(null, slices));

    assertThat(texts(onUpdate(WORKLOAD, workload("{'count':100000000}", "", WAITING), reserved)))
        .containsExactly(
            PLACES + "slices: Invalid value: 100000000: must stand for at most 100000 domains");
  }

  /** Stored are seven places for three pods. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nothing changes       | 3 | QuotaReserved | 7 | true
          it finishes           | 3 | Finished      | 7 | true
          it is evicted         | 3 | Evicted       | 7 | true
          its pods become fewer | 2 | QuotaReserved | 7 | true
          its places are mended | 3 | QuotaReserved | 3 | true
          other ones as bad     | 3 | QuotaReserved | 8 | false
          """)
  void keepsAWorkloadWithStoredImpossiblePlacesWritable(
      String name, int pods, String condition, int places, boolean allowed) {
    JsonNode after =
        workload(
            "{'count':%d}".formatted(pods), "", reservedAnd(condition) + "," + sevenOr(places));

    assertThat(
            onUpdate(WORKLOAD, workload("{'count':3}", "", RESERVED + "," + sevenOr(7)), after)
                .violations()
                .isEmpty())
        .isEqualTo(allowed);
  }

  @Test
  void letsGoOfStoredImpossiblePlaces() {
    JsonNode stored = workload("{'count':3}", "", RESERVED + "," + sevenOr(7));

    assertThat(texts(onUpdate(WORKLOAD, stored, workload("{'count':3}", "", WAITING)))).isEmpty();
  }

  private static String sevenOr(int places) {
    return places("3", slice("1", "{'universal':'a'}", "'universal':" + places));
  }

  private static String reservedAnd(String type) {
    return "'conditions':["
        + Stream.of("QuotaReserved", type)
            .distinct()
            .map(it -> condition(it, "True").replace("'conditions':[", "").replace("]", ""))
            .collect(Collectors.joining(","))
        + "]";
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          WL-15 reason missing     | 'conditions':[{'type':'T','status':'True','lastTransitionTime':'t','message':''}] | REQUIRED status.conditions[0].reason
          WL-16 no such pod set    | 'reclaimablePods':[{'name':'x','count':1}]                           | NOT_SUPPORTED status.reclaimablePods[x].name
          WL-17 more than it has   | 'reclaimablePods':[{'name':'main','count':4}]                        | INVALID status.reclaimablePods[main].count
          WL-17 all of them        | 'reclaimablePods':[{'name':'main','count':3}]                        |
          WL-18 no such pod set    | 'admissionChecks':[{'name':'c','podSetUpdates':[{'name':'x'}]}]      | NOT_SUPPORTED status.admissionChecks[0].podSetUpdates[0].name
          WL-19 toleration key     | 'admissionChecks':[{'name':'c','podSetUpdates':[{'name':'main','tolerations':[{'key':''},{'key':'@'}]}]}] | INVALID status.admissionChecks[0].podSetUpdates[0].tolerations[1].key
          WL-20 annotation         | 'admissionChecks':[{'name':'c','podSetUpdates':[{'name':'main','annotations':{'@':''}}]}] | INVALID status.admissionChecks[0].podSetUpdates[0].annotations
          WL-21 node selector      | 'admissionChecks':[{'name':'c','podSetUpdates':[{'name':'main','nodeSelector':{'@':''}}]}] | INVALID status.admissionChecks[0].podSetUpdates[0].nodeSelector
          WL-21 label              | 'admissionChecks':[{'name':'c','podSetUpdates':[{'name':'main','labels':{'a':'@'}}]}] | INVALID status.admissionChecks[0].podSetUpdates[0].labels
          """)
  void checksTheStatus(String rule, String status, String fault) {
    JsonNode before = workload("{'name':'main','count':3}", "", "");
    JsonNode after = workload("{'name':'main','count':3}", "", status);

    assertThat(faults(onUpdate(WORKLOAD, before, after)))
        .isEqualTo(fault == null ? List.of() : List.of(fault));
  }

  @Test
  @DisplayName("WL-17 an elastic workload that shrank may still have what it gave back before")
  void letsAnElasticWorkloadKeepWhatItGaveBack() {
    String status = "'reclaimablePods':[{'name':'main','count':3}]";
    JsonNode before = workload("{'name':'main','count':3}", elastic(), status);
    JsonNode after = workload("{'name':'main','count':2}", elastic(), status);

    assertThat(faults(onUpdate(WORKLOAD, before, after))).isEmpty();
    assertThat(faults(onCreate(WORKLOAD, after)))
        .containsExactly("INVALID status.reclaimablePods[main].count");
  }

  @Test
  @DisplayName("WL-22, WLU-09 admission gates")
  void checksAdmissionGates() {
    String path = "metadata.annotations[kueue.x-k8s.io/admission-gated-by]";
    JsonNode gated = workload("{}", "'kueue.x-k8s.io/admission-gated-by':'nope'", "");
    JsonNode later = workload("{}", "'kueue.x-k8s.io/admission-gated-by':'a/b'", "");

    assertThat(faults(onCreate(WORKLOAD, gated))).containsExactly("INVALID " + path);
    assertThat(faults(onUpdate(WORKLOAD, workload("{}", "", ""), later)))
        .containsExactly("FORBIDDEN " + path);
  }

  @ParameterizedTest(name = "WL-23 \"{0}\"")
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "10, true",
        "-5, true",
        "+5, true",
        "2147483647, true",
        "2147483648, false",
        "``, false",
        "1.5, false",
        "x, false",
        "` 1`, false",
        "\u0661, false"
      })
  void readsThePriorityBoostWhileThatIsOn(String boost, boolean allowed) {
    JsonNode workload = workload("{}", "'kueue.x-k8s.io/priority-boost':'" + boost + "'", "");

    assertThat(faults(check(WORKLOAD, creation(workload, worldWith(FeatureGate.PRIORITY_BOOST)))))
        .isEqualTo(
            allowed
                ? List.of()
                : List.of("INVALID metadata.annotations[kueue.x-k8s.io/priority-boost]"));
    assertThat(faults(onCreate(WORKLOAD, workload))).isEmpty();
  }

  @ParameterizedTest(name = "{0}: reserved {1} to {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          WLU-01 | true  | true  | {'name':'a','count':2} | {'name':'a','count':2},{'name':'b'}          | INVALID spec.podSets
          WLU-01 | true  | false | {'name':'a','count':2} | {'name':'a','count':2},{'name':'b'}          | INVALID spec.podSets
          WLU-01 | false | false | {'name':'a','count':2} | {'name':'a','count':2},{'name':'b'}          |
          WLU-01 | false | true  | {'name':'a','count':2} | {'name':'a','count':2},{'name':'b'}          |
          WLU-02 | true  | true  | {'name':'a','count':2} | {'name':'a','count':3}                       | INVALID spec.podSets.0
          WLU-02 | true  | false | {'name':'a','count':2} | {'name':'a','count':3}                       | INVALID spec.podSets.0
          WLU-02 | true  | true  | {'name':'a','count':2} | {'name':'a','count':1}                       |
          WLU-02 | true  | true  | {'name':'a','count':2} | {'name':'a','count':1,'minCount':1}          | INVALID spec.podSets.0
          WLU-02 | true  | true  | {'name':'a','count':2} | {'name':'a','count':2,'template':{'spec':{'hostNetwork':true}}}  | INVALID spec.podSets.0
          WLU-02 | true  | true  | {'name':'a','count':2,'template':{}} | {'name':'a','count':2,'template':{'metadata':{}}}  |
          WLU-02 | false | true  | {'name':'a','count':2} | {'name':'c','count':9}                       |
          """)
  void keepsPodSetsOnceQuotaWasReserved(
      String rule, boolean was, boolean is, String before, String after, String fault) {
    JsonNode old = workload(before, "", reserved(was));
    JsonNode now = workload(after, "", reserved(is));

    assertThat(faults(onUpdate(WORKLOAD, old, now)))
        .isEqualTo(fault == null ? List.of() : List.of(fault));
  }

  @Test
  @DisplayName("WLU-02 without elastic workloads no count may become less")
  void keepsCountsWhereNothingIsElastic() {
    JsonNode old = workload("{'count':2}", "", reserved(true));
    JsonNode now = workload("{'count':1}", "", reserved(true));

    assertThat(faults(check(WORKLOAD, update(old, now, worldWith()))))
        .containsExactly("INVALID spec.podSets.0");
    assertThat(onUpdate(WORKLOAD, old, now).warnings())
        .as("OPP-35")
        .singleElement()
        .asString()
        .startsWith("spec.podSets[0].count: becomes less while quota is reserved");
  }

  @ParameterizedTest(name = "{0}: reserved {1} to {2}, {3} to {4}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          WLU-03 | true  | true  | 2    | 1    | INVALID status.reclaimablePods[main].count
          WLU-03 | true  | true  | 1    | 2    |
          WLU-03 | true  | true  | none | 1    |
          WLU-03 | false | true  | 2    | 1    |
          WLU-03 | true  | false | 2    | 1    |
          WLU-04 | true  | true  | 2    | none | REQUIRED status.reclaimablePods[main]
          WLU-04 | false | false | 2    | none |
          """)
  void letsReclaimablePodsGrowOnly(
      String rule, boolean was, boolean is, String before, String after, String fault) {
    JsonNode old = workload("{'name':'main','count':3}", "", reserved(was) + reclaimable(before));
    JsonNode now = workload("{'name':'main','count':3}", "", reserved(is) + reclaimable(after));

    assertThat(faults(onUpdate(WORKLOAD, old, now)))
        .isEqualTo(fault == null ? List.of() : List.of(fault));
  }

  @Test
  @DisplayName("WLU-03, WLU-04 not for a set that was scaled down")
  void letsThePodsOfASmallerSetCount() {
    String admitted = RESERVED + "," + admission("q", "'name':'main','count':5");
    JsonNode old = workload("{'name':'main','count':5}", elastic(), admitted + reclaimable("2"));
    JsonNode less = workload("{'name':'main','count':4}", elastic(), admitted + reclaimable("1"));
    JsonNode none = workload("{'name':'main','count':4}", elastic(), admitted);

    assertThat(faults(onUpdate(WORKLOAD, old, less))).isEmpty();
    assertThat(faults(onUpdate(WORKLOAD, old, none))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          WLU-05 same, written otherwise | 'name':'main','count':2,'resourceUsage':{'cpu':'2'} | 'name':'main','count':2,'resourceUsage':{'cpu':'2000m'} | 0
          WLU-05 other flavor            | 'name':'main','flavors':{'cpu':'f'}   | 'name':'main','flavors':{'cpu':'g'}                      | 1
          WLU-06 placed                  | 'name':'main','count':2               | 'name':'main','count':2,'topologyAssignment':{'levels':['a'],'slices':[{'domainCount':1,'valuesPerLevel':[{'universal':'x'}],'podCounts':{'universal':2}}]} | 0
          WLU-06 placement pending       | 'name':'main','delayedTopologyRequest':'Pending' | 'name':'main','delayedTopologyRequest':'Ready' | 0
          WLU-06 another assignment      | 'name':'main','count':2               | 'name':'main','count':2},{'name':'main'                  | 1
          """)
  void keepsAnAdmission(String rule, String before, String after, int count) {
    JsonNode old =
        workload("{'name':'main','count':2}", "", RESERVED + "," + admission("q", before));
    JsonNode now =
        workload("{'name':'main','count':2}", "", RESERVED + "," + admission("q", after));

    assertThat(faults(onUpdate(WORKLOAD, old, now)))
        .isEqualTo(count == 0 ? List.of() : List.of("INVALID status.admission"));
  }

  @Test
  @DisplayName("WLU-05 it comes and goes, and placement is part of it without topologies")
  void letsAnAdmissionComeAndGo() {
    JsonNode none = workload("{'count':2}", "", WAITING);
    JsonNode some = workload("{'count':2}", "", WAITING + "," + admission("q", "'name':'main'"));
    String places = places(null, slice("1", "{'universal':'a'}", "'universal':2"));
    JsonNode placed = workload("{'count':2}", "", WAITING + "," + places);

    assertThat(faults(onUpdate(WORKLOAD, none, some))).isEmpty();
    assertThat(faults(onUpdate(WORKLOAD, some, none))).isEmpty();
    assertThat(faults(check(WORKLOAD, update(some, placed, worldWith()))))
        .containsExactly("INVALID status.admission");
  }

  @ParameterizedTest(name = "WLU-07 {0} to {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'name':'x'},{'name':'c','state':'Ready'} | {'name':'c','state':'Ready','podSetUpdates':[{'name':'main'}]}   | INVALID status.admissionChecks[1].podSetUpdates
          {'name':'c','state':'Ready'}              | {'name':'c','state':'Ready','message':'other'}                   |
          {'name':'c','state':'Pending'}            | {'name':'c','state':'Ready','podSetUpdates':[{'name':'main'}]}   |
          {'name':'c','state':'Ready'}              | {'name':'c','state':'Retry','podSetUpdates':[{'name':'main'}]}   |
          {'name':'c','state':'Ready'}              | {'name':'d','state':'Ready','podSetUpdates':[{'name':'main'}]}   |
          """)
  void keepsTheUpdatesOfAReadyCheck(String before, String after, String fault) {
    JsonNode old = workload("{'name':'main'}", "", "'admissionChecks':[" + before + "]");
    JsonNode now = workload("{'name':'main'}", "", "'admissionChecks':[" + after + "]");

    assertThat(faults(onUpdate(WORKLOAD, old, now)))
        .isEqualTo(fault == null ? List.of() : List.of(fault));
  }

  @ParameterizedTest(name = "{0} to {1} by {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          Closed | Open   | the object | INVALID status.preemptionGates
          none   | Open   | the object | INVALID status.preemptionGates
          Open   | Open   | the object |
          Open   | none   | the object |
          Closed | Open   | status     |
          """)
  void opensAPreemptionGateOnlyByTheSubresource(
      String before, String after, String by, String fault) {
    JsonNode old = workload("{'name':'main'}", "", preemptionGate(before));
    JsonNode now = workload("{'name':'main'}", "", preemptionGate(after));
    RuleInput update = update(old, now);
    RuleInput.Request asked =
        by.equals("status") ? new RuleInput.Request("ns", "status", "", false) : update.request();
    var input =
        new RuleInput(
            update.operation(), update.object(), update.oldObject(), asked, update.world());

    assertThat(faults(check(WORKLOAD, input)))
        .isEqualTo(fault == null ? List.of() : List.of(fault));
  }

  private static String preemptionGate(String position) {
    return position.equals("none")
        ? ""
        : "'preemptionGates':[{'name':'g','position':'%s'}]".formatted(position);
  }

  @ParameterizedTest(name = "WLU-08 {0} to {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'nominatedClusterNames':['a','b'] | 'clusterName':'b' | true
          'nominatedClusterNames':['a','b'] | 'clusterName':'c' | false
          'x':1                             | 'clusterName':'c' | false
          'clusterName':'c'                 | 'clusterName':'c' | true
          'nominatedClusterNames':['a']     | 'x':1             | true
          """)
  void sendsAWorkloadOnlyWhereItWasNominated(String before, String after, boolean allowed) {
    JsonNode old = workload("{}", "", before);
    JsonNode now = workload("{}", "", after);
    String slice = "'kueue.x-k8s.io/workload-slice-replacement-for':'w'";

    assertThat(faults(onUpdate(WORKLOAD, old, now)))
        .isEqualTo(allowed ? List.of() : List.of("INVALID status.clusterName"));
    assertThat(
            faults(onUpdate(WORKLOAD, workload("{}", slice, before), workload("{}", slice, after))))
        .as("a slice goes where the one before was")
        .isEmpty();
  }

  @Test
  @DisplayName("WLD-01 minCount goes where partial admission is off, and nothing is set elsewhere")
  void takesMinCountsAway() {
    JsonNode workload =
        workload(
            "{'name':'a','count':2,'minCount':1},{'name':'b'},{'name':'c','minCount':2}", "", "");

    assertThat(patch(WORKLOAD, creation(workload, worldWith())))
        .containsExactly("remove /spec/podSets/0/minCount ", "remove /spec/podSets/2/minCount ");
    assertThat(patch(WORKLOAD, creation(workload))).isEmpty();
    assertThat(patch(WORKLOAD, update(workload, workload, worldWith()))).isEmpty();
  }

  @Test
  void namesContainersByTheirPlace() {
    assertThat(
            onCreate(
                    WORKLOAD,
                    workload(
                        "{'template':{'spec':{'containers':[{'resources':{'requests':{'cpu':-2}}}]}}}",
                        "",
                        ""))
                .violations()
                .getFirst()
                .text())
        .isEqualTo(CONTAINER + "[cpu]: Invalid value: \"-2\": must not be less than 0");
  }

  private static String condition(String type, String status) {
    return ("'conditions':[{'type':'%s','status':'%s','reason':'R','message':'','lastTransitionTime':"
                + "'2026-01-01T00:00:00Z'}]")
        .formatted(type, status);
  }

  private static String reserved(boolean reserved) {
    return reserved
        ? RESERVED + ",'admission':{'clusterQueue':'q','podSetAssignments':[]}"
        : WAITING;
  }

  private static String reclaimable(String count) {
    return count.equals("none") ? "" : ",'reclaimablePods':[{'name':'main','count':" + count + "}]";
  }

  private static String admission(String queue, String assignment) {
    return "'admission':{'clusterQueue':'%s','podSetAssignments':[{%s}]}"
        .formatted(queue, assignment);
  }

  private static String elastic() {
    return "'kueue.x-k8s.io/elastic-job':'true'";
  }

  private static JsonNode workload(String podSets, String annotations, String status) {
    return json(
        "{'metadata':{'name':'w','namespace':'n','annotations':{%s}},'spec':{'podSets':[%s]},'status':{%s}}"
            .formatted(annotations, podSets, status));
  }

  private static JsonNode withStatus(JsonNode workload, String status) {
    return ((ObjectNode) workload.deepCopy()).set("status", json("{" + status + "}"));
  }
}
