package dev.sluice.cli.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.testcluster.NeedsDevCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of jobs through a real API server. Kinds that are not built in get a small definition
 * that keeps whatever it is given.
 */
@FullTier
@NeedsDevCluster
class JobKindsE2E {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final Set<String> BUILT_IN = Set.of("", "apps", "batch");
  private static final String QUEUE = "metadata.labels[kueue.x-k8s.io/queue-name]";
  private static final String RUNTIMES =
      "/apis/trainer.kubeflow.org/v1alpha1/clustertrainingruntimes";
  private static final String TEMPLATE =
      """
      {"metadata":{"labels":{"app":"x"}},
      "spec":{"restartPolicy":"POLICY","containers":[{"name":"c","image":"i"}]}}\
      """;

  static Stream<Framework> suspendable() {
    return Stream.of(Framework.values()).filter(it -> !it.needsPods() && it != Framework.POD);
  }

  /** All of them before the first is awaited: the API server takes a moment for each. */
  @BeforeAll
  static void serve(DevCluster cluster) {
    ApiClient api = cluster.controlPlane().client();
    List<ObjectNode> definitions = new ArrayList<>();
    List<String> collections = new ArrayList<>();
    for (Framework framework : Framework.values()) {
      if (!BUILT_IN.contains(framework.type().group())) {
        definitions.add(definition(framework));
        collections.add(collection(framework));
      }
    }
    definitions.add(runtimeDefinition());
    collections.add(RUNTIMES);

    definitions.forEach(
        crd -> api.serverSideApply(path(crd), "job-kinds", crd.toString()).orThrow());
    definitions.forEach(crd -> api.awaitEstablished(name(crd), SOON));
    collections.forEach(
        collection -> api.await(collection, SOON, list -> list.path("items").isArray()));
    createRuntime(api);
  }

  private static String name(ObjectNode crd) {
    return crd.at("/metadata/name").asText();
  }

  private static String path(ObjectNode crd) {
    return "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + name(crd);
  }

