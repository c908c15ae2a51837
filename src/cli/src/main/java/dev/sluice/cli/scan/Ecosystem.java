package dev.sluice.cli.scan;

import java.util.Comparator;
import org.eclipse.aether.util.version.GenericVersionScheme;
import org.eclipse.aether.version.InvalidVersionSpecificationException;
import org.eclipse.aether.version.Version;

/** Where packages come from that a database can know, and how their versions are ordered. */
enum Ecosystem {
  /** Libraries, named {@code group:artifact}. */
  MAVEN("Maven", Comparator.comparing(Ecosystem::maven)),
  /** Packages of Debian, by the names of their sources; each release has entries of its own. */
  DEBIAN("Debian", DebianVersion.ORDER);

  private static final GenericVersionScheme SCHEME = new GenericVersionScheme();

  private final String label;
  private final Comparator<String> order;

  Ecosystem(String label, Comparator<String> order) {
    this.label = label;
    this.order = order;
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

  Comparator<String> order() {
    return order;
  }
}
