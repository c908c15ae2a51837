package dev.sluice.multicluster.view;

import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.KindStatus;
import dev.sluice.cluster.view.KindStatus.State;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.multicluster.protocol.Presence;
import dev.sluice.multicluster.protocol.QueueState;
import dev.sluice.supervision.Supervisor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Our objects on one worker, over one connection. It belongs to one incarnation of the worker:
 * versions of objects compare within it only, and it is dropped with the connection. Thread-safe.
 */
public final class WorkerView implements AutoCloseable {
  private final Connection connection;
  private final WorkerKinds kinds;
  private final CopyIndex index = new CopyIndex();
  private final Answers answers = new Answers(System::nanoTime);
  private final Listener listener;
  private final WatchedView view;
  private final WorkerQueues queues;

  /** Receives what changes on the worker; must not block. */
  @FunctionalInterface
  public interface Listener {
    /** Something changed of that Workload, by an object of that kind. */
    void workloadChanged(GroupKind kind, ObjectKey workload);

    /** The namespace or a queue in it came, went, or turned active or inactive. */
    default void namespaceChanged(String namespace) {}

    /** The worker refused our login to a read or a write (401). */
    default void loginRefused() {}
  }

  /**
   * Starts to watch; returns at once.
   *
   * @param listener receives each Workload with a change there
   */
  public WorkerView(
      Connection connection, WorkerKinds kinds, Listener listener, Supervisor supervisor) {
    this.connection = connection;
    this.kinds = kinds;
    this.listener = listener;
    this.view =
        new WatchedView(
            connection,
            kinds.watched(),
            WatchTimes.DEFAULT,
            new Random(),
            this::changed,
            supervisor);
    this.queues =
        new WorkerQueues(
            connection, InstantSource.system(), listener::namespaceChanged, supervisor);
    view.start();
  }

  /** The state of the watch of Workloads, on which all else depends. */
  public KindStatus workloads() {
    return view.statuses().getFirst();
  }

  /** Whether of each kind it is known what there is, or why that cannot be known. */
  public boolean isComplete() {
    return workloads().state() == State.CURRENT
        && view.statuses().stream().allMatch(it -> it.isComplete() || it.problem().isPresent());
  }

  /** What the rights there do not allow, in one line; empty for nothing. */
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

  private void changed(GroupKind kind, ObjectChange change) {
    index.note(kind, change);
    answers.note(kind, change);
    CopyIndex.concernedBy(kind, change).forEach(it -> listener.workloadChanged(kind, it));
  }

  /** The connection that it watches over. */
  public Connection connection() {
    return connection;
  }

  /** The kinds that are not served there, or not known for another reason. */
  public Set<GroupKind> notServed() {
    return view.statuses().stream()
        .filter(it -> it.state() == State.NOT_SERVED || !it.isComplete())
        .map(KindStatus::kind)
        .collect(Collectors.toSet());
  }

  /** The version at which objects of that kind are read there; empty if they are not. */
  public Optional<GroupVersionKind> type(GroupKind kind) {
    return kinds.type(kind);
  }

  /** What is known of the object of that name. */
  public Presence presence(GroupKind kind, String namespace, String name) {
    return answers.latest(
        new TypedObjectKey(kind, namespace, name), view.find(kind, namespace, name));
  }

  /** The API server answered this for a name. */
  public void answered(TypedObjectKey key, Presence presence) {
    answers.put(key, presence);
  }

  /** The API server refused our login. */
  public void loginRefused() {
    listener.loginRefused();
  }

  /** We are about to create or delete the object of that name. */
  public void writing(TypedObjectKey key) {
    answers.forget(key);
  }

  /** The state of the LocalQueue of that name, and of what it depends on. */
  public QueueState queue(String namespace, String name) {
    return queues.state(namespace, name);
  }

  /** The jobs that name that Workload. */
  public List<TypedObjectKey> jobsOf(ObjectKey workload) {
    return index.jobsOf(workload);
  }

  /** Whether anything there is of that Workload. */
  public boolean has(ObjectKey workload) {
    return index.has(workload);
  }

  /** Every Workload of which something with our origin is there. */
  public Set<ObjectKey> workloadsThere() {
    return index.all();
  }

  /** How many Workloads with our origin are there. */
  public int copies() {
    return index.copies();
  }

  /** How many Workloads with our origin are there in that state. */
  public int copies(CopyState state) {
    return index.copies(state);
  }

  /**
   * How many objects of a manager are there, by resource: those with its mark, and, unless other
   * managers use our origin there, those without any.
   */
  public SortedMap<String, Integer> objectsOf(String manager) {
    SortedMap<String, Integer> counts = new TreeMap<>();
    index
        .objectsOf(manager)
        .forEach((kind, it) -> counts.merge(kinds.resource(kind), it, Integer::sum));
    if (!isSharedBesides(manager)) {
      index
          .objectsOf("")
          .forEach((kind, it) -> counts.merge(kinds.resource(kind), it, Integer::sum));
    }
    return counts;
  }

  /** Whether another manager than that uses our origin there. */
  public boolean isSharedBesides(String manager) {
    return index.isSharedBesides(manager);
  }

  @Override
  public void close() {
    queues.close();
    view.close();
  }
}
