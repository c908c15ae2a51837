package dev.sluice.json.yaml;

/** A file that cannot be read as manifests; the message names file and line. */
public final class ManifestException extends Exception {
  private static final long serialVersionUID = 1L;

  /** A message that names the file. */
  public ManifestException(String message) {
    super(message);
  }
}
