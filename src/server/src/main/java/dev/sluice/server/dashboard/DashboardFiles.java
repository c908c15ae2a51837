package dev.sluice.server.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.server.reply.Reply;
import dev.sluice.server.reply.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;

/**
 * The files of the dashboard below {@code /ui/}, kept in memory. They are a fixed list, so no path
 * can lead to another file. They are no secret: what they show is asked of the API with the rights
 * of the reader. Immutable.
 */
public final class DashboardFiles {
  /** The path of the first page. */
  public static final String ROOT = "/ui/";

  static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

  /** Beside the first page, which is {@code index.html}. */
  static final List<String> NAMES =
      List.of(
          "icon.svg",
          "base.css",
          "parts.css",
          "app.js",
          "router.js",
          "client.js",
          "html.js",
          "format.js",
          "parts.js",
          "bars.js",
          "overview.js",
          "queue.js",
          "usage.js",
          "workload.js",
          "whatif.js",
          "quotaform.js",
          "log.js",
          "nodes.js",
          "heatmap.js",
          "vendor/preact.mjs",
          "vendor/hooks.mjs",
          "vendor/htm.mjs",
          "vendor/js-yaml.mjs",
          "vendor/preact.LICENSE.txt",
          "vendor/htm.LICENSE.txt",
          "vendor/js-yaml.LICENSE.txt");

  private static final Map<String, String> ALWAYS =
      Map.of(
          "Content-Security-Policy",
          POLICY,
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cache-Control",
          "no-cache");

  private final Map<String, DashboardFile> files = new LinkedHashMap<>();

  @SuppressWarnings("ArrayRecordComponent") // never changed
  private record DashboardFile(String type, byte[] plain, byte[] zipped, String tag) {}

  private DashboardFiles() {
    files.put(ROOT, read("index.html"));
    NAMES.forEach(name -> files.put(ROOT + name, read(name)));
  }

  /** Reads all of them. */
  public static DashboardFiles load() {
    return new DashboardFiles();
  }

  /** Whether the path is of the dashboard, be there something or not. */
  public static boolean isBelow(String path) {
    return path.startsWith(ROOT) || path.equals("/ui");
  }

  /**
   * What is at that path.
   *
   * @param method only GET and HEAD are allowed
   * @param knownTags what the client has, as If-None-Match says it; empty for nothing
   * @param encodings what the client can read, as Accept-Encoding says it
   */
  public Reply answer(String method, String path, String knownTags, String encodings) {
    if (!method.equals("GET") && !method.equals("HEAD")) {
      return sentence(405, "the dashboard is read only", Map.of("Allow", "GET, HEAD"));
    }
    if (path.equals("/ui")) {
      return sentence(308, "the dashboard is at /ui/", Map.of("Location", ROOT));
    }
    DashboardFile file = files.get(path);
    return file == null
        ? sentence(404, "the dashboard has no such file", Map.of())
        : show(file, method, knownTags, encodings);
  }

  private static Reply show(DashboardFile file, String method, String knownTags, String encodings) {
    boolean zips = Arrays.stream(encodings.split(",", -1)).anyMatch(it -> takesGzip(it.strip()));
    String tag = "\"%s%s\"".formatted(file.tag(), zips ? "-gz" : "");
    Map<String, String> headers = new LinkedHashMap<>(ALWAYS);
    headers.put("ETag", tag);
    headers.put("Vary", "Accept-Encoding");
    if (Arrays.stream(knownTags.split(",", -1)).map(String::strip).anyMatch(tag::equals)) {
      return new Reply(304, headers, new byte[0]);
    }
    headers.put("Content-Type", file.type());
    if (zips) {
      headers.put("Content-Encoding", "gzip");
    }
    return new Reply(
        200, headers, method.equals("HEAD") ? new byte[0] : zips ? file.zipped() : file.plain());
  }

  private static boolean takesGzip(String encoding) {
    String plain = encoding.replace(" ", "");
    return plain.startsWith("gzip") && !plain.matches("gzip;q=0(\\.0*)?");
  }

  /** A sentence with the headers of every answer. */
  static Reply sentence(int status, String sentence, Map<String, String> more) {
    Map<String, String> headers = new LinkedHashMap<>(ALWAYS);
    headers.put("Content-Type", "text/plain; charset=utf-8");
    headers.putAll(more);
    return new Reply(status, headers, sentence.getBytes(UTF_8));
  }

  /** How many bytes of script and style a browser fetches, compressed. */
  int zippedBytes() {
    return files.entrySet().stream()
        .filter(it -> !it.getKey().endsWith(".txt"))
        .mapToInt(it -> it.getValue().zipped().length)
        .sum();
  }

  private static DashboardFile read(String name) {
    try (InputStream in = DashboardFiles.class.getResourceAsStream("ui/" + name)) {
      byte[] plain = Objects.requireNonNull(in, name).readAllBytes();
      var zipped = new ByteArrayOutputStream();
      try (var zip = new GZIPOutputStream(zipped)) {
        zip.write(plain);
      }
      byte[] hash = Sha256.digest().digest(plain);
      return new DashboardFile(
          type(name), plain, zipped.toByteArray(), HexFormat.of().formatHex(hash, 0, 16));
    } catch (IOException e) {
      throw new UncheckedIOException("a file of the dashboard cannot be read: " + name, e);
    }
  }

  private static String type(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "js", "mjs" -> "text/javascript; charset=utf-8";
      case "svg" -> "image/svg+xml";
      default -> "text/plain; charset=utf-8";
    };
  }
}
