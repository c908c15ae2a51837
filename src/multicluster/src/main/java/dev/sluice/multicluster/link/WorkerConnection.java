package dev.sluice.multicluster.link;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.cluster.access.Target;
import dev.sluice.cluster.access.TargetAccess;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.cluster.api.ConnectionException.Reason;
import dev.sluice.multicluster.view.WorkerKinds;
import dev.sluice.multicluster.view.WorkerView;
import dev.sluice.supervision.Supervisor;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A connection to a worker, with its watches. For one thread. */
final class WorkerConnection implements AutoCloseable {
  private static final String SYSTEM = "/api/v1/namespaces/kube-system";
  private static final int UNAUTHORIZED = 401;

  /** A worker is not trusted with the memory of its manager. */
  private static final long LARGEST_ANSWERS = 64L << 20;

  private static final ObjectMapper MAPPER = new JsonMapper();

  private final TargetAccess access;
  private final Connection connection;
  private @Nullable WorkerView view;

  /** A connection that sends no request yet. */
  WorkerConnection(TargetAccess access) {
    this.access = access;
    this.connection = Connection.bounded(access.access(), LARGEST_ANSWERS);
  }

  /**
   * The uid of the cluster; empty if it may not be read.
   *
   * @throws ConnectionException if it does not answer
   */
  Optional<String> incarnation(Duration bound) {
    try {
      JsonNode namespace = MAPPER.readTree(connection.get(SYSTEM, Connection.JSON, bound));
      return Optional.of(namespace.path("metadata").path("uid").asText())
          .filter(uid -> !uid.isEmpty());
    } catch (ConnectionException e) {
      if (e.reason() == Reason.FORBIDDEN || e.reason() == Reason.NOT_SERVED) {
        return Optional.empty(); // the watches report other missing rights
      }
      throw e;
    } catch (IOException e) {
      throw Connection.unreadable(e);
    }
  }

  /** What the worker says if it refuses our login; empty if it takes it or does not answer. */
  Optional<String> refusal(Duration bound) {
    try {
      Connection.Answer answer = connection.call("GET", SYSTEM, Connection.JSON, null, null, bound);
      return answer.status() == UNAUTHORIZED ? Optional.of(answer.message()) : Optional.empty();
    } catch (ConnectionException _) {
      return Optional.empty(); // the watches report it
    }
  }

  /**
   * Begins to watch.
   *
   * @param listener receives each Workload with a change there; must not block
   */
  WorkerView watch(WorkerKinds kinds, WorkerView.Listener listener, Supervisor supervisor) {
    WorkerView opened = new WorkerView(connection, kinds, listener, supervisor);
    view = opened;
    return opened;
  }

  /** Logs in with another credential from now on. */
  void replaceLogin(Target target) {
    var _ = access.replaceLogin(target);
  }

  @Override
  public void close() {
    if (view != null) {
      view.close();
    }
    connection.close();
  }
}
