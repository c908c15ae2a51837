package dev.sluice.server.see;

import dev.sluice.certs.CertificateSource;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.server.ListenAddress;
import org.jspecify.annotations.Nullable;

/**
 * The server of the view API in a process that does something else, too. No API server forwards to
 * it, so callers identify themselves by a token. Thread-safe.
 */
public final class LocalSee implements AutoCloseable {
  private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);

  private final See see;

  private LocalSee(See see) {
    this.see = see;
  }

  /**
   * Starts it on that port, without a history; returns at once, and it answers 503 until it knows
   * the cluster.
   *
   * @param portFlag the flag that an error names
   * @param certificates have to be for the names of that address; nobody else refreshes them
   * @throws dev.sluice.server.program.CommandException if the port cannot be had
   */
  public static LocalSee start(
      ClusterAccess access,
      Chosen chosen,
      ListenAddress address,
      String portFlag,
      CertificateSource certificates,
      Supervisor supervisor) {
    return new LocalSee(
        See.start(
            access, chosen, address, portFlag, ANY_PORT, certificates, null, false, supervisor));
  }

  /**
   * Starts it on free ports of loopback; returns at once, and it answers 503 until it knows the
   * cluster.
   *
   * @param certificates have to be for 127.0.0.1
   * @param history where one is kept; null for none
   */
  public static LocalSee start(
      ClusterAccess access,
      Chosen chosen,
      CertificateSource certificates,
      @Nullable HistoryPlace history,
      Supervisor supervisor) {
    return new LocalSee(
        See.start(
            access,
            chosen,
            ANY_PORT,
            "--port",
            ANY_PORT,
            certificates,
            history,
            false,
            supervisor));
  }

  /** Its HTTPS port. */
  public int port() {
    return see.port();
  }

  @Override
  public void close() {
    see.close();
  }
}
