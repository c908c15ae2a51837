package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Framework;
import dev.sluice.cli.kinds.Conditions;
import dev.sluice.cli.kinds.KindStories;
import dev.sluice.cli.kinds.KindStory;
import dev.sluice.cli.kinds.KindStory.Phase;
import dev.sluice.cli.schedule.DispatchedJob.Kind;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kinds with a field that holds them back, and one of another program, that run on other clusters.
 * The tests write what their operators would.
 */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(900)
class MultiKueueSwitchedKindsE2E {
  private static final String QUEUE = "shared";
  private static final int ROOM = 100;
  private static final String WAGONS = Kind.WAGON.in(Fleet.NAMESPACE);

  /** Kinds that other tests play, and one that never runs on a worker. */
  private static final Set<Framework> OTHERS =
      EnumSet.of(Framework.JOB, Framework.LEADER_WORKER_SET, Framework.SPARK_APPLICATION);

  private static final List<KindStory> STORIES =
      KindStories.all().stream().filter(it -> !OTHERS.contains(it.framework())).toList();

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  @BeforeAll
  static void schedulers() {
    FLEET.serve(STORIES);
    Wagons.serve(FLEET);
    JsonNode runtime = SampleJobs.documents("trainjob").getFirst();
    FLEET.createEverywhere(
        collection(Framework.TRAIN_JOB.type(), "trainingruntimes"), runtime.toString());
    FLEET.start(configuration());
    FLEET.openQueue(ROOM, QUEUE);
  }

  private static Configuration configuration() {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("namespace", Fleet.HOME);
    ArrayNode frameworks = document.putObject("integrations").putArray("frameworks");
    STORIES.forEach(it -> frameworks.add(it.framework().frameworkName()));
    Wagons.configure(document);
    return ConfigurationReader.excerpt(document);
  }

  private static String collection(GroupVersionKind type, String plural) {
    return "/apis/%s/namespaces/%s/%s".formatted(type.apiVersion(), Fleet.NAMESPACE, plural);
  }

  private static String collection(Framework framework) {
    return collection(framework.type(), framework.plural());
  }

  /** Creates the job of the sample on the manager, held back and for other clusters. */
  private static void create(KindStory story, String name) {
    Framework framework = story.framework();
    ObjectNode job = SampleJobs.of(story.sample(), QUEUE);
    job.withObject("/metadata").put("name", name);
    String policy = framework.type().group().equals("kubeflow.org") ? "/spec/runPolicy" : "/spec";
    job.withObject(policy).put("managedBy", "kueue.x-k8s.io/multikueue");
    boolean isService = framework == Framework.RAY_SERVICE;
    job.withObject(isService ? "/spec/rayClusterConfig" : policy).put("suspend", true);
    if (framework == Framework.RAY_JOB) {
      job.withObject("/spec").put("submissionMode", "HTTPMode"); // no Pod asks for memory
    }
    FLEET.api().create(collection(framework), job.toString()).orThrow();
  }

  /** Waits until a worker lets it run, and it is on no other one. */
  private static String runs(KindStory story, String name) {
    String all = collection(story.framework());
    FLEET.await(
        name + " runs",
        () ->
            !FLEET.chosen(name).isEmpty()
                && !story.isSuspended(
                    FLEET.api(FLEET.chosen(name)).get(all + "/" + name).orThrow().json()));
    String worker = FLEET.chosen(name);
    FLEET.hasNothing(Fleet.other(worker), name, all);
    return worker;
  }

  private static JsonNode status(ApiClient api, String path) {
    return api.get(path).orThrow().json().path("status");
  }

  /** Writes a status on a worker; what is stored there then. */
  private static JsonNode report(String worker, String path, JsonNode status) {
    ObjectNode changed = JsonNodeFactory.instance.objectNode();
    changed.set("status", status);
    return FLEET
        .api(worker)
        .mergePatch(path + "/status", changed.toString())
        .orThrow()
        .json()
        .path("status");
  }

  private static void becomesReady(KindStory story, String worker, String name) {
    String path = collection(story.framework()) + "/" + name;
    JsonNode there = report(worker, path, story.status(Phase.READY, ""));
    FLEET.await(name + " is ready here as there", () -> status(FLEET.api(), path).equals(there));
  }

  private static String finished(String name) {
    return Conditions.text(FLEET.workload(name).orElseThrow(), "Finished");
  }

