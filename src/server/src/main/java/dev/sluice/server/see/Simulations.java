package dev.sluice.server.see;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.MalformedJsonException;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.rules.RuleBook;
import dev.sluice.see.names.Names;
import dev.sluice.see.whatif.WhatIfResult;
import dev.sluice.server.reply.Reply;
import dev.sluice.server.whatif.StoredObjects;
import dev.sluice.server.whatif.WhatIf;
import dev.sluice.server.whatif.WhatIfRequest;
import dev.sluice.server.world.SimulatedConfiguration;
import dev.sluice.webhook.StandardRules;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs simulations for callers who may. Two run at a time, one of each user, and each has two
 * seconds of CPU. Safe for many threads; a call may block while the API server is asked whose names
 * a caller may see, and never for the engine.
 */
final class Simulations {
  private static final Duration CPU = Duration.ofSeconds(2);
  private static final JsonSyntax SYNTAX = new JsonSyntax(new JsonLimits(64, 1 << 20, 256));
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final QueueSource queues;
  private final StoredObjects stored;
  private final SimulatedConfiguration chosen;
  private final RuleBook rules;
  private final NameRights rights;
  private final Past past;
  private final Executor trials;
  private final InstantSource clock;
  private final SimulationSlots slots = new SimulationSlots();

  /** An engine in which nothing is left to decide, and the state that it was forked from. */
  private record Settled(QuotaEngine engine, QueueState from) {}

  @GuardedBy("this")
  private @Nullable Settled settled;

  /**
   * Simulations on those queues.
   *
   * @param stored the objects that the queues are made of
   * @param past knows how long jobs run
   * @param trials runs them
   */
  Simulations(
      QueueSource queues,
      StoredObjects stored,
      SimulatedConfiguration chosen,
      NameRights rights,
      Past past,
      Executor trials,
      InstantSource clock) {
    this.queues = queues;
    this.stored = stored;
    this.chosen = chosen;
    this.rules = StandardRules.book(chosen.extensions().customKinds());
    this.rights = rights;
    this.past = past;
    this.trials = trials;
    this.clock = clock;
  }

  /** The result of the simulation in the body. */
  CompletableFuture<Reply> run(
      Target.Resource target, QueueState state, Caller caller, SeeRequest request) {
    WhatIfRequest wanted;
    try {
      wanted = WhatIfRequest.read(tree(request.body()), target.namespace(), chosen);
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedFuture(refusal(e));
    }
    if (!slots.enter(caller.user())) {
      return CompletableFuture.completedFuture(
          Reply.failure(
              429,
              "TooManyRequests",
              "another simulation of yours, or two of others, are running"));
    }
    try {
      Names names = rights.of(caller, namespaces(state.snapshot(), target.namespace()).stream());
      return queues
          .fork()
          .thenApplyAsync(fork -> simulated(wanted, target.namespace(), fork, names), trials)
          .whenComplete((_, _) -> slots.leave(caller.user()));
    } catch (RuntimeException e) {
      slots.leave(caller.user());
      throw e;
    }
  }

  private static Reply refusal(IllegalArgumentException problem) {
    return Reply.failure(422, "Invalid", String.valueOf(problem.getMessage()));
  }

  private static JsonNode tree(byte[] body) {
    try {
      SYNTAX.check(body);
      return MAPPER.readTree(body);
    } catch (MalformedJsonException | IOException e) {
      throw new IllegalArgumentException("the body is no JSON: " + e.getMessage(), e);
    }
  }

  /** Its own namespace first, then those of all workloads. */
  private static Set<String> namespaces(Snapshot snapshot, String own) {
    Set<String> namespaces = new LinkedHashSet<>();
    if (!own.isEmpty()) {
      namespaces.add(own);
    }
    for (WorkloadState workload : snapshot.workloads()) {
      namespaces.add(workload.key().namespace());
    }
    return namespaces;
  }

  private Reply simulated(WhatIfRequest wanted, String namespace, QueueFork fork, Names names) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    long began = THREADS.getCurrentThreadCpuTime();
    BooleanSupplier goOn = () -> THREADS.getCurrentThreadCpuTime() - began < CPU.toNanos();
    try {
      QuotaEngine engine = settled(fork, now, goOn);
      WhatIfResult result =
          new WhatIf(engine, stored, chosen, rules, now, names, past::runs, goOn).run(wanted);
      Predicate<String> shown =
          namespace.isEmpty() ? _ -> true : ownQueues(fork.state().snapshot(), namespace)::contains;
      return new Reply(
          201,
          Map.of("Content-Type", Reply.JSON, "Cache-Control", "no-store"),
          SimulationDocuments.of(result, names, shown, fork.state().asOf())
              .toString()
              .getBytes(StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return refusal(e);
    }
  }

  /** The ClusterQueues that LocalQueues of the namespace lead to. */
  private static Set<String> ownQueues(Snapshot snapshot, String namespace) {
    Set<String> names = new LinkedHashSet<>();
    for (LocalQueue queue : snapshot.localQueues()) {
      String clusterQueue = queue.spec().clusterQueue();
      if (queue.metadata().namespace().equals(namespace) && clusterQueue != null) {
        names.add(clusterQueue);
      }
    }
    return names;
  }

  /**
   * An engine of its own in which nothing is left to decide, as if the scheduler had come as far.
   * One that is settled serves all simulations of its state.
   */
  private synchronized QuotaEngine settled(QueueFork fork, Instant now, BooleanSupplier goOn) {
    Settled known = settled;
    if (known != null && known.from().tag().equals(fork.state().tag())) {
      return known.engine().fork();
    }
    QuotaEngine engine = fork.fork();
    while (goOn.getAsBoolean()) {
      if (!engine.cycle(now).changed()) {
        settled = new Settled(engine, fork.state());
        return engine.fork();
      }
    }
    return engine;
  }
}
