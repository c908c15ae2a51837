package dev.sluice.json.yaml;

import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.MalformedJsonException;
import dev.sluice.json.yaml.Manifest.Format;
import dev.sluice.json.yaml.Manifest.Place;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Reads manifests in YAML or JSON, distinguished by the first character; any number of documents.
 */
public final class ManifestReader {
  /** The number of bytes beyond which a text is not read. */
  public static final int MAX_BYTES = 256 << 20;

  private static final JsonSyntax SYNTAX = new JsonSyntax(JsonLimits.DEFAULT);

  private ManifestReader() {}

  /**
   * The documents of a file with this content, in their order; empty ones are left out.
   *
   * @throws ManifestException if it is neither YAML nor JSON
   */
  public static List<Manifest> read(String file, byte[] content) throws ManifestException {
    return looksLikeJson(content) ? json(file, content) : YamlReader.read(file, content);
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

  /** YAML may begin with a brace, too; if both fail, the error about JSON is the better one. */
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
