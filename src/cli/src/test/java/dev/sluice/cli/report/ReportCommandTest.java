package dev.sluice.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
  private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

  @TempDir private Path folder;

  private Instant ago(int hours) {
    return now.minus(hours, ChronoUnit.HOURS);
  }

  /** Four GPUs for two hours, of a queue of three that may borrow; queued an hour before. */
  private List<String> lines() {
    String workload =
        "\"uid\":\"u\",\"namespace\":\"team-a\",\"name\":\"w\",\"series\":\"Job/train\",\"shape\":"
            + "\"4x(nvidia.com/gpu=1)\",\"queued\":\"%s\",\"clusterQueue\":\"gpus\",\"reserved\":\"%s\","
                .formatted(ago(5), ago(4))
            + "\"since\":\"%s\",\"admitted\":\"%s\",\"amounts\":{\"spot\":{\"nvidia.com/gpu\":4}}}"
                .formatted(ago(4), ago(4));
    return List.of(
        "{\"at\":\"%s\",\"step\":\"Quota\",\"cohort\":false,\"name\":\"gpus\",\"parent\":\"all\","
                .formatted(ago(90))
            + "\"nominal\":{\"spot\":{\"nvidia.com/gpu\":3}}}",
        "{\"at\":\"%s\",\"step\":\"Reserved\",%s".formatted(ago(4), workload),
        "{\"at\":\"%s\",\"step\":\"Finished\",%s".formatted(ago(2), workload));
  }

  private Path history() throws IOException {
    Path history = Files.createDirectories(folder.resolve("history"));
    Files.write(history.resolve("history-000000000001.jsonl"), lines());
    return history;
  }

  private static List<String> rows(Commands.Ran ran) {
    assertThat(ran.code()).as(ran.err()).isZero();
    return ran.out().lines().skip(1).map(it -> it.strip().replaceAll(" {2,}", "|")).toList();
  }

  @Test
  void readsAFolder() throws IOException {
    Commands.Ran ran = Commands.run("report", "-f", history().toString());

    assertThat(rows(ran))
        .containsExactly(
            "QUEUE|FLAVOR|RESOURCE|HELD|BORROWED|LENT|LOST|STARTED|WAIT P50|P90|P99|EVICTED",
            "gpus|spot|nvidia.com/gpu|8.0|2.0|0.0|0.0|1|60m|60m|60m|0");
  }

  @Test
  void showsOnlyOneResourceAndWhatItCosts() throws IOException {
    Path prices =
        Files.writeString(
            folder.resolve("prices.yaml"),
            "nvidia.com/gpu: 9 # of all others\nspot/nvidia.com/gpu: 1.5\n");

    Commands.Ran ran =
        Commands.run(
            "report",
            "-f",
            history().toString(),
            "--by",
            "owner",
            "--price",
            prices.toString(),
            "--resource",
            "nvidia.com/gpu");

    assertThat(rows(ran).getLast())
        .startsWith("team-a/Job/train|spot|nvidia.com/gpu|8.0|2.0|0.0|12.00");
    Commands.Ran other =
        Commands.run("report", "-f", history().toString(), "--resource", "cpu", "-o", "csv");
    assertThat(other.out()).hasLineCount(1);
  }

  @Test
  void asksTheServerPageByPage() throws IOException {
    String first =
        "{\"items\":[%s],\"next\":{\"segment\":-1,\"offset\":0,\"instance\":7}}"
            .formatted(lines().get(0));
    String last = "{\"items\":[%s,%s]}".formatted(lines().get(1), lines().get(2));
    AtomicInteger pages = new AtomicInteger();
    try (PlainServer server = PlainServer.start(_ -> pages.getAndIncrement() == 0 ? first : last)) {
      Commands.Ran ran =
          Commands.run(
              "report",
              "--by",
              "namespace",
              "-o",
              "csv",
              "--kubeconfig=" + server.kubeconfig(folder));

      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.out()).contains("team-a,spot,nvidia.com/gpu,8.000000,2.000000,");
      List<String> asked = new ArrayList<>(server.asked());
      assertThat(asked).hasSize(2);
      assertThat(asked.getLast()).endsWith("&segment=-1&offset=0&instance=7");
    }
  }

  @Test
  void wrongPricesAndTimesAreNamed() throws IOException {
    Path prices = Files.writeString(folder.resolve("p"), "\nnvidia.com/gpu: much\n");

    Commands.Ran ran =
        Commands.run("report", "-f", history().toString(), "--price", prices.toString());

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("p:2: 'nvidia.com/gpu: much' (expected:");
    assertThat(Commands.run("report", "--since", "soon").code()).isEqualTo(2);
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    Commands.Ran ran = Commands.run("report", "-f", folder.resolve("none").toString());

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("none").contains("expected: a folder");
  }

  @Test
  void aForecastIsASentence() throws IOException {
    String answer =
        """
        {"asOf":"2026-01-01T12:00:00Z","waits":true,"forecast":{"status":"Window",
        "from":"2026-01-01T12:10:00Z","likely":"2026-01-01T12:30:00Z",
        "until":"2026-01-01T13:05:00Z","score":{"starts":10,"within":8}}}
        """;
    try (PlainServer server = PlainServer.start(_ -> answer)) {
      Commands.Ran ran =
          Commands.run("forecast", "team-a/train", "--kubeconfig=" + server.kubeconfig(folder));

      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.out())
          .matches(
              "between \\d\\d:10 and \\d\\d:05, most likely \\d\\d:30; 8 of the last 10 starts were"
                  + " in their bands\\R");
    }
  }

  @Test
  void scoresAreATable() throws IOException {
    String answer =
        """
        {"items":[{"clusterQueue":"cq","starts":40,"within":33,"medianErrorSeconds":61.2,
        "pinballSeconds":30.0}]}
        """;
    try (PlainServer server = PlainServer.start(_ -> answer)) {
      Commands.Ran ran =
          Commands.run("forecast", "--score", "--kubeconfig=" + server.kubeconfig(folder));

      assertThat(ran.out().lines().map(it -> it.replaceAll(" {2,}", "|")))
          .containsExactly(
              "CLUSTERQUEUE|STARTS|WITHIN THE BAND|MEDIAN ERROR|PINBALL",
              "cq|40|33 (83 %)|61s|30s");
    }
  }
}
