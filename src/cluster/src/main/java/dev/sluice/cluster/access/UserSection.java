package dev.sluice.cluster.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.certs.CertificateProblem;
import dev.sluice.certs.ClientCertificate;
import dev.sluice.cluster.access.Renewed.Reading;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** A user of a kubeconfig. */
final class UserSection {
  private static final String CERTIFICATE = "client-certificate";
  private static final String KEY = "client-key";

  private final Section user;
  private final Section cluster;
  private final AccessEnvironment environment;

  UserSection(Section user, Section cluster, AccessEnvironment environment) {
    this.user = user;
    this.cluster = cluster;
    this.environment = environment;
  }

  /** The user's credentials; read again when files change or an exec plugin demands it. */
  Renewed<Credential> credential() {
    List<String> ways = ways();
    if (ways.size() > 1) {
      throw user.problem(
          ways.get(1), "stands beside " + ways.getFirst() + " (expected: only one of them)");
    }
    return switch (ways.isEmpty() ? "" : ways.getFirst()) {
      case "exec" -> exec();
      case "auth-provider" -> fixed(idToken());
      case "username" -> fixed(Optional.of(basic()));
      case "tokenFile" -> ofFiles(tokenFile());
      case "token" -> fixed(Optional.of(token()));
      default -> fixed(Optional.empty());
    };
  }

  /** All ways to log in that are there, beside a certificate. */
  private List<String> ways() {
    List<String> ways = new ArrayList<>();
    for (String way : List.of("exec", "auth-provider", "username", "tokenFile", "token")) {
      boolean second = way.equals("token") && ways.contains("tokenFile");
      if (user.has(way) && !second) {
        ways.add(way);
      }
    }
    return ways;
  }

  private Renewed<Credential> exec() {
    ExecPlugin plugin = new ExecPlugin(user.section("exec"), cluster, environment);
    return Renewed.read(plugin.name(), plugin::run, environment.clock());
  }

  private Renewed<Credential> fixed(Optional<String> authorization) {
    return pair().isPresent()
        ? ofFiles(() -> authorization)
        : Renewed.fixed(new Credential(authorization, Optional.empty()));
  }

  private interface Authorization {
    Optional<String> read();
  }

  private Renewed<Credential> ofFiles(Authorization authorization) {
    Optional<Pair> pair = pair();
    pair.ifPresent(it -> it.read().warnOutside(environment.clock().instant()));
    boolean changes = user.has("tokenFile") || pair.filter(Pair::changes).isPresent();
    return Renewed.read(
        "the credential of " + user.where(),
        () ->
            new Reading<>(
                new Credential(authorization.read(), pair.map(it -> it.read().certificate())),
                changes ? environment.clock().instant().plus(Renewed.FILE_AGE) : Instant.MAX),
        environment.clock());
  }

  private String token() {
    return Credential.bearer(
        Tokens.checked(user.text("token").orElse(""), what -> user.problem("token", what)));
  }

  private Authorization tokenFile() {
    String name =
        user.nonEmpty("tokenFile")
            .orElseThrow(() -> user.problem("tokenFile", "is empty (expected: a file)"));
    PemSource file = PemSource.file(user, "tokenFile", name);
    return () -> Optional.of(Credential.bearer(Tokens.checked(file.read(), file::problem)));
  }

  private String basic() {
    String name = user.text("username").orElse("");
    if (name.isEmpty() || name.contains(":")) {
      throw user.problem("username", "is no name of a user (expected: a text without a colon)");
    }
    String both = name + ":" + user.text("password").orElse("");
    return "Basic " + Base64.getEncoder().encodeToString(both.getBytes(UTF_8));
  }

  /** Tokens of OpenID Connect are used, not refreshed: nothing here may write to a kubeconfig. */
  private Optional<String> idToken() {
    Section provider = user.section("auth-provider");
    Section config = provider.section("config");
    if (!provider.nonEmpty("name").orElse("").equals("oidc") || !config.has("id-token")) {
      throw user.problem(
          "auth-provider", "is not supported (expected: exec, token, tokenFile or a certificate)");
    }
    String token = config.text("id-token").orElse("");
    return Optional.of(
        Credential.bearer(Tokens.checked(token, what -> config.problem("id-token", what))));
  }

  /** A certificate and its key; empty if neither is there. */
  private Optional<Pair> pair() {
    Optional<PemSource> certificate = PemSource.of(user, CERTIFICATE);
    Optional<PemSource> key = PemSource.of(user, KEY);
    if (certificate.isPresent() != key.isPresent()) {
      String missing = certificate.isPresent() ? KEY : CERTIFICATE;
      String given = certificate.isPresent() ? CERTIFICATE : KEY;
      throw user.problem(missing, "is missing beside " + given + " (expected: both)");
    }
    return certificate.map(it -> new Pair(it, key.orElseThrow()));
  }

  private record Pair(PemSource certificate, PemSource key) {
    boolean changes() {
      return certificate.changes() || key.changes();
    }

    Checked read() {
      List<X509Certificate> chain = certificate.read(ClientCertificate::certificates);
      PrivateKey privateKey = key.read(ClientCertificate::key);
      try {
        return new Checked(certificate, new ClientCertificate(chain, privateKey));
      } catch (CertificateProblem _) {
        throw key.problem(
            "does not belong to the certificate of " + CERTIFICATE + " (expected: its key)");
      }
    }
  }

  private record Checked(PemSource source, ClientCertificate certificate) {
    void warnOutside(Instant now) {
      Validities.warnOutside(source.where(), certificate.leaf(), now);
    }
  }
}
