package dev.sluice.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.certs.ServingCertificate;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.cli.testcluster.Pages;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import dev.sluice.controlplane.Ports;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Manifests;
import dev.sluice.manifests.Target;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Examinations of a real cluster, in which something is wrong each time. */
@FullTier
@NeedsControlPlane
@SuppressWarnings("NullAway.Init") // set before each test
final class DoctorE2E {
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  private static final String WEBHOOKS =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/";
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Pattern COUNT =
      Pattern.compile(
          "sluice_conversion_object_bytes_count\\{from=\"(.*?)\",kind=\"(.*?)\",result=\"success\","
              + "to=\"(.*?)\"\\} (\\S+)");
  private static final String TOPOLOGIES = CRDS + ApiKind.TOPOLOGY.crdName();

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private ApiClient client;

  @BeforeEach
  void heal() {
    client = CLUSTER.api();
    install(URI.create("https://127.0.0.1:" + CLUSTER.server().httpsPort()));
    storedVersions("\"v1beta2\"");
    for (ApiVersion version : ApiKind.TOPOLOGY.versions()) {
      String collection = "/apis/" + version.groupVersion() + "/topologies";
      client.await(collection, SOON, _ -> true);
    }
    assertThat(Poll.until(SOON, PAUSE, this::asksOurServer)).as("it is healed").isTrue();
  }

  /** The API server takes a moment to see whom to ask, for rules as well as for conversions. */
  private boolean asksOurServer() {
    return wouldTake(
            ApiKind.ADMISSION_CHECK,
            ApiVersion.HUB,
            Kueue.object(
                ApiKind.ADMISSION_CHECK,
                ApiVersion.HUB,
                "probe",
                "\"spec\":{\"controllerName\":\"example.com/probe\"}"))
        && wouldTake(
            ApiKind.TOPOLOGY,
            ApiVersion.V1ALPHA1,
            Kueue.topology(ApiVersion.V1ALPHA1, "probe", "rack"));
  }

  private boolean wouldTake(ApiKind kind, ApiVersion version, String object) {
    return client.create(Kueue.collection(kind, version) + "?dryRun=All", object).isSuccess();
  }

  /** The Lease tells what the scheduler plans; the registration tells what is suspended. */
  @Test
  void warnsOfAJobKindThatIsSuspendedAndThatTheSchedulerDoesNotPlan(@TempDir Path folder)
      throws IOException {
    String leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
    client
        .create(
            leases,
            """
            {"metadata":{"name":"c1f6bfd2.kueue.x-k8s.io","annotations":{
            "sluice.dev/scheduled-job-kinds":"pod",
            "sluice.dev/scheduler-feature-gates":"ConcurrentAdmission=true"}}}\
            """)
        .orThrow();
    Path file = folder.resolve("config.yaml");
    Files.writeString(
        file,
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        integrations: {frameworks: [pod]}
        """);
    try {
      Examined examined = doctor(CLUSTER.controlPlane().kubeconfig(), "--config=" + file);

      assertThat(examined.code()).isZero();
      assertThat(examined.findings("warning"))
          .extracting(it -> it.path("seen").asText())
          .contains(
              "job kind batch/job is on for admission only: its jobs are suspended, and nothing"
                  + " starts them",
              "feature gate ConcurrentAdmission=true is set for the scheduler only");
    } finally {
      client.delete(leases + "/c1f6bfd2.kueue.x-k8s.io").orThrow();
    }
  }

  @Test
  void saysWhichEnabledJobKindsTheClusterServes(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("config.yaml");
    Files.writeString(
        file,
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        integrations:
          frameworks: [batch/job, ray.io/rayjob]
        """);

    Examined examined = doctor(CLUSTER.controlPlane().kubeconfig(), "--config=" + file);

    assertThat(examined.findings("ok"))
        .anySatisfy(it -> assertThat(it.path("object").asText()).isEqualTo("job kind batch/job"));
    assertThat(examined.findings("warning"))
        .anySatisfy(
            it -> {
              assertThat(it.path("object").asText()).isEqualTo("job kind ray.io/rayjob");
              assertThat(it.path("seen").asText()).contains("does not serve RayJob");
            });
  }

  @Test
  void findsNothingWrongWithAHealthyCluster() {
    Examined examined = doctor();

    assertThat(examined.findings("warning", "error")).isEmpty();
    assertThat(examined.code()).isZero();
    assertThat(examined.out()).contains("6 version pairs converted", "serves v1alpha1");
  }