  private static Stream<Named<KindStory>> ending() {
    return STORIES.stream().filter(KindStory::ends).map(MultiKueueSwitchedKindsE2E::named);
  }

  private static Stream<Named<KindStory>> endless() {
    return STORIES.stream().filter(it -> !it.ends()).map(MultiKueueSwitchedKindsE2E::named);
  }

  private static Named<KindStory> named(KindStory story) {
    return Named.of(story.framework().frameworkName(), story);
  }

  /** One succeeds and one fails, at the same time. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("ending")
  void aJobIsFollowedToItsEnd(KindStory story) {
    String all = collection(story.framework());
    Map<Phase, String> jobs = new EnumMap<>(Phase.class);
    for (Phase end : List.of(Phase.SUCCEEDED, Phase.FAILED)) {
      jobs.put(end, story.sample() + "-" + end.name().toLowerCase(Locale.ROOT));
    }
    jobs.values().forEach(it -> create(story, it));
    jobs.values().forEach(it -> becomesReady(story, runs(story, it), it));

    Map<Phase, JsonNode> there = new EnumMap<>(Phase.class);
    jobs.forEach(
        (end, job) ->
            there.put(
                end,
                report(FLEET.chosen(job), all + "/" + job, story.status(end, "words of " + job))));

    jobs.forEach(
        (end, job) -> {
          FLEET.finishes(job);
          assertThat(status(FLEET.api(), all + "/" + job)).isEqualTo(there.get(end));
          String reason = end == Phase.SUCCEEDED ? "Succeeded" : "Failed";
          assertThat(finished(job)).isEqualTo(reason + ": " + story.end(end, "words of " + job));
          FLEET.leavesNothingElsewhere(job, all);
        });
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("endless")
  void aJobWithoutEndIsFollowedUntilItIsDeleted(KindStory story) {
    String all = collection(story.framework());
    create(story, "endless");
    becomesReady(story, runs(story, "endless"), "endless");

    FLEET.api().delete(all + "/endless").orThrow();

    FLEET.leavesNothingElsewhere("endless", all);
    FLEET.await("the workload is gone", () -> FLEET.workload("endless").isEmpty());
  }

  @Test
  void aRayServiceServesThereWhatItServesHere() {
    KindStory story =
        STORIES.stream()
            .filter(it -> it.framework() == Framework.RAY_SERVICE)
            .findFirst()
            .orElseThrow();
    create(story, "serves");
    String worker = runs(story, "serves");
    String path = collection(Framework.RAY_SERVICE) + "/serves";

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
    FLEET.leavesNothingElsewhere("serves", collection(Framework.RAY_SERVICE));
  }

  /** The other program tells there how its job goes. */
  @Test
  void aJobOfAnotherProgramIsFollowedToItsEnd() {
    Wagons.create(FLEET.api(), Fleet.NAMESPACE, "wagon", QUEUE);
    FLEET.await("a worker is chosen", () -> !FLEET.chosen("wagon").isEmpty());
    String worker = FLEET.chosen("wagon");
    String path = WAGONS + "/wagon";
    JsonNode created = FLEET.api(worker).get(path).orThrow().json();
    assertThat(created.path("spec").toString()).isEqualTo("{\"load\":3}");

    ObjectNode arrived = JsonNodeFactory.instance.objectNode().put("phase", "Arrived");
    JsonNode there = report(worker, path, arrived);
    Wagons.finish(FLEET.api(worker), Fleet.NAMESPACE, "wagon", "Arrived", "at the last stop");

    FLEET.finishes("wagon");
    assertThat(status(FLEET.api(), path)).isEqualTo(there);
    assertThat(finished("wagon")).isEqualTo("Arrived: at the last stop");
    FLEET.leavesNothingElsewhere("wagon", WAGONS);
  }

  /** Kubernetes deletes the Workload after its owner. */
  @Test
  void aJobOfAnotherProgramThatIsDeletedHereLeavesNothing() {
    Wagons.create(FLEET.api(), Fleet.NAMESPACE, "derailed", QUEUE);
    FLEET.await("a worker is chosen", () -> !FLEET.chosen("derailed").isEmpty());

    FLEET.api().delete(WAGONS + "/derailed").orThrow();

    FLEET.leavesNothingElsewhere("derailed", WAGONS);
    FLEET.await("the workload is gone", () -> FLEET.workload("derailed").isEmpty());
  }
}
