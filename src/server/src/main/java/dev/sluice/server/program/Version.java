package dev.sluice.server.program;

import picocli.CommandLine.IVersionProvider;

/** The version in the manifest of the jar. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {
      "sluice " + (version == null ? "(development)" : version), "Java " + Runtime.version(),
    };
  }
}
