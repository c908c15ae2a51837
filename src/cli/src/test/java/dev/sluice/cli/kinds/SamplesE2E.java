package dev.sluice.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.cli.schedule.SchedulerBeside;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.manifests.yaml.YamlReader;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each sample of a job is applied as it stands, and gets quota of the queue beside it. There are no
 * nodes, so nothing runs and nothing ends by itself.
 */
@FullTier
@NeedsControlPlane
@Timeout(900)
class SamplesE2E {
  private static final String WORKLOADS = Kueue.collection(ApiKind.WORKLOAD, ApiVersion.HUB);
  private static final int FORBIDDEN = 403;

  private static final Path CUSTOM = KindScene.SAMPLES.resolve("custom");

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAllParts();
  private static final SchedulerBeside SCHEDULER =
      new SchedulerBeside(
          CLUSTER,
          KindStories.frameworks(KindStories.all())
              + "  - deployment\n  - statefulset\n  - pod\n"
              + "featureGates:\n  SparkApplicationIntegration: true\n---\n"
              + text(CUSTOM.resolve("extensions.yaml")));

  static Stream<Path> samples() throws IOException {
    return Stream.concat(
        JobSamplesTest.samples().stream(), Stream.of(CUSTOM.resolve("train.yaml")));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeAll
  static void theQueuesAreThereAndASchedulerRuns() throws IOException {
    KindStories.serve(CLUSTER.api(), KindStories.all());
    KindStories.serve(CLUSTER.api(), text(CUSTOM.resolve("definition.yaml")));
    SCHEDULER.start();
    objects(KindScene.SAMPLES.resolve("queues.yaml")).forEach(SamplesE2E::apply);
  }

  @AfterAll
  static void theSchedulerEnds() throws InterruptedException {
    SCHEDULER.end();
  }

  private static List<ObjectNode> objects(Path file) {
    return new YamlReader().readAll(file.toString(), text(file));
  }

  private static void apply(JsonNode object) {
    ApiClient.Response answer =
        CLUSTER.api().serverSideApply(path(object), "a-user", object.toString());
    assertThat(answer.status()).as(answer.body()).isNotEqualTo(FORBIDDEN);
    answer.orThrow();
  }

  private static String path(JsonNode object) {
    String kind = object.path("kind").asText();
    String apiVersion = object.path("apiVersion").asText();
    String name = object.at("/metadata/name").asText();
    return ApiKind.find(kind)
        .map(it -> Kueue.path(it, ApiVersion.HUB, name))
        .orElseGet(
            () ->
                "/%s/%s/namespaces/default/%s/%s"
                    .formatted(
                        apiVersion.contains("/") ? "apis" : "api",
                        apiVersion,
                        plural(object),
                        name));
  }

  private static String plural(JsonNode object) {
    String kind = object.path("kind").asText();
    return Arrays.stream(Framework.values())
        .filter(it -> it.type().kind().equals(kind))
        .map(Framework::plural)
        .findFirst()
        .orElse(kind.toLowerCase(Locale.ROOT) + "s");
  }

  /** Those that ask for quota or hold it. */
  private static List<JsonNode> workloads() {
    return CLUSTER
        .api()
        .get(WORKLOADS)
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .filter(it -> !ApiClient.hasCondition(it, ConditionTypes.FINISHED))
        .toList();
  }

  private static void await(String what, BooleanSupplier condition) {
    SCHEDULER.await(what, condition, () -> workloads().toString());
  }

  @ParameterizedTest
  @MethodSource("samples")
  void isAdmittedAsItStands(Path sample) {
    List<ObjectNode> objects = objects(sample);

    objects.forEach(SamplesE2E::apply);

    await(
        "it is admitted",
        () ->
            !workloads().isEmpty()
                && workloads().stream()
                    .allMatch(it -> ApiClient.hasCondition(it, ConditionTypes.ADMITTED)));

    objects.reversed().forEach(it -> CLUSTER.api().delete(path(it)).orThrow());
    await("nothing of it is left", () -> workloads().isEmpty());
  }
}
