package dev.sluice.server.manifest;

import dev.sluice.json.yaml.Manifest;
import dev.sluice.json.yaml.ManifestException;
import dev.sluice.json.yaml.ManifestReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads manifests in YAML or JSON, distinguished by the first character; any number of documents.
 */
public final class ManifestFiles {
  private final InputStream stdin;

  /** A reader that takes {@code -} to mean this stream. */
  public ManifestFiles(InputStream stdin) {
    this.stdin = stdin;
  }

  /**
   * The documents of a file, in their order; empty ones are left out.
   *
   * @throws ManifestException if it cannot be read or is neither YAML nor JSON
   */
  public List<Manifest> read(String file) throws ManifestException {
    return ManifestReader.read(file, content(file));
  }

  /**
   * What a file holds.
   *
   * @throws ManifestException if it cannot be read or is too large
   */
  public byte[] content(String file) throws ManifestException {
    String name = file.equals("-") ? "stdin" : file;
    try (InputStream in = file.equals("-") ? stdin : Files.newInputStream(Path.of(file))) {
      byte[] content = in.readNBytes(ManifestReader.MAX_BYTES + 1);
      if (content.length > ManifestReader.MAX_BYTES) {
        throw new ManifestException(name + ": larger than " + ManifestReader.MAX_BYTES + " bytes");
      }
      return content;
    } catch (NoSuchFileException e) {
      throw new ManifestException(name + ": no such file");
    } catch (IOException | java.nio.file.InvalidPathException e) {
      throw new ManifestException(name + ": cannot be read: " + e.getMessage());
    }
  }
}
