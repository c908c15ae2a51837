package dev.sluice.server.wiring;

import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.LiveJobs;
import dev.sluice.cluster.view.ViewReadiness;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedKinds;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Dependency;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.ServerContext;
import dev.sluice.webhook.StandardRules;
import dev.sluice.webhook.fence.QuotaSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Watches the cluster for a server. Reads nothing before {@link #open}. */
public final class ClusterWatch implements AutoCloseable {
  private final Connection connection;
  private final @Nullable QuotaWatch quotas;
  private final WatchedView view;
  private final ServerContext context;

  private ClusterWatch(
      Connection connection,
      Chosen chosen,
      WatchTimes times,
      Duration patience,
      @Nullable Path ledger,
      @Nullable QuotaEdits edits,
      Supervisor supervisor) {
    QuotaWatch watch = new QuotaWatch(chosen, ledger, edits, supervisor);
    this.connection = connection;
    this.quotas = watch;
    this.view = view(connection, chosen, times, watch::changed, supervisor);
    this.context =
        context(
            chosen,
            new CheckedQuotas(watch.source(view), view),
            watch.measuredWith(new ViewReadiness(view, patience, System::nanoTime)));
  }

  private ClusterWatch(
      Connection connection,
      Chosen chosen,
      Duration patience,
      QuotaSource source,
      Function<Dependency, Dependency> measured,
      Supervisor supervisor) {
    this.connection = connection;
    this.quotas = null;
    this.view = view(connection, chosen, WatchTimes.DEFAULT, (_, _) -> {}, supervisor);
    this.context =
        context(
            chosen,
            new CheckedQuotas(source, view),
            measured.apply(new ViewReadiness(view, patience, System::nanoTime)));
  }

  private static WatchedView view(
      Connection connection,
      Chosen chosen,
      WatchTimes times,
      BiConsumer<GroupKind, ObjectChange> listener,
      Supervisor supervisor) {
    return new WatchedView(
        connection,
        WatchedKinds.of(chosen.configuration(), chosen.extensions()),
        times,
        new Random(),
        listener,
        supervisor);
  }

  private ServerContext context(Chosen chosen, QuotaSource source, Dependency dependency) {
    return new ServerContext(
        StandardRules.book(chosen.extensions().customKinds()),
        chosen.world(view, source),
        new LiveJobs(connection),
        dependency);
  }

  /**
   * Watches a cluster.
   *
   * @param access to the cluster
   * @param chosen decides which kinds are watched
   * @param patience how long a server waits for the view before it is ready without it
   * @param ledger the socket of a scheduler beside this process; null for none
   * @param supervisor of all threads
   */
  public static ClusterWatch of(
      ClusterAccess access,
      Chosen chosen,
      Duration patience,
      @Nullable Path ledger,
      Supervisor supervisor) {
    QuotaEdits edits =
        ledger == null ? null : QuotaEditClient.beside(ledger, QuotaEditTrials.BOUND);
    return new ClusterWatch(
        Connection.to(access), chosen, WatchTimes.DEFAULT, patience, ledger, edits, supervisor);
  }

  /**
   * Like {@link #of}, finding kinds that come later sooner, as suits a cluster of one's own.
   *
   * @param edits asks a scheduler in this process who loses quota by an edit
   */
  public static ClusterWatch eager(
      Path kubeconfig, Chosen chosen, Duration patience, QuotaEdits edits, Supervisor supervisor) {
    return new ClusterWatch(
        Connection.to(kubeconfig), chosen, WatchTimes.EAGER, patience, null, edits, supervisor);
  }

  /**
   * Watches a cluster whose quotas another part of this process knows.
   *
   * @param source the quotas
   * @param measured adds metrics to the readiness, or removes them
   * @param supervisor of all threads
   */
  public static ClusterWatch beside(
      ClusterAccess access,
      Chosen chosen,
      Duration patience,
      QuotaSource source,
      Function<Dependency, Dependency> measured,
      Supervisor supervisor) {
    return new ClusterWatch(Connection.to(access), chosen, patience, source, measured, supervisor);
  }

  /** What a server of this cluster works with. */
  public ServerContext context() {
    return context;
  }

  /** Starts the watches; returns at once. */
  public void open() {
    if (quotas != null) {
      quotas.start();
    }
    view.start();
  }

  /** What is still to be seen; empty if all is. */
  public List<String> missing() {
    return view.missing();
  }

  @Override
  public void close() {
    view.close();
    if (quotas != null) {
      quotas.close();
    }
    connection.close();
  }
}
