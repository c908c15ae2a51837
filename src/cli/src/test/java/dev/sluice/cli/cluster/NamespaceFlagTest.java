package dev.sluice.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The namespace that commands about one object ask for. */
class NamespaceFlagTest {
  @TempDir private Path folder;

  /** What is asked of a cluster whose context names namespace team-c. */
  private List<String> asked(String line, int code) throws IOException {
    try (PlainServer server = PlainServer.start(_ -> "{}")) {
      Path file = server.kubeconfig(folder);
      String text = Files.readString(file).replace("user: me}", "user: me, namespace: team-c}");
      Files.writeString(file, text);
      List<String> args = new ArrayList<>(List.of(line.split(" ")));
      args.add("--kubeconfig=" + file);
      Commands.Ran ran = Commands.run(args.toArray(String[]::new));
      assertThat(ran.code()).as(ran.err()).isEqualTo(code);
      return server.asked();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "history train, team-c",
    "history train -n team-a, team-a",
    "history team-a/train, team-a",
    "history team-a/train -n team-a, team-a",
    "forecast train, team-c",
    "queue main, team-c",
    "queue main -n team-a, team-a",
    "stop localqueue main --dry-run client, team-c",
  })
  void isThatOfTheCommandLineAndElseThatOfTheContext(String line, String namespace)
      throws IOException {
    assertThat(asked(line, 0)).first().asString().contains("/namespaces/" + namespace + "/");
  }

  @ParameterizedTest
  @CsvSource({
    "history team-a/train -n team-b",
    "history a/b/c",
    "history /train",
    "forecast team-a/"
  })
  void isNamedOnce(String line) throws IOException {
    assertThat(asked(line, 2)).isEmpty();
  }

  @Test
  void twoNamespacesAreWrongUsage() {
    Commands.Ran ran = Commands.run("history", "team-a/train", "-n", "team-b");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("team-a/train: -n names namespace team-b (expected: the same)");
  }
}
