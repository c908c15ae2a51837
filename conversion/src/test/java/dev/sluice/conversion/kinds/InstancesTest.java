package dev.sluice.conversion.kinds;

import static dev.sluice.conversion.Conversions.carried;
import static dev.sluice.conversion.Conversions.object;
import static dev.sluice.conversion.Conversions.outcome;
import static dev.sluice.conversion.Conversions.refusal;
import static dev.sluice.conversion.Conversions.waysOf;
import static dev.sluice.conversion.Texts.note;
import static dev.sluice.conversion.Texts.sorted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Conversions.Way;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.step.Mode;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects that are unusual but real go there and back, whatever version they are written in. */
class InstancesTest {
  private static final String GROUPS =
      many(
          16,
          "{'coveredResources':['cpu'],'flavors':"
              + many(
                  64,
                  "{'name':'f%d','resources':[{'borrowingLimit':0,'lendingLimit':'0','name':'cpu',"
                      + "'nominalQuota':0.5}]}")
              + "}");

  static Stream<Arguments> instances() {
    return Stream.of(
            instances(
                ApiKind.ADMISSION_CHECK,
                "'spec':{'controllerName':'c'},'status':{'conditions':" + conditions(17) + "}",
                "'spec':{'controllerName':'c','parameters':{},'retryDelayMinutes':15}"),
            instances(
                ApiKind.CLUSTER_QUEUE,
                "'spec':{'admissionChecks':" + many(65, "'c%d'") + "}",
                "'spec':{'cohort':'" + "c".repeat(253) + "'}",
                "'spec':{'cohortName':'c','resourceGroups':" + GROUPS + "}",
                "'spec':{'namespaceSelector':{'matchExpressions':[{'key':'k','operator':'Exists',"
                    + "'values':[]}]},'stopPolicy':'None'}",
                "'spec':{'fairSharing':{'weight':'0.000000001'},'resourceGroups':[{'flavors':[{"
                    + "'resources':[{'nominalQuota':'1000'},{'nominalQuota':1000},"
                    + "{'nominalQuota':'1024Mi'},{'nominalQuota':'1e3'},"
                    + "{'nominalQuota':'9223372036854775807'}]}]}]}",
                "'spec':{'preemption':{'borrowWithinCohort':{'maxPriorityThreshold':0}}}"),
            instances(
                ApiKind.COHORT,
                "'spec':{'resourceGroups':" + GROUPS + "}",
                "'spec':{'parent':''}",
                "'spec':{'parent':'p','parentName':'p'},'status':{'conditions':[]}"),
            instances(
                ApiKind.LOCAL_QUEUE,
                "'status':{'flavorUsage':" + many(64, "{'name':'f%d','resources':[]}") + "}",
                "'status':{'flavorsUsage':[],'flavors':[],'fairSharing':{"
                    + "'admissionFairSharingStatus':{'consumedResources':{'cpu':'1'},"
                    + "'lastUpdate':'2026-01-01T00:00:00Z'},'weightedShare':0}}"),
            instances(
                ApiKind.MULTI_KUEUE_CLUSTER,
                "'spec':{'kubeConfig':{'location':'s','locationType':'Path'}}",
                "'spec':{'kubeConfig':{'location':'s'},'clusterProfileRef':{'name':'p'}}"),
            instances(ApiKind.MULTI_KUEUE_CONFIG, "'spec':{'clusters':" + many(20, "'c%d'") + "}"),
            instances(
                ApiKind.PROVISIONING_REQUEST_CONFIG,
                "'spec':{'provisioningClassName':'','parameters':{}}"),
            instances(ApiKind.RESOURCE_FLAVOR, "'status':{}", "'spec':{'topologyName':null}"),
            instances(
                ApiKind.WORKLOAD_PRIORITY_CLASS,
                "'value':0,'description':'" + "d".repeat(3000) + "'"),
            instances(
                ApiKind.TOPOLOGY,
                "'spec':{'levels':" + many(17, "{'nodeLabel':'l%d'}") + "}",
                "'spec':{'levels':[{'nodeLabel':'kubernetes.io/hostname'},{'nodeLabel':'b'},"
                    + "{'nodeLabel':'a'},{'nodeLabel':'a'}]}"),
            instances(
                ApiKind.WORKLOAD,
                "'spec':{'active':false,'priority':0,'podSets':"
                    + many(18, "{'count':1,'minCount':1,'name':'p%d','template':{}}")
                    + "}",
                "'spec':{'podSets':[{'template':{'spec':{'containers':[{'env':"
                    + many(5_000, "{'name':'E%d','value':'some value of the environment'}")
                    + ",'ports':[{'containerPort':80,'targetPort':'http'}],'resources':{'limits':"
                    + "{'cpu':'0.1','memory':1e3}},'unknownField':{'a':[]}}]}}}]}",
                "'status':{'admissionChecks':[{'name':'c','podSetUpdates':[{'name':'p','labels':{}}"
                    + "],'state':'Pending'}],'schedulingStats':{'evictions':[{'count':1,"
                    + "'reason':'r','underlyingCause':''}]},'unhealthyNodes':"
                    + many(9, "{'name':'n%d'}")
                    + "}",
                "'status':{'admission':{'podSetAssignments':[{'name':'a'},{'name':'b',"
                    + "'topologyAssignment':{'domains':[{'count':1,'values':['z']},{'count':2,"
                    + "'values':['a']}],'levels':['l']}}]}}"))
        .flatMap(stream -> stream);
  }

