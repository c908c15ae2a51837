package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.explain.Explainer;
import dev.sluice.see.explain.Obstacle;
import dev.sluice.see.holders.QueueHolder;
import dev.sluice.see.holders.QueueHolders;
import dev.sluice.see.line.LinePlace;
import dev.sluice.see.line.QueueLine;
import dev.sluice.see.log.TransitionLog;
import dev.sluice.see.names.Names;
import dev.sluice.see.standing.NodeStanding;
import dev.sluice.see.standing.Standings;
import dev.sluice.see.timeline.Timeline;
import dev.sluice.see.usage.UsageLog;
import dev.sluice.see.visibility.Page;
import dev.sluice.server.reply.Reply;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads what our own API shows, for callers who may read it. Safe for many threads. A call may
 * block while the API server is asked whose names a caller may see, and never for the engine.
 */
final class Views {
  private static final int USUAL_PLACES = 100;
  private static final int MOST_PLACES = 1_000;

  /** What all queues have, and the answer that says so. */
  private record Standing(List<NodeStanding> roots, Reply reply) {}

  private final QueueSource queues;
  private final NameRights rights;
  private final Simulations simulations;
  private final Past past;
  private final LogAnswers log;
  private final UsageAnswers usage;
  private final Executor trials;
  private final InstantSource clock;
  private volatile @Nullable Standing lastStanding;

  /**
   * Views of those queues.
   *
   * @param past what is remembered of them
   * @param log of what happened last
   * @param usage of quota during the last hour
   * @param trials runs what takes an engine of its own, or reads files
   */
  Views(
      QueueSource queues,
      NameRights rights,
      Simulations simulations,
      Past past,
      TransitionLog log,
      UsageLog usage,
      Executor trials,
      InstantSource clock) {
    this.queues = queues;
    this.rights = rights;
    this.simulations = simulations;
    this.past = past;
    this.log = new LogAnswers(log, rights);
    this.usage = new UsageAnswers(usage);
    this.trials = trials;
    this.clock = clock;
  }

  /** The answer with those names. */
  private static Reply withNames(
      NameRights.Shown shown,
      QueueState state,
      SeeRequest request,
      Function<Names, ObjectNode> document) {
    return state
        .marked(shown.mark())
        .answer(request, () -> state.reply(document.apply(shown.names())));
  }

  /** What is read there in this state. */
  CompletableFuture<Reply> read(
      Target.Resource target, QueueState state, Caller caller, SeeRequest request) {
    return switch (target.resource().path()) {
      case "workloads/" + ViewApi.EXPLANATION -> explanation(target, state, caller, request);
      case "workloads/" + ViewApi.TIMELINE -> timeline(target, state, request);
      case "workloads/" + ViewApi.FORECAST -> forecast(target, state, request);
      case ViewApi.HISTORY, ViewApi.SCORES ->
          CompletableFuture.supplyAsync( // it reads files
              () -> new PastAnswers(past).answer(target.resource().path(), state.asOf(), request),
              trials);
      case "clusterqueues/" + ViewApi.HOLDERS ->
          CompletableFuture.completedFuture(holders(target, state, caller, request));
      case "clusterqueues/" + ViewApi.QUOTAS ->
          CompletableFuture.completedFuture(state.answer(request, () -> quotas(target, state)));
      case "clusterqueues/" + ViewApi.USAGE ->
          CompletableFuture.completedFuture(usage.answer(target, state, clock.instant(), request));
      case ViewApi.LOG, ViewApi.CLUSTER_LOG ->
          CompletableFuture.completedFuture(log.answer(target, state, caller, request));
      case ViewApi.SIMULATIONS, ViewApi.CLUSTER_SIMULATIONS ->
          simulations.run(target, state, caller, request);
      case ViewApi.INVENTORY,
          "topologies/" + ViewApi.DOMAINS,
          "resourceflavors/" + ViewApi.DOMAINS ->
          nodes(target, state, request);
      case ViewApi.STANDING ->
          CompletableFuture.completedFuture(state.answer(request, () -> standing(state)));
      default -> CompletableFuture.completedFuture(line(target, state, caller, request));
    };
  }

