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

/** The current state of all workers. Thread-safe; no method blocks. */
public final class Workers {
  /**
   * A worker.
   *
   * @param link how it is connected
   * @param view our objects there, as the current connection shows them; empty without a connection
   * @param notServed the kinds that could not be used there when the link was looked at last. Plans
   *     use these and not the current state of the view, so that listeners receive every change.
   */
  public record Worker(Link link, Optional<WorkerView> view, Set<GroupKind> notServed) {
    public Worker {
      requireNonNull(link, "link");
      requireNonNull(view, "view");
      notServed = Set.copyOf(notServed);
    }

    /** Our objects there, while all of them are known. */
    public Optional<WorkerView> known() {
      return link instanceof Link.Connected ? view : Optional.empty();
    }
  }

  /** Receives changes of workers; must not block. */
  public interface Listener {
    /** A worker is connected now, or is not, or other kinds can be used there, or it is gone. */
    void linkChanged(String cluster);

    /** On a worker something changed of that Workload. */
    void workloadChanged(String cluster, GroupKind kind, ObjectKey workload);

    /** On a worker the namespace or a queue in it came, went, or turned active or inactive. */
    void namespaceChanged(String cluster, String namespace);
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

  /**
   * Passes changes on that worker to the listeners.
   *
   * @param loginRefused called when the worker refuses our login; must not block
   */
  WorkerView.Listener changesOf(String cluster, Runnable loginRefused) {
    return new WorkerView.Listener() {
      @Override
      public void workloadChanged(GroupKind kind, ObjectKey workload) {
        listeners.forEach(it -> it.workloadChanged(cluster, kind, workload));
      }

      @Override
      public void namespaceChanged(String namespace) {
        listeners.forEach(it -> it.namespaceChanged(cluster, namespace));
      }

      @Override
      public void loginRefused() {
        loginRefused.run();
      }
    };
  }
}
