package dev.sluice.json.edit;

import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;

/**
 * How values are written in braces and brackets.
 *
 * @param quoted whether every string is quoted, as in JSON
 * @param colon what stands between key and value
 * @param comma what stands between values that share a line
 * @param newline the line end if every value has a line of its own, otherwise empty
 * @param unit by how much inner values are indented
 */
record FlowText(boolean quoted, String colon, String comma, String newline, String unit) {
  /** JSON without any blank. */
  static final FlowText COMPACT = new FlowText(true, ":", ",", "", "");

  /** JSON for people. */
  static FlowText pretty(String newline) {
    return new FlowText(true, ": ", ", ", newline, "  ");
  }

  /** The value; its first line is not indented, its last ends without a line end. */
  String write(Json value, String indentation) {
    StringBuilder out = new StringBuilder();
    write(value, indentation, out);
    return out.toString();
  }

  /** A member. */
  String write(String key, Json value, String indentation) {
    StringBuilder out = new StringBuilder();
    write(key, value, indentation, out);
    return out.toString();
  }

  private void write(String key, Json value, String indentation, StringBuilder out) {
    out.append(text(key)).append(colon);
    write(value, indentation, out);
  }

  private void write(Json value, String indentation, StringBuilder out) {
    switch (value.opened()) {
      case JsonObject object -> {
        out.append('{');
        for (int i = 0; i < object.size(); i++) {
          separate(i, indentation + unit, out);
          write(object.keyAt(i), object.valueAt(i), indentation + unit, out);
        }
        end(object.size(), indentation, out).append('}');
      }
      case JsonArray array -> {
        out.append('[');
        for (int i = 0; i < array.size(); i++) {
          separate(i, indentation + unit, out);
          write(array.get(i), indentation + unit, out);
        }
        end(array.size(), indentation, out).append(']');
      }
      case JsonSlice scalar -> out.append(scalar(scalar));
    }
  }

  private void separate(int index, String indentation, StringBuilder out) {
    if (newline.isEmpty()) {
      out.append(index > 0 ? comma : "");
    } else {
      out.append(index > 0 ? "," : "").append(newline).append(indentation);
    }
  }

  private StringBuilder end(int size, String indentation, StringBuilder out) {
    return size == 0 || newline.isEmpty() ? out : out.append(newline).append(indentation);
  }

  private String scalar(JsonSlice scalar) {
    String text = scalar.text();
    return text == null ? scalar.spelling() : text(text);
  }

  private String text(String text) {
    return quoted ? ScalarText.quoted(text) : ScalarText.plain(text);
  }
}
