package dev.sluice.multicluster.controller;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.Connection.Answer;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.multicluster.protocol.Presence;
import dev.sluice.multicluster.view.WorkerView;
import dev.sluice.multicluster.waiting.WaitingReason;
import dev.sluice.scheduler.write.Paths;
import dev.sluice.scheduler.write.Sender;
import dev.sluice.scheduler.write.WriteResult;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Single requests to one worker over one connection. Its answers are added to its view. Blocks;
 * thread-safe.
 */
final class WorkerCalls {
  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final int UNAUTHORIZED = 401;
  private static final ObjectMapper MAPPER = new JsonMapper();

  /** How a request ended. */
  sealed interface Outcome {
    /** It succeeded. */
    record Done() implements Outcome {}

    /** The object has changed since it was planned: a new plan takes that into account. */
    record Outdated() implements Outcome {}

    /** The worker refused it, for that reason. */
    record Refused(WaitingReason reason) implements Outcome {
      public Refused {
        requireNonNull(reason, "reason");
      }
    }

    /** There was no answer, or the worker cannot answer at the moment. */
    record Unanswered(String message, Optional<Duration> retryAfter) implements Outcome {
      public Unanswered {
        requireNonNull(message, "message");
        requireNonNull(retryAfter, "retryAfter");
      }
    }

    /** This replica may not write. */
    record NotLeading() implements Outcome {}
  }

  private static final Outcome DONE = new Outcome.Done();

  private final WorkerView view;
  private final Sender sender;

  WorkerCalls(WorkerView view, BooleanSupplier leads) {
    this.view = view;
    this.sender = Sender.ofSingleAttempts(view.connection(), leads);
  }

  /** Reads an object from the API server, not from a cache. */
  Outcome ask(GroupVersionKind kind, String namespace, String name) {
    String path = Paths.object(new ObjectRef(kind, namespace, name, ""));
    TypedObjectKey key = new TypedObjectKey(kind.groupKind(), namespace, name);
    try {
      Answer answer = view.connection().call("GET", path, Connection.JSON, null, null, BOUND);
      return switch (answer.status()) {
        case 200 -> {
          view.answered(key, new Presence.Present(MAPPER.readTree(answer.body())));
          yield DONE;
        }
        case 404 -> {
          view.answered(key, Presence.absent());
          yield DONE;
        }
        case UNAUTHORIZED -> loginRefused(answer.message());
        case 408, 429, 500, 502, 503, 504 ->
            new Outcome.Unanswered(
                answer.message(), answer.retryAfter().flatMap(WorkerCalls::seconds));
        default -> refused("get", kind, answer.message());
      };
    } catch (ConnectionException e) {
      return new Outcome.Unanswered(String.valueOf(e.getMessage()), Optional.empty());
    } catch (IOException e) {
      return new Outcome.Unanswered(
          "an answer that is no JSON: " + e.getMessage(), Optional.empty());
    }
  }

  /** The login is about to be another, or the link ends; the request is repeated either way. */
  private Outcome loginRefused(String message) {
    view.loginRefused();
    return new Outcome.Unanswered(message, Optional.empty());
  }

  private static Optional<Duration> seconds(String text) {
    return text.matches("\\d{1,4}")
        ? Optional.of(Duration.ofSeconds(Long.parseLong(text)))
        : Optional.empty();
  }

  /** Sends a write. After a conflict it reads the object, so that the next plan knows the cause. */
  Outcome send(Write write) {
    if (write instanceof Write.Create || write instanceof Write.Delete) {
      view.writing(key(write.target()));
    }
    return switch (sender.send(write)) {
      case WriteResult.Done(var object) -> {
        if (object.path("metadata").has("resourceVersion") && !(write instanceof Write.Delete)) {
          view.answered(key(write.target()), new Presence.Present(object));
        }
        yield DONE;
      }
      case WriteResult.Conflict _ -> outdated(write);
      case WriteResult.Missing _ ->
          write instanceof Write.Create create
              ? new Outcome.Refused(
                  new WaitingReason.NoNamespace(create.target().namespace(), false))
              : outdated(write);
      case WriteResult.Refused(var status, var message) ->
          status == UNAUTHORIZED ? loginRefused(message) : refused(write, message);
      case WriteResult.Unanswered(var message, var retryAfter, _) ->
          new Outcome.Unanswered(message, retryAfter);
      case WriteResult.NotLeading _ -> new Outcome.NotLeading();
    };
  }

  private static TypedObjectKey key(ObjectRef ref) {
    return new TypedObjectKey(ref.kind().groupKind(), ref.namespace(), ref.name());
  }

  private Outcome outdated(Write write) {
    ObjectRef target = write.target();
    Outcome asked = ask(target.kind(), target.namespace(), target.name());
    return asked.equals(DONE) ? new Outcome.Outdated() : asked;
  }

  private static Outcome refused(Write write, String message) {
    boolean isTerminating =
        write instanceof Write.Create && message.contains("because it is being terminated");
    if (isTerminating) {
      return new Outcome.Refused(new WaitingReason.NoNamespace(write.target().namespace(), true));
    }
    String verb =
        switch (write) {
          case Write.Create _ -> "create";
          case Write.Delete _ -> "delete";
          case Write.MergePatch _, Write.Apply _, Write.Event _ -> "patch";
        };
    return refused(verb, write.target().kind(), message);
  }

  private static Outcome refused(String verb, GroupVersionKind kind, String message) {
    String group = kind.group().isEmpty() ? "" : "." + kind.group();
    return new Outcome.Refused(
        new WaitingReason.Refused(verb, Paths.plural(kind) + group, message));
  }

  /** The uid of an object as it was read; empty if it has none. */
  static String uid(JsonNode object) {
    return object.path("metadata").path("uid").asText("");
  }
}
