package dev.sluice.cli.installed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.process.Release;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.Poll;
import dev.sluice.controlplane.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Two servers that share an authority, as processes behind one address, with a control plane that
 * knows them by it. One thread starts and stops servers; others may look, and replace authorities.
 */
final class Replicas implements AutoCloseable {
  static final String SECRET = "/api/v1/namespaces/sluice-system/secrets/sluice-webhook-authority";
  static final String CRD =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/topologies.kueue.x-k8s.io";
  static final String MUTATING =
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/sluice-mutating";

  static final int NUMBER = 2;
  private static final Duration SOON = Duration.ofMinutes(4);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final String STORED = "stored";

  private final Path folder;
  private final ControlPlane controlPlane;
  private final ApiClient api;
  private final List<Balancer.Server> servers = new ArrayList<>();
  private final List<SluiceProcess> processes = new CopyOnWriteArrayList<>();
  private final List<SluiceProcess> ended = new CopyOnWriteArrayList<>();
  private final Balancer balancer;
  private final Path account;
  private volatile String lastProblem = "";

  private Replicas(Path folder, Release release, String... flags) throws IOException {
    this.folder = folder;
    this.controlPlane =
        ControlPlane.start(
            ControlPlane.Options.apiServer().withDirectory(folder.resolve("control-plane")));
    this.api = controlPlane.client();
    for (int i = 0; i < NUMBER; i++) {
      servers.add(new Balancer.Server(Ports.free(), Ports.free()));
    }
    this.balancer = new Balancer(servers);
    Printed.apply(api, Printed.leadingTo(url()));
    this.account =
        Printed.kubeconfig(
            controlPlane,
            api.serviceAccountToken("sluice-system", "sluice-webhook"),
            folder.resolve("account.kubeconfig"));
    for (int i = 0; i < NUMBER; i++) {
      processes.add(launch(i, release, flags));
    }
  }

  /**
   * Starts all, both servers at once, and returns when both are trusted and asked.
   *
   * @param flags of both servers, beside those that they need
   */
  static Replicas start(Path folder, String... flags) throws IOException {
    return start(folder, Release.of("0.1.0", folder), flags);
  }

  /** The same with servers of that release. */
  static Replicas start(Path folder, Release release, String... flags) throws IOException {
    Replicas replicas = new Replicas(folder, release, flags);
    try {
      replicas.awaitHealthy();
      Kueue.create(replicas.api, ApiKind.TOPOLOGY, STORED, "{\"levels\":[{\"nodeLabel\":\"r\"}]}")
          .orThrow();
      return replicas;
    } catch (RuntimeException | AssertionError e) {
      replicas.close();
      throw e;
    }
  }

  private String url() {
    return "https://127.0.0.1:" + balancer.port();
  }

  private SluiceProcess launch(int index, Release release, String... flags) throws IOException {
    List<String> args =
        new ArrayList<>(
            List.of(
                "serve",
                "--register",
                "--url=" + url(),
                "--kubeconfig=" + account,
                "--shared-certificates=sluice-webhook-authority",
                "--host=127.0.0.1",
                "--port=" + servers.get(index).port(),
                "--http-port=" + servers.get(index).pages(),
                "--warm-up=0s",
                "--drain-delay=2s"));
    args.addAll(List.of(flags));
    return SluiceProcess.startRelease(release, folder, args.toArray(new String[0]));
  }

  ControlPlane controlPlane() {
    return controlPlane;
  }

  ApiClient api() {
    return api;
  }

  SluiceProcess process(int index) {
    return processes.get(index);
  }

  /** The port of a server's pages. */
  int pages(int index) {
    return servers.get(index).pages();
  }

  /** Ends all connections to servers; the next ones go to other servers than these did. */
  void endConnections() {
    balancer.endConnections();
  }

  /** The address of all. */
  int port() {
    return balancer.port();
  }

  /** Stops a server as a rollout does, and starts one of that release in its place. */
  void roll(int index, Release release, List<String> flags)
      throws IOException, InterruptedException {
    SluiceProcess before = process(index);
    before.terminate(SOON);
    await("no call goes to a server that has ended", () -> !balancer.isReady(index));
    processes.set(index, launch(index, release, flags.toArray(new String[0])));
    ended.add(before);
    await("a new server is ready", () -> balancer.isReady(index));
  }

  void kill(int index) {
    process(index).kill();
    await("no call goes to a server that was killed", () -> !balancer.isReady(index));
  }

