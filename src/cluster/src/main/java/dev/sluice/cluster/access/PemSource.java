package dev.sluice.cluster.access;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.certs.CertificateProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A text that stands in a field, or in a file that the field names and that may change.
 *
 * @param where names the field in problems
 * @param file where the text is; null if it is inline
 * @param inline the text, where no file is named
 */
record PemSource(String where, @Nullable Path file, String inline) {
  private static final long LARGEST = 1 << 20;

  /** The one of {@code field-data}, else of {@code field}; empty if neither is there. */
  static Optional<PemSource> of(Section section, String field) {
    String data = field + "-data";
    Optional<String> encoded = section.nonEmpty(data);
    if (encoded.isPresent()) {
      String text = decoded(section, data, encoded.get());
      return Optional.of(new PemSource(section.where(data), null, text));
    }
    return section.nonEmpty(field).map(name -> file(section, field, name));
  }

  /** The file of a field; a relative name counts from the folder of the kubeconfig. */
  static PemSource file(Section section, String field, String name) {
    Path folder = section.file().toAbsolutePath().getParent();
    Path file = folder == null ? Path.of(name) : folder.resolve(name);
    return new PemSource(section.where(field), file, "");
  }

  private static String decoded(Section section, String field, String encoded) {
    try {
      return new String(Base64.getDecoder().decode(encoded.replaceAll("\\s", "")), ISO_8859_1);
    } catch (IllegalArgumentException _) { // its message repeats what stands there
      throw section.problem(field, "is not Base64 (expected: PEM encoded as Base64)");
    }
  }

  /** Whether the text can change. */
  boolean changes() {
    return file != null;
  }

  /** The text as it is now. */
  String read() {
    Path from = file;
    if (from == null) {
      return inline;
    }
    try {
      if (Files.size(from) > LARGEST) {
        throw problem("is larger than " + LARGEST + " bytes");
      }
      return Files.readString(from, ISO_8859_1); // PEM is ASCII, remarks need not be
    } catch (NoSuchFileException _) {
      throw problem("there is no such file");
    } catch (IOException e) {
      throw problem("cannot be read: " + e.getClass().getSimpleName());
    }
  }

  /** Makes something of the text; a problem names the field. */
  <T> T read(Function<String, T> make) {
    try {
      return make.apply(read());
    } catch (CertificateProblem e) {
      throw problem(String.valueOf(e.getMessage()));
    }
  }

  /** What is wrong with the text. */
  AccessException problem(String what) {
    return new AccessException(where + ": " + (file == null ? "" : file + ": ") + what);
  }

  /** Names no text. */
  @Override
  public String toString() {
    return "PemSource[" + where + "]";
  }
}
