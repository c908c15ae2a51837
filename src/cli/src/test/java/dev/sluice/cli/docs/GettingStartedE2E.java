package dev.sluice.cli.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cli.process.Shell;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * A newcomer types the commands of "On a laptop", line by line, into two terminals. The line of
 * {@code sluice run} is left to {@code RunIT}, which looks at its ports, too.
 */
@FullTier
@NeedsControlPlane
@EnabledIf(value = "hasKubectl", disabledReason = "kubectl is not on the PATH")
class GettingStartedE2E {
  private static final String DEV_CLUSTER = "./sluice dev-cluster";
  private static final Set<String> SERVING = Set.of("./sluice run", DEV_CLUSTER);
  private static final Pattern HAS_QUOTA =
      Pattern.compile("It has (?:quota and its pods may run|ended)\\.");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;

  static boolean hasKubectl() {
    return Shell.has("kubectl");
  }

  @Test
  void everyLineOfTheLaptopPageWorksAndItsJobGetsQuota() throws Exception {
    Files.createSymbolicLink(folder.resolve("manifests"), Page.ROOT.resolve("manifests"));
    writeLauncher();
    List<String> lines = Page.read(Page.ROOT.resolve("docs/getting-started/laptop.md")).commands();
    assertThat(lines).containsOnlyOnce(DEV_CLUSTER);
    int cluster = lines.indexOf(DEV_CLUSTER);

    for (String line : lines.subList(0, cluster)) {
      if (!SERVING.contains(line)) {
        type(line, Map.of());
      }
    }
    assertThat(folder.resolve("usage.svg")).isNotEmptyFile();

    try (var running =
        SluiceProcess.start(folder, "dev-cluster", "--data", folder.resolve("data").toString())) {
      running.awaitOut("export KUBECONFIG=").awaitOut("health ");
      Map<String, String> terminal = Map.of("KUBECONFIG", running.printedKubeconfig());
      String said = "";
      for (String line : lines.subList(cluster + 1, lines.size())) {
        said = type(line, terminal);
      }
      assertThat(said).startsWith("Workload default/").containsPattern(HAS_QUOTA);
    }
  }

  /** Replaces the launcher, which would rebuild stale modules, by the program under test. */
  private void writeLauncher() throws IOException {
    Path launcher = folder.resolve("sluice");
    Files.writeString(
        launcher, "#!/bin/sh\nexec %s \"$@\"\n".formatted(SluiceProcess.commandLine()), UTF_8);
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
  }

  /** Types it until it succeeds: a person is slower than the controllers of a cluster. */
  private String type(String line, Map<String, String> terminal) {
    return await(line)
        .atMost(PATIENCE)
        .until(() -> Shell.run(terminal, folder, "bash", "-c", line), ran -> hasWorked(line, ran))
        .out();
  }

  private static boolean hasWorked(String line, Shell.Ran ran) {
    boolean isQuestion = line.startsWith("./sluice explain");
    return ran.code() == 0 && (!isQuestion || HAS_QUOTA.matcher(ran.out()).find());
  }
}
