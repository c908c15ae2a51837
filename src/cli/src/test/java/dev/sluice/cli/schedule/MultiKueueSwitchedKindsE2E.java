package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Framework;
import dev.sluice.cli.kinds.RayDefinitions;
import dev.sluice.cli.kinds.Resources;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kinds with a field that holds them back, and one of another program, that run on other clusters.
 * The tests write what their operators would.
 */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(900)
class MultiKueueSwitchedKindsE2E {
  private static final String QUEUE = "shared";
  private static final String WAGON = "Wagon.v1.example.com";
  private static final String WAGONS = collection("example.com/v1", "wagons");

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  @BeforeAll
  static void schedulers() {
    FLEET.serve(RayDefinitions.of(Framework.RAY_JOB), "rayjobs.ray.io");
    FLEET.serve(RayDefinitions.of(Framework.RAY_SERVICE), "rayservices.ray.io");
    FLEET.serve(Resources.text("kinds/appwrapper.yaml"), "appwrappers.workload.codeflare.dev");
    FLEET.serve(Resources.text("kinds/jobset.yaml"), "jobsets.jobset.x-k8s.io");
    serveRuntimes("TrainingRuntime", "Namespaced");
    serveRuntimes("ClusterTrainingRuntime", "Cluster");
    FLEET.serve(Resources.text("kinds/trainjob.yaml"), "trainjobs.trainer.kubeflow.org");
    FLEET.serve(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: wagons.example.com}
        spec:
          group: example.com
          scope: Namespaced
          names: {kind: Wagon, plural: wagons}
          versions:
            - name: v1
              served: true
              storage: true
              subresources: {status: {}}
              schema:
                openAPIV3Schema:
                  {type: object, x-kubernetes-preserve-unknown-fields: true}
        """,
        "wagons.example.com");
    FLEET.workers.keySet().forEach(it -> FLEET.allow(it, "example.com", "wagons"));
    FLEET.start(configuration());
    FLEET.openQueue(QUEUE);
  }

  private static void serveRuntimes(String kind, String scope) {
    String plural = kind.toLowerCase(Locale.ROOT) + "s";
    FLEET.serve(
        Resources.text("kinds/training-runtime.yaml")
            .replace("KIND", kind)
            .replace("PLURAL", plural)
            .replace("SCOPE", scope),
        plural + ".trainer.kubeflow.org");
  }

  private static Configuration configuration() {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("namespace", Fleet.HOME);
    ObjectNode integrations = document.putObject("integrations");
    ArrayNode frameworks = integrations.putArray("frameworks");
    List.of(
            "ray.io/rayjob",
            "ray.io/rayservice",
            "workload.codeflare.dev/appwrapper",
            "jobset.x-k8s.io/jobset",
            "trainer.kubeflow.org/trainjob")
        .forEach(frameworks::add);
    integrations.putArray("externalFrameworks").add(WAGON);
    document.putObject("multiKueue").putArray("externalFrameworks").addObject().put("name", WAGON);
    return ConfigurationReader.excerpt(document);
  }

  private static String collection(String group, String plural) {
    return "/apis/%s/namespaces/%s/%s".formatted(group, Fleet.NAMESPACE, plural);
  }

  /** Creates it on the manager, held back and for other clusters; its name. */
  private static String create(ObjectNode job, String collection, String held) {
    job.withObject("/spec").put("managedBy", "kueue.x-k8s.io/multikueue");
    job.withObject(held).put("suspend", true);
    FLEET.api().create(collection, job.toString()).orThrow();
    return SampleJobs.name(job);
  }

  /** Waits until a worker lets it run. */
  private static String runs(String job, String path, String held) {
    FLEET.await(
        job + " runs",
        () ->
            !FLEET.chosen(job).isEmpty()
                && FLEET
                    .api(FLEET.chosen(job))
                    .get(path)
                    .json()
                    .at(held + "/suspend")
                    .asText()
                    .equals("false"));
    return FLEET.chosen(job);
  }

  private static JsonNode status(ApiClient api, String path) {
    return api.get(path).orThrow().json().path("status");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          rayjob     | ray.io/v1                       | rayjobs     | {'jobStatus': 'SUCCEEDED', 'jobDeploymentStatus': 'Complete', 'message': 'done'}
          trainjob   | trainer.kubeflow.org/v1alpha1   | trainjobs   | {'conditions': [{'type': 'Complete', 'status': 'True', 'reason': 'r', 'message': 'done'}]}
          appwrapper | workload.codeflare.dev/v1beta2  | appwrappers | {'phase': 'Succeeded'}
          """)
  void aJobIsFollowedToItsEnd(String sample, String group, String plural, String end)
      throws JsonProcessingException {
    if (sample.equals("trainjob")) {
      JsonNode runtime = SampleJobs.documents(sample).getFirst();
      String runtimes = collection(group, "trainingruntimes");
      FLEET.api().create(runtimes, runtime.toString()).orThrow();
      FLEET.workers.keySet().forEach(it -> FLEET.api(it).create(runtimes, runtime.toString()));
    }
    String all = collection(group, plural);
    ObjectNode held = SampleJobs.of(sample, QUEUE);
    if (sample.equals("rayjob")) {
      held.withObject("/spec").put("submissionMode", "HTTPMode"); // no Pod asks for memory
    }
    String job = create(held, all, "/spec");
    String worker = runs(job, all + "/" + job, "/spec");
    FLEET.hasNothing(Fleet.other(worker), job, all);

    ObjectNode ended = JsonNodeFactory.instance.objectNode();
    ended.set("status", new YAMLMapper().readTree(end));
    FLEET.api(worker).mergePatch(all + "/" + job + "/status", ended.toString()).orThrow();

    FLEET.finishes(job);
    assertThat(status(FLEET.api(), all + "/" + job)).isEqualTo(ended.path("status"));
    FLEET.leavesNothingElsewhere(job, all);
  }

