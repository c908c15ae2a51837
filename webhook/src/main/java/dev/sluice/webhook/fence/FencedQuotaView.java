package dev.sluice.webhook.fence;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.ResourceVersion;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.device.DeviceCatalog;
import dev.sluice.quota.device.DeviceCounter;
import dev.sluice.quota.request.RequestReader;
import dev.sluice.quota.request.Requests;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.world.WorkloadReader;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.rules.quota.QuotaLoss;
import dev.sluice.rules.quota.QuotaView;
import dev.sluice.rules.quota.Refusal;
import dev.sluice.rules.quota.Shortage;
import dev.sluice.rules.settings.GuardMode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The quotas of a {@link QuotaSource}; reservations have to pass a {@link Fence}. */
public final class FencedQuotaView implements QuotaView, MeterBinder {
  private final EngineConfiguration configuration;
  private final GuardMode mode;
  private final QuotaSource source;
  private final Fence fence;
  private final boolean callersAreKnown;

  /**
   * A view with a fence of its own.
   *
   * @param configuration says how requests are read
   * @param mode the reaction to a reservation beyond quota
   * @param nanoTime counts nanoseconds from anywhere
   */
  public FencedQuotaView(
      EngineConfiguration configuration,
      GuardMode mode,
      QuotaSource source,
      LongSupplier nanoTime) {
    this.configuration = requireNonNull(configuration, "configuration");
    this.mode = requireNonNull(mode, "mode");
    this.source = requireNonNull(source, "source");
    this.fence = Fence.following(source, nanoTime);
    this.callersAreKnown = false;
  }

  private FencedQuotaView(FencedQuotaView other, boolean callersAreKnown) {
    this.configuration = other.configuration;
    this.mode = other.mode;
    this.source = other.source;
    this.fence = other.fence;
    this.callersAreKnown = callersAreKnown;
  }

  @Override
  public FencedQuotaView ofKnownCallers() {
    return new FencedQuotaView(this, true);
  }

  /** Registers the metrics of the fence; to be called once. */
  @Override
  public void bindTo(MeterRegistry registry) {
    fence.bindTo(registry);
  }

  /** The number of reservations that the view may not show yet. */
  int unseenReservations() {
    return fence.size();
  }

  @Override
  public GuardMode mode() {
    return mode;
  }

  @Override
  public Optional<Snapshot> snapshot() {
    return source.snapshot();
  }

  @Override
  public Optional<Refusal> reserve(JsonNode old, JsonNode now, boolean isTrial) {
    try {
      Workload stored = HubObjects.read(Workload.class, old);
      WorkloadState after = read(HubObjects.read(Workload.class, now));
      if (!after.holdsQuota()) {
        return Optional.empty();
      }
      WorkloadState before = read(stored);
      return fence.reserve(
          new ReservationRequest(
              after,
              before.holdsQuota() ? before : null,
              version(stored),
              isTrial,
              callersAreKnown));
    } catch (MalformedObjectException _) {
      return Optional.empty(); // other rules report malformed objects
    }
  }

  @Override
  public boolean foreseesLosses() {
    return source.foreseesLosses();
  }

  @Override
  public Optional<List<QuotaLoss>> losses(JsonNode clusterQueue) {
    return source.losses(clusterQueue);
  }

  private WorkloadState read(Workload workload) {
    return new WorkloadReader(configuration)
        .read(workload, UnaryOperator.identity(), DeviceCatalog.EMPTY);
  }

  static long version(Workload workload) {
    return ResourceVersion.number(workload.metadata().resourceVersion()).orElse(0);
  }

  @Override
  public Optional<Shortage> neverFits(String clusterQueue, PodSet podSet) {
    QuotaTree tree = source.snapshot().map(it -> it.treeOf(clusterQueue)).orElse(null);
    if (tree == null) {
      return Optional.empty();
    }
    int least = least(podSet);
    var reader =
        new RequestReader(configuration.resources(), true, new DeviceCounter(configuration));
    Requests asked = reader.perPod(podSet).times(least);
    for (int i = 0; i < asked.size(); i++) {
      Shortage shortage = shortage(clusterQueue, tree, asked.resource(i), asked.amount(i));
      if (shortage != null) {
        return Optional.of(shortage);
      }
    }
    return Optional.empty();
  }

  private int least(PodSet podSet) {
    Integer min = podSet.minCount();
    return Math.max(
        0, min != null && configuration.on(FeatureGate.PARTIAL_ADMISSION) ? min : podSet.count());
  }

  private static @Nullable Shortage shortage(
      String clusterQueue, QuotaTree tree, String resource, long asked) {
    TreeShape shape = tree.shape();
    int node = shape.node(NodeName.clusterQueue(clusterQueue));
    FlavorResource best = null;
    long most = -1;
    for (int column = 0; column < shape.width(); column++) {
      FlavorResource pair = shape.pair(column);
      if (pair.resource().equals(resource)
          && shape.lists(node, column)
          && shape.potentialAvailable(node, column) > most) {
        best = pair;
        most = shape.potentialAvailable(node, column);
      }
    }
    return best != null && asked > most
        ? new Shortage(clusterQueue, best, asked, most, most)
        : null;
  }
}
