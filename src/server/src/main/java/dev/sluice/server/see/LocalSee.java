package dev.sluice.server.see;

import dev.sluice.certs.CertificateSource;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.server.ListenAddress;
import org.jspecify.annotations.Nullable;

/**
 * The server of the view API on free ports of loopback, in the process of a cluster on this
 * machine. No API server forwards to it, so callers identify themselves by a token. Thread-safe.
 */
public final class LocalSee implements AutoCloseable {
  private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);

  private final See see;

  private LocalSee(See see) {
    this.see = see;
  }

  /**
   * Starts it; returns at once, and it answers 503 until it knows the cluster.
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
        See.start(access, chosen, ANY_PORT, ANY_PORT, certificates, history, false, supervisor));
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
