package dev.sluice.server.wiring;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.CertificateProblem;
import dev.sluice.certs.Lifetimes;
import dev.sluice.server.program.CommandException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flag that names the folder of certificates and other state. */
public final class DataFlags {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Folder for certificates and state, made if missing, readable by its owner only"
              + " (default: sluice in $XDG_DATA_HOME or ~/.local/share).")
  private @Nullable Path data;

  /** Whether a folder was named. */
  public boolean given() {
    return data != null;
  }

  /** The folder. */
  public Path folder() {
    return data != null
        ? data
        : DataFolder.standard(System.getenv(), Path.of(System.getProperty("user.home")));
  }

  /**
   * The certificates kept there, made if missing.
   *
   * @param names what clients call the server
   */
  public CertificateFolder certificates(Collection<String> names) {
    return certificates("certs", names);
  }

  /**
   * The same in that folder below it, for a server that has an authority of its own.
   *
   * @param names what clients call the server
   */
  public CertificateFolder certificates(String below, Collection<String> names) {
    try {
      return CertificateFolder.open(
          folder().resolve(below),
          names,
          Lifetimes.DEFAULT,
          InstantSource.system(),
          new SecureRandom());
    } catch (CertificateProblem e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