  /**
   * Also with no object stored; besides it asks the converter itself, so that each counts twice.
   */
  @Test
  void hasTheApiServerConvertEveryKindBetweenEveryTwoVersions() throws Exception {
    Map<String, Integer> before = conversions();

    Examined examined = doctor();

    Map<String, Integer> after = conversions();
    for (ApiKind kind : ApiKind.values()) {
      int versions = kind.versions().size();
      assertThat(examined.findings("ok"))
          .anySatisfy(
              finding -> {
                assertThat(finding.path("object").asText()).isEqualTo(kind.plural());
                assertThat(finding.path("seen").asText())
                    .isEqualTo(
                        versions * (versions - 1) + " version pairs pass through the API server");
              });
      if (isConvertedByUs(kind)) {
        for (String pair : pairs(kind)) {
          assertThat(after.getOrDefault(pair, 0) - before.getOrDefault(pair, 0))
              .as(pair)
              .isGreaterThanOrEqualTo(2);
        }
      }
    }
  }

  private static boolean isConvertedByUs(ApiKind kind) {
    return new Manifests().crd(kind).at("/spec/conversion/strategy").asText().equals("Webhook");
  }

  private static List<String> pairs(ApiKind kind) {
    return kind.versions().stream()
        .flatMap(
            from ->
                kind.versions().stream()
                    .filter(to -> to != from)
                    .map(to -> kind + " " + from + " " + to))
        .toList();
  }

  /** How many objects our server converted so far, by kind and versions. */
  private static Map<String, Integer> conversions() throws Exception {
    Map<String, Integer> counts = new TreeMap<>();
    COUNT
        .matcher(Pages.read(CLUSTER.server().httpPort(), "/metrics"))
        .results()
        .forEach(
            line ->
                counts.put(
                    line.group(2) + " " + line.group(1) + " " + line.group(3),
                    (int) Double.parseDouble(line.group(4))));
    return counts;
  }

  @Test
  void namesAServerWhoseCertificateHasExpired() throws Exception {
    InstantSource longAgo = InstantSource.fixed(Instant.now().minus(Duration.ofDays(400)));
    CertificateFolder certificates =
        CertificateFolder.open(
            CLUSTER.folder().resolve("expired"),
            List.of("127.0.0.1"),
            Lifetimes.DEFAULT,
            longAgo,
            new SecureRandom());
    HttpsServer server = listen(certificates.current());
    try {
      URI url = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
      install(url, certificates.caBundlePem());

      Examined examined = doctor();

      assertThat(examined.code()).isEqualTo(1);
      assertThat(examined.findings("error"))
          .anySatisfy(
              finding -> {
                assertThat(finding.path("object").asText()).isEqualTo(url.toString());
                assertThat(finding.path("seen").asText())
                    .contains("its certificate is not valid now", "NotAfter");
              })
          .anySatisfy(
              finding -> assertThat(finding.path("seen").asText()).contains("at v1alpha1", "x509"))
          .filteredOn(finding -> finding.path("seen").asText().matches(".*(not valid now|x509).*"))
          .allSatisfy(
              finding ->
                  assertThat(finding.path("remedy").asText()).contains("tls.crt and tls.key"));
    } finally {
      server.stop(0);
    }
  }

