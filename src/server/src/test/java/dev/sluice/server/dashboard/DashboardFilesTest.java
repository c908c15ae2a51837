package dev.sluice.server.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.server.reply.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DashboardFilesTest {
  private static final Path SOURCES =
      Path.of("src/main/resources/dev/sluice/server/dashboard/ui").toAbsolutePath();

  private final DashboardFiles files = DashboardFiles.load();

  private Reply get(String path) {
    return files.answer("GET", path, "", "");
  }

  /** Our own files, as they stand in the sources. */
  static List<Path> ownFiles() throws IOException {
    try (Stream<Path> all = Files.list(SOURCES)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theFirstPageHasAPolicyThatAllowsNothingButItsOwnFiles() {
    Reply page = get("/ui/");

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.headers())
        .containsEntry("Content-Type", "text/html; charset=utf-8")
        .containsEntry("X-Content-Type-Options", "nosniff")
        .containsEntry("Referrer-Policy", "no-referrer")
        .containsEntry("Cross-Origin-Opener-Policy", "same-origin")
        .containsEntry("Cross-Origin-Resource-Policy", "same-origin");
    assertThat(page.headers().get("Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'")
        .contains("base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'")
        .doesNotContain("unsafe", "http", "*");
  }

  @Test
  void everyFileOfTheFolderIsServedAndNothingElse() throws IOException {
    Set<String> inFolder = new TreeSet<>();
    try (Stream<Path> all = Files.walk(SOURCES)) {
      all.filter(Files::isRegularFile)
          .map(file -> SOURCES.relativize(file).toString())
          .forEach(inFolder::add);
    }
    inFolder.removeAll(Set.of("index.html", "vendor/vendor.json"));

    assertThat(new TreeSet<>(DashboardFiles.NAMES)).isEqualTo(inFolder);
    assertThat(DashboardFiles.NAMES).allMatch(name -> get("/ui/" + name).status() == 200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ui/../see/view.sluice.dev.json",
        "/ui/vendor/vendor.json",
        "/ui/%2e%2e/DashboardFiles.class",
        "/ui//app.js",
        "/ui/vendor",
        "/ui/index.html/",
        "/uix"
      })
  void noOtherPathLeadsToAFile(String path) {
    assertThat(get(path).status()).isEqualTo(404);
  }

  @Test
  void theFolderLeadsToItsPageAndOtherMethodsAreRefused() {
    assertThat(get("/ui").status()).isEqualTo(308);
    assertThat(get("/ui").headers()).containsEntry("Location", "/ui/");
    assertThat(files.answer("POST", "/ui/", "", "").status()).isEqualTo(405);
    assertThat(files.answer("HEAD", "/ui/", "", "").body()).isEmpty();
  }

  @Test
  void aFileThatTheBrowserHasIsNotSentAgain() {
    String tag = get("/ui/app.js").headers().getOrDefault("ETag", "");

    Reply again = files.answer("GET", "/ui/app.js", "\"x\", " + tag, "");

    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(again.headers()).containsEntry("ETag", tag).containsKey("Content-Security-Policy");
    assertThat(files.answer("GET", "/ui/app.js", tag, "gzip").status())
        .as("another form has another tag")
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "br, gzip;q=0.5", "deflate, gzip"})
  void whoReadsGzipGetsIt(String encodings) throws IOException {
    Reply zipped = files.answer("GET", "/ui/app.js", "", encodings);

    assertThat(zipped.headers()).containsEntry("Content-Encoding", "gzip");
    try (var in = new GZIPInputStream(new ByteArrayInputStream(zipped.body()))) {
      assertThat(in.readAllBytes()).isEqualTo(get("/ui/app.js").body());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "br", "gzip;q=0", "gzip;q=0.0"})
  void whoDoesNotReadGzipGetsPlainText(String encodings) {
    assertThat(files.answer("GET", "/ui/app.js", "", encodings).headers())
        .doesNotContainKey("Content-Encoding");
  }

  @Test
  void allScriptsAndStylesTogetherAreSmall() {
    assertThat(files.zippedBytes()).isLessThanOrEqualTo(90_000);
  }

  /** An address in a comment or in XML's namespace would do no harm, but there is none. */
  @ParameterizedTest
  @MethodSource("ownFiles")
  void noFileOfOursHasInlineCodeOrRawMarkupOrAnotherHost(Path file) {
    String text = content(file).replace("http://www.w3.org/2000/svg", "");

    assertThat(text)
        .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write")
        .doesNotContain("eval(", "new Function", "javascript:", "http://", "https://");
    assertThat(text).doesNotContainPattern(Pattern.compile("<[^>]*\\son[a-z]+=\""));
    if (file.toString().endsWith(".html")) {
      assertThat(text).doesNotContainPattern(Pattern.compile("<script(?![^>]*src=)|<style|style="));
    }
  }

  @ParameterizedTest
  @MethodSource("ownFiles")
  void everyImportIsOfAFileThatIsServed(Path file) {
    var imports = Pattern.compile("(?:from |import\\()'\\./([^']+)'").matcher(content(file));

    assertThat(imports.results().map(it -> it.group(1)).collect(Collectors.toSet()))
        .isSubsetOf(DashboardFiles.NAMES);
  }

  @Test
  void theLibrariesAreThoseOfTheirManifest() throws IOException, NoSuchAlgorithmException {
    JsonNode vendored = new ObjectMapper().readTree(SOURCES.resolve("vendor/vendor.json").toFile());
    Set<String> named = new TreeSet<>();
    for (JsonNode library : vendored) {
      assertThat(library.path("license").asText()).isIn("MIT", "Apache-2.0");
      assertThat(library.path("integrity").asText()).startsWith("sha512-");
      for (JsonNode file : library.path("files")) {
        String name = file.path("name").asText();
        named.add("vendor/" + name);
        byte[] bytes = Files.readAllBytes(SOURCES.resolve("vendor").resolve(name));
        assertThat(file.path("sha256").asText())
            .as(name)
            .isEqualTo(
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
      }
    }

    assertThat(named)
        .isEqualTo(
            DashboardFiles.NAMES.stream()
                .filter(name -> name.startsWith("vendor/"))
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** What makes code of text would need a weaker policy. */
  @Test
  void theLibrariesMakeNoCodeOfText() throws IOException {
    try (Stream<Path> libraries = Files.list(SOURCES.resolve("vendor"))) {
      assertThat(libraries.filter(it -> it.toString().endsWith(".mjs")))
          .isNotEmpty()
          .allSatisfy(
              it ->
                  assertThat(new String(Files.readAllBytes(it), UTF_8))
                      .doesNotContain("eval(", "new Function", "document.write"));
    }
  }
}
