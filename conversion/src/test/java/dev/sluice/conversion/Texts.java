package dev.sluice.conversion;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.sluice.api.ApiVersion;
import dev.sluice.json.Json;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonOutput;
import dev.sluice.json.JsonSlice;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.MalformedJsonException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** JSON texts as tests write and compare them. */
public final class Texts {
  private static final JsonSyntax SYNTAX = new JsonSyntax(JsonLimits.DEFAULT);
  private static final JsonFactory JACKSON = new JsonFactory();

  private Texts() {}

  /** JSON written with single quotes, as real JSON. */
  public static String json(String singleQuoted) {
    return singleQuoted.replace('\'', '"');
  }

  /** A string as a JSON string. */
  public static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  /** The member of {@code annotations} in which a version's notes stand; single quotes welcome. */
  public static String note(ApiVersion from, String text) {
    return quoted("conversion.kueue.x-k8s.io/from-" + from.text()) + ":" + quoted(json(text));
  }

  /** The checked value in this text. */
  public static JsonSlice value(String json) {
    try {
      return SYNTAX.check(json.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  /** What a value is written as. */
  public static String written(Json value) {
    JsonOutput out = new JsonOutput();
    value.writeTo(out);
    return new String(out.toByteArray(), StandardCharsets.UTF_8);
  }

  /**
   * The same value with its members in one order and without blanks, so that two texts can be
   * compared whose members stand in different orders. Made with Jackson alone, so that it judges
   * our own code from outside; numbers keep their spelling.
   */
  public static String sorted(String json) {
    try (JsonParser parser = JACKSON.createParser(json)) {
      parser.nextToken();
      return sorted(parser);
    } catch (IOException e) {
      throw new UncheckedIOException(json, e);
    }
  }

  private static String sorted(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> sortedObject(parser);
      case START_ARRAY -> sortedList(parser);
      case VALUE_STRING -> quoted(parser.getText());
      default -> parser.getText();
    };
  }

  private static String sortedObject(JsonParser parser) throws IOException {
    Map<String, String> members = new TreeMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      members.put(quoted(key), sorted(parser));
    }
    List<String> texts = new ArrayList<>();
    members.forEach((key, value) -> texts.add(key + ":" + value));
    return "{" + String.join(",", texts) + "}";
  }

  private static String sortedList(JsonParser parser) throws IOException {
    List<String> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(sorted(parser));
    }
    return "[" + String.join(",", items) + "]";
  }
}