  private static HttpsServer listen(ServingCertificate certificate) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    Certificate[] chain = certificate.chain().toArray(Certificate[]::new);
    keys.setKeyEntry("server", certificate.key(), new char[0], chain);
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.start();
    return server;
  }

  @Test
  void namesACaBundleThatIsMissing() {
    client
        .jsonPatch(
            TOPOLOGIES,
            "[{\"op\":\"remove\",\"path\":\"/spec/conversion/webhook/clientConfig/caBundle\"}]")
        .orThrow();

    Examined examined = doctor();

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("error"))
        .anySatisfy(finding -> namesTheAuthority(finding, "caBundle is empty"));
  }

  private static void namesTheAuthority(JsonNode finding, String seen) {
    assertThat(finding.path("object").asText()).isEqualTo("crd/topologies.kueue.x-k8s.io");
    assertThat(finding.path("seen").asText()).contains(seen);
    assertThat(finding.path("remedy").asText()).contains("sluice install --ca-file");
  }

  @ParameterizedTest
  @CsvSource({"PT10M, 1, error", "-PT10M, 1, error", "PT2M, 0, warning", "PT0S, 0, ok"})
  void comparesTheClockWithThatOfTheApiServer(Duration ahead, int code, String level) {
    InstantSource clock = () -> Instant.now().plus(ahead);

    Examined examined =
        doctor(new CommandLine(new DoctorCommand(clock)), CLUSTER.controlPlane().kubeconfig());

    assertThat(examined.code()).isEqualTo(code);
    assertThat(examined.findings(level))
        .filteredOn(finding -> finding.path("object").asText().equals("clock"))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.path("remedy").asText().contains("NTP"))
                    .isEqualTo(!level.equals("ok")));
  }

  @Test
  void namesACaBundleThatBelongsToAnotherAuthority() {
    String other =
        Base64.getEncoder().encodeToString(CLUSTER.controlPlane().caPem().getBytes(UTF_8));
    client
        .mergePatch(
            TOPOLOGIES,
            "{\"spec\":{\"conversion\":{\"webhook\":{\"clientConfig\":{\"caBundle\":\"%s\"}}}}}"
                .formatted(other))
        .orThrow();

    Examined examined = doctor();

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("error"))
        .anySatisfy(finding -> namesTheAuthority(finding, "is not trusted by its caBundle"));
  }

  @Test
  void namesADefinitionThatIsMissing() {
    client.delete(TOPOLOGIES).orThrow();

    Examined examined = doctor();

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("error"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.path("object").asText())
                  .isEqualTo("crd/topologies.kueue.x-k8s.io");
              assertThat(finding.path("seen").asText()).isEqualTo("is missing");
              assertThat(finding.path("remedy").asText()).startsWith("sluice install");
            });
  }

  @Test
  void namesARegistrationThatIsMissing() {
    client.delete(WEBHOOKS + "sluice-validating").orThrow();

    Examined examined = doctor();

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("error"))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.path("object").asText())
                    .isEqualTo("validatingwebhookconfigurations/sluice-validating"));
  }

  @Test
  void warnsOfARegistrationThatLetsWritesThroughUnseen() {
    client
        .jsonPatch(
            WEBHOOKS + "sluice-validating",
            "[{\"op\":\"replace\",\"path\":\"/webhooks/0/failurePolicy\",\"value\":\"Ignore\"}]")
        .orThrow();

    Examined examined = doctor();

    assertThat(examined.code()).isZero();
    assertThat(examined.findings("warning"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.path("seen").asText()).contains("Ignore"));
  }

  /** As a server leaves it that has registered itself and was not called yet. */
  @Test
  void tellsOfARegistrationThatIsStillOnTrialInOneWarning() {
    String validating = WEBHOOKS + "sluice-validating";
    int webhooks = client.get(validating).orThrow().json().path("webhooks").size();
    String each =
        "{\"op\":\"replace\",\"path\":\"/webhooks/%d/failurePolicy\",\"value\":\"Ignore\"}";
    client
        .jsonPatch(
            validating,
            IntStream.range(0, webhooks)
                .mapToObj(each::formatted)
                .collect(Collectors.joining(",", "[", "]")))
        .orThrow();

    Examined examined = doctor();

    assertThat(examined.code()).isZero();
    assertThat(examined.findings("warning"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.path("seen").asText()).startsWith("is on trial"));
  }

  @Test
  void namesARegistrationThatAnUninstalledServerLeftBehindAndHowToRemoveIt() {
    client
        .jsonPatch(
            WEBHOOKS + "sluice-validating",
            """
            [{"op":"replace","path":"/webhooks/0/clientConfig","value":{"service":{
            "namespace":"gone","name":"sluice","path":"/validate"}}}]\
            """)
        .orThrow();

    Examined examined = doctor();

    client.delete(WEBHOOKS + "sluice-validating").orThrow(); // an apply would merge the two
    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("error"))
        .anySatisfy(
            finding -> {
              assertThat(finding.path("seen").asText())
                  .isEqualTo(
                      "calls the service gone/sluice, which does not exist: writes are refused");
              assertThat(finding.path("remedy").asText())
                  .contains("kubectl delete validatingwebhookconfiguration sluice-validating");
            });
  }

  @Test
  void sendsToMigrateWhatMayBeStoredAtOldVersions() {
    storedVersions("\"v1alpha1\",\"v1beta2\"");

    Examined examined = doctor();

    assertThat(examined.code()).isZero();
    assertThat(examined.findings("warning"))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.path("remedy").asText())
                    .startsWith("sluice migrate --kind Topology --kubeconfig "));
  }

  @Test
  void seesThatNobodyAnswersConversions() {
    install(URI.create("https://127.0.0.1:" + Ports.free()));

    Examined examined = doctor();

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("error"))
        .anySatisfy(
            finding -> {
              assertThat(finding.path("seen").asText())
                  .contains("at v1alpha1", "connection refused");
              assertThat(finding.path("remedy").asText()).contains("sluice serve");
            });
    assertThat(examined.findings("warning"))
        .anySatisfy(
            finding ->
                assertThat(finding.path("seen").asText()).contains("cannot be reached from here"));
  }

  @Test
  void hasOneFindingWhenTheApiServerIsDown() throws IOException {
    Examined examined = doctor(kubeconfig("https://127.0.0.1:" + Ports.free(), "any"));

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("ok", "warning", "error"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.path("seen").asText()).contains("cannot be reached");
              assertThat(finding.path("remedy").asText()).isNotEmpty();
            });
  }

  @Test
  void hasOneFindingWhenTheApiServerDoesNotKnowTheUser() throws IOException {
    Examined examined = doctor(kubeconfig(CLUSTER.controlPlane().server().toString(), "of-nobody"));

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("ok", "warning", "error"))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.path("seen").asText())
                    .contains("does not accept the credentials"));
  }

  @Test
  void saysWhatItMayNotLookAt() throws IOException {
    Path anonymous = kubeconfig(CLUSTER.controlPlane().server().toString(), "");

    Examined examined = doctor(anonymous);

    assertThat(examined.findings("error")).isEmpty();
    assertThat(examined.findings("warning"))
        .hasSizeGreaterThan(ApiKind.values().length)
        .allSatisfy(finding -> assertThat(finding.path("remedy").asText()).contains("rights"));
  }

  private record Examined(int code, String out, JsonNode tree) {
    Stream<JsonNode> findings(String... levels) {
      return StreamSupport.stream(tree.path("findings").spliterator(), false)
          .filter(finding -> Stream.of(levels).anyMatch(finding.path("level").asText()::equals));
    }
  }

  private Examined doctor() {
    return doctor(CLUSTER.controlPlane().kubeconfig());
  }

  private static Examined doctor(Path kubeconfig, String... more) {
    return doctor(new CommandLine(new DoctorCommand()), kubeconfig, more);
  }

  private static Examined doctor(CommandLine command, Path kubeconfig, String... more) {
    StringWriter out = new StringWriter();
    command.setOut(new PrintWriter(out)).setCaseInsensitiveEnumValuesAllowed(true);
    Stream<String> common = Stream.of("--kubeconfig=" + kubeconfig, "--timeout=30s", "-o", "json");
    int code = command.execute(Stream.concat(common, Stream.of(more)).toArray(String[]::new));
    try {
      return new Examined(code, out.toString(), new JsonMapper().readTree(out.toString()));
    } catch (IOException e) {
      throw new AssertionError(out.toString(), e);
    }
  }

  /** Applies the definition of Topology and the registration; the tests break nothing else. */
  private void install(URI url) {
    install(url, CLUSTER.server().caBundlePem());
  }

  private void install(URI url, String caBundlePem) {
    Installation installation = Installation.into(new Target.Url(url)).trusting(caBundlePem);
    for (ObjectNode document : installation.documents()) {
      String name = document.at("/metadata/name").asText();
      String kind = document.path("kind").asText();
      if (kind.endsWith("WebhookConfiguration")) {
        apply(WEBHOOKS.replace("validating", phase(kind)) + name, document);
      } else if (name.equals(ApiKind.TOPOLOGY.crdName())) {
        apply(TOPOLOGIES, document);
        client.awaitEstablished(name, SOON);
      }
    }
  }

  private static String phase(String kind) {
    return kind.startsWith("Mutating") ? "mutating" : "validating";
  }

  private void apply(String path, ObjectNode document) {
    client.serverSideApply(path, "sluice-install", document.toString()).orThrow();
  }

  private void storedVersions(String versions) {
    client
        .mergePatch(
            TOPOLOGIES + "/status", "{\"status\":{\"storedVersions\":[%s]}}".formatted(versions))
        .orThrow();
  }

  private Path kubeconfig(String server, String token) throws IOException {
    String user = token.isEmpty() ? "{}" : "{token: " + token + "}";
    return Files.writeString(
        Files.createTempFile(CLUSTER.folder(), "other", ".kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}]
        users: [{name: u, user: %s}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(
                server,
                Base64.getEncoder().encodeToString(CLUSTER.controlPlane().caPem().getBytes(UTF_8)),
                user));
  }
}
