package dev.sluice.multicluster.protocol;

import dev.sluice.api.write.Write;
import dev.sluice.multicluster.waiting.WaitingMessage;
import dev.sluice.multicluster.waiting.WaitingReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A plan while it is made. For one thread. */
final class PlanBuilder {
  private final Map<String, List<Write>> remote = new LinkedHashMap<>();
  private final List<Write> local = new ArrayList<>();
  private final Set<Plan.Ask> asks = new HashSet<>();
  private final Map<String, WaitingReason> reasons = new LinkedHashMap<>();
  private final List<String> others = new ArrayList<>();
  private final List<Plan.Counter> counters = new ArrayList<>();
  private List<String> nominated = List.of();
  private Optional<Instant> again = Optional.empty();
  private Plan.Stop stop = Plan.Stop.NOT_ASKED;
  private boolean isReady;
  Memory memory;

  PlanBuilder(Memory memory) {
    this.memory = memory;
  }

  void remote(String cluster, Write write) {
    remote.computeIfAbsent(cluster, _ -> new ArrayList<>()).add(write);
  }

  void local(Write write) {
    local.add(write);
  }

  /** Offers the Workload to these workers once that is stored. */
  void nominate(Write write, List<String> clusters) {
    local(write);
    nominated = clusters;
  }

  void ask(Plan.Ask ask) {
    asks.add(ask);
  }

  void again(Instant time) {
    again = again.filter(it -> it.isBefore(time)).or(() -> Optional.of(time));
  }

  /** The first reason for a worker is kept. */
  void waitsFor(String cluster, WaitingReason reason) {
    reasons.putIfAbsent(cluster, reason);
  }

  void say(String sentence) {
    others.add(sentence);
  }

  void count(Plan.Counter.What what, String cluster) {
    counters.add(new Plan.Counter(what, cluster));
  }

  void stop(Plan.Stop value) {
    stop = value;
  }

  /** The Pods are up there. */
  void ready() {
    isReady = true;
  }

  /** Adds the steps of a withdrawal, and returns its progress. */
  Withdrawal.Progress add(String cluster, Withdrawal.Steps steps) {
    steps.writes().forEach(it -> remote(cluster, it));
    asks.addAll(steps.asks());
    steps.again().ifPresent(this::again);
    return steps.progress();
  }

  boolean hasLocalWrites() {
    return !local.isEmpty();
  }

  /** Whether nothing is waited for but our own requests to the workers. */
  boolean isOnlyBeingCreated() {
    return others.isEmpty()
        && reasons.values().stream().allMatch(WaitingReason.BeingCreated.class::isInstance);
  }

  /** Whether some worker has a copy, none has said anything yet or is known to be unable to. */
  boolean isUndecided() {
    return others.isEmpty()
        && !isOnlyBeingCreated()
        && reasons.values().stream()
            .allMatch(
                it ->
                    it instanceof WaitingReason.BeingCreated
                        || it.equals(new WaitingReason.NoQuota("")));
  }

  String sentence() {
    return reasons.isEmpty() && others.isEmpty() ? "" : WaitingMessage.of(reasons, others);
  }

  Plan build(Plan.State state) {
    return new Plan(
        state, remote, local, nominated, asks, again, sentence(), stop, isReady, counters, memory);
  }
}
