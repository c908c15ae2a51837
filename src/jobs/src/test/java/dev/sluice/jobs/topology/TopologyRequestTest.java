package dev.sluice.jobs.topology;

import static dev.sluice.jobs.admission.JobScene.EMPTY;
import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.admission.JobScene;
import dev.sluice.jobs.admission.SampleJobs;
import dev.sluice.rules.Field;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** T-11: topology annotations, by the names of the rules; R, P and U stand for the three modes. */
class TopologyRequestTest {
  private static final String R = Annotations.REQUIRED_TOPOLOGY;
  private static final String P = Annotations.PREFERRED_TOPOLOGY;
  private static final String U = Annotations.UNCONSTRAINED_TOPOLOGY;
  private static final String SLICE = Annotations.SLICE_REQUIRED_TOPOLOGY;
  private static final String SIZE = Annotations.SLICE_SIZE;
  private static final String LAYERS = Annotations.SLICE_REQUIRED_TOPOLOGY_CONSTRAINTS;
  private static final String GROUP = Annotations.POD_SET_GROUP_NAME;

  private static Arguments row(String rule, List<String> annotations, String... faults) {
    return Arguments.of(rule, annotations, List.of(faults));
  }

  private static List<String> of(String... keysAndValues) {
    return List.of(keysAndValues);
  }

  private static String at(String type, String key) {
    return type + " metadata.annotations[" + key + "]";
  }

  private static List<String> layers(String json) {
    return of(R, "rack", LAYERS, json.replace('\'', '"'));
  }

