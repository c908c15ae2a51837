package dev.sluice.json;

import java.nio.charset.StandardCharsets;

/** JSON texts as tests write and compare them. */
final class Texts {
  private static final JsonSyntax SYNTAX = new JsonSyntax(JsonLimits.DEFAULT);

  private Texts() {}

  /** JSON written with single quotes, as real JSON. */
  static String json(String singleQuoted) {
    return singleQuoted.replace('\'', '"');
  }

  /** The checked value in this text. */
  static JsonSlice value(String json) {
    try {
      return SYNTAX.check(json.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  /** What a value is written as. */
  static String written(Json value) {
    JsonOutput out = new JsonOutput();
    value.writeTo(out);
    return new String(out.toByteArray(), StandardCharsets.UTF_8);
  }
}