  @Test
  void aRayServiceServesThereWhatItServesHere() {
    String all = collection("ray.io/v1", "rayservices");
    String held = "/spec/rayClusterConfig";
    String job = create(SampleJobs.of("rayservice", QUEUE), all, held);
    String path = all + "/" + job;
    String worker = runs(job, path, held);
    String ready = "{'status':{'conditions':[{'type':'Ready','status':'True','reason':'r'}]}}";
    FLEET.api(worker).mergePatch(path + "/status", ready.replace('\'', '"')).orThrow();
    FLEET.await(
        "the status is known here",
        () -> ApiClient.hasCondition(FLEET.api().get(path).json(), "Ready"));

    FLEET.api().mergePatch(path, "{\"spec\":{\"serveConfigV2\":\"another\"}}").orThrow();
    FLEET.await(
        "it serves it there",
        () ->
            FLEET
                .api(worker)
                .get(path)
                .json()
                .at("/spec/serveConfigV2")
                .asText()
                .equals("another"));

    FLEET.api().delete(path).orThrow();
    FLEET.leavesNothingElsewhere(job, all);
  }

  /** Creates a job of the other program, which makes its Workload, too. */
  private static void createWagon(String name) {
    JsonNode here =
        FLEET
            .api()
            .create(
                WAGONS,
                """
                {"apiVersion":"example.com/v1","kind":"Wagon","metadata":{"name":"%s"},
                "spec":{"managedBy":"kueue.x-k8s.io/multikueue","load":3}}\
                """
                    .formatted(name))
            .orThrow()
            .json();
    FLEET
        .api()
        .create(
            Fleet.workloads(),
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{
            "name":"wagon-%1$s","ownerReferences":[{"apiVersion":"example.com/v1","kind":"Wagon",
            "name":"%1$s","uid":"%2$s","controller":true}]},"spec":{"queueName":"%3$s","podSets":[{
            "name":"main","count":1,"template":{"spec":{"restartPolicy":"Never","containers":[{
            "name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}]}}\
            """
                .formatted(name, here.at("/metadata/uid").asText(), QUEUE))
        .orThrow();
  }

  /** The other program tells there how its job goes. */
  @Test
  void aJobOfAnotherProgramIsFollowedToItsEnd() {
    createWagon("wagon");
    FLEET.await("a worker is chosen", () -> !FLEET.chosen("wagon").isEmpty());
    String worker = FLEET.chosen("wagon");
    JsonNode there = FLEET.api(worker).get(WAGONS + "/wagon").orThrow().json();
    assertThat(there.path("spec").toString()).isEqualTo("{\"load\":3}");

    FLEET
        .api(worker)
        .mergePatch(WAGONS + "/wagon/status", "{\"status\":{\"phase\":\"Arrived\"}}")
        .orThrow();
    FLEET
        .api(worker)
        .serverSideApply(
            Fleet.workloads() + "/wagon-wagon/status",
            "program",
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{
            "name":"wagon-wagon","namespace":"%s"},"status":{"conditions":[{"type":"Finished",
            "status":"True","reason":"Succeeded","message":"arrived",
            "lastTransitionTime":"2026-11-24T10:00:00Z"}]}}\
            """
                .formatted(Fleet.NAMESPACE))
        .orThrow();

    FLEET.finishes("wagon");
    assertThat(status(FLEET.api(), WAGONS + "/wagon").toString())
        .isEqualTo("{\"phase\":\"Arrived\"}");
    FLEET.leavesNothingElsewhere("wagon", WAGONS);
  }

  /** Kubernetes deletes the Workload after its owner. */
  @Test
  void aJobOfAnotherProgramThatIsDeletedHereLeavesNothing() {
    createWagon("derailed");
    FLEET.await("a worker is chosen", () -> !FLEET.chosen("derailed").isEmpty());

    FLEET.api().delete(WAGONS + "/derailed").orThrow();

    FLEET.leavesNothingElsewhere("derailed", WAGONS);
    FLEET.await("the workload is gone", () -> FLEET.workload("derailed").isEmpty());
  }

  @Test
  void aJobSetThatIsDeletedHereWhileItRunsLeavesNothing() {
    String job = create(SampleJobs.of("jobset", QUEUE), Fleet.jobSets(), "/spec");
    runs(job, Fleet.jobSets() + "/" + job, "/spec");

    FLEET.api().delete(Fleet.jobSets() + "/" + job).orThrow();

    FLEET.leavesNothingElsewhere(job, Fleet.jobSets());
    FLEET.await("the workload is gone", () -> FLEET.workload(job).isEmpty());
  }
}