  private static ObjectNode definition(Framework framework) {
    ObjectNode crd = JsonNodeFactory.instance.objectNode();
    crd.put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "CustomResourceDefinition");
    crd.putObject("metadata")
        .put("name", framework.plural() + "." + framework.type().group())
        .putObject("annotations") // asked for in groups below k8s.io
        .put("api-approved.kubernetes.io", "unapproved, for a test");
    ObjectNode spec = crd.putObject("spec");
    spec.put("group", framework.type().group()).put("scope", "Namespaced");
    spec.putObject("names").put("kind", framework.type().kind()).put("plural", framework.plural());
    ObjectNode version = spec.putArray("versions").addObject();
    version.put("name", framework.type().version()).put("served", true).put("storage", true);
    version
        .putObject("schema")
        .putObject("openAPIV3Schema")
        .put("type", "object")
        .put("x-kubernetes-preserve-unknown-fields", true);
    return crd;
  }

  private static String collection(Framework framework) {
    String group = framework.type().group();
    String root = group.isEmpty() ? "/api/" : "/apis/" + group + "/";
    return root + framework.type().version() + "/namespaces/default/" + framework.plural();
  }

  private static String object(Framework framework, String name, String queue) {
    return """
    {"apiVersion":"%s","kind":"%s","metadata":{"name":"%s","namespace":"default",
    "labels":{"kueue.x-k8s.io/queue-name":"%s"}},"spec":%s}\
    """
        .formatted(
            framework.type().apiVersion(),
            framework.type().kind(),
            name,
            queue,
            spec(framework)
                .replace("TEMPLATE", TEMPLATE)
                .replace("POLICY", framework.needsPods() ? "Always" : "Never"));
  }

  private static String spec(Framework framework) {
    return switch (framework) {
      case JOB -> "{\"template\":TEMPLATE}";
      case POD -> "{\"restartPolicy\":\"Never\",\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}";
      case DEPLOYMENT -> "{\"selector\":{\"matchLabels\":{\"app\":\"x\"}},\"template\":TEMPLATE}";
      case STATEFUL_SET ->
          "{\"serviceName\":\"s\",\"selector\":{\"matchLabels\":{\"app\":\"x\"}},\"template\":TEMPLATE}";
      case LEADER_WORKER_SET ->
          "{\"leaderWorkerTemplate\":{\"size\":2,\"leaderTemplate\":TEMPLATE,\"workerTemplate\":TEMPLATE}}";
      case JOB_SET ->
          "{\"replicatedJobs\":[{\"name\":\"w\",\"template\":{\"spec\":{\"template\":TEMPLATE}}}]}";
      case MPI_JOB ->
          "{\"mpiReplicaSpecs\":{\"Launcher\":{\"template\":TEMPLATE},\"Worker\":{\"template\":TEMPLATE}}}";
      case PYTORCH_JOB -> "{\"pytorchReplicaSpecs\":{\"Worker\":{\"template\":TEMPLATE}}}";
      case TF_JOB -> "{\"tfReplicaSpecs\":{\"Worker\":{\"template\":TEMPLATE}}}";
      case PADDLE_JOB -> "{\"paddleReplicaSpecs\":{\"Worker\":{\"template\":TEMPLATE}}}";
      case XGBOOST_JOB -> "{\"xgbReplicaSpecs\":{\"Worker\":{\"template\":TEMPLATE}}}";
      case JAX_JOB -> "{\"jaxReplicaSpecs\":{\"Worker\":{\"template\":TEMPLATE}}}";
      case RAY_CLUSTER -> cluster();
      case RAY_JOB -> "{\"shutdownAfterJobFinishes\":true,\"rayClusterSpec\":" + cluster() + "}";
      case RAY_SERVICE -> "{\"rayClusterConfig\":" + cluster() + "}";
      case APP_WRAPPER -> "{\"components\":[]}";
      case SPARK_APPLICATION -> "{\"mode\":\"cluster\",\"driver\":{},\"executor\":{}}";
      case TRAIN_JOB -> "{\"runtimeRef\":{\"name\":\"torch\"}}";
    };
  }

  private static String cluster() {
    return "{\"headGroupSpec\":{\"template\":TEMPLATE},"
        + "\"workerGroupSpecs\":[{\"groupName\":\"w\",\"template\":TEMPLATE}]}";
  }

  private static JsonNode suspended(Framework framework, JsonNode object) {
    return switch (framework) {
      case MPI_JOB, PYTORCH_JOB, TF_JOB, PADDLE_JOB, XGBOOST_JOB, JAX_JOB ->
          object.at("/spec/runPolicy/suspend");
      case RAY_SERVICE -> object.at("/spec/rayClusterConfig/suspend");
      default -> object.at("/spec/suspend");
    };
  }

  @ParameterizedTest
  @MethodSource("suspendable")
  void aJobWithAQueueComesUpSuspendedAndMayThenBeChanged(Framework framework, DevCluster cluster) {
    ApiClient api = cluster.controlPlane().client();
    String name = "kinds-" + framework.name().toLowerCase(Locale.ROOT).replace('_', '-');

    ApiClient.Response created =
        api.create(collection(framework), object(framework, name, "q")).orThrow();
    String one = collection(framework) + "/" + name;
    ApiClient.Response moved =
        api.mergePatch(
            one, "{\"metadata\":{\"labels\":{\"kueue.x-k8s.io/queue-name\":\"other\"}}}");
    ApiClient.Response bad =
        api.mergePatch(
            one, "{\"metadata\":{\"labels\":{\"kueue.x-k8s.io/queue-name\":\"Bad_Name\"}}}");

    assertThat(suspended(framework, created.json()).asBoolean()).isTrue();
    assertThat(moved.status()).as(moved.body()).isEqualTo(200);
    assertThat(bad.status()).as(bad.body()).isEqualTo(403);
    assertThat(bad.json().path("message").asText()).contains(QUEUE + ": Invalid value");
    api.delete(one).orThrow();
  }

  private static ObjectNode runtimeDefinition() {
    ObjectNode crd = definition(Framework.TRAIN_JOB);
    crd.withObject("/metadata").put("name", "clustertrainingruntimes.trainer.kubeflow.org");
    crd.withObject("/spec").put("scope", "Cluster");
    crd.withObject("/spec/names")
        .put("kind", "ClusterTrainingRuntime")
        .put("plural", "clustertrainingruntimes");
    return crd;
  }

  private static void createRuntime(ApiClient api) {
    api.create(
        RUNTIMES,
        """
        {"apiVersion":"trainer.kubeflow.org/v1alpha1","kind":"ClusterTrainingRuntime",
        "metadata":{"name":"torch"},"spec":{}}\
        """);
    // seen once a job of it is accepted
    Poll.until(
        SOON,
        Duration.ofMillis(100),
        () ->
            api.create(
                    collection(Framework.TRAIN_JOB) + "?dryRun=All",
                    object(Framework.TRAIN_JOB, "kinds-try", "q"))
                .isSuccess());
  }

  @ParameterizedTest
  @EnumSource
  void aJobWithAQueueThatCannotBeIsRefusedWithTheField(Framework framework, DevCluster cluster) {
    ApiClient api = cluster.controlPlane().client();

    ApiClient.Response answer =
        api.create(collection(framework), object(framework, "kinds-bad", "Bad_Name"));

    assertThat(answer.status()).as(answer.body()).isEqualTo(403);
    assertThat(answer.json().path("message").asText())
        .contains(
            "v" + framework.type().kind().toLowerCase(Locale.ROOT) + ".kb.io",
            QUEUE + ": Invalid value: \"Bad_Name\"");
  }

  @ParameterizedTest
  @EnumSource(names = {"DEPLOYMENT", "STATEFUL_SET", "LEADER_WORKER_SET"})
  void whatServesHoldsBackItsPodsByTheirTemplate(Framework framework, DevCluster cluster) {
    ApiClient api = cluster.controlPlane().client();
    String name = "kinds-serving-" + framework.plural();

    JsonNode created =
        api.create(collection(framework), object(framework, name, "q")).orThrow().json();
    String one = collection(framework) + "/" + name;
    ApiClient.Response removed =
        api.mergePatch(one, "{\"metadata\":{\"labels\":{\"kueue.x-k8s.io/queue-name\":null}}}");

    assertThat(created.findValuesAsText("kueue.x-k8s.io/pod-suspending-parent"))
        .isNotEmpty()
        .containsOnly(framework.frameworkName());
    assertThat(removed.status()).as(removed.body()).isEqualTo(403);
    assertThat(removed.json().path("message").asText()).contains(QUEUE + ": Invalid value");
    api.delete(one).orThrow();
  }
}
