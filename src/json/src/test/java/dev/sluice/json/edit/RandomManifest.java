package dev.sluice.json.edit;

import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A random tree, written as YAML in random style with a comment at every other place, and changed
 * at random places. Maps, lists, strings, numbers, booleans and {@link #NULL} are its values.
 */
final class RandomManifest {
  static final Object NULL = new Object();

  private static final List<String> TEXTS =
      List.of(
          "plain",
          "two words",
          "",
          "yes",
          "12",
          "it's",
          "a: b",
          "# no comment",
          "x\ny\n",
          "\u00fc\ud83d\ude00");

  private final RandomGenerator random;
  private final String newline;
  private final StringBuilder yaml = new StringBuilder();
  private final List<String> comments = new ArrayList<>();
  private final Set<String> lost = new HashSet<>();
  private int serial;

  RandomManifest(RandomGenerator random) {
    this.random = random;
    this.newline = random.nextInt(4) == 0 ? "\r\n" : "\n";
  }

  Map<String, Object> tree() {
    Map<String, Object> root = map(0);
    root.put("kind", "Cohort");
    return root;
  }

  private Map<String, Object> map(int depth) {
    Map<String, Object> map = new LinkedHashMap<>();
    int size = 1 + random.nextInt(4);
    for (int i = 0; i < size; i++) {
      map.put(key(), value(depth + 1));
    }
    return map;
  }

  private String key() {
    return "k" + serial++ + (random.nextInt(5) == 0 ? "/a.b" : "");
  }

  private Object value(int depth) {
    int kind = random.nextInt(depth > 3 ? 5 : 9);
    return switch (kind) {
      case 0 -> NULL;
      case 1 -> random.nextBoolean();
      case 2 -> random.nextInt(1000);
      case 3, 4 -> TEXTS.get(random.nextInt(TEXTS.size())) + (random.nextBoolean() ? serial++ : "");
      case 5, 6 -> random.nextInt(6) == 0 ? new LinkedHashMap<>() : map(depth);
      default -> list(depth);
    };
  }

  private List<Object> list(int depth) {
    List<Object> list = new ArrayList<>();
    int size = random.nextInt(4);
    for (int i = 0; i < size; i++) {
      list.add(random.nextInt(3) == 0 ? "item" + serial++ : map(depth + 1));
    }
    return list;
  }

  /** The tree as YAML in block style, with some of it in flow style. */
  String write(Map<String, Object> root) {
    line(0, "#", "");
    writeMap(root, 0, "", false);
    line(0, "#", "");
    return yaml.toString();
  }

  /** The comments that were written, each with the path of what it belongs to. */
  List<String> comments() {
    return comments;
  }

  private void writeMap(Map<?, ?> map, int indent, String path, boolean compact) {
    boolean first = compact;
    for (Map.Entry<?, ?> member : map.entrySet()) {
      String inner = path + "/" + member.getKey();
      if (!first) {
        line(indent, "# above", inner);
        yaml.append(" ".repeat(indent));
      }
      first = false;
      yaml.append(random.nextInt(6) == 0 ? "\"" + member.getKey() + "\"" : member.getKey());
      yaml.append(':');
      writeValue(member.getValue(), indent, inner);
    }
  }

  private void writeValue(Object value, int indent, String path) {
    if (value instanceof Map<?, ?> map && !map.isEmpty() && random.nextInt(5) > 0) {
      endOfLine(path);
      writeMap(map, indent + 2, path, false);
    } else if (value instanceof List<?> list && !list.isEmpty() && random.nextInt(5) > 0) {
      endOfLine(path);
      writeList(list, indent + (random.nextBoolean() ? 0 : 2), path);
    } else if (value instanceof String text && text.contains("\n") && random.nextBoolean()) {
      String body = text.replace("\n", newline + " ".repeat(indent + 2)).stripTrailing();
      yaml.append(text.endsWith("\n") ? " |" : " |-").append(newline);
      yaml.append(" ".repeat(indent + 2)).append(body).append(newline);
    } else if (value.equals(NULL) && random.nextBoolean()) {
      endOfLine(path);
    } else {
      yaml.append(' ').append(flow(value));
      endOfLine(path);
    }
  }

  private void writeList(List<?> list, int indent, String path) {
    for (int i = 0; i < list.size(); i++) {
      String inner = path + "/" + i;
      line(indent, "# above", inner);
      yaml.append(" ".repeat(indent)).append('-');
      if (list.get(i) instanceof Map<?, ?> map && random.nextInt(4) > 0) {
        yaml.append(' ');
        writeMap(map, indent + 2, inner, true);
      } else {
        yaml.append(' ').append(flow(list.get(i)));
        endOfLine(inner);
      }
    }
  }

  private void endOfLine(String path) {
    if (random.nextInt(3) == 0) {
      yaml.append(" ").append(comment("# beside", path));
    }
    yaml.append(newline);
  }

  private void line(int indent, String comment, String path) {
    if (random.nextInt(3) == 0) {
      yaml.append(" ".repeat(indent)).append(comment(comment, path)).append(newline);
    } else if (random.nextInt(8) == 0) {
      yaml.append(newline);
    }
  }

  private String comment(String text, String path) {
    String comment = text + " " + path + " c" + serial++ + ".";
    comments.add(comment);
    return comment;
  }

  private String flow(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        List<String> members = new ArrayList<>();
        map.forEach((key, inner) -> members.add(key + ": " + flow(inner)));
        yield "{" + String.join(random.nextBoolean() ? ", " : " , ", members) + "}";
      }
      case List<?> list -> "[" + String.join(", ", list.stream().map(this::flow).toList()) + "]";
      case String text -> text(text);
      default -> value.equals(NULL) ? "null" : value.toString();
    };
  }

  private String text(String text) {
    if (!text.contains("\n") && text.matches("[\\p{L}\\p{So} ']+") && !text.equals("yes")) {
      return random.nextBoolean() ? "'" + text.replace("'", "''") + "'" : text;
    }
    return json(text).toString();
  }

  /** The value as JSON. */
  static Json json(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        JsonObject object = new JsonObject();
        map.forEach((key, inner) -> object.put(key.toString(), json(inner)));
        yield object;
      }
      case List<?> list -> {
        JsonArray array = new JsonArray();
        list.forEach(item -> array.add(json(item)));
        yield array;
      }
      case String text -> JsonSlice.text(text);
      case Integer number -> JsonSlice.number(number);
      case Boolean flag -> dev.sluice.json.yaml.ManifestReader.parse(flag.toString());
      default -> JsonSlice.NULL;
    };
  }

  /**
   * Another tree, with members renamed, removed, added and given other values; {@link #isLost} then
   * knows whose comments may go.
   */
  Map<String, Object> changed(Map<?, ?> root) {
    Map<String, Object> changed = changedMap(root, "");
    changed.put("kind", "Cohort");
    return changed;
  }

  private Map<String, Object> changedMap(Map<?, ?> map, String path) {
    Map<String, Object> changed = new LinkedHashMap<>();
    boolean anyKept = false;
    for (Map.Entry<?, ?> member : map.entrySet()) {
      String key = member.getKey().toString();
      String inner = path + "/" + key;
      switch (key.equals("kind") ? 9 : random.nextInt(14)) {
        case 0 -> lose(inner);
        case 1 -> changed.put(key(), member.getValue());
        case 2 -> {
          lose(inner);
          changed.put(key, value(2));
        }
        case 3 -> {
          changed.put(key(), value(2));
          changed.put(key, member.getValue());
          anyKept = true;
        }
        default -> {
          changed.put(key, changedValue(member.getValue(), inner));
          anyKept = true;
        }
      }
    }
    if (!anyKept) {
      lose(path);
    }
    return changed;
  }

  private Object changedValue(Object value, String path) {
    return switch (value) {
      case Map<?, ?> map -> changedMap(map, path);
      case List<?> list when !list.isEmpty() -> changedList(list, path);
      case String _ when random.nextInt(4) == 0 ->
          TEXTS.get(random.nextInt(TEXTS.size())) + serial++;
      default -> value;
    };
  }

  /** Changes a list at one place only: items have no names, so more would be guesswork. */
  private List<Object> changedList(List<?> list, String path) {
    List<Object> changed = new ArrayList<>(list);
    int at = random.nextInt(list.size());
    switch (random.nextInt(4)) {
      case 0 -> {
        changed.remove(at);
        lose(changed.isEmpty() ? path : path + "/" + at);
      }
      case 1 -> changed.add(at, "item" + serial++);
      case 2 -> changed.set(at, changedValue(list.get(at), path + "/" + at));
      default -> {}
    }
    return changed;
  }

  private void lose(String path) {
    lost.add(path);
  }

  /** Whether a comment belongs to something that is gone. */
  boolean isLost(String comment) {
    String path = comment.replaceFirst("^# (above|beside)? ?", "").replaceFirst(" c[0-9]+\\.$", "");
    return lost.stream().anyMatch(gone -> path.equals(gone) || path.startsWith(gone + "/"));
  }
}
