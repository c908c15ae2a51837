package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Configuration files of the commands that run a server. */
class ConfigurationTest {
  @TempDir Path folder;

  private String file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "serve", "dev-cluster"})
  void allProblemsAreToldTogetherWithFileAndLineBeforeAnythingStarts(String command)
      throws IOException {
    String configuration =
        file(
            "config.yaml",
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            webhook:
              prot: 9443
            integrations:
              frameworks:
              - batch/job
              - batch/jobs
            """);
    String extensions =
        file(
            "extensions.yaml",
            """
            apiVersion: config.sluice.dev/v1alpha1
            kind: Extensions
            podGuard:
              mode: perhaps
            """);

    Ran ran =
        Commands.run(
            command,
            "--data",
            folder.resolve("data").toString(),
            "--config",
            configuration,
            "--config",
            extensions);

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .contains("3 problems")
        .contains("config.yaml:4: webhook.prot: unknown field (did you mean webhook.port?)")
        .contains("config.yaml:8: integrations.frameworks[1]: \"batch/jobs\"")
        .contains("extensions.yaml:4: podGuard.mode: \"perhaps\"");
  }

  @Test
  void aKeyThatStandsTwiceIsRefused() throws IOException {
    Ran ran =
        Commands.run(
            "run",
            "--config",
            file(
                "twice.yaml",
                """
                apiVersion: config.kueue.x-k8s.io/v1beta2
                kind: Configuration
                namespace: a
                namespace: b
                """));

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("twice.yaml:4").contains("namespace");
  }

  @Test
  void featureGatesAreCheckedWithoutAFile() {
    Ran ran = Commands.run("serve", "--no-inject", "--feature-gates", "MultiKueu=true");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("--feature-gates: ").contains("did you mean MultiKueue?");
  }

  @Test
  void aClientCheckNeedsAuthorities() {
    Ran ran = Commands.run("run", "--client-name", "kube-apiserver");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("beside --client-ca");
  }
}
