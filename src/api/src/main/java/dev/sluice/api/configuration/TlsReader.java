package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.Problem.Type.FORBIDDEN;
import static dev.sluice.api.configuration.Problem.Type.NOT_SUPPORTED;
import static dev.sluice.api.configuration.Problem.Type.WARNING;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Manager.Tls;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads how TLS is spoken: the names are those of Go, what comes of them has those of the JDK. */
final class TlsReader {
  private static final String TLS13 = "VersionTLS13";
  private static final List<String> VERSIONS =
      List.of("VersionTLS12", TLS13, "VersionTLS11", "VersionTLS10");
  private static final List<String> OLD_VERSIONS = List.of("VersionTLS10", "VersionTLS11");

  /** Go gave these two another name before they were registered. */
  private static final Map<String, String> OLD_SUITES =
      Map.of(
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  /** Those of Go that HTTP/2 allows; the JDK has them under the same names. */
  private static final List<String> SUITES =
      List.of(
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  private static final Map<String, String> GROUPS =
      Map.ofEntries(
          Map.entry("X25519", "x25519"),
          Map.entry("29", "x25519"),
          Map.entry("CurveP256", "secp256r1"),
          Map.entry("P256", "secp256r1"),
          Map.entry("23", "secp256r1"),
          Map.entry("CurveP384", "secp384r1"),
          Map.entry("P384", "secp384r1"),
          Map.entry("24", "secp384r1"),
          Map.entry("CurveP521", "secp521r1"),
          Map.entry("P521", "secp521r1"),
          Map.entry("25", "secp521r1"));
  private static final List<String> GROUP_NAMES =
      List.of("X25519", "CurveP256", "CurveP384", "CurveP521");

  private final Fields fields;

  private TlsReader(Fields fields) {
    this.fields = fields;
  }

  static Tls read(Fields fields) {
    return new TlsReader(fields).read();
  }

  private Tls read() {
    Optional<String> minVersion = fields.text("minVersion").filter(text -> !text.isEmpty());
    minVersion.ifPresent(this::checkVersion);
    boolean onlyTls13 = minVersion.equals(Optional.of(TLS13));
    List<String> named = fields.texts("cipherSuites");
    if (onlyTls13 && !named.isEmpty()) {
      fields.problem(
          FORBIDDEN,
          "cipherSuites",
          Fields.wrong(named, "none, since TLS 1.3 does not let them be chosen"));
      named = List.of();
    }
    Tls tls = new Tls(minVersion, suites(named), groups(fields.items("curvePreferences")));
    fields.end();
    return tls;
  }

  private void checkVersion(String version) {
    if (!VERSIONS.contains(version)) {
      fields.problem(NOT_SUPPORTED, "minVersion", Fields.unsupported(version, VERSIONS));
    } else if (OLD_VERSIONS.contains(version)) {
      fields.problem(
          WARNING, "minVersion", version + " is not spoken here; TLS 1.2 is the oldest version");
    }
  }

  private List<String> suites(List<String> named) {
    Set<String> suites = new LinkedHashSet<>();
    for (int i = 0; i < named.size(); i++) {
      String name = OLD_SUITES.getOrDefault(named.get(i), named.get(i));
      if (SUITES.contains(name)) {
        suites.add(name);
      } else if (Tls.TLS13_SUITES.contains(name)) {
        fields.problem(
            WARNING, "cipherSuites[" + i + "]", name + " has no effect: TLS 1.3 has it anyway");
        suites.add(name);
      } else {
        fields.problem(NOT_SUPPORTED, "cipherSuites[" + i + "]", Fields.unsupported(name, SUITES));
      }
    }
    return List.copyOf(suites);
  }

  private List<String> groups(List<JsonNode> named) {
    Set<String> groups = new LinkedHashSet<>();
    List<Integer> unknown = new ArrayList<>();
    for (int i = 0; i < named.size(); i++) {
      String group = GROUPS.get(named.get(i).asText());
      if (group == null) {
        unknown.add(i);
      } else {
        groups.add(group);
      }
    }
    for (int i : unknown) {
      fields.problem(
          NOT_SUPPORTED,
          "curvePreferences[" + i + "]",
          Fields.unsupported(named.get(i).asText(), GROUP_NAMES));
    }
    return List.copyOf(groups);
  }
}
