package dev.sluice.cluster.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.certs.CertificateProblem;
import dev.sluice.certs.ClientCertificate;
import dev.sluice.cluster.access.Renewed.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program that prints a credential: an ExecCredential of {@code client.authentication.k8s.io}.
 * Never interactive; what the program writes to standard error goes to ours.
 */
final class ExecPlugin {
  private static final ObjectMapper JSON = new JsonMapper();
  private static final String GROUP = "client.authentication.k8s.io/";
  private static final int LARGEST = 1 << 20;
  private static final long PATIENCE_SECONDS = 30;
  private static final long OUTPUT_SECONDS = 5;
  private static final Duration LEAST_AGE = Duration.ofSeconds(10);

  private final Section exec;
  private final Section cluster;
  private final AccessEnvironment environment;
  private final String command;

  ExecPlugin(Section exec, Section cluster, AccessEnvironment environment) {
    this.exec = exec;
    this.cluster = cluster;
    this.environment = environment;
    this.command =
        exec.nonEmpty("command")
            .orElseThrow(() -> exec.problem("command", "is missing (expected: a program)"));
    if (!version().startsWith(GROUP)) {
      throw exec.problem("apiVersion", "is not supported (expected: " + GROUP + "v1 or v1beta1)");
    }
    if (exec.nonEmpty("interactiveMode").orElse("").equals("Always")) {
      throw exec.problem("interactiveMode", "Always is not supported (expected: Never)");
    }
  }

  private String version() {
    return exec.nonEmpty("apiVersion").orElse("");
  }

  /** What it is, for the log. */
  String name() {
    return "the credential of the exec plugin " + command;
  }

  /** Runs the program; waits for it at most half a minute. */
  Reading<Credential> run() {
    Process process = start();
    CompletableFuture<byte[]> printed =
        CompletableFuture.supplyAsync(() -> read(process), ExecPlugin::startThread);
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw problem("did not end within " + PATIENCE_SECONDS + " s");
      }
      if (process.exitValue() != 0) {
        throw problem("ended with exit code " + process.exitValue() + hint());
      }
      return credential(printed.get(OUTPUT_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException e) {
      throw problem("printed nothing that can be read");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw problem("was interrupted");
    } finally {
      process.destroyForcibly();
    }
  }

  private static void startThread(Runnable task) {
    Thread.ofVirtual().name("sluice-exec-plugin").start(task);
  }

  private Process start() {
    List<String> line = new ArrayList<>();
    line.add(program());
    line.addAll(exec.texts("args"));
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    for (Section variable : exec.sections("env")) {
      builder
          .environment()
          .put(variable.text("name").orElse(""), variable.text("value").orElse(""));
    }
    builder.environment().put("KUBERNETES_EXEC_INFO", request().toString());
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      return process;
    } catch (IOException | IllegalArgumentException e) {
      throw problem("cannot be started" + hint());
    }
  }

  /** A name with a slash counts from the folder of the kubeconfig, others from the PATH. */
  private String program() {
    Path folder = exec.file().toAbsolutePath().getParent();
    return folder != null && command.contains("/") ? folder.resolve(command).toString() : command;
  }

  private ObjectNode request() {
    ObjectNode request = JSON.createObjectNode();
    request.put("apiVersion", version()).put("kind", "ExecCredential");
    ObjectNode spec = request.putObject("spec").put("interactive", false);
    if (exec.flag("provideClusterInfo")) {
      ObjectNode info = spec.putObject("cluster");
      cluster.nonEmpty("server").ifPresent(it -> info.put("server", it));
      cluster.nonEmpty("tls-server-name").ifPresent(it -> info.put("tls-server-name", it));
      info.put("insecure-skip-tls-verify", cluster.flag("insecure-skip-tls-verify"));
      PemSource.of(cluster, "certificate-authority")
          .ifPresent(it -> info.put("certificate-authority-data", encoded(it.read())));
    }
    return request;
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static byte[] read(Process process) {
    try (InputStream out = process.getInputStream()) {
      byte[] printed = out.readNBytes(LARGEST + 1);
      if (printed.length > LARGEST) {
        process.destroyForcibly();
        throw new IOException("too much");
      }
      return printed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Reading<Credential> credential(byte[] printed) {
    JsonNode status = status(printed);
    Optional<String> token =
        optional(status, "token").map(it -> Credential.bearer(Tokens.checked(it, this::problem)));
    Optional<ClientCertificate> certificate = certificate(status);
    if (token.isEmpty() && certificate.isEmpty()) {
      throw problem("gave neither a token nor a certificate");
    }
    return new Reading<>(new Credential(token, certificate), expiration(status));
  }

  private JsonNode status(byte[] printed) {
    try {
      JsonNode answer = JSON.readTree(printed);
      if (answer.path("kind").asText().equals("ExecCredential")
          && answer.path("apiVersion").asText().equals(version())) {
        return answer.path("status");
      }
    } catch (JsonProcessingException _) {
      // said below: its own words may repeat a secret
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw problem("printed no ExecCredential of " + version());
  }

  private Optional<ClientCertificate> certificate(JsonNode status) {
    Optional<String> chain = optional(status, "clientCertificateData");
    Optional<String> key = optional(status, "clientKeyData");
    if (chain.isPresent() != key.isPresent()) {
      throw problem("gave a certificate without its key, or a key without its certificate");
    }
    try {
      return chain.map(
          pem ->
              new ClientCertificate(
                  ClientCertificate.certificates(pem), ClientCertificate.key(key.orElseThrow())));
    } catch (CertificateProblem e) {
      throw problem("gave a certificate or key that cannot be used: " + e.getMessage());
    }
  }

  /** A credential that is already expired is still used for a moment: clocks differ. */
  private Instant expiration(JsonNode status) {
    Instant least = environment.clock().instant().plus(LEAST_AGE);
    try {
      Instant until =
          optional(status, "expirationTimestamp").map(Instant::parse).orElse(Instant.MAX);
      return until.isAfter(least) ? until : least;
    } catch (DateTimeParseException _) {
      return least;
    }
  }

  private static Optional<String> optional(JsonNode status, String field) {
    return Optional.of(status.path(field).asText()).filter(text -> !text.isBlank());
  }

  private String hint() {
    return exec.nonEmpty("installHint")
        .map(hint -> ": " + hint.strip().replaceAll("\\s+", " "))
        .orElse("");
  }

  private AccessException problem(String what) {
    return exec.problem("command", command + " " + what);
  }
}
