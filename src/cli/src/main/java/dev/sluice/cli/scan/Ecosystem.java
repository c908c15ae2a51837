package dev.sluice.cli.scan;

import java.util.Comparator;
import org.eclipse.aether.util.version.GenericVersionScheme;
import org.eclipse.aether.version.InvalidVersionSpecificationException;
import org.eclipse.aether.version.Version;

/** Where packages come from that a database can know, and how their versions are ordered. */
enum Ecosystem {
  /** Libraries, named {@code group:artifact}. */
  MAVEN("Maven"),
  /** Packages of Debian, by the names of their sources; each release has entries of its own. */
  DEBIAN("Debian");

  private static final GenericVersionScheme SCHEME = new GenericVersionScheme();

  private final String label;

  Ecosystem(String label) {
    this.label = label;
  }

  private static Version maven(String version) {
    try {
      return SCHEME.parseVersion(version);
    } catch (InvalidVersionSpecificationException e) {
      throw new IllegalStateException("any text is a version", e);
    }
  }

  /** The name in the database, without a release. */
  String label() {
    return label;
  }

  /** From the oldest version to the newest. */
  Comparator<String> order() {
    return switch (this) {
      case MAVEN -> Comparator.comparing(Ecosystem::maven);
      case DEBIAN -> DebianVersion.ORDER;
    };
  }
}
