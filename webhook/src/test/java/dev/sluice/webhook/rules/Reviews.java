package dev.sluice.webhook.rules;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.webhook.rules.RuleInput.Operation;
import java.io.UncheckedIOException;
import java.util.List;

/** Short ways to ask the standard rules; JSON may be written with single quotes. */
public final class Reviews {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Reviews() {}

  public static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An object named {@code a} with that spec. */
  public static JsonNode object(String spec) {
    return json("{'metadata':{'name':'a'},'spec':" + spec + "}");
  }

  public static Findings onCreate(ApiKind kind, JsonNode object) {
    return RuleBook.standard().check(kind, new RuleInput(Operation.CREATE, object, null));
  }

  public static Findings onUpdate(ApiKind kind, JsonNode old, JsonNode object) {
    return RuleBook.standard().check(kind, new RuleInput(Operation.UPDATE, object, old));
  }

  /** Each violation as {@code TYPE path}. */
  public static List<String> faults(Findings findings) {
    return findings.violations().stream().map(it -> it.type() + " " + it.field()).toList();
  }
}
