package dev.sluice.testkit.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A Chromium with one page and no screen. It finds no host but 127.0.0.1, so a page that asks
 * another one fails. For one thread.
 */
public final class Chromium implements AutoCloseable {
  private static final int START_SECONDS = 90;
  private static final int WAIT_SECONDS = 90;

  private final Process process;
  private final DevTools tools;

  private Chromium(Process process, DevTools tools) {
    this.process = process;
    this.tools = tools;
  }

  /** The program, if it is installed. */
  public static Optional<Path> program() {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    return Stream.of("chromium", "chromium-browser", "google-chrome", "chrome")
        .flatMap(name -> Stream.of(path.split(File.pathSeparator, -1)).map(it -> Path.of(it, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts one.
   *
   * @param folder where it keeps its profile and its log
   */
  public static Chromium start(Path folder) {
    List<String> command = new ArrayList<>();
    command.add(program().orElseThrow().toString());
    command.addAll(
        List.of(
            "--headless=new",
            "--no-sandbox", // it runs as root in CI, and reads pages of ours only
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-extensions",
            "--no-first-run",
            "--ignore-certificate-errors", // the authorities of tests are their own
            "--hide-scrollbars",
            "--force-device-scale-factor=1",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            "--user-data-dir=" + folder.resolve("profile"),
            "--remote-debugging-port=0",
            "about:blank"));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(folder.resolve("chromium.log").toFile())
              .start();
      try {
        DevTools tools = DevTools.ofPage(await(port(process)));
        List.of("Page", "Runtime", "Log").forEach(domain -> tools.call(domain + ".enable"));
        return new Chromium(process, tools);
      } catch (RuntimeException | Error e) {
        end(process);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The port that the browser names on standard error; the rest of that is read and forgotten. */
  private static CompletableFuture<Integer> port(Process process) {
    CompletableFuture<Integer> port = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
                lines
                    .lines()
                    .filter(line -> line.startsWith("DevTools listening on ws://127.0.0.1:"))
                    .forEach(
                        line ->
                            port.complete(
                                Integer.valueOf(
                                    line.replaceFirst(".*127\\.0\\.0\\.1:([0-9]+)/.*", "$1"))));
              } catch (IOException | UncheckedIOException e) {
                port.completeExceptionally(e);
              }
              port.completeExceptionally(new AssertionError("Chromium ended"));
            });
    return port;
  }

  private static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Runs a script in each page that is opened from now on, before those of the page. */
  public void beforeEachPage(String script) {
    tools.call("Page.addScriptToEvaluateOnNewDocument", arguments().put("source", script));
  }

  /** The bytes that the page's objects take after a collection. */
  public long liveHeap() {
    tools.call("HeapProfiler.collectGarbage");
    return tools.call("Runtime.getHeapUsage").path("usedSize").asLong();
  }

  /** Opens an address, or another fragment of the same. */
  public void open(String address) {
    tools.call("Page.navigate", arguments().put("url", address));
  }

  private static ObjectNode arguments() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** The value of an expression of JavaScript; a promise is awaited. */
  public JsonNode evaluate(String expression) {
    JsonNode answer =
        tools.call(
            "Runtime.evaluate",
            arguments()
                .put("expression", expression)
                .put("awaitPromise", true)
                .put("returnByValue", true)
                .put("userGesture", true));
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + answer.path("exceptionDetails"));
    }
    return answer.at("/result/value");
  }

  /** Waits until the expression is true, in whatever page is there then. */
  public void await(String expression) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (System.nanoTime() < end) {
      if (isTrueSoon(expression)) {
        return;
      }
    }
    throw new AssertionError(
        "not within %d s: %s; the page has:%n%s%n%s"
            .formatted(WAIT_SECONDS, expression, text(), problems()));
  }

  /** A page that is left ends the wait in it, and then the next one is asked. */
  private boolean isTrueSoon(String expression) {
    try {
      return evaluate(
              """
              new Promise(done => {
                const until = Date.now() + 2000;
                const look = () => {
                  let is = false;
                  try { is = Boolean(%s); } catch { is = false; }
                  if (is || Date.now() > until) { done(is); } else { setTimeout(look, 25); }
                };
                look();
              })\
              """
                  .formatted(expression))
          .asBoolean();
    } catch (DevTools.PageLeftException _) {
      return false;
    }
  }

  /** Waits until the text of the page has that part. */
  public void awaitText(String part) {
    await("document.body.innerText.includes(%s)".formatted(literal(part)));
  }

  /** All that a reader sees of the page. */
  public String text() {
    return evaluate("document.body.innerText").asText();
  }

  /** Clicks the first element of that selector whose text has that part. */
  public void click(String selector, String part) {
    String found =
        "[...document.querySelectorAll(%s)].find(it => it.textContent.includes(%s))"
            .formatted(literal(selector), literal(part));
    await(found);
    evaluate("(%s.click(), true)".formatted(found));
  }

  /** Puts a text into the field of that selector, as a person would. */
  public void fill(String selector, String text) {
    await("document.querySelector(%s)".formatted(literal(selector)));
    evaluate("(document.querySelector(%s).focus(), true)".formatted(literal(selector)));
    evaluate("(document.execCommand('selectAll'), true)");
    tools.call("Input.insertText", arguments().put("text", text));
  }

  private static String literal(String text) {
    return JsonNodeFactory.instance.textNode(text).toString();
  }

  /**
   * Sets what the page sees of its reader.
   *
   * @param colors light or dark
   * @param isForced whether the system chooses the colours
   */
  public void show(int width, int height, String colors, boolean isForced) {
    tools.call(
        "Emulation.setDeviceMetricsOverride",
        arguments()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", false));
    ObjectNode media = arguments();
    var features = media.putArray("features");
    features.addObject().put("name", "prefers-color-scheme").put("value", colors);
    features.addObject().put("name", "prefers-reduced-motion").put("value", "reduce");
    features.addObject().put("name", "forced-colors").put("value", isForced ? "active" : "none");
    tools.call("Emulation.setEmulatedMedia", media);
  }

  /** Keeps a picture of what is shown. */
  public void picture(Path file) {
    String data =
        tools
            .call("Page.captureScreenshot", arguments().put("format", "png"))
            .path("data")
            .asText();
    try {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.write(file, Base64.getDecoder().decode(data));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What axe finds on the page, a line each; empty for nothing. */
  public List<String> inaccessible() {
    evaluate(axe() + "; true");
    JsonNode found =
        evaluate(
            """
            axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa',
              'best-practice']}).then(it => it.violations.flatMap(rule => rule.nodes.map(node =>
              `${rule.id}: ${node.html.slice(0, 200)}: ${node.failureSummary.slice(0, 300)}`)))\
            """);
    return found.valueStream().map(JsonNode::asText).toList();
  }

  private static String axe() {
    try (InputStream in = Chromium.class.getResourceAsStream("axe.min.js")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What went wrong in pages so far: exceptions, errors of the console, and what a policy stopped.
   */
  public List<String> problems() {
    return tools.problems();
  }

  @Override
  public void close() {
    tools.close();
    end(process);
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor(START_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
