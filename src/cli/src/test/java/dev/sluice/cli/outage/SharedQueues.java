package dev.sluice.cli.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiKind;
import dev.sluice.cli.kinds.KindScene;
import dev.sluice.cli.kinds.KindStories;
import dev.sluice.cli.kinds.KindStory;
import dev.sluice.cli.process.SchedulerConfiguration;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.Poll;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Queues in one cohort that jobs of all kinds share, and the schedulers that serve them. */
final class SharedQueues implements AutoCloseable {
  static final QueueNode TREE =
      QueueNode.cohort(
          "kinds-all",
          List.of(
              QueueNode.queue("kinds-a", 9, 6L, null),
              QueueNode.queue("kinds-b", 9, null, 5L),
              QueueNode.queue("kinds-c", 8, 0L, null)));

  private static final int AT_A_TIME = Integer.getInteger("sluice.kinds.at-a-time", 12);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Each of the jobs asks again this often, so that the API server has time for others. */
  private static final Duration PAUSE_OF_ONE = Duration.ofMillis(400);

  private static final Duration SOON = Duration.ofMinutes(5);
  private static final int LEASE_SECONDS = 3;

  private final OwnCluster cluster;
  private final QueueNode tree;
  private final List<Replica> schedulers = new ArrayList<>();

  /** Makes the kinds served and creates the queues, in which some jobs have to wait. */
  SharedQueues(OwnCluster cluster) {
    this(cluster, TREE);
  }

  /** The same with these queues. */
  SharedQueues(OwnCluster cluster, QueueNode tree) {
    this.cluster = cluster;
    this.tree = tree;
    KindStories.serve(cluster.api(), KindStories.all());
    KindScene.createFlavor(cluster.api());
    Kueue.create(cluster.api(), ApiKind.COHORT, tree.name(), "{}").orThrow();
    tree.queues().forEach(this::create);
  }

  private void create(QueueNode queue) {
    String limits =
        (queue.limit() == null ? "" : ",\"borrowingLimit\":" + queue.limit())
            + (queue.lent() == null ? "" : ",\"lendingLimit\":" + queue.lent());
    String spec =
        """
        {"namespaceSelector":{},"cohortName":"%s","resourceGroups":[{
        "coveredResources":["cpu","memory"],"flavors":[{"name":"%s","resources":[
        {"name":"cpu","nominalQuota":%d%s},{"name":"memory","nominalQuota":"1Ti"}]}]}]}\
        """
            .formatted(tree.name(), KindScene.FLAVOR, queue.cpu(), limits);
    Kueue.create(cluster.api(), ApiKind.CLUSTER_QUEUE, queue.name(), spec).orThrow();
  }

  /** Starts a scheduler more. */
  Replica startScheduler() throws IOException {
    return startScheduler(SluiceProcess.QUICK);
  }

  /** The same in a JVM with these flags and no others. */
  Replica startScheduler(List<String> flags) throws IOException {
    Path configuration =
        SchedulerConfiguration.write(
            cluster.folder(),
            LEASE_SECONDS,
            KindStories.frameworks(KindStories.all())
                + "featureGates:\n  SparkApplicationIntegration: true\n");
    Replica started =
        new Replica(
            SluiceProcess.startFromClasses(
                cluster.folder(),
                flags,
                Map.of(),
                "schedule",
                "--kubeconfig=" + cluster.controlPlane().kubeconfig(),
                "--config=" + configuration));
    schedulers.add(started);
    return started;
  }

  List<Replica> schedulers() {
    return List.copyOf(schedulers);
  }

  /** A life in that namespace, which is not there yet, in a queue that is drawn. */
  KindLife life(KindStory story, String namespace, int fate, Random random) {
    List<QueueNode> queues = tree.queues();
    String queue = queues.get(random.nextInt(queues.size())).name();
    return new KindLife(
        story, new KindScene(cluster.api(), this::await, story, namespace), queue, fate);
  }

  /**
   * Returns once all lives are over, some at a time; the first that fails ends it.
   *
   * @param meanwhile told again and again how many are over
   * @param mayEnd whether it may return once all are over
   */
  void play(List<KindLife> lives, Duration bound, IntConsumer meanwhile, BooleanSupplier mayEnd) {
    ExecutorService players = Executors.newFixedThreadPool(AT_A_TIME);
    try {
      List<CompletableFuture<Void>> all =
          lives.stream().map(it -> CompletableFuture.runAsync(it, players)).toList();
      boolean isOver =
          Poll.until(
              bound,
              PAUSE,
              () -> {
                all.stream()
                    .filter(CompletableFuture::isCompletedExceptionally)
                    .forEach(CompletableFuture::join);
                int over = Math.toIntExact(all.stream().filter(it -> it.isDone()).count());
                meanwhile.accept(over);
                schedulers.forEach(Replica::revive);
                return over == lives.size() && mayEnd.getAsBoolean();
              });
      assertThat(isOver).as(this::tail).isTrue();
    } finally {
      players.shutdownNow();
    }
  }

  void await(String what, BooleanSupplier condition, Supplier<String> more) {
    assertThat(Poll.until(SOON, PAUSE_OF_ONE, condition))
        .as(() -> what + "\n" + tail() + "\n" + more.get())
        .isTrue();
  }

  private String tail() {
    return String.join("\n", schedulers.stream().map(it -> it.process().tail()).toList());
  }

  /** Whether nothing waits in the queues or holds quota of them. */
  boolean areEmpty() {
    return tree.queues().stream().allMatch(it -> it.isEmpty(cluster.api()));
  }

  @Override
  public void close() {
    schedulers.forEach(Replica::close);
  }
}