  static Stream<Arguments> requests() {
    return Stream.of(
        row("TAS-01", of(R, "a", P, "a"), "INVALID metadata.annotations"),
        row("TAS-01", of(R, "a", U, "true"), "INVALID metadata.annotations"),
        row("TAS-01", of(P, "a", U, "false"), "INVALID metadata.annotations"),
        row("TAS-02", of(R, "Not_A Label!"), at("INVALID", R)),
        row("TAS-02", of(R, "/x"), at("INVALID", R)),
        row("TAS-02", of(R, "true")),
        row("TAS-03", of(P, "-1"), at("INVALID", P)),
        row("TAS-03", of(P, "example.com/rack")),
        row("TAS-04", of(SLICE, "a b", SIZE, "2"), at("INVALID", SLICE)),
        row("TAS-05", of(R, "a", GROUP, "12"), at("INVALID", GROUP)),
        row("TAS-05", of(R, "a", GROUP, "18446744073709551615"), at("INVALID", GROUP)),
        row("TAS-05", of(R, "a", GROUP, "18446744073709551616")),
        row("TAS-05", of(R, "a", GROUP, "-1")),
        row("TAS-05", of(R, "a", GROUP, "12a")),
        row("TAS-05", of(R, "a", GROUP, "")),
        row(
            "TAS-06",
            of(R, "a", GROUP, "g", SIZE, "2"),
            at("FORBIDDEN", GROUP),
            at("FORBIDDEN", SIZE)),
        row(
            "TAS-07",
            of(R, "a", GROUP, "g", SLICE, "b", SIZE, "2"),
            at("FORBIDDEN", GROUP),
            at("FORBIDDEN", GROUP)),
        row("TAS-08", of(GROUP, "g"), at("FORBIDDEN", GROUP)),
        row("TAS-08", of(U, "true", GROUP, "g"), at("FORBIDDEN", GROUP)),
        row("TAS-08", of(P, "a", GROUP, "g")),
        row("TAS-09", of(U, "3"), at("INVALID", U)),
        row("TAS-09", of(U, "tRUE"), at("INVALID", U)),
        row("TAS-09", of(U, "F")),
        row("TAS-09", of(U, "1")),
        row("TAS-10", of(SLICE, "a", SIZE, "two"), at("INVALID", SIZE)),
        row("TAS-10", of(SLICE, "a", SIZE, "2147483648"), at("INVALID", SIZE)),
        row("TAS-11", of(SLICE, "a", SIZE, "0"), at("INVALID", SIZE)),
        row("TAS-11", of(SLICE, "a", SIZE, "-2"), at("INVALID", SIZE)),
        row("TAS-12", of(SLICE, "a"), at("REQUIRED", SIZE)),
        row("TAS-13", of(SIZE, "2"), at("FORBIDDEN", SIZE)),
        row(
            "TAS-15",
            of(LAYERS, "[{\"topology\":\"a\",\"size\":1}]", SLICE, "a", SIZE, "1"),
            at("FORBIDDEN", LAYERS),
            at("FORBIDDEN", LAYERS)),
        row(
            "TAS-16",
            of(R, "a", GROUP, "g", LAYERS, "[{\"topology\":\"a\",\"size\":1}]"),
            at("FORBIDDEN", GROUP)),
        row("TAS-17", layers("nope"), at("INVALID", LAYERS)),
        row("TAS-17", layers("{}"), at("INVALID", LAYERS)),
        row("TAS-17", layers("[1]"), at("INVALID", LAYERS)),
        row("TAS-17", layers("[{'topology':'a','size':'2'}]"), at("INVALID", LAYERS)),
        row("TAS-17", layers("[{'topology':'a','size':1}]x"), at("INVALID", LAYERS)),
        row("TAS-18", layers("null"), at("INVALID", LAYERS)),
        row("TAS-18", layers("[]"), at("INVALID", LAYERS)),
        row(
            "TAS-18",
            layers(
                "[{'topology':'a','size':1},{'topology':'b','size':1},{'topology':'c','size':1},"
                    + "{'topology':'d','size':1}]"),
            at("INVALID", LAYERS)),
        row(
            "TAS-19",
            layers("[{'topology':'a b','size':1}]"),
            at("INVALID", LAYERS) + "[0].topology"),
        row(
            "TAS-19 and TAS-20",
            layers("[{}]"),
            at("INVALID", LAYERS) + "[0].topology",
            at("INVALID", LAYERS) + "[0].topology",
            at("INVALID", LAYERS) + "[0].size"),
        row("TAS-20", layers("[{'topology':'a','size':0}]"), at("INVALID", LAYERS) + "[0].size"),
        row(
            "TAS-21",
            layers("[{'topology':'a','size':4},{'topology':'a','size':2}]"),
            at("DUPLICATE", LAYERS) + "[1].topology"),
        row(
            "TAS-22",
            layers("[{'topology':'a','size':4},{'topology':'b','size':3}]"),
            at("INVALID", LAYERS) + "[1].size"),
        row("TAS-22", layers("[{'topology':'a','size':4},{'topology':'b','size':2}]")),
        row("TAS-23", of(R, "host", SLICE, "block", SIZE, "2")),
        row("TAS-24", of(SLICE, "a", SIZE, "2")),
        row("TAS-24", of(U, "true", SLICE, "a", SIZE, "2")));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("requests")
  void checks(String rule, List<String> annotations, List<String> faults) {
    JsonNode pod = annotated(SampleJobs.of("pod"), "", annotations);

    assertThat(faults(EMPTY.onCreate(pod))).isEqualTo(faults);
  }

  private static JsonNode annotated(JsonNode object, String metadataOf, List<String> annotations) {
    ObjectNode map = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < annotations.size(); i += 2) {
      map.put(annotations.get(i), annotations.get(i + 1));
    }
    return SampleJobs.with(object, metadataOf + "/metadata/annotations", map.toString());
  }

  @Test
  void tas14RefusesLayersWhileTheFeatureIsOff() {
    JsonNode pod = annotated(SampleJobs.of("pod"), "", of(LAYERS, "nope"));

    assertThat(faults(EMPTY.without(FeatureGate.TAS_MULTI_LAYER_TOPOLOGY).onCreate(pod)))
        .containsExactly(at("FORBIDDEN", LAYERS));
  }

  @ParameterizedTest(name = "OPP-72 group name of {0} characters")
  @CsvSource({"0,true", "1,false", "256,false", "257,true"})
  void opp72WarnsOfGroupNamesThatNoWorkloadCanHave(int length, boolean warned) {
    JsonNode pod = annotated(SampleJobs.of("pod"), "", of(R, "a", GROUP, "g".repeat(length)));

    assertThat(!EMPTY.onCreate(pod).warnings().isEmpty()).isEqualTo(warned);
  }

