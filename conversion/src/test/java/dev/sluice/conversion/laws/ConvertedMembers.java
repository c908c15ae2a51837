package dev.sluice.conversion.laws;

import static dev.sluice.conversion.Texts.json;
import static java.util.Map.entry;

import dev.sluice.api.ApiKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The members in which the versions of the kinds differ, those of all versions together, with
 * values that mean something there: what hand-made objects are made of.
 */
final class ConvertedMembers {
  private static final String DOMAIN = "{'count':1,'values':['b','ababa']}";
  private static final String SLICE =
      "{'domainCount':2,'podCounts':{'universal':3},'valuesPerLevel':"
          + "[{'universal':'b'},{'individual':{'prefix':'a-','roots':['1','2']}}]}";

  private static final Map<ApiKind, Map<String, List<String>>> MEMBERS =
      Map.ofEntries(
          entry(ApiKind.ADMISSION_CHECK, Map.of("spec.retryDelayMinutes", List.of("15", "0"))),
          entry(
              ApiKind.CLUSTER_QUEUE,
              Map.of(
                  "spec.cohort", List.of("'c'", "''"),
                  "spec.cohortName", List.of("'c'", "'d'"),
                  "spec.admissionChecks", List.of("['a']", "['a','b']", "[]", "[1,null]"),
                  "spec.admissionChecksStrategy",
                      List.of("{'admissionChecks':[{'name':'a'}]}", "{}"),
                  "spec.flavorFungibility.whenCanBorrow",
                      List.of("'Borrow'", "'MayStopSearch'", "'TryNextFlavor'", "'Preempt'"),
                  "spec.flavorFungibility.whenCanPreempt",
                      List.of("'Preempt'", "'MayStopSearch'", "'TryNextFlavor'", "'Borrow'"),
                  "spec.concurrentAdmissionPolicy", List.of("{'migration':{'mode':'x'}}"),
                  "status.pendingWorkloadsStatus", List.of("{'lastChangeTime':'t'}"),
                  "status.fairSharing.weightedShare", List.of("9223372036854775807"),
                  "status.fairSharing.admissionFairSharingStatus",
                      List.of("{'consumedResources':{}}"))),
          entry(
              ApiKind.LOCAL_QUEUE,
              Map.of(
                  "spec.stopPolicy", List.of("'Hold'"),
                  "status.flavorUsage", List.of("[]", "[{'name':'f','resources':[]}]"),
                  "status.flavorsUsage", List.of("[]", "[{'name':'g','resources':[]}]"),
                  "status.flavors", List.of("[]", "[{'name':'f'}]"),
                  "status.fairSharing.admissionFairSharingStatus", List.of("{}"))),
          entry(
              ApiKind.MULTI_KUEUE_CLUSTER,
              Map.of(
                  "spec.kubeConfig.location", List.of("''", "'s'"),
                  "spec.kubeConfig.locationType", List.of("'Secret'", "'Path'"),
                  "spec.clusterProfileRef", List.of("{'name':'p'}"),
                  "spec.clusterSource.kubeConfig",
                      List.of("{'location':'s'}", "{'location':'','locationType':'Secret'}"),
                  "spec.clusterSource.clusterProfileRef", List.of("{'name':'p'}"))),
          entry(
              ApiKind.MULTI_KUEUE_CONFIG,
              Map.of(
                  "spec.clusters", List.of("['b','a']"),
                  "spec.quotaManagement", List.of("'Automated'"))),
          entry(
              ApiKind.PROVISIONING_REQUEST_CONFIG,
              Map.of("spec.retryStrategy.backoffLimitCount", List.of("0"))),
          entry(ApiKind.RESOURCE_FLAVOR, Map.of("spec.nodeLabels", List.of("{'a':'b'}"))),
          entry(ApiKind.WORKLOAD_PRIORITY_CLASS, Map.of("value", List.of("0", "-2147483648"))),
          entry(
              ApiKind.WORKLOAD,
              Map.ofEntries(
                  entry("spec.priorityClassName", List.of("'n'", "''")),
                  entry(
                      "spec.priorityClassSource",
                      List.of(
                          "''",
                          "'kueue.x-k8s.io/workloadpriorityclass'",
                          "'scheduling.k8s.io/priorityclass'")),
                  entry(
                      "spec.priorityClassRef",
                      List.of(
                          "{'group':'kueue.x-k8s.io','kind':'WorkloadPriorityClass','name':'n'}",
                          "{'group':'scheduling.k8s.io','kind':'PriorityClass','name':'n'}",
                          "{'group':'scheduling.k8s.io','kind':'PriorityClass','name':''}",
                          "{'group':'scheduling.k8s.io','kind':'WorkloadPriorityClass','name':'n'}")),
                  entry("spec.preemptionGates", List.of("[{'name':'g'}]", "[]")),
                  entry("spec.podSets[].name", List.of("'a'", "'b'", "'#0'", "'#1'")),
                  entry("spec.podSets[].topologyRequest.podSetSliceSize", List.of("2", "4")),
                  entry(
                      "spec.podSets[].topologyRequest.podSetSliceRequiredTopology",
                      List.of("'rack'")),
                  entry(
                      "spec.podSets[].topologyRequest.podsetSliceRequiredTopologyConstraints",
                      List.of("[]", "[{'size':2,'topology':'rack'}]")),
                  entry("status.accumulatedPastExexcutionTimeSeconds", List.of("0", "5400")),
                  entry("status.accumulatedPastExecutionTimeSeconds", List.of("0", "5400")),
                  entry("status.preemptionGates", List.of("[]", "[{'name':'g'}]")),
                  entry("status.admission.podSetAssignments[].name", List.of("'a'", "'#0'")),
                  entry(
                      "status.admission.podSetAssignments[].topologyAssignment.levels",
                      List.of("['l','m']", "['l','m']", "['l','m']", "['l']", "[]")),
                  entry(
                      "status.admission.podSetAssignments[].topologyAssignment.domains",
                      List.of(
                          "[]",
                          list(DOMAIN),
                          list(DOMAIN, "{'count':2,'values':['b','aba']}"),
                          list(DOMAIN, "{'count':1,'values':['b😀','c']}"))),
                  entry(
                      "status.admission.podSetAssignments[].topologyAssignment.slices",
                      List.of(
                          "[]",
                          list(SLICE),
                          list(SLICE, SLICE),
                          list(SLICE.replace("'2']}", "'2'],'suffix':''}"), SLICE),
                          list(SLICE.replace(":2", ":2147483647")),
                          list(SLICE.replace(":2", ":0")))))));

  private ConvertedMembers() {}

  /** One member: a value, or an object or a list of objects with members of their own. */
  record Member(boolean list, List<String> values, Map<String, Member> members) {}

  /** The members at the root of a kind; empty if it has none but those that others know. */
  static Map<String, Member> of(ApiKind kind) {
    Map<String, Member> root = new TreeMap<>();
    MEMBERS
        .getOrDefault(kind, Map.of())
        .forEach(
            (path, values) -> {
              Map<String, Member> at = root;
              for (String key : List.of(path.split("\\.", -1))) {
                String name = key.replace("[]", "");
                at.putIfAbsent(
                    name, new Member(!name.equals(key), new ArrayList<>(), new TreeMap<>()));
                Member member = at.get(name);
                if (path.endsWith(key)) {
                  values.forEach(value -> member.values().add(json(value)));
                }
                at = member.members();
              }
            });
    return root;
  }

  private static String list(String... items) {
    return "[" + String.join(",", items) + "]";
  }
}
