package dev.sluice.cli.doctor.multikueue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What doctor says of the kubeconfigs of workers holds nothing that a user must not see. */
class MultiKueueCheckTest {
  /** What every secret here begins with. */
  private static final String PLANTED = "planted-";

  private static String kubeconfig(String user, String cluster) {
    return """
    apiVersion: v1
    kind: Config
    clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"%s}}]
    users: [{name: u, user: %s}]
    contexts: [{name: x, context: {cluster: c, user: u}}]
    current-context: x
    """
        .formatted(cluster, user);
  }

  private static final List<String> KUBECONFIGS =
      List.of(
          kubeconfig("{token: planted-unreachable}", ""),
          kubeconfig("{token: planted-t}", ", proxy-url: \"http://u:planted-proxy@127.0.0.1:1\""),
          kubeconfig("{token: planted-t}", ", proxy-url: \"ftp://u:planted-ftp@127.0.0.1:1\""),
          kubeconfig("{token: \"planted-\\u0001control\"}", ""),
          kubeconfig("{username: admin, password: planted-password}", ""),
          kubeconfig("{client-certificate-data: cGxhbnRlZC1h, client-key-data: cGxhbnRlZC1i}", ""),
          kubeconfig("{token: planted-open", ""),
          "planted-text");

  private static String answer(String path) {
    if (path.endsWith("/multikueueclusters")) {
      return IntStream.range(0, KUBECONFIGS.size())
          .mapToObj(
              it ->
                  """
                  {"metadata":{"name":"w%1$d"},"spec":{"clusterSource":{"kubeConfig":{
                  "locationType":"Secret","location":"w%1$d"}}}}\
                  """
                      .formatted(it))
          .collect(Collectors.joining(",", "{\"items\":[", "]}"));
    }
    if (path.contains("/secrets/w")) {
      String text = KUBECONFIGS.get(Integer.parseInt(path.substring(path.length() - 1)));
      return "{\"data\":{\"kubeconfig\":\"%s\"}}"
          .formatted(Base64.getEncoder().encodeToString(text.getBytes(UTF_8)));
    }
    return path.endsWith("/kube-system") ? "{\"metadata\":{\"uid\":\"us\"}}" : "{\"items\":[]}";
  }

  @Test
  void noSecretOfAKubeconfigIsInAFinding(@TempDir Path folder) throws IOException {
    Findings findings = new Findings();
    Duration bound = Duration.ofSeconds(30);
    try (PlainServer manager = PlainServer.start(MultiKueueCheckTest::answer);
        ApiServer server = ApiServer.to(ClusterAccess.of(manager.kubeconfig(folder)))) {
      new MultiKueueCheck(
              new Cluster(server, bound),
              bound,
              MultiKueueCheck.Manager.of(Configuration.defaults("home"), Extensions.DEFAULT))
          .check(findings);
    }

    assertThat(findings.text()).contains("worker w0").doesNotContain(PLANTED);
  }
}