  /** Each kind: where a template is in the object, where it is reported, its Pods. */
  static Stream<Arguments> kinds() {
    return Stream.of(
        kind("batch/job", "/spec/template", "spec.template.metadata", 3),
        kind(
            "jobset.x-k8s.io/jobset",
            "/spec/replicatedJobs/1/template/spec/template",
            "spec.replicatedJobs[1].template.spec.template.metadata",
            4),
        kind(
            "kubeflow.org/mpijob",
            "/spec/mpiReplicaSpecs/Worker/template",
            "spec.mpiReplicaSpecs[Worker].template.metadata",
            4),
        kind(
            "kubeflow.org/pytorchjob",
            "/spec/pytorchReplicaSpecs/Worker/template",
            "spec.pytorchReplicaSpecs[Worker].template.metadata",
            4),
        kind(
            "kubeflow.org/tfjob",
            "/spec/tfReplicaSpecs/Chief/template",
            "spec.tfReplicaSpecs[Chief].template.metadata",
            1),
        kind(
            "kubeflow.org/paddlejob",
            "/spec/paddleReplicaSpecs/Worker/template",
            "spec.paddleReplicaSpecs[Worker].template.metadata",
            4),
        kind(
            "kubeflow.org/xgboostjob",
            "/spec/xgbReplicaSpecs/Master/template",
            "spec.xgbReplicaSpecs[Master].template.metadata",
            1),
        kind(
            "kubeflow.org/jaxjob",
            "/spec/jaxReplicaSpecs/Worker/template",
            "spec.jaxReplicaSpecs[Worker].template.metadata",
            4),
        kind(
            "ray.io/raycluster",
            "/spec/headGroupSpec/template",
            "spec.headGroupSpec.template.metadata",
            1),
        kind(
            "ray.io/raycluster",
            "/spec/workerGroupSpecs/0/template",
            "spec.workerGroupSpecs[0].template.metadata",
            4),
        kind(
            "ray.io/rayjob",
            "/spec/rayClusterSpec/workerGroupSpecs/0/template",
            "spec.rayClusterSpec.workerGroupSpecs[0].template.metadata",
            4),
        kind(
            "ray.io/rayservice",
            "/spec/rayClusterConfig/headGroupSpec/template",
            "spec.rayClusterSpec.headGroupSpec.template.metadata",
            1),
        kind(
            "leaderworkerset.x-k8s.io/leaderworkerset",
            "/spec/leaderWorkerTemplate/workerTemplate",
            "spec.leaderWorkerTemplate.workerTemplate.metadata",
            3));
  }

  private static Arguments kind(String framework, String place, String path, int pods) {
    return Arguments.of(framework, place, path, pods);
  }

  @ParameterizedTest(name = "T-11 OPP-74 {0} {2}")
  @MethodSource("kinds")
  void asksAllKinds(String framework, String place, String path, int pods) {
    JsonNode job = SampleJobs.of(framework);
    JsonNode bad = annotated(job, place, of(U, "maybe"));
    List<String> expected = List.of("INVALID " + path + ".annotations[" + U + "]");

    assertThat(faults(EMPTY.onCreate(bad))).isEqualTo(expected);
    JsonNode queued = JobScene.labelled(bad, Labels.QUEUE_NAME, "q");
    assertThat(faults(EMPTY.onUpdate(queued, queued))).isEqualTo(expected);
    assertThat(faults(EMPTY.without(FeatureGate.TOPOLOGY_AWARE_SCHEDULING).onCreate(bad)))
        .isEmpty();
  }

  @ParameterizedTest(name = "TAS-30 TAS-31 {0} {2}, {3} Pods")
  @MethodSource("kinds")
  void refusesSlicesOfMorePodsThanThereAre(String framework, String place, String path, int pods) {
    JsonNode job = SampleJobs.of(framework);
    String annotations = path + ".annotations[";

    assertThat(faults(EMPTY.onCreate(annotated(job, place, of(SLICE, "a", SIZE, "" + pods)))))
        .isEmpty();
    assertThat(faults(EMPTY.onCreate(annotated(job, place, of(SLICE, "a", SIZE, "" + (pods + 1))))))
        .containsExactly("INVALID " + annotations + SIZE + "]");
    String layers = "[{\"topology\":\"a\",\"size\":" + (pods + 1) + "}]";
    assertThat(faults(EMPTY.onCreate(annotated(job, place, of(LAYERS, layers)))))
        .containsExactly("INVALID " + annotations + LAYERS + "]");
  }

