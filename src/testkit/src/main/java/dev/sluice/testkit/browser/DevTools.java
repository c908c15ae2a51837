package dev.sluice.testkit.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The protocol by which developer tools talk to a page of Chromium: JSON over a WebSocket. */
final class DevTools implements WebSocket.Listener, AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration BOUND = Duration.ofSeconds(90);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<Integer, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
  private final List<String> problems = new CopyOnWriteArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final StringBuilder partial = new StringBuilder();
  private @Nullable WebSocket socket;

  private DevTools() {}

  /** The page in which a script ran is not there any more. */
  static final class PageLeftException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PageLeftException(String message) {
      super(message);
    }
  }

  /** Those of the first page of the browser that listens on that port. */
  static DevTools ofPage(int port) {
    var tools = new DevTools();
    tools.socket =
        await(
            tools
                .client
                .newWebSocketBuilder()
                .connectTimeout(BOUND)
                .buildAsync(tools.page(port), tools));
    return tools;
  }

  private URI page(int port) {
    HttpRequest list =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/json/list".formatted(port)))
            .timeout(BOUND)
            .build();
    try {
      String answer = client.send(list, HttpResponse.BodyHandlers.ofString()).body();
      for (JsonNode target : MAPPER.readTree(answer)) {
        if (target.path("type").asText().equals("page")) {
          return URI.create(target.path("webSocketDebuggerUrl").asText());
        }
      }
      throw new AssertionError("no page: " + answer);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(BOUND.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Calls a method without arguments. */
  JsonNode call(String method) {
    return call(method, JsonNodeFactory.instance.objectNode());
  }

  /** Calls a method, and waits for its result. */
  JsonNode call(String method, ObjectNode arguments) {
    WebSocket to = socket;
    if (to == null) {
      throw new IllegalStateException("not connected");
    }
    int id = calls.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    open.put(id, answer);
    ObjectNode message = JsonNodeFactory.instance.objectNode().put("id", id).put("method", method);
    message.set("params", arguments);
    await(to.sendText(message.toString(), true));
    JsonNode answered = await(answer);
    if (answered.has("error")) {
      String error = answered.at("/error/message").asText();
      if (error.contains("context") || error.contains("navigated") || error.contains("collected")) {
        throw new PageLeftException(error);
      }
      throw new AssertionError(method + ": " + error);
    }
    return answered.path("result");
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    partial.append(data);
    if (last) {
      take(partial.toString());
      partial.setLength(0);
    }
    from.request(1);
    return null;
  }

  private void take(String text) {
    JsonNode message;
    try {
      message = MAPPER.readTree(text);
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
    CompletableFuture<JsonNode> waiting = open.remove(message.path("id").asInt());
    if (waiting != null) {
      waiting.complete(message);
    }
    JsonNode event = message.path("params");
    switch (message.path("method").asText()) {
      case "Runtime.exceptionThrown" ->
          problems.add(
              "exception: " + event.at("/exceptionDetails/exception/description").asText());
      case "Runtime.consoleAPICalled" -> {
        if (event.path("type").asText().equals("error")) {
          problems.add("console: " + event.path("args"));
        }
      }
      case "Log.entryAdded" -> {
        JsonNode entry = event.path("entry");
        if (entry.path("level").asText().equals("error")) {
          problems.add(
              "%s: %s %s"
                  .formatted(
                      entry.path("source").asText(),
                      entry.path("text").asText(),
                      entry.path("url").asText()));
        }
      }
      case "Page.javascriptDialogOpening" -> problems.add("dialog: " + event.path("message"));
      default -> {
        // nothing that a test looks at
      }
    }
  }

  List<String> problems() {
    return List.copyOf(problems);
  }

  @Override
  public void close() {
    if (socket != null) {
      socket.abort();
    }
    client.shutdownNow();
  }
}
