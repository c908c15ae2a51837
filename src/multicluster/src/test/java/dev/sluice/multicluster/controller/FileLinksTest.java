package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.write.Write;
import dev.sluice.testkit.FullTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clusters whose kubeconfigs are files that are mounted into the manager. */
@FullTier
@Timeout(240)
class FileLinksTest {
  @TempDir private Path folder;
  @TempDir private Path outside;

  @SuppressWarnings("NullAway.Init") // set at the beginning of each test
  private InMemoryFleet fleet;

  private void aManager(Configuration configuration) {
    fleet = new InMemoryFleet(folder, configuration, List.of());
    fleet.start("a", "b");
  }

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  private void cluster(String name, Path kubeconfig) {
    fleet.createCluster(name, "Path", kubeconfig.toString());
  }

  private void awaitReason(String cluster, String reason, String message) {
    await()
        .atMost(InMemoryFleet.AMPLE)
        .untilAsserted(
            () -> {
              assertThat(fleet.active(cluster).path("reason").asText()).isEqualTo(reason);
              assertThat(fleet.active(cluster).path("message").asText()).contains(message);
            });
  }

  /** Of two names of one worker the one that reaches it first is in use, whichever that is. */
  private void awaitOneInUse(List<String> names) {
    await()
        .atMost(InMemoryFleet.AMPLE)
        .untilAsserted(
            () -> {
              List<String> inUse =
                  names.stream().filter(it -> Conditions.isTrue(fleet.active(it))).toList();
              assertThat(inUse).hasSize(1);
              String other =
                  "the cluster is that of MultiKueueCluster \"%s\"".formatted(inUse.getFirst());
              assertThat(names)
                  .filteredOn(it -> !inUse.contains(it))
                  .allSatisfy(
                      it -> {
                        assertThat(fleet.active(it).path("reason").asText())
                            .isEqualTo("ClientConnectionFailed");
                        assertThat(fleet.active(it).path("message").asText()).contains(other);
                      });
            });
  }

  @Test
  void twoClustersOnOneFileBothFollowIt() throws IOException {
    aManager(Configuration.defaults("home"));
    Path file = folder.resolve("kubeconfig");
    Files.writeString(file, fleet.kubeconfig("a"));
    List<String> both = List.of("first", "second");
    both.forEach(it -> cluster(it, file));
    fleet.createConfig("first", "second");
    awaitOneInUse(both);

    Files.delete(file);
    for (String each : both) {
      awaitReason(each, "BadKubeConfig", "file \"" + file + "\" not found");
    }
    Files.writeString(file, "users: [{name: u, user: {tokenFile: /x}}]");
    for (String each : both) {
      awaitReason(each, "InsecureKubeConfig", "tokenFile is not allowed");
    }
    Path next = Files.writeString(folder.resolve("next"), fleet.kubeconfig("b"));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);

    awaitOneInUse(both);
    fleet.job("j");
    fleet.awaitCopy("b", "j");
    assertThat(fleet.has("a", Clusters.WORKLOADS + "/j")).isFalse();
  }

  @Test
  void withoutTheGateAFileElsewhereIsUsedAndWarnedOf() throws IOException {
    aManager(
        ConfigurationReader.excerpt(
            Lookup.tree(
                "{'namespace': 'home',"
                    + " 'featureGates': {'MultiKueueKubeConfigPathValidation': false}}")));
    Path file = Files.writeString(outside.resolve("kubeconfig"), fleet.kubeconfig("a"));
    cluster("elsewhere", file);
    fleet.createConfig("elsewhere");

    fleet.awaitActive("elsewhere", "Connected");

    fleet.job("j");
    fleet.awaitCopy("a", "j");
    List<Write.Event> warnings =
        fleet.clusters.events.stream()
            .filter(it -> it.reason().equals("DeprecatedPathUsage"))
            .toList();
    assertThat(warnings)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.type()).isEqualTo("Warning");
              assertThat(it.target().name()).isEqualTo("elsewhere");
              assertThat(it.message())
                  .isEqualTo(
                      "path \"%s\" is not below %s, which will be refused".formatted(file, folder));
            });
  }
}