  private CompletableFuture<Reply> nodes(
      Target.Resource target, QueueState state, SeeRequest request) {
    return state
        .known(request)
        .map(CompletableFuture::completedFuture)
        .orElseGet(
            () ->
                queues
                    .fork()
                    .thenApplyAsync(
                        fork ->
                            fork.state()
                                .answer(
                                    request,
                                    () -> NodeAnswers.answer(target, fork, request.query())),
                        trials));
  }

  private Reply line(Target.Resource target, QueueState state, Caller caller, SeeRequest request) {
    Page page;
    try {
      page = page(request.query());
    } catch (IllegalArgumentException e) {
      return Reply.failure(400, "BadRequest", String.valueOf(e.getMessage()));
    }
    boolean ofClusterQueue = target.namespace().isEmpty();
    Optional<QueueLine> line =
        ofClusterQueue
            ? QueueLine.ofClusterQueue(state.snapshot(), target.name(), page)
            : QueueLine.ofLocalQueue(
                state.snapshot(), new ObjectKey(target.namespace(), target.name()), page);
    return line.map(
            found ->
                withNames(
                    shown(found, caller),
                    state,
                    request,
                    names -> ViewDocuments.of(found, names, past, state.asOf())))
        .orElseGet(target::notFound);
  }

  /** What all queues have seldom changes with each state, and its document is large. */
  private Reply standing(QueueState state) {
    List<NodeStanding> roots = Standings.of(state.snapshot());
    Standing known = lastStanding;
    if (known == null || !known.roots().equals(roots)) {
      known = new Standing(roots, state.reply(ViewDocuments.of(roots, state.asOf())));
      lastStanding = known;
    }
    return known.reply();
  }

  private static Reply quotas(Target.Resource target, QueueState state) {
    ClusterQueue queue = state.snapshot().clusterQueue(target.name());
    return queue == null ? target.notFound() : state.reply(QuotaDocuments.of(queue, state.asOf()));
  }

  private Reply holders(
      Target.Resource target, QueueState state, Caller caller, SeeRequest request) {
    Page page;
    try {
      page = page(request.query());
    } catch (IllegalArgumentException e) {
      return Reply.failure(400, "BadRequest", String.valueOf(e.getMessage()));
    }
    return QueueHolders.of(state.snapshot(), target.name(), page, state.asOf())
        .map(
            found -> {
              NameRights.Shown shown =
                  rights.shownTo(
                      caller,
                      found.holders().stream()
                          .map(QueueHolder::workload)
                          .map(ObjectKey::namespace));
              return withNames(
                  shown, state, request, names -> ViewDocuments.of(found, names, state.asOf()));
            })
        .orElseGet(target::notFound);
  }

  /** The part that the query names, bounded; 100 entries if it names no limit. */
  static Page page(Map<String, String> query) {
    String limit = query.getOrDefault("limit", "");
    Page page = Page.of(query.get("offset"), limit);
    int usual = limit.isEmpty() || limit.equals("0") ? USUAL_PLACES : MOST_PLACES;
    return new Page(page.offset(), Math.min(page.limit(), usual));
  }

  private NameRights.Shown shown(QueueLine line, Caller caller) {
    return rights.shownTo(
        caller, line.places().stream().map(LinePlace::workload).map(ObjectKey::namespace));
  }

  private CompletableFuture<Reply> explanation(
      Target.Resource target, QueueState state, Caller caller, SeeRequest request) {
    return ofOne(
        target,
        state.snapshot(),
        key -> {
          NameRights.Shown shown = rights.shownTo(caller, namespaces(state.snapshot(), key));
          QueueState marked = state.marked(shown.mark());
          return request.knows(marked.tag())
              ? CompletableFuture.completedFuture(Reply.unchanged(marked.tag()))
              : queues.fork().thenApplyAsync(fork -> explained(key, fork, shown), trials);
        });
  }

