package dev.sluice.webhook.rules.clusterqueue;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.rules.Reviews.creation;
import static dev.sluice.rules.Reviews.existing;
import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static dev.sluice.rules.Reviews.object;
import static dev.sluice.rules.Reviews.update;
import static dev.sluice.rules.Reviews.worldOf;
import static dev.sluice.rules.Reviews.worldWith;
import static dev.sluice.webhook.rules.StandardReviews.check;
import static dev.sluice.webhook.rules.StandardReviews.onCreate;
import static dev.sluice.webhook.rules.StandardReviews.onUpdate;
import static dev.sluice.webhook.rules.StandardReviews.patch;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterQueueRulesTest {
  private static final String GROUP = "spec.resourceGroups[0]";
  private static final String SELECTOR = "'namespaceSelector':{}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'cohortName':'c','queueingStrategy':'StrictFIFO'}",
        "{'preemption':{'reclaimWithinCohort':'Never'}}",
        "{'preemption':{'reclaimWithinCohort':'Any','borrowWithinCohort':{'policy':'LowerPriority'}}}",
        "{'preemption':{'borrowWithinCohort':{'policy':'Never'}}}",
        "{'flavorFungibility':{'whenCanBorrow':'TryNextFlavor','whenCanPreempt':'TryNextFlavor','preference':'PreemptionOverBorrowing'}}",
        "{'fairSharing':{'weight':'2n'}}",
        "{'fairSharing':{'weight':0}}",
        "{'concurrentAdmissionPolicy':{'migration':{'mode':'RetainFirstAdmission','constraints':{}}}}",
      })
  void accepts(String spec) {
    assertThat(faults(onCreate(CLUSTER_QUEUE, object(spec)))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          CQ-11 selector label       | {'namespaceSelector':{'matchLabels':{'@':''}}}                                      | INVALID spec.namespaceSelector.matchLabels
          CQ-11 selector expression  | {'namespaceSelector':{'matchExpressions':[{'key':'a','operator':'In'}]}}            | REQUIRED spec.namespaceSelector.matchExpressions[0].values
          CQ-12 borrow, no reclaim   | {'preemption':{'reclaimWithinCohort':'Never','borrowWithinCohort':{'policy':'LowerPriority'}}} | INVALID spec.preemption
          CQ-12 reclaim by default   | {'preemption':{'borrowWithinCohort':{'policy':'LowerPriority'}}}                    | INVALID spec.preemption
          CQ-13 borrow stops         | {'flavorFungibility':{'whenCanBorrow':'MayStopSearch','whenCanPreempt':'TryNextFlavor','preference':'BorrowingOverPreemption'}} | INVALID spec.flavorFungibility.preference
          CQ-13 preempt stops        | {'flavorFungibility':{'whenCanBorrow':'TryNextFlavor','whenCanPreempt':'MayStopSearch','preference':'BorrowingOverPreemption'}} | INVALID spec.flavorFungibility.preference
          CQ-14 weight negative      | {'fairSharing':{'weight':-1}}                                                       | INVALID spec.fairSharing
          CQ-15 weight tiny          | {'fairSharing':{'weight':'1n'}}                                                     | INVALID spec.fairSharing
          no quantity as a weight    | {'fairSharing':{'weight':'1e1.5'}}                                                  | INVALID spec.fairSharing.weight
          CQ-24 unknown flavor       | {'admissionChecksStrategy':{'admissionChecks':[{'name':'x'},{'name':'y','onFlavors':['f']}]}} | NOT_SUPPORTED spec.admissionChecksStrategy.admissionChecks[1].onFlavors[0]
          """)
  void refuses(String rule, String spec, String fault) {
    assertThat(faults(onCreate(CLUSTER_QUEUE, object(spec)))).containsExactly(fault);
    assertThat(faults(onUpdate(CLUSTER_QUEUE, object("{}"), object(spec)))).containsExactly(fault);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          CQ-01 no resource name       | '@cpu'      | 'name':'@cpu','nominalQuota':1                                  | .coveredResources[0]
          CQ-03 another name           | 'cpu'       | 'name':'gpu','nominalQuota':1                                   | .flavors[0].resources[0].name
          CQ-04 negative quota         | 'cpu'       | 'name':'cpu','nominalQuota':'-1m'                               | .flavors[0].resources[0].nominalQuota
          CQ-06 negative borrowing     | 'cpu'       | 'name':'cpu','nominalQuota':1,'borrowingLimit':-1               | .flavors[0].resources[0].borrowingLimit
          CQ-07 negative lending       | 'cpu'       | 'name':'cpu','nominalQuota':1,'lendingLimit':-1                 | .flavors[0].resources[0].lendingLimit
          no quantity as a quota       | 'cpu'       | 'name':'cpu','nominalQuota':'1e1.5'                             | .flavors[0].resources[0].nominalQuota
          no quantity as a limit       | 'cpu'       | 'name':'cpu','nominalQuota':1,'lendingLimit':'1e1.5'            | .flavors[0].resources[0].lendingLimit
          CQ-09 lends more than it has | 'cpu'       | 'name':'cpu','nominalQuota':'1','lendingLimit':'1001m'          | .flavors[0].resources[0].lendingLimit
          """)
  void refusesAResourceGroup(String rule, String covered, String resource, String field) {
    JsonNode queue = group("'cohortName':'c',", covered, resource);

    assertThat(faults(onCreate(CLUSTER_QUEUE, queue))).containsExactly("INVALID " + GROUP + field);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({"CQ-05, borrowingLimit", "CQ-08, lendingLimit"})
  void refusesALimitWithoutCohort(String rule, String limit) {
    String resource = "'name':'cpu','nominalQuota':1,'%s':0".formatted(limit);

    assertThat(faults(onCreate(CLUSTER_QUEUE, group("", "'cpu'", resource))))
        .containsExactly("INVALID " + GROUP + ".flavors[0].resources[0]." + limit);
    assertThat(faults(onCreate(CLUSTER_QUEUE, group("'cohortName':'c',", "'cpu'", resource))))
        .isEmpty();
  }

  @Test
  @DisplayName("CQ-02, CQ-10 a resource and a flavor stand once in all groups")
  void refusesWhatStandsTwice() {
    String group =
        "{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[{'name':'cpu','nominalQuota':1}]}]}";

    assertThat(
            faults(
                onCreate(
                    CLUSTER_QUEUE, object("{'resourceGroups':[%s,%s]}".formatted(group, group)))))
        .containsExactly(
            "DUPLICATE spec.resourceGroups[1].coveredResources[0]",
            "DUPLICATE spec.resourceGroups[1].flavors[0].name");
  }

  @ParameterizedTest(name = "{0}: {1} groups of {2} resources and {3} flavors")
  @CsvSource({
    "CQ-16, 4, 1, 64, ''",
    "CQ-16, 5, 1, 52, INVALID spec.resourceGroups",
    "CQ-17, 4, 64, 1, ''",
    "CQ-17, 5, 52, 1, INVALID spec.resourceGroups",
    "CQ-18, 1, 8, 64, ''",
    "CQ-18, 1, 9, 57, INVALID spec.resourceGroups[0]",
  })
  void limitsTheTotals(String rule, int groups, int resources, int flavors, String fault) {
    assertThat(faults(onCreate(CLUSTER_QUEUE, groups(groups, resources, flavors))))
        .isEqualTo(fault.isEmpty() ? List.of() : List.of(fault));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          CQ-19 no group           | {'concurrentAdmissionPolicy':{}}                                                                | INVALID spec.resourceGroups
          CQ-20 17 flavors         | {'concurrentAdmissionPolicy':{},'resourceGroups':[%17]}                                         | INVALID spec.resourceGroups[0].flavors
          CQ-20 16 flavors         | {'concurrentAdmissionPolicy':{},'resourceGroups':[%16]}                                         |
          CQ-21 other mode         | {'concurrentAdmissionPolicy':{'migration':{'mode':'RetainFirstAdmission','constraints':{}}},'resourceGroups':[%1]} | FORBIDDEN spec.concurrentAdmissionPolicy.migration.constraints
          CQ-22 unknown flavor     | {'concurrentAdmissionPolicy':{'migration':{'mode':'TryPreferredFlavors','constraints':{'lastAcceptableFlavorName':'x'}}},'resourceGroups':[%1]} | INVALID spec.concurrentAdmissionPolicy.migration.constraints.lastAcceptableFlavorName
          CQ-22 known flavor       | {'concurrentAdmissionPolicy':{'migration':{'mode':'TryPreferredFlavors','constraints':{'lastAcceptableFlavorName':'f0-0'}}},'resourceGroups':[%1]} |
          CQ-23 strict             | {'concurrentAdmissionPolicy':{},'resourceGroups':[%1],'queueingStrategy':'StrictFIFO'}          | INVALID spec.queueingStrategy
          """)
  void checksConcurrentAdmissionWhileItIsOn(String rule, String spec, String fault) {
    String text = spec;
    for (int flavors : List.of(17, 16, 1)) {
      text = text.replace("%" + flavors, group(0, 1, flavors));
    }
    ReviewContext on = worldWith(FeatureGate.CONCURRENT_ADMISSION);

    assertThat(faults(check(CLUSTER_QUEUE, creation(object(text), on))))
        .isEqualTo(fault == null ? List.of() : List.of(fault));
    assertThat(faults(onCreate(CLUSTER_QUEUE, object(text)))).isEmpty();
  }

  @ParameterizedTest(name = "CQU-01 {0} to {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                               | {'concurrentAdmissionPolicy':{'migration':{'mode':'A'}}} | false
          {'concurrentAdmissionPolicy':{'migration':{'mode':'A'}}}         | {}                                                       | false
          {'concurrentAdmissionPolicy':{'migration':{'mode':'A'}}}         | {'concurrentAdmissionPolicy':{'migration':{'mode':'B'}}} | false
          {'concurrentAdmissionPolicy':{'migration':{'mode':'A'}}}         | {'concurrentAdmissionPolicy':{'migration':{'mode':'A'}}} | true
          """)
  void neverLetsThePolicyChange(String before, String after, boolean allowed) {
    assertThat(faults(onUpdate(CLUSTER_QUEUE, object(before), object(after))))
        .isEqualTo(allowed ? List.of() : List.of("INVALID spec.concurrentAdmissionPolicy"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          CQU-02 untouched            | 'name':'x','onFlavors':['a','b'] | 'name':'x','onFlavors':['b','a'] | f0 | 0
          CQU-02 onFlavors changed    | 'name':'x','onFlavors':['a','b'] | 'name':'x','onFlavors':['b']     | f0 | 1
          CQU-02 check renamed        | 'name':'x','onFlavors':['a']     | 'name':'y','onFlavors':['a']     | f0 | 1
          CQU-02 flavors changed      | 'name':'x','onFlavors':['a']     | 'name':'x','onFlavors':['a']     | f1 | 1
          """)
  void letsFlavorsOfChecksStay(String rule, String before, String after, String flavor, int count) {
    JsonNode old = withCheck(before, "f0");
    JsonNode now = withCheck(after, flavor);

    assertThat(faults(onUpdate(CLUSTER_QUEUE, old, now))).hasSize(count);
    ReviewContext strict = worldWith(FeatureGate.REJECT_UPDATES_TO_CQ_WITH_INVALID_ON_FLAVORS);
    assertThat(faults(check(CLUSTER_QUEUE, update(old, now, strict)))) // CQU-03
        .isEqualTo(faults(onCreate(CLUSTER_QUEUE, now)))
        .isNotEmpty();
  }

  private static JsonNode withCheck(String check, String flavor) {
    return object(
        ("{'admissionChecksStrategy':{'admissionChecks':[{%s}]},'resourceGroups':[{"
             + "'coveredResources':['cpu'],'flavors':[{'name':'%s','resources':[{'name':'cpu','nominalQuota':1}]}]}]}")
            .formatted(check, flavor));
  }

  @Test
  @DisplayName("CQU-04 all else may change")
  void letsAllElseChange() {
    JsonNode old =
        group(
            "'cohortName':'c','queueingStrategy':'StrictFIFO',",
            "'cpu'",
            "'name':'cpu','nominalQuota':9");
    JsonNode now = group("'cohortName':'d',", "'gpu'", "'name':'gpu','nominalQuota':1");

    assertThat(faults(onUpdate(CLUSTER_QUEUE, old, now))).isEmpty();
  }

  @ParameterizedTest(name = "CQD-01 {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'metadata':{'name':'a'},'spec':{}}                     | add /metadata/finalizers ["kueue.x-k8s.io/resource-in-use"]
          {'metadata':{'name':'a','finalizers':null},'spec':{}}   | add /metadata/finalizers ["kueue.x-k8s.io/resource-in-use"]
          {'metadata':{'name':'a','finalizers':['x']},'spec':{}}  | add /metadata/finalizers/- "kueue.x-k8s.io/resource-in-use"
          {'metadata':{'finalizers':['kueue.x-k8s.io/resource-in-use']},'spec':{'x':1}} |
          {'metadata':{'finalizers':7},'spec':{}}                 |
          {'metadata':{'finalizers':['kueue.x-k8s.io/resource-in-use']}}                |
          """)
  void setsTheFinalizerAndASpecAndNothingElse(String queue, String patch) {
    assertThat(patch(CLUSTER_QUEUE, creation(json(queue))))
        .isEqualTo(patch == null ? List.of() : List.of(patch));
    assertThat(patch(CLUSTER_QUEUE, update(json(queue), json(queue)))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          OPP-87 no quota        | {'resourceGroups':[{'flavors':[{'name':'f','resources':[{'name':'cpu'}]}]}]}
          OPP-89 no mode         | {'admissionScope':{}}
          OPP-90 empty cohort    | {'cohort':''}
          OPP-90 no check's name | {'admissionChecksStrategy':{'admissionChecks':[{}]}}
          """)
  void leavesWhatWasForgottenToTheSchemaAndAddsNoEmptyValue(String rule, String spec) {
    JsonNode queue =
        json(
            "{'apiVersion':'kueue.x-k8s.io/v1beta1','metadata':{'name':'a','finalizers':["
                + "'kueue.x-k8s.io/resource-in-use']},'spec':"
                + spec
                + "}");

    assertThat(patch(CLUSTER_QUEUE, creation(queue))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no selector           | {}                                                                                            | spec.namespaceSelector: absent
          OPP-11 threshold      | {'namespaceSelector':{},'preemption':{'borrowWithinCohort':{'maxPriorityThreshold':3}}}       | spec.preemption.borrowWithinCohort.maxPriorityThreshold: has no effect
          OPP-12 flavor         | {'namespaceSelector':{},'resourceGroups':[{'flavors':[{'name':'there'},{'name':'gone'}]}]}    | spec.resourceGroups[0].flavors[1].name: there is no ResourceFlavor "gone"
          OPP-12 check          | {'namespaceSelector':{},'admissionChecksStrategy':{'admissionChecks':[{'name':'gone'}]}}      | spec.admissionChecksStrategy.admissionChecks[0].name: there is no AdmissionCheck "gone"
          OPP-14 gate is off    | {'namespaceSelector':{},'concurrentAdmissionPolicy':{}}                                       | spec.concurrentAdmissionPolicy: has no effect
          OPP-90 empty name     | {'namespaceSelector':{},'admissionChecksStrategy':{'admissionChecks':[{'name':''}]}}          | spec.admissionChecksStrategy.admissionChecks[0].name: empty
          """)
  void warns(String rule, String spec, String warning) {
    ReviewContext world = worldOf(existing(ApiKind.RESOURCE_FLAVOR, "there", ""));

    ValidationResult findings = check(CLUSTER_QUEUE, creation(object(spec), world));

    assertThat(findings.violations()).isEmpty();
    assertThat(findings.warnings()).singleElement().asString().startsWith(warning);
    assertThat(check(CLUSTER_QUEUE, update(object(spec), object(spec), world)).warnings())
        .as("an update that leaves the spec")
        .isEmpty();
  }

  @Test
  @DisplayName("OPP-09, OPP-10 more flavors than the statuses have room for")
  void warnsOnceOfMoreThan64Flavors() {
    assertThat(onCreate(CLUSTER_QUEUE, groups(2, 1, 33)).warnings())
        .filteredOn(warning -> warning.contains("room"))
        .containsExactly(
            "spec.resourceGroups: 66 flavors in all groups; its status and those of its LocalQueues"
                + " have room for the usage of 64");
    assertThat(onCreate(CLUSTER_QUEUE, groups(2, 1, 32)).warnings())
        .noneMatch(warning -> warning.contains("room"));
  }

  @Test
  void saysNothingOfObjectsItDoesNotWatch() {
    var queue = object("{" + SELECTOR + ",'resourceGroups':[{'flavors':[{'name':'gone'}]}]}");

    assertThat(onCreate(CLUSTER_QUEUE, queue).warnings()).isEmpty();
  }

  @ParameterizedTest(name = "OPP-13 {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          all as it was     | c | 'cpu' | 'name':'cpu','nominalQuota':6  | 0 |
          below what is held| c | 'cpu' | 'name':'cpu','nominalQuota':4  | 0 | spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: less than the 5 that is reserved
          resource goes     | c | 'gpu' | 'name':'gpu','nominalQuota':4  | 0 | spec.resourceGroups: 5 of "cpu" in flavor "f" is reserved
          moves, no loan    | d | 'cpu' | 'name':'cpu','nominalQuota':6  | 0 |
          moves with a loan | d | 'cpu' | 'name':'cpu','nominalQuota':3  | 2 | spec.cohortName: workloads of this queue hold 2 of "cpu" in flavor "f" borrowed
          """)
  void warnsOfAShrinkingQueueInUse(
      String what, String cohort, String covered, String resource, int borrowed, String warning) {
    JsonNode old =
        json(
            ("{'metadata':{'name':'a'},'spec':{'cohortName':'c'},'status':{'flavorsReservation':["
                    + "{'name':'f','resources':[{'name':'cpu','total':'5','borrowed':'%d'}]}]}}")
                .formatted(borrowed));
    JsonNode now = group(SELECTOR + ",'cohortName':'" + cohort + "',", covered, resource);

    ValidationResult findings = onUpdate(CLUSTER_QUEUE, old, now);

    assertThat(findings.violations()).isEmpty();
    if (warning == null) {
      assertThat(findings.warnings()).isEmpty();
    } else {
      assertThat(findings.warnings()).singleElement().asString().startsWith(warning);
    }
  }

  private static JsonNode group(String members, String covered, String resource) {
    return object(
        ("{%s'resourceGroups':[{'coveredResources':[%s],'flavors':"
                + "[{'name':'f','resources':[{%s}]}]}]}")
            .formatted(members, covered, resource));
  }

  private static JsonNode groups(int groups, int resources, int flavors) {
    return object(
        IntStream.range(0, groups)
            .mapToObj(i -> group(i, resources, flavors))
            .collect(Collectors.joining(",", "{'resourceGroups':[", "]}")));
  }

  private static String group(int index, int resources, int flavors) {
    List<String> names =
        IntStream.range(0, resources).mapToObj(i -> "'r%d-%d'".formatted(index, i)).toList();
    List<String> quotas =
        names.stream().map(it -> "{'name':%s,'nominalQuota':1}".formatted(it)).toList();
    List<String> all =
        IntStream.range(0, flavors)
            .mapToObj(i -> "{'name':'f%d-%d','resources':%s}".formatted(index, i, quotas))
            .toList();
    return "{'coveredResources':%s,'flavors':%s}".formatted(names, all);
  }

  @Test
  void tellsSeveralFaultsInTheOrderOfKueue() {
    String resources =
        IntStream.range(0, 9)
            .mapToObj(
                i ->
                    "{'name':'f%d','resources':[%s]}"
                        .formatted(
                            i,
                            IntStream.range(0, 64)
                                .mapToObj(r -> "{'name':'r" + r + "','nominalQuota':1}")
                                .collect(Collectors.joining(","))))
            .collect(Collectors.joining(","));
    String covered =
        IntStream.range(0, 64).mapToObj(r -> "'r" + r + "'").collect(Collectors.joining(","));
    JsonNode queue =
        object(
            "{'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'a','resources':["
                + "{'name':'cpu','nominalQuota':-1,'borrowingLimit':-2,'lendingLimit':-3}]}]},"
                + "{'coveredResources':["
                + covered
                + "],'flavors':["
                + resources
                + "]}],'namespaceSelector':{'matchLabels':{'@':''}},"
                + "'preemption':{'borrowWithinCohort':{'policy':'LowerPriority'}},"
                + "'flavorFungibility':{'preference':'BorrowingOverPreemption'},"
                + "'fairSharing':{'weight':-1},"
                + "'admissionChecksStrategy':{'admissionChecks':[{'name':'y','onFlavors':['x']}]}}");
    String quota = GROUP + ".flavors[0].resources[0].";

    assertThat(
            onCreate(CLUSTER_QUEUE, queue).violations().stream()
                .map(it -> it.field() + (it.detail().contains("less than 0") ? " negative" : "")))
        .containsExactly(
            quota + "nominalQuota negative",
            quota + "borrowingLimit",
            quota + "borrowingLimit negative",
            quota + "lendingLimit negative",
            quota + "lendingLimit",
            "spec.namespaceSelector.matchLabels",
            "spec.preemption",
            "spec.flavorFungibility.preference",
            "spec.fairSharing",
            "spec.resourceGroups[1]",
            "spec.admissionChecksStrategy.admissionChecks[0].onFlavors[0]");
  }
}