  /** Kills a server, if it lives, and starts it again with the same flags. */
  void revive(int index) throws IOException {
    kill(index);
    process(index).restart();
    await("a killed server is back", () -> balancer.isReady(index));
  }

  void awaitHealthy() {
    await("both servers are trusted, and reviews are asked for", this::isHealthy);
  }

  /** Whether new connections to both are trusted, and the API server asks for reviews. */
  boolean isHealthy() {
    return isEffective()
        && servers.stream().allMatch(server -> isTrusted(Set.of(), server.port()))
        && readsAnotherVersion().isSuccess();
  }

  /** Asks for a new authority, and waits until both servers show certificates of it. */
  void replaceAuthority(String request) throws GeneralSecurityException {
    Set<X509Certificate> known = new HashSet<>(bundle());
    requestAuthority(request);
    awaitAuthorityBeside(known);
  }

  void requestAuthority(String request) {
    api.mergePatch(
            SECRET,
            "{\"metadata\":{\"annotations\":{\"sluice.dev/new-authority\":\"%s\"}}}"
                .formatted(request))
        .orThrow();
  }

  /** Waits until both servers show certificates of an authority that is none of these. */
  void awaitAuthorityBeside(Set<X509Certificate> known) {
    for (Balancer.Server server : servers) {
      await("a certificate of the new authority", () -> isTrusted(known, server.port()));
    }
  }

  /** Whether a client would trust what is served there by what is published beside these. */
  private boolean isTrusted(Set<X509Certificate> known, int port) {
    try {
      List<X509Certificate> authorities = new ArrayList<>(bundle());
      authorities.removeAll(known);
      Optional<String> problem = Handshakes.problem(authorities, port);
      problem.ifPresent(it -> lastProblem = it);
      return !authorities.isEmpty() && problem.isEmpty();
    } catch (GeneralSecurityException e) {
      lastProblem = e.toString();
      return false;
    }
  }

  /** The certificates that the API server trusts for conversions. */
  List<X509Certificate> bundle() throws GeneralSecurityException {
    return Handshakes.certificates(encodedBundle());
  }

  String encodedBundle() {
    return api.get(CRD)
        .orThrow()
        .json()
        .at("/spec/conversion/webhook/clientConfig/caBundle")
        .asText();
  }

  /** How often something else was written into the definition than its status. */
  long changes() {
    return api.get(CRD).orThrow().json().at("/metadata/generation").asLong();
  }

  /** The Secret's data. */
  JsonNode stored() {
    return api.get(SECRET).orThrow().json().path("data");
  }

  /** A write that is sent to a server. */
  ApiClient.Response createsAJob() {
    return api.create(
        "/apis/batch/v1/namespaces/default/jobs?dryRun=All",
        """
        {"apiVersion":"batch/v1","kind":"Job","metadata":{"generateName":"j-"},"spec":{"template":{
        "spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}\
        """);
  }

  /** A read that is converted by a server. */
  ApiClient.Response readsAnotherVersion() {
    return api.get(Kueue.collection(ApiKind.TOPOLOGY, ApiVersion.V1ALPHA1));
  }

  private boolean isEffective() {
    ApiClient.Response found = api.get(MUTATING);
    return createsAJob().isSuccess()
        && found.isSuccess()
        && !found.json().findValuesAsText("failurePolicy").contains("Ignore");
  }

  /** How many certificates the servers have put in place of others so far, in all lives. */
  int rotations() {
    return Stream.concat(processes.stream(), ended.stream())
        .mapToInt(it -> (it.out() + it.err()).split("serving a new certificate", -1).length - 1)
        .sum();
  }

  void await(String what, BooleanSupplier condition) {
    await(what, SOON, condition);
  }

  void await(String what, Duration bound, BooleanSupplier condition) {
    assertThat(Poll.until(bound, PAUSE, condition)).as(() -> what + "; " + tails()).isTrue();
  }

  /** The last problem of a connection, and the latest lines of both servers. */
  String tails() {
    StringBuilder text = new StringBuilder(lastProblem);
    processes.forEach(it -> text.append("\n---\n").append(it.tail()));
    return text.toString();
  }

  /** Ends the servers and leaves the control plane. */
  void killAll() {
    processes.forEach(SluiceProcess::kill);
  }

  /** Text in a file, for flags. */
  Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Override
  public void close() {
    processes.forEach(SluiceProcess::close);
    try {
      balancer.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } finally {
      controlPlane.close();
    }
  }
}