  /** A right to the workload is a right to what its object tells. */
  private static CompletableFuture<Reply> timeline(
      Target.Resource target, QueueState state, SeeRequest request) {
    return ofOne(
        target,
        state.snapshot(),
        key -> {
          Workload workload = state.snapshot().workload(key);
          return CompletableFuture.completedFuture(
              workload == null
                  ? target.notFound()
                  : state.answer(
                      request,
                      () -> state.reply(ViewDocuments.of(Timeline.of(workload), state.asOf()))));
        });
  }

  /** A right to the workload is a right to its forecast, which names no other. */
  private CompletableFuture<Reply> forecast(
      Target.Resource target, QueueState state, SeeRequest request) {
    return ofOne(
        target,
        state.snapshot(),
        key ->
            CompletableFuture.completedFuture(
                past.pages().isEmpty()
                    ? PastAnswers.noHistory()
                    : state.answer(
                        request, () -> state.reply(ForecastDocuments.of(key, state, past)))));
  }

  /** The answer about the one workload that the target means. */
  private static CompletableFuture<Reply> ofOne(
      Target.Resource target,
      Snapshot snapshot,
      Function<ObjectKey, CompletableFuture<Reply>> answer) {
    ObjectKey asked = new ObjectKey(target.namespace(), target.name());
    List<ObjectKey> found = named(snapshot, asked);
    if (found.isEmpty()) {
      return CompletableFuture.completedFuture(target.notFound());
    }
    return found.size() == 1
        ? answer.apply(found.getFirst())
        : CompletableFuture.completedFuture(
            Reply.failure(
                409,
                "Conflict",
                "%s has several Workloads (expected: one of %s)".formatted(asked, found)));
  }

  private Reply explained(ObjectKey key, QueueFork fork, NameRights.Shown shown) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    Snapshot snapshot = fork.state().snapshot();
    ObjectNode document =
        ViewDocuments.of(
            Explainer.explain(
                fork.fork(), key, now, shown.names(), () -> Obstacle.sentence(snapshot, key)),
            fork.state().asOf());
    ForecastDocuments.addWithScore(key, past, document);
    return Reply.tagged(
        fork.state().marked(shown.mark()).tag(), document.toString().getBytes(UTF_8));
  }

  /** The Workload of that name, or those of a job that is so called. */
  static List<ObjectKey> named(Snapshot snapshot, ObjectKey name) {
    if (snapshot.workload(name) != null) {
      return List.of(name);
    }
    Set<ObjectKey> owned = new LinkedHashSet<>();
    for (WorkloadState state : snapshot.workloads()) {
      if (state.key().namespace().equals(name.namespace())
          && state.workload().metadata().ownerReferences().stream()
              .anyMatch(it -> it.name().equals(name.name()))) {
        owned.add(state.key());
      }
    }
    return List.copyOf(owned);
  }

  /** The namespaces whose workloads an explanation may name; its own first. */
  private static Stream<String> namespaces(Snapshot snapshot, ObjectKey key) {
    Set<String> namespaces = new LinkedHashSet<>();
    namespaces.add(key.namespace());
    QuotaTree tree = tree(snapshot, key);
    for (int node = 0; tree != null && node < tree.shape().size(); node++) {
      if (tree.shape().isQueue(node)) {
        snapshot
            .holders(tree.shape().name(node).name())
            .forEach(it -> namespaces.add(it.key().namespace()));
      }
    }
    return namespaces.stream();
  }

  private static @Nullable QuotaTree tree(Snapshot snapshot, ObjectKey key) {
    Workload workload = snapshot.workload(key);
    String named = workload == null ? null : workload.spec().queueName();
    LocalQueue queue =
        named == null ? null : snapshot.localQueue(new ObjectKey(key.namespace(), named));
    String clusterQueue = queue == null ? null : queue.spec().clusterQueue();
    return clusterQueue == null ? null : snapshot.treeOf(clusterQueue);
  }
}
