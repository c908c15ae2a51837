package dev.sluice.image.oci;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An image of two layers, read back by the rules of the formats. */
class OciArchiveTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");
  private static final int BLOCK = 512;

  /** The digest of no bytes at all, as FIPS 180-4 has it. */
  private static final String OF_NOTHING =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  @TempDir Path folder;

  private static ImageConfig config() {
    return new ImageConfig(
        "gate:1.2",
        "amd64",
        CREATED,
        "65532:65532",
        List.of("/bin/gate", "--quiet"),
        List.of("serve"),
        List.of("LANG=C"),
        List.of("9443/tcp"),
        new TreeMap<>(Map.of("org.opencontainers.image.title", "Gate")));
  }

  private List<Layer> layers() throws IOException {
    Path tree = Files.createDirectories(folder.resolve("tree"));
    Path program = tree.resolve("gate");
    if (!Files.exists(program)) {
      Files.writeString(program, "a program");
      assertThat(program.toFile().setExecutable(true)).isTrue();
      Files.createSymbolicLink(tree.resolve("other"), Path.of("gate"));
    }
    return List.of(
        new Layer("base")
            .add(new Entry.Folder("tmp", 01777, Entry.ROOT))
            .add(new Entry.Bytes("etc/passwd", "nobody".getBytes(UTF_8))),
        new Layer("programs").addTree("bin", tree));
  }

  private Path write(String name) throws IOException {
    Path file = folder.resolve(name);
    OciArchive.write(file, config(), layers(), Files.createTempDirectory(folder, "work"));
    return file;
  }

  /** What the archive holds, by path; a folder ends with a slash, a link has its target. */
  private static Map<String, byte[]> read(byte[] tar) {
    Map<String, byte[]> entries = new HashMap<>();
    int at = 0;
    while (tar[at] != 0) {
      byte[] header = Arrays.copyOfRange(tar, at, at + BLOCK);
      int size = Integer.parseInt(text(header, 124, 11), 8);
      String prefix = text(header, 345, 155);
      String name = (prefix.isEmpty() ? "" : prefix + "/") + text(header, 0, 100);
      byte[] content = Arrays.copyOfRange(tar, at + BLOCK, at + BLOCK + size);
      assertThat(text(header, 257, 5)).isEqualTo("ustar");
      assertThat(Integer.parseInt(text(header, 148, 6), 8)).as(name).isEqualTo(sum(header));
      entries.put(name, header[156] == '2' ? text(header, 157, 100).getBytes(UTF_8) : content);
      at += BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
    }
    assertThat(tar.length - at).as("two blocks of zeros end it").isEqualTo(2 * BLOCK);
    return entries;
  }

  private static int sum(byte[] header) {
    int sum = 0;
    for (int i = 0; i < BLOCK; i++) {
      sum += i >= 148 && i < 156 ? ' ' : Byte.toUnsignedInt(header[i]);
    }
    return sum;
  }

  private static String text(byte[] header, int at, int most) {
    int end = at;
    while (end < at + most && header[end] != 0) {
      end++;
    }
    return new String(header, at, end - at, UTF_8);
  }

  private static byte[] unzipped(byte[] blob) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(blob))) {
      return in.readAllBytes();
    }
  }

  private static byte[] part(Map<String, byte[]> entries, String path) {
    return Objects.requireNonNull(entries.get(path), path);
  }

  private static byte[] blob(Map<String, byte[]> archive, JsonNode descriptor) {
    String digest = descriptor.path("digest").asText();
    byte[] blob = part(archive, "blobs/sha256/" + digest.substring("sha256:".length()));
    assertThat(Digest.of(blob)).hasToString(digest);
    assertThat(descriptor.path("size").asLong()).isEqualTo(blob.length);
    return blob;
  }

  @Test
  void digestsAreThoseOfTheStandard() {
    assertThat(Digest.of(new byte[0])).hasToString("sha256:" + OF_NOTHING);
  }

  @Test
  void everyDescriptorLeadsToABlobOfItsDigestAndSize() throws IOException {
    Map<String, byte[]> archive = read(Files.readAllBytes(write("image.tar")));

    JsonNode index = JSON.readTree(part(archive, "index.json"));
    JsonNode manifest = JSON.readTree(blob(archive, index.at("/manifests/0")));
    JsonNode configuration = JSON.readTree(blob(archive, manifest.path("config")));

    assertThat(JSON.readTree(part(archive, "oci-layout")).path("imageLayoutVersion").asText())
        .isEqualTo("1.0.0");
    assertThat(manifest.path("layers")).hasSize(2);
    for (int i = 0; i < 2; i++) {
      byte[] tar = unzipped(blob(archive, manifest.at("/layers/" + i)));
      assertThat(configuration.at("/rootfs/diff_ids/" + i).asText())
          .isEqualTo(Digest.of(tar).toString());
    }
    assertThat(index.at("/manifests/0/annotations/org.opencontainers.image.ref.name").asText())
        .isEqualTo("gate:1.2");
  }

  @Test
  void theConfigurationSaysHowTheImageIsRun() throws IOException {
    Map<String, byte[]> archive = read(Files.readAllBytes(write("image.tar")));
    JsonNode docker = JSON.readTree(part(archive, "manifest.json"));
    JsonNode configuration = JSON.readTree(part(archive, docker.at("/0/Config").asText()));

    assertThat(docker.at("/0/RepoTags/0").asText()).isEqualTo("gate:1.2");
    assertThat(configuration.path("architecture").asText()).isEqualTo("amd64");
    assertThat(configuration.at("/config").toString())
        .contains(
            "\"User\":\"65532:65532\"",
            "\"Entrypoint\":[\"/bin/gate\",\"--quiet\"]",
            "\"Cmd\":[\"serve\"]",
            "\"Env\":[\"LANG=C\"]",
            "\"ExposedPorts\":{\"9443/tcp\":{}}");
  }

  @Test
  void layersHoldFilesFoldersAboveThemAndLinks() throws IOException {
    Map<String, byte[]> archive = read(Files.readAllBytes(write("image.tar")));
    JsonNode paths = JSON.readTree(part(archive, "manifest.json")).at("/0/Layers");

    Map<String, byte[]> base = read(unzipped(part(archive, paths.get(0).asText())));
    Map<String, byte[]> programs = read(unzipped(part(archive, paths.get(1).asText())));

    assertThat(base).containsOnlyKeys("etc/", "etc/passwd", "tmp/");
    assertThat(base.get("etc/passwd")).asString(UTF_8).isEqualTo("nobody");
    assertThat(programs).containsOnlyKeys("bin/", "bin/gate", "bin/other");
    assertThat(programs.get("bin/other")).asString(UTF_8).isEqualTo("gate");
  }

  @Test
  void theSameFilesGiveTheSameBytesWhateverTheirTimes() throws IOException {
    Path one = write("one.tar");
    Files.setLastModifiedTime(
        folder.resolve("tree").resolve("gate"), FileTime.from(CREATED.plusSeconds(86_400)));
    Path two = write("two.tar");

    assertThat(two).hasSameBinaryContentAs(one);
  }

  @Test
  void anotherByteGivesAnotherDigest() throws IOException {
    Path work = Files.createDirectories(folder.resolve("work"));
    Layer layer = new Layer("files").add(new Entry.Bytes("a", new byte[] {1}));
    Layer other = new Layer("files").add(new Entry.Bytes("a", new byte[] {2}));

    WrittenImage first = OciArchive.write(folder.resolve("a.tar"), config(), List.of(layer), work);
    WrittenImage second = OciArchive.write(folder.resolve("b.tar"), config(), List.of(other), work);

    assertThat(first.digest()).isNotEqualTo(second.digest());
    assertThat(first.unpacked()).isEqualTo(1);
  }

  @Test
  void aLongPathIsCutAtASlash() throws IOException {
    String path = "a".repeat(90) + "/" + "b".repeat(90);

    assertThat(read(tar(new Entry.Bytes(path, new byte[0])))).containsOnlyKeys(path);
  }

  @Test
  void aPathThatNoArchiveCanHoldIsRefusedByName() {
    String path = "a".repeat(101);

    assertThatThrownBy(() -> tar(new Entry.Bytes(path, new byte[0])))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(path);
  }

  private static byte[] tar(Entry entry) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (TarWriter writer = new TarWriter(out, CREATED)) {
      writer.write(entry);
    }
    return out.toByteArray();
  }
}