  @Test
  void opp71LetsATemplateWithoutPodsWait() {
    JsonNode job =
        SampleJobs.with(
            SampleJobs.of("ray.io/raycluster"),
            "/spec/workerGroupSpecs",
            "[{'groupName':'w','replicas':0,'template':{}}]");

    assertThat(
            faults(
                EMPTY.onCreate(
                    annotated(
                        job, "/spec/workerGroupSpecs/0/template", of(SLICE, "a", SIZE, "2")))))
        .isEmpty();
  }

  private static PodSet pods(String name, long count, String annotations) {
    return new PodSet(name, new Field(name, json("{'annotations':" + annotations + "}")), count);
  }

  private static String grouped(String mode, String level) {
    return "{'" + GROUP + "':'g','" + mode + "':'" + level + "'}";
  }

  static Stream<Arguments> groups() {
    String alike = grouped(R, "rack");
    return Stream.of(
        Arguments.of("TAS-40 two", List.of(pods("a", 1, alike), pods("b", 5, alike)), List.of()),
        Arguments.of(
            "TAS-40 one",
            List.of(pods("a", 1, alike)),
            List.of("INVALID a.annotations[" + GROUP + "]")),
        Arguments.of(
            "TAS-40 three",
            List.of(pods("a", 1, alike), pods("b", 1, alike), pods("c", 1, alike)),
            List.of(
                "INVALID a.annotations[" + GROUP + "]",
                "INVALID b.annotations[" + GROUP + "]",
                "INVALID c.annotations[" + GROUP + "]")),
        Arguments.of(
            "TAS-41 none of one Pod",
            List.of(pods("a", 2, alike), pods("b", 5, alike)),
            List.of(
                "INVALID a.annotations[" + GROUP + "]", "INVALID b.annotations[" + GROUP + "]")),
        Arguments.of(
            "TAS-42 other level",
            List.of(pods("a", 1, alike), pods("b", 5, grouped(R, "block"))),
            List.of("INVALID a.annotations", "INVALID b.annotations")),
        Arguments.of(
            "TAS-42 other mode",
            List.of(pods("a", 1, alike), pods("b", 5, grouped(P, "rack"))),
            List.of("INVALID a.annotations", "INVALID b.annotations")),
        Arguments.of(
            "a group without a mode counts for nothing",
            List.of(pods("a", 1, "{'" + GROUP + "':'g'}")),
            List.of()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("groups")
  void checksGroups(String rule, List<PodSet> pods, List<String> faults) {
    var findings = new ValidationResult();

    PodSetGroups.check(pods, findings);

    assertThat(faults(findings)).isEqualTo(faults);
  }

  @ParameterizedTest(name = "TAS-40 {0}: {1}")
  @CsvSource({
    "jobset.x-k8s.io/jobset,/spec/replicatedJobs/0/template/spec/template,true",
    "kubeflow.org/mpijob,/spec/mpiReplicaSpecs/Worker/template,true",
    "ray.io/raycluster,/spec/headGroupSpec/template,true",
    "ray.io/rayjob,/spec/rayClusterSpec/headGroupSpec/template,true",
    "ray.io/rayservice,/spec/rayClusterConfig/headGroupSpec/template,true",
    "leaderworkerset.x-k8s.io/leaderworkerset,/spec/leaderWorkerTemplate/workerTemplate,true",
    "batch/job,/spec/template,false",
    "kubeflow.org/tfjob,/spec/tfReplicaSpecs/Worker/template,false",
  })
  void refusesLonelyGroupsOfSomeKinds(String framework, String place, boolean refused) {
    JsonNode job = annotated(SampleJobs.of(framework), place, of(R, "a", GROUP, "g"));

    assertThat(EMPTY.onCreate(job).refuse()).isEqualTo(refused);
  }
}
