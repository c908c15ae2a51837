package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.Problem.Type.DUPLICATE;
import static dev.sluice.api.configuration.Problem.Type.FORBIDDEN;
import static dev.sluice.api.configuration.Problem.Type.INVALID;
import static dev.sluice.api.configuration.Problem.Type.REQUIRED;
import static dev.sluice.api.configuration.Problem.Type.WARNING;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Scheduling.AccessProvider;
import dev.sluice.api.configuration.Scheduling.MultiKueue;
import dev.sluice.api.names.LabelValue;
import dev.sluice.api.vocabulary.Controllers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Reads how workloads get to other clusters. */
final class MultiKueueReader {
  private static final String OLD_PROVIDERS = "credentialsProviders";
  private static final String PROVIDERS = "accessProviders";

  private static final Duration GC_INTERVAL = Duration.ofMinutes(1);
  private static final Duration LOST = Duration.ofMinutes(15);

  private final Set<String> providers = new HashSet<>();

  private MultiKueueReader() {}

  static MultiKueue read(Fields fields) {
    Duration gcInterval = fields.duration("gcInterval", GC_INTERVAL);
    String origin = fields.text("origin", "multikueue");
    for (String problem : LabelValue.problems(origin)) {
      fields.problem(INVALID, "origin", "\"" + origin + "\" " + problem);
    }
    Duration lost = fields.duration("workerLostTimeout", LOST);
    String dispatcher = fields.text("dispatcherName", Controllers.DISPATCHER_ALL_AT_ONCE);
    OptionalInt stepSize = stepSize(fields, dispatcher.equals(Controllers.DISPATCHER_INCREMENTAL));
    MultiKueue multiKueue =
        new MultiKueue(
            gcInterval,
            origin,
            lost,
            dispatcher,
            stepSize,
            external(fields),
            accessProviders(fields.object("clusterProfile")));
    fields.end();
    return multiKueue;
  }

  private static OptionalInt stepSize(Fields fields, boolean incremental) {
    Fields dispatcher = fields.object("incrementalDispatcherConfig");
    int stepSize = dispatcher.integer("stepSize", 3, 1, Integer.MAX_VALUE);
    dispatcher.end();
    if (dispatcher.present() && !incremental) {
      fields.problem(
          FORBIDDEN,
          "incrementalDispatcherConfig",
          "is for the incremental dispatcher (expected: dispatcherName: "
              + Controllers.DISPATCHER_INCREMENTAL
              + ")");
    }
    return incremental ? OptionalInt.of(stepSize) : OptionalInt.empty();
  }

  private static List<GroupVersionKind> external(Fields fields) {
    List<GroupVersionKind> types = new ArrayList<>();
    fields.objects(
        "externalFrameworks",
        item -> {
          String name = item.text("name", "");
          JobManagementReader.externalKind(item.problems(), item.path("name"), name, types);
          item.end();
          return Optional.empty();
        });
    return types;
  }

  private static List<AccessProvider> accessProviders(Fields fields) {
    if (fields.has(PROVIDERS) && fields.has(OLD_PROVIDERS)) {
      fields.problem(
          FORBIDDEN, OLD_PROVIDERS, "set beside its new name " + PROVIDERS + " (expected: one)");
    }
    MultiKueueReader reader = new MultiKueueReader();
    List<AccessProvider> all = new ArrayList<>(fields.objects(PROVIDERS, reader::provider));
    all.addAll(fields.objects(OLD_PROVIDERS, reader::provider));
    if (!all.isEmpty()) {
      fields.problem(
          WARNING,
          fields.has(PROVIDERS) ? PROVIDERS : OLD_PROVIDERS,
          "is not used here: clusters are found by kubeconfigs only, and no command is ever run");
    }
    fields.end();
    return all;
  }

  private Optional<AccessProvider> provider(Fields fields) {
    String name = fields.text("name", "");
    if (name.isEmpty()) {
      fields.problem(REQUIRED, "name", "\"\" (expected: a name)");
    } else if (!providers.add(name)) {
      fields.problem(DUPLICATE, "name", "\"" + name + "\" is there twice (expected: once)");
    }
    JsonNode exec = fields.find("execConfig");
    Fields config = fields.object("execConfig");
    for (String required : List.of("command", "apiVersion", "interactiveMode")) {
      if (config.text(required, "").isEmpty()) {
        config.problem(REQUIRED, required, "\"\" (expected: a text)");
      }
    }
    config.ignore("args", "env", "installHint", "provideClusterInfo");
    config.end();
    fields.end();
    return Optional.of(new AccessProvider(name, exec == null ? MissingNode.getInstance() : exec));
  }
}
