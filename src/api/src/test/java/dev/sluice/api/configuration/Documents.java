package dev.sluice.api.configuration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Documents and readings for tests, in JSON without most of its quotes. */
final class Documents {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_SINGLE_QUOTES).build();

  /** A quoted text, a literal, or a bare word. */
  private static final Pattern WORD =
      Pattern.compile("'[^']*'|\\b(?:true|false|null)\\b|([A-Za-z_][A-Za-z0-9_.-]*)");

  private Documents() {}

  static JsonNode json(String text) {
    try {
      return JSON.readTree(quoted(text));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static String quoted(String text) {
    return WORD.matcher(text)
        .replaceAll(
            found -> found.group(1) == null ? "$0" : "'" + found.group(1).replace("$", "") + "'");
  }

  /** A Configuration with these members. */
  static JsonNode v1beta2(String members) {
    return document("config.kueue.x-k8s.io/v1beta2", "Configuration", members);
  }

  static JsonNode v1beta1(String members) {
    return document("config.kueue.x-k8s.io/v1beta1", "Configuration", members);
  }

  static JsonNode extensions(String members) {
    return document("config.sluice.dev/v1alpha1", "Extensions", members);
  }

  private static JsonNode document(String apiVersion, String kind, String members) {
    String rest = members.isBlank() ? "" : ", " + members;
    return json("{apiVersion: '" + apiVersion + "', kind: '" + kind + "'" + rest + "}");
  }

  static Reading read(JsonNode... documents) {
    return ConfigurationReader.in("sluice-system").read(Arrays.asList(documents));
  }

  static Reading.Accepted accepted(JsonNode... documents) {
    return switch (read(documents)) {
      case Reading.Accepted accepted -> accepted;
      case Reading.Refused refused -> throw new AssertionError(refused.problems().toString());
    };
  }

  static Configuration configuration(String members) {
    return accepted(v1beta2(members)).configuration();
  }

  static List<Problem> problems(JsonNode... documents) {
    return switch (read(documents)) {
      case Reading.Accepted _ -> List.of();
      case Reading.Refused refused -> refused.problems();
    };
  }
}
