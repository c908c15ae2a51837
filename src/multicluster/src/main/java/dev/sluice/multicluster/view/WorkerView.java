package dev.sluice.multicluster.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.KindStatus;
import dev.sluice.cluster.view.KindStatus.State;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.supervision.Supervisor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * What one worker has of ours, over one connection. It belongs to one incarnation of the worker:
 * versions of objects compare within it only, and it is dropped with the connection. Thread-safe.
 */
public final class WorkerView implements AutoCloseable {
  private final WorkerKinds kinds;
  private final WatchedView view;

  /** Starts to watch; returns at once. */
  public WorkerView(
      Connection connection,
      WorkerKinds kinds,
      BiConsumer<GroupKind, ObjectChange> listener,
      Supervisor supervisor) {
    this.kinds = kinds;
    this.view =
        new WatchedView(
            connection, kinds.watched(), WatchTimes.DEFAULT, new Random(), listener, supervisor);
    view.start();
  }

  /** How well Workloads are known, on which all else depends. */
  public KindStatus workloads() {
    return view.statuses().getFirst();
  }

  /** Whether of each kind it is known what there is, or why that cannot be known. */
  public boolean isComplete() {
    return workloads().state() == State.CURRENT
        && view.statuses().stream().allMatch(it -> it.isComplete() || it.problem().isPresent());
  }

  /** What cannot be done there, in one line; empty if nothing. */
  public String restrictions() {
    List<String> parts = new ArrayList<>();
    String missing =
        view.statuses().stream()
            .filter(it -> it.state() == State.NOT_SERVED)
            .map(it -> kinds.resource(it.kind()))
            .collect(Collectors.joining(", "));
    if (!missing.isEmpty()) {
      parts.add("not served there: " + missing);
    }
    for (KindStatus status : view.statuses()) {
      if (!status.isComplete()) {
        status
            .problem()
            .ifPresent(it -> parts.add(kinds.resource(status.kind()) + " not watched: " + it));
      }
    }
    return String.join("; ", parts);
  }

  /** The object of that name, if the worker has one of ours. */
  public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
    return view.find(kind, namespace, name);
  }

  /** All objects of ours of that kind. */
  public Collection<JsonNode> all(GroupKind kind) {
    return view.all(kind);
  }

  @Override
  public void close() {
    view.close();
  }
}
