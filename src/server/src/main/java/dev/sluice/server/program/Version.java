package dev.sluice.server.program;

import picocli.CommandLine.IVersionProvider;

/** The version in the manifest of the jar. */
public final class Version implements IVersionProvider {
  /** The number of this version; 0.0.0 for classes that are in no jar. */
  public static String number() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "0.0.0" : version;
  }

  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {
      "sluice " + (version == null ? "(development)" : version), "Java " + Runtime.version(),
    };
  }
}
