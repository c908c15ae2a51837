package dev.sluice.multicluster.link;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.multicluster.protocol.Link;
import dev.sluice.multicluster.view.WorkerView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The workers as their links are at this moment. Thread-safe; nothing waits. */
public final class Workers {
  /**
   * A worker.
   *
   * @param link how it is connected
   * @param view what it has of ours, over the present connection; empty if there is none
   * @param notServed the kinds that could not be used there when the link was looked at last. Plans
   *     use these and not what the view says meanwhile, so that every change is told to listeners.
   */
  public record Worker(Link link, Optional<WorkerView> view, Set<GroupKind> notServed) {
    public Worker {
      requireNonNull(link, "link");
      requireNonNull(view, "view");
      notServed = Set.copyOf(notServed);
    }

    /** What it has of ours, while all of that is known. */
    public Optional<WorkerView> known() {
      return link instanceof Link.Connected ? view : Optional.empty();
    }
  }

  /** Is told what happens to workers; must not block. */
  public interface Listener {
    /** A worker is connected now, or is not, or other kinds can be used there, or it is gone. */
    void linkChanged(String cluster);

    /** On a worker something changed of that Workload. */
    void workloadChanged(String cluster, GroupKind kind, ObjectKey workload);
  }

  private final Map<String, Worker> workers = new ConcurrentHashMap<>();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  /** Tells this listener from now on, too. */
  public void listen(Listener listener) {
    listeners.add(listener);
  }

  /** That worker; empty if no MultiKueueCluster of the name was looked at. */
  public Optional<Worker> find(String cluster) {
    return Optional.ofNullable(workers.get(cluster));
  }

  /** Their names, sorted. */
  public List<String> names() {
    List<String> names = new ArrayList<>(workers.keySet());
    names.sort(null);
    return names;
  }

  void report(String cluster, Link link, Optional<WorkerView> view, Set<GroupKind> notServed) {
    Worker now = new Worker(link, view, notServed);
    if (!now.equals(workers.put(cluster, now))) {
      listeners.forEach(it -> it.linkChanged(cluster));
    }
  }

  void remove(String cluster) {
    if (workers.remove(cluster) != null) {
      listeners.forEach(it -> it.linkChanged(cluster));
    }
  }

  void changed(String cluster, GroupKind kind, ObjectKey workload) {
    listeners.forEach(it -> it.workloadChanged(cluster, kind, workload));
  }
}
