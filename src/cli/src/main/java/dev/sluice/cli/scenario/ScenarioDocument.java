package dev.sluice.cli.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import java.util.List;

/** A scenario as a document that another command made. */
public final class ScenarioDocument {
  /** The value of {@code apiVersion}. */
  public static final String API_VERSION = Scenario.API_VERSION;

  /** The value of {@code kind}. */
  public static final String KIND = Scenario.KIND;

  private ScenarioDocument() {}

  /** What {@code sluice test} would say against it; empty if it passes. */
  public static String problem(JsonNode document) {
    List<String> unknown = UnknownFields.find(document);
    if (!unknown.isEmpty()) {
      return String.join(", ", unknown);
    }
    try {
      Scenario scenario = HubObjects.read(Scenario.class, document);
      ScenarioResult result = ScenarioRunner.run(scenario, scenario.metadata().name(), "");
      return result.passed() ? "" : result.report();
    } catch (MalformedObjectException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
