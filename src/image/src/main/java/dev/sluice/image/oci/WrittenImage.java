package dev.sluice.image.oci;

import java.util.List;

/**
 * An image that was written.
 *
 * @param digest the digest of its manifest, by which registries know it
 */
public record WrittenImage(Digest digest, List<WrittenLayer> layers) {
  /**
   * A layer of it.
   *
   * @param digest of the compressed archive
   * @param compressed its bytes as stored
   * @param unpacked the bytes of its files
   */
  public record WrittenLayer(String name, Digest digest, long compressed, long unpacked) {}

  /** The bytes of all files. */
  public long unpacked() {
    return layers.stream().mapToLong(WrittenLayer::unpacked).sum();
  }

  /** The bytes of all layers as stored. */
  public long compressed() {
    return layers.stream().mapToLong(WrittenLayer::compressed).sum();
  }
}
