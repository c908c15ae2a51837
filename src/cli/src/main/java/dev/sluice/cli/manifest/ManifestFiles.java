package dev.sluice.cli.manifest;

import dev.sluice.cli.manifest.Manifest.Format;
import dev.sluice.cli.manifest.Manifest.Place;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.MalformedJsonException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Reads manifests: YAML or JSON, told apart by their first character; any number of documents. */
public final class ManifestFiles {
  /** The size beyond which a file is not read. */
  static final int MAX_BYTES = 256 << 20;

  private static final JsonSyntax SYNTAX = new JsonSyntax(JsonLimits.DEFAULT);

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
    return read(file, content(file));
  }

  /**
   * The documents of a file with this content, in their order; empty ones are left out.
   *
   * @throws ManifestException if it is neither YAML nor JSON
   */
  public static List<Manifest> read(String file, byte[] content) throws ManifestException {
    return looksLikeJson(content) ? json(file, content) : YamlReader.read(file, content);
  }

  /**
   * What a file holds.
   *
   * @throws ManifestException if it cannot be read or is too large
   */
  public byte[] content(String file) throws ManifestException {
    String name = file.equals("-") ? "stdin" : file;
    try (InputStream in = file.equals("-") ? stdin : Files.newInputStream(Path.of(file))) {
      byte[] content = in.readNBytes(MAX_BYTES + 1);
      if (content.length > MAX_BYTES) {
        throw new ManifestException(name + ": larger than " + MAX_BYTES + " bytes");
      }
      return content;
    } catch (NoSuchFileException e) {
      throw new ManifestException(name + ": no such file");
    } catch (IOException | java.nio.file.InvalidPathException e) {
      throw new ManifestException(name + ": cannot be read: " + e.getMessage());
    }
  }

  private static boolean looksLikeJson(byte[] content) {
    for (byte b : content) {
      if (b > ' ') {
        return b == '{' || b == '[';
      }
    }
    return false;
  }

  private static List<Manifest> json(String file, byte[] content) throws ManifestException {
    try {
      List<Manifest> manifests = new ArrayList<>();
      int line = 1;
      int at = 0;
      for (JsonSlice value : SYNTAX.checkSequence(content)) {
        line += newlines(content, at, value.start());
        at = value.start();
        int first = line;
        Place place = new Place(file, first, path -> lineOf(content, value, first, path));
        manifests.add(new Manifest(place, Format.JSON, value));
      }
      return manifests;
    } catch (MalformedJsonException e) {
      return yamlOrElse(file, content, e);
    }
  }

  /**
   * YAML may begin with a brace, too; if it is not that either, the word about JSON is the better.
   */
  private static List<Manifest> yamlOrElse(String file, byte[] content, MalformedJsonException e)
      throws ManifestException {
    try {
      return YamlReader.read(file, content);
    } catch (ManifestException _) {
      throw new ManifestException(
          (file.equals("-") ? "stdin" : file) + ": no JSON: " + e.getMessage());
    }
  }

  private static int newlines(byte[] content, int start, int end) {
    int count = 0;
    for (int i = start; i < end; i++) {
      count += content[i] == '\n' ? 1 : 0;
    }
    return count;
  }

  /** The line of the field with this path, or of the nearest around it. */
  private static OptionalInt lineOf(byte[] content, JsonSlice root, int line, String path) {
    FieldPath way = new FieldPath(path);
    JsonSlice at = root;
    while (next(at, way) instanceof JsonSlice inner) {
      at = inner;
    }
    return OptionalInt.of(line + newlines(content, root.start(), at.start()));
  }

  private static List<String> names(JsonObject object) {
    List<String> names = new ArrayList<>(object.size());
    for (int i = 0; i < object.size(); i++) {
      names.add(object.keyAt(i));
    }
    return names;
  }

  private static @Nullable Json next(JsonSlice at, FieldPath way) {
    return switch (at.opened()) {
      case JsonObject object -> {
        String key = way.nextKey(names(object));
        yield key == null ? null : object.get(key);
      }
      case JsonArray array -> {
        int index = way.nextIndex();
        yield index >= 0 && index < array.size() ? array.get(index) : null;
      }
      case JsonSlice _ -> null;
    };
  }

  /**
   * The first document of a text that we wrote ourselves.
   *
   * @throws IllegalArgumentException if it is no manifest
   */
  public static Json parse(String text) {
    try {
      return YamlReader.read("text", text.getBytes(StandardCharsets.UTF_8)).getFirst().value();
    } catch (ManifestException e) {
      throw new IllegalArgumentException("text: " + e.getMessage() + " (expected: a manifest)", e);
    }
  }

  /** Checks JSON that we made ourselves of something else. */
  static JsonSlice checked(String json) throws MalformedJsonException {
    return SYNTAX.check(json.getBytes(StandardCharsets.UTF_8));
  }
}
