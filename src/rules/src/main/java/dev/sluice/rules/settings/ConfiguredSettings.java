package dev.sluice.rules.settings;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.configuration.JobManagement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Builds the settings from an operator's files. */
public final class ConfiguredSettings {
  private ConfiguredSettings() {}

  /** The settings of these files. */
  public static Settings of(Configuration configuration, Extensions extensions) {
    JobManagement jobs = configuration.jobs();
    return new Settings(
        jobs.withoutQueueName(),
        labels -> jobs.namespaces().matches(texts(labels)),
        frameworks(jobs),
        jobs.externalFrameworks().stream()
            .map(GroupVersionKind::groupKind)
            .collect(Collectors.toUnmodifiableSet()),
        configuration.featureGates(),
        switch (extensions.podGuard().mode()) {
          case DENY -> GuardMode.DENY;
          case WARN -> GuardMode.WARN;
          case OFF -> GuardMode.OFF;
        },
        extensions.workloads().dropManagedFields());
  }

  private static Map<String, String> texts(JsonNode labels) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> label : labels.properties()) {
      texts.put(label.getKey(), label.getValue().asText());
    }
    return texts;
  }

  private static Set<String> frameworks(JobManagement jobs) {
    return jobs.frameworks().stream()
        .map(Framework::frameworkName)
        .collect(Collectors.toUnmodifiableSet());
  }
}
