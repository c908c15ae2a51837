package dev.sluice.cli.apiserver;

import static dev.sluice.api.ApiVersion.HUB;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiKind;
import dev.sluice.cli.Commands;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.Poll;
import dev.sluice.controlplane.Ports;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.server.ClientCheck;
import dev.sluice.webhook.server.ListenAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipe of docs/tasks/secure-webhook.md, with a real API server. */
@FullTier
@NeedsControlPlane
class ClientCaE2E {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Path DOCS = Path.of("..", "..", "docs", "tasks", "secure-webhook.md");
  private static final Pattern SCRIPT = Pattern.compile("```sh\n(dir=.*?)```", Pattern.DOTALL);
  private static final Pattern CURL = Pattern.compile("(?m)^(review='.*'\ncurl .*\ncurl .*)$");

  @TempDir private Path folder;

  @Test
  void theApiServerOfTheRecipeIsAnsweredAndNobodyElse() throws Exception {
    int port = Ports.free();
    Path made = folder.resolve("made");
    run(documented(SCRIPT, made, port));
    String flag = "--admission-control-config-file=" + made.resolve("admission.yaml");

    try (DevCluster cluster =
        DevCluster.start(
            folder.resolve("cluster"),
            ControlPlane.Options.apiServer().withApiServerFlags(flag),
            options(made, port),
            _ -> {})) {
      ApiClient api = cluster.controlPlane().client();
      String bad = Kueue.object(ApiKind.TOPOLOGY, HUB, "bad", "\"spec\":{}");

      assertThat(Poll.until(SOON, PAUSE, () -> create(api, bad).body().contains("spec.levels")))
          .as(create(api, bad).body())
          .isTrue();
      assertThat(create(api, Kueue.topology(HUB, "good", "rack")).status()).isEqualTo(201);
      assertThat(run(documented(CURL, made, port)).lines().filter(it -> it.matches("\\d{3}")))
          .containsExactly("401", "400");
      assertThat(doctor(cluster).code()).isZero();

      cluster.controlPlane().restartApiServer("--admission-control-config-file=");

      assertThat(create(api, Kueue.topology(HUB, "late", "rack")).body())
          .contains("failed calling webhook");
      Commands.Ran report = doctor(cluster);
      assertThat(report.code()).isEqualTo(1);
      assertThat(report.out()).contains("failed calling webhook");
    }
  }

  private static ApiClient.Response create(ApiClient api, String topology) {
    return api.create(Kueue.collection(ApiKind.TOPOLOGY, HUB), topology);
  }

  private static ServerOptions options(Path made, int port) {
    return ServerOptions.builder()
        .listeningOn(new ListenAddress("127.0.0.1", port), new ListenAddress("127.0.0.1", 0))
        .warmUp(Duration.ZERO)
        .clients(new ClientCheck(made.resolve("ca.crt"), Set.of("kube-apiserver"), false))
        .build();
  }

  private static Commands.Ran doctor(DevCluster cluster) {
    return Commands.run("doctor", "--kubeconfig", cluster.controlPlane().kubeconfig().toString());
  }

  /** What the documentation says, for our folder and port. */
  private static String documented(Pattern what, Path made, int port) throws IOException {
    Matcher found = what.matcher(Files.readString(DOCS));
    assertThat(found.find()).as("the recipe in " + DOCS).isTrue();
    return found
        .group(1)
        .replaceAll("(?m)^host=.*$", "host=127.0.0.1:" + port)
        .replace("127.0.0.1:9443", "127.0.0.1:" + port)
        .replace("/etc/kubernetes/sluice", made.toString());
  }

  /** Runs a script and gives back what it says. */
  private String run(String script) throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "script", ".out");
    Process shell =
        new ProcessBuilder("sh", "-c", script)
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(shell.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).as(script).isTrue();
    String said = Files.readString(out, UTF_8);
    assertThat(shell.exitValue()).as(said).isZero();
    return said;
  }
}
