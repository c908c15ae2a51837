package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.Commands.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Help, wrong usage, and the commands {@code validate} and {@code install}. */
class CommandsTest {
  private static final String BAD =
      """
      apiVersion: kueue.x-k8s.io/v1alpha1
      kind: Topology
      metadata:
        name: racks
      spec:
        levels:
        - nodeLabel: kubernetes.io/hostname
        - nodeLabel: rack
        - nodeLabel: rack
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: Cohort
      metadata:
        name: self
      spec:
        parentName: self
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run",
        "serve",
        "convert",
        "validate",
        "install",
        "image",
        "multikueue",
        "dev-cluster",
        "completion"
      })
  void everyCommandHelpsWithAnExampleAndExitCodes(String command) {
    Ran ran = Commands.run(command, "--help");

    assertThat(ran.code()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .contains("Examples:", "  sluice " + command, "Exit codes:", "wrong usage");
  }

  @ParameterizedTest
  @ValueSource(strings = {"convrt", "convrt --help", "convrt --version", "--help convrt"})
  void anUnknownCommandIsWrongUsageAndAnsweredWithTheOneThatWasMeant(String args) {
    Ran ran = Commands.run(args.split(" "));

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains("convrt", "Did you mean", "convert", "See sluice --help.");
  }

  @Test
  void aFileWithoutItsFlagIsToldThatFlag() throws IOException {
    Path file = Files.writeString(folder.resolve("queue.yaml"), "");

    Ran ran = Commands.run("validate", file.toString());

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err())
        .contains(
            "--filename=FILE", "Did you mean -f " + file + "?", "See sluice validate --help.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "run --max-body x|--max-body",
        "run --max-body 0|--max-body",
        "run --max-in-flight 1.5|--max-in-flight",
        "run --idle-timeout 5x|--idle-timeout",
        "run --port abc|--port",
        "run --port 70000|port",
        "run --http-port -1|port",
        "run --max-concurrent 0|oncurrent",
        "run --log-level loud|--log-level",
        "run extra|extra",
        "serve --service nothing|--service",
        "serve --service Upper/case|--service",
        "serve --drain-delay soon|--drain-delay",
        "convert -f x --to v2|--to",
        "convert -f x|--to",
        "convert --to v1beta2|--filename",
        "validate|--filename",
        "validate -f x -o csv|--output",
        "install --url http://10.0.0.1|https://HOST",
        "install --url nonsense|https://HOST",
        "install --url https://a --service b/c|mutually exclusive",
        "install --namespace a --service b/c|mutually exclusive",
        "install --namespace Upper|namespace: Upper (expected: a DNS label)",
        "install --kubeconfig some|--diff",
        "install --ca-file a --data b|--ca-file and --data",
        "install --replicas 0|replicas: 0 (expected: at least 1)",
        "serve --register --no-inject|--register and --no-inject",
        "serve --url https://a|--url (expected: beside --register)",
        "serve --register --url http://a|https://HOST",
        "serve --shared-certificates a --cert-dir b|--shared-certificates (expected: without",
        "multikueue kubeconfig --duration 1m|--duration",
        "image --application . --arch sparc|--arch",
        "image --application . --arch arm64|arm64",
        "image --application . --name UPPER|--name",
        "image --application . -o|--output-file",
        "image|--application",
        "dev-cluster --nodes -1|--nodes",
        "dev-cluster --nodes 1000000|--nodes"
      })
  void wrongUsageIsOneSentenceThatNamesTheFlag(String line, String named) {
    Ran ran = Commands.run(line.split(" ", -1));

    assertThat(ran.code()).as(ran.err()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).startsWith("sluice: ").contains(named, "--help.");
    assertThat(ran.err().lines().count()).isLessThanOrEqualTo(3);
  }

  @Test
  void validateSaysAllFindingsAtOnceWithTheLineOfTheField() {
    Ran ran = Commands.runWith(BAD, "validate", "-f", "-");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out().lines())
        .anySatisfy(l -> assertThat(l).startsWith("stdin:6: Topology \"racks\": spec.levels: "))
        .anySatisfy(l -> assertThat(l).startsWith("stdin:7: Topology \"racks\": spec.levels[0]"))
        .anySatisfy(l -> assertThat(l).startsWith("stdin:9: Topology \"racks\": spec.levels[2]"))
        .anySatisfy(l -> assertThat(l).startsWith("stdin:16: Cohort \"self\": spec.parentName"))
        .hasSize(5); // rules in CEL speak of the list, ours of the item
    assertThat(ran.err()).contains("2 objects checked: 5 violations, 0 warnings");
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "yaml"})
  void validateWritesFindingsForPrograms(String format) throws IOException {
    Ran ran = Commands.runWith(BAD, "validate", "-f", "-", "-o", format);

    assertThat(ran.code()).isEqualTo(1);
    if (format.equals("json")) {
      JsonNode findings = new JsonMapper().readTree(ran.out());
      assertThat(findings).hasSize(5);
      assertThat(findings.get(4).path("field").asText()).isEqualTo("spec.parentName");
      assertThat(findings.get(4).path("place").asText()).isEqualTo("stdin:16");
    } else {
      assertThat(ran.out()).contains("field: spec.parentName", "severity: error");
    }
  }

  @Test
  void validateTreatsWhatIsStoredAsUpdated() throws IOException {
    Path old = Files.writeString(folder.resolve("old.yaml"), BAD);

    Ran kept = Commands.runWith(BAD, "validate", "-f", "-", "--old", old.toString());
    Ran changed =
        Commands.runWith(
            BAD.replace("nodeLabel: rack\n", "nodeLabel: row\n"),
            "validate",
            "-f",
            "-",
            "--old",
            old.toString());

    assertThat(kept.code()).as(kept.out()).isZero();
    assertThat(kept.out()).contains("warning: ");
    assertThat(changed.code()).isEqualTo(1);
    assertThat(changed.out()).contains("levels cannot be changed in this version");
  }

  @Test
  void validateAcceptsGoodObjectsAndPassesOverForeignOnes() {
    Ran ran =
        Commands.runWith(
            "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}", "validate", "-f", "-", "-o", "json");

    assertThat(ran.code()).isZero();
    assertThat(ran.out().strip()).isIn("[ ]", "[]");
    assertThat(ran.err()).contains("0 objects checked");
  }

  @Test
  void installLeadsToTheServiceOrTheUrl() {
    Ran service = Commands.run("install", "--service", "queues/gate:8443");
    Ran url = Commands.run("install", "--url", "https://10.0.0.7:9443");

    assertThat(service.code()).isZero();
    assertThat(service.out())
        .contains("kind: Namespace", "name: gate", "namespace: queues", "port: 8443")
        .doesNotContain("caBundle");
    assertThat(url.code()).isZero();
    assertThat(url.out())
        .contains("https://10.0.0.7:9443/convert")
        .doesNotContain("kind: Deployment", "caBundle");
  }

  @Test
  void installMovesEverythingIntoTheNamespace() {
    Ran moved = Commands.run("install", "--namespace", "queues");

    assertThat(moved.code()).as(moved.err()).isZero();
    assertThat(moved.out())
        .isEqualTo(Commands.run("install", "--service", "queues/sluice-webhook").out())
        .contains("namespace: queues", "--service=queues/sluice-webhook")
        .doesNotContain("sluice-system");
  }

  @Test
  void installAddsCertManagersObjectsOnlyIfAskedTo() {
    Ran with = Commands.run("install", "--cert-manager");
    Ran without = Commands.run("install", "--cert-manager=false");

    assertThat(with.out()).contains("cert-manager.io/v1", "--cert-dir=");
    assertThat(without.code()).as(without.err()).isZero();
    assertThat(without.out()).isEqualTo(Commands.run("install").out()).contains("--shared-cert");
  }

  @Test
  void installTrustsTheAuthorityOfTheDataFolderOrTheFile() throws IOException {
    String data = folder.resolve("data").toString();
    Ran own = Commands.run("install", "--url", "https://a.example", "--data", data, "-o", "json");
    String pem = Files.readString(Path.of(data, "certs", "ca.crt"));
    Path file = Files.writeString(folder.resolve("ca.pem"), pem);
    Ran given =
        Commands.run("install", "--url", "https://a.example", "--ca-file", file + "", "-o", "json");
    Ran missing = Commands.run("install", "--ca-file", "no/such.pem");
    Path text = Files.writeString(folder.resolve("no.pem"), "hello");
    Ran nonsense = Commands.run("install", "--ca-file", text.toString());

    assertThat(own.out()).isEqualTo(given.out()).contains("\"caBundle\"");
    assertThat(new JsonMapper().readTree(own.out()).path("items"))
        .hasSize(ApiKind.values().length + 2); // every definition, and both registrations
    assertThat(missing.code()).isEqualTo(1);
    assertThat(missing.err()).contains("no/such.pem");
    assertThat(nonsense.code()).isNotZero();
    assertThat(nonsense.err()).contains("PEM").doesNotContain("hello");
  }
}
