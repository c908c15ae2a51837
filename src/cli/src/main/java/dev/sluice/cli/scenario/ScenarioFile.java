package dev.sluice.cli.scenario;

import dev.sluice.json.yaml.Manifest;

/** A scenario and where it stands. */
record ScenarioFile(Scenario scenario, Manifest.Place place) {
  /** Its own name, or else the place where it stands. */
  String name() {
    String name = scenario.metadata().name();
    return name.isEmpty() ? place.toString() : name;
  }
}
