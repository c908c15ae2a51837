package dev.sluice.server.run;

import dev.sluice.certs.CertificateSource;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.see.LocalSee;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.ProcessEnd;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.server.ListenAddress;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dashboard and its API in a process that admits and schedules. Its threads have a supervisor
 * of their own: they are restarted like all others, but what would end the process ends only the
 * view, and a thread of the view that hangs does not make the process unhealthy. Thread-safe.
 */
final class HostedView implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HostedView.class);

  private final AtomicBoolean closed = new AtomicBoolean();
  private final Supervisor supervisor =
      new Supervisor(new End(), InstantSource.system(), System::nanoTime);
  private volatile @Nullable LocalSee see;

  private HostedView() {}

  /**
   * Starts it; returns at once, and it answers 503 until it knows the cluster.
   *
   * @param address of its HTTPS port
   * @param certificates nobody else refreshes
   * @param problem receives a sentence if it cannot be served
   * @return empty if it cannot be served
   */
  static Optional<HostedView> start(
      ClusterAccess access,
      Chosen chosen,
      ListenAddress address,
      CertificateSource certificates,
      Consumer<String> problem) {
    HostedView view = new HostedView();
    try {
      LocalSee started =
          LocalSee.start(access, chosen, address, "--view-port", certificates, view.supervisor);
      view.see = started;
      if (view.closed.get()) { // one of its threads ended it before it could be found
        started.close();
      }
      return Optional.of(view);
    } catch (CommandException e) {
      problem.accept("the dashboard is not served: " + e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("the dashboard is not served, all else goes on", e);
      problem.accept("the dashboard is not served: " + e);
    }
    return Optional.empty();
  }

  /** Its HTTPS port; 0 after its end. */
  int port() {
    LocalSee started = see;
    return started == null || closed.get() ? 0 : started.port();
  }

  Supervisor supervisor() {
    return supervisor;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    LocalSee started = see;
    if (started != null) {
      started.close();
    }
  }

  /** Ends the view alone. Called by one of its threads, which its end has to stop. */
  private final class End implements ProcessEnd {
    @Override
    public void halt(int code, String why) {
      LOG.error("the dashboard ends, admission and scheduling go on: {}", why);
      Thread.ofPlatform().daemon().name("sluice-view-stop").start(HostedView.this::close);
    }
  }
}