  private static Stream<Arguments> instances(ApiKind kind, String... members) {
    return Stream.of(members)
        .flatMap(member -> waysOf(kind).stream().map(way -> arguments(way, member)));
  }

  @ParameterizedTest
  @MethodSource("instances")
  void goesThereAndBack(Way way, String members) {
    String before = object(way.kind(), way.from(), "'metadata':{'name':'n'}," + members);

    assertThat(sorted(carried(carried(before, way.to()), way.from()))).isEqualTo(sorted(before));
  }

  @ParameterizedTest
  @EnumSource(ApiKind.class)
  void keepsMetadataAndUnknownFieldsAsTheyAre(ApiKind kind) {
    String fields =
        "{'apiVersion':'%s','fieldsType':'FieldsV1','fieldsV1':{'f:spec':{}},'manager':'m'}";
    String metadata =
        "'metadata':{'annotations':%s,'finalizers':['kueue.x-k8s.io/resource-in-use'],"
                .formatted(numbered(20))
            + "'generation':7,'labels':{'a':''},'managedFields':["
            + fields.formatted("kueue.x-k8s.io/v1beta1")
            + ","
            + fields.formatted("kueue.x-k8s.io/v1beta2")
            + "],'name':'n','odd':[{}],'resourceVersion':'9'}";

    for (Way way : waysOf(kind)) {
      String before = object(kind, way.from(), metadata + ",'unknown':{'x':[null]}");

      assertThat(carried(before, way.to()))
          .isEqualTo(object(kind, way.to(), metadata + ",'unknown':{'x':[null]}"));
    }
  }

  @ParameterizedTest
  @EnumSource(ApiKind.class)
  void garbageInOurAnnotationsIsGoneAndHarmsNothing(ApiKind kind) {
    for (Way way : waysOf(kind)) {
      for (String garbage : List.of("{", "[]", "", "{\"a\":1}", "{\"parent\":[]}", "7", "\u0000")) {
        String notes = note(way.from(), garbage) + "," + note(way.to(), garbage);
        String before =
            object(kind, way.from(), "'metadata':{'annotations':{" + notes + "},'name':'n'}");

        assertThat(carried(before, way.to()))
            .isEqualTo(object(kind, way.to(), "'metadata':{'name':'n'}"));
      }
    }
  }

  @Test
  void aKindWithoutAnythingButItsVersionStaysThat() {
    for (ApiKind kind : ApiKind.values()) {
      for (Way way : waysOf(kind)) {
        assertThat(carried(object(kind, way.from(), ""), way.to()))
            .isEqualTo(object(kind, way.to(), ""));
      }
    }
  }

  @Test
  void aKindAtAVersionItLacksIsRefusedWithThoseItHas() {
    String queue = object(ApiKind.CLUSTER_QUEUE, ApiVersion.V1BETA2, "'metadata':{'name':'q'}");

    assertThat(refusal(Mode.CARRY, queue, ApiVersion.V1ALPHA1))
        .contains("ClusterQueue \"q\"", "kueue.x-k8s.io/v1beta1, kueue.x-k8s.io/v1beta2");
  }

  @Test
  void twoDifferentCohortsAreCarriedButRefusedWhereRefusingIsAskedFor() {
    String members = "'metadata':{'name':'q'},'spec':{'cohort':%s,'cohortName':%s}";
    String different =
        object(ApiKind.CLUSTER_QUEUE, ApiVersion.V1BETA1, members.formatted("'a'", "'b'"));
    String equal =
        object(ApiKind.CLUSTER_QUEUE, ApiVersion.V1BETA1, members.formatted("'a'", "'a'"));

    assertThat(refusal(Mode.FAIL, different, ApiVersion.V1BETA2))
        .isEqualTo(
            "ClusterQueue \"q\": spec.cohort: cohort is \"a\" but cohortName is \"b\""
                + " (expected: only one of them)");
    assertThat(sorted(carried(carried(different, ApiVersion.V1BETA2), ApiVersion.V1BETA1)))
        .isEqualTo(sorted(different));
    assertThat(outcome(Mode.FAIL, equal, ApiVersion.V1BETA2)).isInstanceOf(Outcome.Converted.class);
  }

  @Test
  void aRefusalNamesCohortsOnlyShortAndPrintable() {
    String odd = "'spec':{'cohort':'\\u202e\\u2028%s','cohortName':1}".formatted("x".repeat(900));

    assertThat(
            refusal(
                Mode.FAIL,
                object(ApiKind.CLUSTER_QUEUE, ApiVersion.V1BETA1, odd),
                ApiVersion.V1BETA2))
        .hasSizeLessThan(400)
        .matches("[^\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}]+");
  }

  private static String conditions(int count) {
    return many(count, "{'type':'T%d','status':'True'}");
  }

  private static String numbered(int count) {
    return "{"
        + String.join(
            ",", IntStream.range(10, 10 + count).mapToObj(i -> "'a" + i + "':'" + i + "'").toList())
        + "}";
  }

  private static String many(int count, String item) {
    return "["
        + String.join(
            ",",
            IntStream.range(0, count)
                .mapToObj(i -> item.replace("%d", Integer.toString(i)))
                .toList())
        + "]";
  }
}
