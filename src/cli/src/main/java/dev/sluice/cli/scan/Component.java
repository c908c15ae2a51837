package dev.sluice.cli.scan;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a bill of materials that a database can know.
 *
 * @param name as in the database
 * @param release of the ecosystem, such as the 12 of Debian; empty for none or an unknown one
 */
record Component(Ecosystem ecosystem, String name, String version, String release) {
  /** Type, namespace, name, version, and qualifiers. */
  private static final Pattern PURL =
      Pattern.compile("pkg:([a-z]+)/([^@?]+)/([^/@?]+)@([^?#]+)(?:\\?([^#]*))?.*");

  private static final Pattern UPSTREAM = Pattern.compile("(?:^|&)upstream=([^&@]+)");
  private static final Pattern OF_RELEASE = Pattern.compile("deb([0-9]+)u");

  /** The component of a CycloneDX bill; empty if no database can know it. */
  static Optional<Component> of(JsonNode component) {
    Matcher purl = PURL.matcher(component.path("purl").asText());
    if (!purl.matches()) {
      return Optional.empty();
    }
    String version = decoded(purl.group(4));
    return switch (purl.group(1)) {
      case "maven" ->
          Optional.of(
              new Component(
                  Ecosystem.MAVEN,
                  decoded(purl.group(2)) + ":" + decoded(purl.group(3)),
                  version,
                  ""));
      case "deb" -> {
        Matcher upstream = UPSTREAM.matcher(String.valueOf(purl.group(5)));
        Matcher release = OF_RELEASE.matcher(version);
        yield Optional.of(
            new Component(
                Ecosystem.DEBIAN,
                decoded(upstream.find() ? upstream.group(1) : purl.group(3)),
                version,
                release.find() ? release.group(1) : ""));
      }
      default -> Optional.empty();
    };
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Whether an entry for that ecosystem, such as {@code Debian:12}, is about it. */
  boolean isIn(String labelled) {
    return labelled.equals(ecosystem.label())
        || (release.isEmpty() && labelled.startsWith(ecosystem.label() + ":"))
        || labelled.equals(ecosystem.label() + ":" + release);
  }

  @Override
  public String toString() {
    return name + " " + version;
  }
}
