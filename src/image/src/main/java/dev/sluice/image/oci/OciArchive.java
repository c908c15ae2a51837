package dev.sluice.image.oci;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.image.oci.WrittenImage.WrittenLayer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * Writes one image as an archive in the OCI image layout, which {@code docker load} of every age
 * reads, too. The same files and configuration give the same bytes.
 */
public final class OciArchive {
  private static final String BLOBS = "blobs/sha256/";
  private static final String TYPE = "application/vnd.oci.image.";
  private static final String MANIFEST_TYPE = TYPE + "manifest.v1+json";
  private static final String REF_NAME = "org.opencontainers.image.ref.name";

  /** How containerd stores an image; a name without a host has this one for the kubelet. */
  private static final String CONTAINERD_NAME = "io.containerd.image.name";

  private static final String CONTAINERD_PREFIX = "docker.io/library/";
  private static final JsonMapper JSON = new JsonMapper();

  private final ImageConfig config;
  private final Path work;
  private final List<StoredLayer> layers = new ArrayList<>();

  /** A layer in the work folder. */
  private record StoredLayer(
      String name, Digest diffId, Digest digest, long compressed, long unpacked, Path blob) {}

  private OciArchive(ImageConfig config, Path work) {
    this.config = config;
    this.work = work;
  }

  /**
   * Writes the archive.
   *
   * @param file the archive; written beside its place and moved there when it is whole
   * @param work an existing folder for the compressed layers
   */
  public static WrittenImage write(Path file, ImageConfig config, List<Layer> layers, Path work)
      throws IOException {
    OciArchive archive = new OciArchive(config, work);
    for (Layer layer : layers) {
      archive.layers.add(archive.store(layer));
    }
    return archive.write(file);
  }

  private StoredLayer store(Layer layer) throws IOException {
    Path blob = work.resolve("layer-" + layers.size() + ".tar.gz");
    MessageDigest packed = Digest.function();
    MessageDigest plain = Digest.function();
    try (OutputStream stored =
            new DigestOutputStream(new BufferedOutputStream(Files.newOutputStream(blob)), packed);
        OutputStream compressed = new GZIPOutputStream(stored);
        OutputStream tar = new BufferedOutputStream(new DigestOutputStream(compressed, plain));
        TarWriter writer = new TarWriter(tar, config.created())) {
      for (Entry entry : layer.entries()) {
        writer.write(entry);
      }
    }
    return new StoredLayer(
        layer.name(),
        Digest.finish(plain),
        Digest.finish(packed),
        Files.size(blob),
        layer.size(),
        blob);
  }

  private WrittenImage write(Path file) throws IOException {
    byte[] configuration = bytes(configuration());
    byte[] manifest = bytes(manifest(configuration));
    Layer content = new Layer("archive");
    content.add(new Entry.Bytes("oci-layout", bytes(layout())));
    content.add(new Entry.Bytes("index.json", bytes(index(manifest))));
    content.add(new Entry.Bytes("manifest.json", bytes(dockerManifest(configuration))));
    content.add(blob(configuration));
    content.add(blob(manifest));
    for (StoredLayer layer : layers) {
      content.add(new Entry.Copy(BLOBS + layer.digest().hex(), layer.blob(), false));
    }
    Path whole = file.resolveSibling(file.getFileName() + ".new");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(whole));
        TarWriter writer = new TarWriter(out, config.created())) {
      for (Entry entry : content.entries()) {
        writer.write(entry);
      }
    }
    Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
    return new WrittenImage(
        Digest.of(manifest),
        layers.stream()
            .map(it -> new WrittenLayer(it.name(), it.digest(), it.compressed(), it.unpacked()))
            .toList());
  }

  private static Entry blob(byte[] content) {
    return new Entry.Bytes(BLOBS + Digest.of(content).hex(), content);
  }

  private static byte[] bytes(JsonNode tree) throws IOException {
    return JSON.writeValueAsBytes(tree);
  }

  private static ObjectNode layout() {
    return JSON.createObjectNode().put("imageLayoutVersion", "1.0.0");
  }

  private ObjectNode index(byte[] manifest) {
    ObjectNode index = JSON.createObjectNode().put("schemaVersion", 2);
    index.put("mediaType", TYPE + "index.v1+json");
    ObjectNode descriptor = descriptor(MANIFEST_TYPE, Digest.of(manifest), manifest.length);
    descriptor.putObject("platform").put("architecture", config.architecture()).put("os", "linux");
    descriptor
        .putObject("annotations")
        .put(CONTAINERD_NAME, CONTAINERD_PREFIX + config.name())
        .put(REF_NAME, config.name());
    index.putArray("manifests").add(descriptor);
    return index;
  }

  private ObjectNode manifest(byte[] configuration) {
    ObjectNode manifest = JSON.createObjectNode().put("schemaVersion", 2);
    manifest.put("mediaType", MANIFEST_TYPE);
    manifest.set(
        "config",
        descriptor(TYPE + "config.v1+json", Digest.of(configuration), configuration.length));
    ArrayNode stored = manifest.putArray("layers");
    for (StoredLayer layer : layers) {
      stored.add(descriptor(TYPE + "layer.v1.tar+gzip", layer.digest(), layer.compressed()));
    }
    config.labels().forEach(manifest.putObject("annotations")::put);
    return manifest;
  }

  private static ObjectNode descriptor(String type, Digest digest, long size) {
    return JSON.createObjectNode()
        .put("mediaType", type)
        .put("digest", digest.toString())
        .put("size", size);
  }

  private ObjectNode configuration() {
    ObjectNode root = JSON.createObjectNode();
    root.put("created", config.created().toString());
    root.put("architecture", config.architecture());
    root.put("os", "linux");
    ObjectNode run = root.putObject("config");
    run.put("User", config.user());
    config.ports().forEach(run.putObject("ExposedPorts")::putObject);
    config.environment().forEach(run.putArray("Env")::add);
    config.entryPoint().forEach(run.putArray("Entrypoint")::add);
    config.arguments().forEach(run.putArray("Cmd")::add);
    run.put("WorkingDir", "/");
    config.labels().forEach(run.putObject("Labels")::put);
    ArrayNode diffIds = root.putObject("rootfs").put("type", "layers").putArray("diff_ids");
    ArrayNode history = root.putArray("history");
    for (StoredLayer layer : layers) {
      diffIds.add(layer.diffId().toString());
      history.addObject().put("created", config.created().toString()).put("comment", layer.name());
    }
    return root;
  }

  /** How older versions of {@code docker load} find the parts. */
  private ArrayNode dockerManifest(byte[] configuration) {
    ArrayNode images = JSON.createArrayNode();
    ObjectNode image = images.addObject();
    image.put("Config", BLOBS + Digest.of(configuration).hex());
    image.putArray("RepoTags").add(config.name());
    ArrayNode paths = image.putArray("Layers");
    layers.forEach(layer -> paths.add(BLOBS + layer.digest().hex()));
    return images;
  }
}
