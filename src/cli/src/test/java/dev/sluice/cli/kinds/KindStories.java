package dev.sluice.cli.kinds;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.manifests.yaml.YamlReader;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** All stories: the one place where a kind is added to {@link JobKindLifeE2E}. */
public final class KindStories {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  private static final Duration SOON = Duration.ofSeconds(90);

  private static final String ONLY = System.getProperty("sluice.kinds", "");

  private KindStories() {}

  /** Those of all kinds, or of the kinds that the system property {@code sluice.kinds} lists. */
  public static List<KindStory> all() {
    List<String> only = List.of(ONLY.split(","));
    return everyKind().stream()
        .filter(it -> ONLY.isEmpty() || only.contains(it.framework().type().kind()))
        .toList();
  }

  private static List<KindStory> everyKind() {
    return Stream.of(
            ReplicaStory.all(),
            RayStory.all(),
            List.of(
                new BatchJobStory(2),
                new JobSetStory(),
                new TrainJobStory(),
                new LeaderWorkerSetStory(),
                new AppWrapperStory(),
                new SparkApplicationStory()))
        .<KindStory>flatMap(List::stream)
        .toList();
  }

  /** A Job of so many Pods. */
  public static KindStory jobOf(int pods) {
    return new BatchJobStory(pods);
  }

  /** Lines of a Configuration that turn the kinds of these stories on. */
  public static String frameworks(List<? extends KindStory> stories) {
    return stories.stream()
        .map(it -> "  - " + it.framework().frameworkName())
        .distinct()
        .collect(joining("\n", "integrations:\n  frameworks:\n", "\n"));
  }

  /** Makes the API server serve what these stories need. */
  public static void serve(ApiClient api, List<? extends KindStory> stories) {
    stories.stream()
        .flatMap(it -> it.definitions().stream())
        .distinct()
        .forEach(it -> serve(api, it));
  }

  /** Makes the API server serve the kind of this definition. */
  static void serve(ApiClient api, String text) {
    ObjectNode definition = new YamlReader().read("definition", text);
    String name = definition.at("/metadata/name").asText();
    api.serverSideApply(DEFINITIONS + name, "kinds", definition.toString()).orThrow();
    api.awaitEstablished(name, SOON);
  }
}
