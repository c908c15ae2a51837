package dev.sluice.multicluster.waiting;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a Workload waits for on one worker. */
public sealed interface WaitingReason {
  /** What users read, without the name of the worker. */
  String text();

  /**
   * The worker cannot be reached.
   *
   * @param lasting for how long, in whole minutes; so the text does not change all the time
   */
  record NotConnected(Duration lasting, String error, Optional<Instant> nextAttempt)
      implements WaitingReason {
    @Override
    public String text() {
      String time = lasting.toMinutes() < 1 ? "" : " for " + lasting.toMinutes() + "m";
      String why = error.isEmpty() ? "" : ": " + error;
      return "not connected"
          + time
          + why
          + nextAttempt.map(it -> ", next attempt " + it).orElse("");
    }
  }

  /** The worker is connected, and what it has is not known yet. */
  record Listing() implements WaitingReason {
    @Override
    public String text() {
      return "its objects are being listed";
    }
  }

  /** The worker has no such kind. */
  record KindNotServed(String kind) implements WaitingReason {
    @Override
    public String text() {
      return "does not serve " + kind;
    }
  }

  /** The dispatcher has not nominated the worker yet. */
  record NotNominated() implements WaitingReason {
    @Override
    public String text() {
      return "not nominated";
    }
  }

  /** Nothing is sent to the worker until then. */
  record LeftOut(String why, Instant until) implements WaitingReason {
    @Override
    public String text() {
      return why + "; left out until " + until;
    }
  }

  /** An object of another owner has the name there. */
  record NameTaken(String kind, String name, String owner) implements WaitingReason {
    @Override
    public String text() {
      return "name taken by %s %s%s".formatted(kind, name, owner.isEmpty() ? "" : ", " + owner);
    }
  }

  /** The worker's API server refused a request. */
  record Refused(String verb, String resource, String message) implements WaitingReason {
    @Override
    public String text() {
      return "%s %s refused: %s".formatted(verb, resource, message);
    }
  }

  /** The namespace is missing or being deleted. */
  record NoNamespace(String namespace, boolean isTerminating) implements WaitingReason {
    @Override
    public String text() {
      return "namespace " + namespace + (isTerminating ? " is terminating" : " is not there");
    }
  }

  /** The copy names a LocalQueue that is not there. */
  record NoQueue(String namespace, String name) implements WaitingReason {
    @Override
    public String text() {
      return "LocalQueue " + namespace + "/" + name + " is not there";
    }
  }

  /** The queue of the copy there takes nothing. */
  record QueueNotActive(String queue, String why) implements WaitingReason {
    @Override
    public String text() {
      return queue + " is not active" + (why.isEmpty() ? "" : ": " + why);
    }
  }

  /** The queue is active, and the worker has decided nothing. */
  record Silent(String clusterQueue, int touches) implements WaitingReason {
    @Override
    public String text() {
      return "ClusterQueue %s is active, and the worker has not looked at the workload; touched %s"
          .formatted(clusterQueue, touches == 1 ? "once" : touches + " times");
    }
  }

  /** An object there is being deleted, and somebody's finalizer holds it. */
  record HeldByFinalizer(String kind, String name, String finalizers) implements WaitingReason {
    @Override
    public String text() {
      return "%s %s is being deleted, held by finalizer %s".formatted(kind, name, finalizers);
    }
  }

  /** The cluster is chosen, and the job there has not started. */
  record StillHeldBack(String kind) implements WaitingReason {
    @Override
    public String text() {
      return "%s is still held back there: is the integration of %s on there?"
          .formatted(kind, kind);
    }
  }

  /** The job has started there, and none of its Pods runs. */
  record NoPodReady(String kind, String message) implements WaitingReason {
    @Override
    public String text() {
      String what = kind.equals("Pod") ? "Pod has no node there" : "no Pod of it is ready there";
      return what + (message.isEmpty() ? "" : ": " + message);
    }
  }

  /** The copy is about to be created. */
  record BeingCreated() implements WaitingReason {
    @Override
    public String text() {
      return "the workload is being created";
    }
  }

  /** An earlier copy is deleted first. */
  record BeingRemoved(String what) implements WaitingReason {
    @Override
    public String text() {
      return what + " is being removed";
    }
  }

  /** The origin label was removed from our copy. */
  record LabelRemoved(String label) implements WaitingReason {
    @Override
    public String text() {
      return "somebody removed the label "
          + label
          + " from the copy: put it back or delete the copy";
    }
  }

  /** The copy waits for quota; the worker says why. */
  record NoQuota(String message) implements WaitingReason {
    @Override
    public String text() {
      return message.isEmpty() ? "waits for quota" : "waits for quota: " + message;
    }
  }

  /** The copy has quota, and checks of the worker have not answered. */
  record ChecksPending(List<String> checks) implements WaitingReason {
    public ChecksPending {
      checks = List.copyOf(checks);
    }

    @Override
    public String text() {
      return "has quota, waits for checks " + String.join(", ", checks);
    }
  }

  /** The copy is admitted there, and its job is about to be made. */
  record Admitted() implements WaitingReason {
    @Override
    public String text() {
      return "admitted";
    }
  }
}
