package dev.sluice.cli.scan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScanCommandTest {
  private static final String UNRELATED =
      record("GHSA-other", "Maven", "org.other:other", "0", "9");

  @TempDir private Path folder;

  @BeforeEach
  void aDatabaseWithBothEcosystems() throws IOException {
    store("maven.json", UNRELATED);
    store("debian.json", record("DSA-other", "Debian:12", "other", "0", "9"));
  }

  private void store(String file, String text) throws IOException {
    Path database = Files.createDirectories(folder.resolve("osv"));
    Files.writeString(database.resolve(file), text);
  }

  private static String record(
      String id, String ecosystem, String name, String introduced, String fixed) {
    return """
    {"id":"%s","modified":"2026-11-01T00:00:00Z","aliases":["CVE-%1$s"],"summary":"It breaks.",
    "affected":[{"package":{"ecosystem":"%s","name":"%s"},"ranges":[{"type":"ECOSYSTEM",
    "events":[{"introduced":"%s"},{"fixed":"%s"}]}]}]}\
    """
        .formatted(id, ecosystem, name, introduced, fixed);
  }

  private Path bill(String... purls) throws IOException {
    StringBuilder components = new StringBuilder();
    for (String purl : purls) {
      components
          .append(components.isEmpty() ? "" : ",")
          .append("{\"type\":\"library\",\"name\":\"n\",\"purl\":\"%s\"}".formatted(purl));
    }
    return Files.writeString(
        folder.resolve("bill.json"),
        "{\"bomFormat\":\"CycloneDX\",\"components\":[%s,{\"name\":\"OpenJDK\"}]}"
            .formatted(components));
  }

  private Ran scan(Path bill, String... more) {
    List<String> args = new ArrayList<>(List.of("scan", bill.toString()));
    args.add("--database=" + folder.resolve("osv"));
    args.addAll(List.of(more));
    return Commands.run(args.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "1.9.0, 0", // before it was introduced
    "2.0, 1",
    "2.0.1.Final, 1",
    "2.1-rc1, 1", // before the release
    "2.1, 0",
    "10.0, 0"
  })
  void aLibraryIsVulnerableFromTheFirstVersionToTheFix(String version, int code)
      throws IOException {
    store("a.json", record("GHSA-1", "Maven", "org.a:b", "2.0", "2.1"));

    assertThat(scan(bill("pkg:maven/org.a/b@" + version + "?type=jar")).code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({
    "pkg:deb/debian/libc6@2.36-9%2Bdeb12u9?arch=amd64&upstream=glibc, 1",
    "pkg:deb/debian/libc6@2.36-9%2Bdeb12u10?arch=amd64&upstream=glibc, 0",
    "pkg:deb/debian/libc6@2.36-9%2Bdeb11u9?arch=amd64&upstream=glibc, 0", // another release
    "pkg:deb/debian/libc6@2.36-9%2Bdeb12u9?arch=amd64, 0", // the database names sources
    "pkg:deb/debian/glibc@2.36-8?arch=amd64, 1"
  })
  void aPackageOfDebianIsComparedByItsSourceAndRelease(String purl, int code) throws IOException {
    store("d.json", record("CVE-9", "Debian:12", "glibc", "0", "2.36-9+deb12u10"));

    Ran ran = scan(bill(purl));

    assertThat(ran.code()).as(ran.out() + ran.err()).isEqualTo(code);
  }

  @Test
  void namesWhatIsVulnerableAndWhereItIsFixed() throws IOException {
    store("a.json", record("GHSA-1", "Maven", "org.a:b", "0", "2.1"));

    Ran ran = scan(bill("pkg:maven/org.a/b@2.0", "pkg:maven/org.a/c@1"));

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out().lines())
        .containsExactly(
            "vulnerable org.a:b 2.0: GHSA-1 [CVE-GHSA-1]: It breaks.",
            "           fixed in 2.1",
            "2 components compared with 3 records, the newest of 2026-11-01T00:00:00Z; not"
                + " compared: OpenJDK");
  }

  @Test
  void whatIsIgnoredByAnyOfItsNamesIsToldAndIsNoFailure() throws IOException {
    store("a.json", record("GHSA-1", "Maven", "org.a:b", "0", "2.1"));
    Path bill = bill("pkg:maven/org.a/b@2.0");

    Ran ran = scan(bill, "--ignore=CVE-GHSA-1", "-o", "json");

    assertThat(ran.code()).as(ran.err()).isZero();
    JsonNode found = new JsonMapper().readTree(ran.out()).at("/vulnerabilities/0");
    assertThat(found.path("ignored").asBoolean()).isTrue();
    assertThat(found.path("fixed").asText()).isEqualTo("2.1");
    assertThat(scan(bill, "--ignore=GHSA-2").code()).isEqualTo(1);
  }

  @Test
  void aWithdrawnRecordAndOneWithoutTheVersionDoNoHarm() throws IOException {
    store(
        "w.json",
        record("GHSA-1", "Maven", "org.a:b", "0", "2.1")
            .replaceFirst("\\{", "{\"withdrawn\":\"2026-01-01T00:00:00Z\","));
    store(
        "l.json",
        """
        {"id":"GHSA-2","affected":[{"package":{"ecosystem":"Maven","name":"org.a:b"},
        "versions":["1.5"],"ranges":[{"type":"ECOSYSTEM","events":[{"introduced":"1.0"},
        {"last_affected":"1.9"}]},{"type":"GIT","events":[{"introduced":"0"}]}]}]}\
        """);

    assertThat(scan(bill("pkg:maven/org.a/b@2.0")).code()).isZero();
    assertThat(scan(bill("pkg:maven/org.a/b@1.9")).code()).isEqualTo(1);
    assertThat(scan(bill("pkg:maven/org.a/b@1.5")).code()).isEqualTo(1);
  }

  /** As osv.dev has them for download. */
  @Test
  void recordsMayBeInAZip() throws IOException {
    Path zip = folder.resolve("osv").resolve("all.zip");
    try (OutputStream file = Files.newOutputStream(zip);
        ZipOutputStream out = new ZipOutputStream(file)) {
      out.putNextEntry(new ZipEntry("GHSA-1.json"));
      out.write(record("GHSA-1", "Maven", "org.a:b", "0", "2.1").getBytes(UTF_8));
    }

    assertThat(scan(bill("pkg:maven/org.a/b@2.0")).out()).contains("GHSA-1");
  }

  @Test
  void anEntryThatIsFarLargerThanItsArchiveIsRefused() throws IOException {
    Path zip = folder.resolve("osv").resolve("all.zip");
    try (OutputStream file = Files.newOutputStream(zip);
        ZipOutputStream out = new ZipOutputStream(file)) {
      out.putNextEntry(new ZipEntry("GHSA-1.json"));
      out.write(new byte[AdvisoryDatabase.LARGEST_RECORD + 1]);
    }

    Ran ran = scan(bill("pkg:maven/org.a/b@2.0"));

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("all.zip: GHSA-1.json: is larger than a record (expected: at most 16 MiB)");
  }

  @Test
  void aDatabaseWithoutAnEcosystemOfTheBillIsNoGoodNews() throws IOException {
    Files.delete(folder.resolve("osv").resolve("debian.json"));

    Ran ran = scan(bill("pkg:maven/org.a/b@2.0", "pkg:deb/debian/ca-certificates@20230311"));

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("has no record of Debian");
  }

  @Test
  void aFileThatIsNoRecordAndABillWithoutComponentsAreNamed() throws IOException {
    Path empty = Files.writeString(folder.resolve("empty.json"), "{\"components\":[]}");
    assertThat(scan(empty).err()).contains("empty.json: no component");

    store("broken.json", "{\"no\":1}");
    Ran ran = scan(bill("pkg:maven/org.a/b@2.0"));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("broken.json: has no id");
  }
}
