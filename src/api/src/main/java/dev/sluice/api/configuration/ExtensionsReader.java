package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.Problem.Type.DUPLICATE;
import static dev.sluice.api.configuration.Problem.Type.FORBIDDEN;
import static dev.sluice.api.configuration.Problem.Type.INVALID;
import static dev.sluice.api.configuration.Problem.Type.REQUIRED;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Extensions.Mode;
import dev.sluice.api.configuration.Extensions.PodGuard;
import dev.sluice.api.configuration.Extensions.QuotaFence;
import dev.sluice.api.names.DnsLabel;
import dev.sluice.api.names.Subdomain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the document that only we have. */
final class ExtensionsReader {
  private static final Pattern VERSION = Pattern.compile("[a-z][a-z0-9]{0,62}");
  private static final Pattern KIND = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}");

  private final JobManagement jobs;
  private final Set<String> kinds = new HashSet<>();

  private ExtensionsReader(JobManagement jobs) {
    this.jobs = jobs;
  }

  static Extensions read(Fields fields, JobManagement jobs) {
    fields.ignore("apiVersion", "kind", "metadata");
    ExtensionsReader reader = new ExtensionsReader(jobs);
    Extensions extensions =
        new Extensions(
            podGuard(fields.object("podGuard")),
            quotaFence(fields.object("quotaFence")),
            fields.objects("customKinds", reader::customKind),
            multiKueue(fields.object("multiKueue")),
            workloads(fields.object("workloads")));
    fields.end();
    return extensions;
  }

  private static PodGuard podGuard(Fields fields) {
    PodGuard guard = new PodGuard(mode(fields));
    fields.end();
    return guard;
  }

  private static QuotaFence quotaFence(Fields fields) {
    QuotaFence fence = new QuotaFence(mode(fields));
    fields.end();
    return fence;
  }

  private static Extensions.MultiKueue multiKueue(Fields fields) {
    Optional<Duration> giveUpAfter = fields.duration("giveUpAfter");
    if (giveUpAfter.filter(it -> !it.isPositive()).isPresent()) {
      fields.problem(INVALID, "giveUpAfter", "0s (expected: more, or nothing for never)");
    }
    fields.end();
    return new Extensions.MultiKueue(giveUpAfter);
  }

  private static Extensions.Workloads workloads(Fields fields) {
    String drop = fields.choice("dropManagedFields", "scheduler", "all", "none");
    fields.end();
    return new Extensions.Workloads(
        Extensions.DropManagedFields.valueOf(drop.toUpperCase(Locale.ROOT)));
  }

  private static Mode mode(Fields fields) {
    String mode = fields.choice("mode", "deny", "warn", "off");
    return Mode.valueOf(mode.toUpperCase(Locale.ROOT));
  }

  private Optional<CustomKind> customKind(Fields fields) {
    GroupVersionKind type = type(fields);
    String resource = fields.text("resource", type.kind().toLowerCase(Locale.ROOT) + "s");
    for (String problem : DnsLabel.problems(resource)) {
      fields.problem(INVALID, "resource", "\"" + resource + "\" " + problem);
    }
    Optional<ObjectPath> suspend = single(fields, "suspendPath");
    List<ObjectPath> templates = templates(fields);
    Optional<ObjectPath> managedBy = single(fields, "managedByPath");
    boolean usable = suspend.isPresent() || !templates.isEmpty();
    if (!usable && !fields.has("suspendPath") && !fields.has("podTemplatePaths")) {
      fields.problem(
          REQUIRED,
          "suspendPath",
          "\"\" (expected: a path such as spec.suspend, or podTemplatePaths)");
    }
    fields.end();
    return usable
        ? Optional.of(new CustomKind(type, resource, suspend, templates, managedBy))
        : Optional.empty();
  }

  private GroupVersionKind type(Fields fields) {
    GroupVersionKind type =
        new GroupVersionKind(
            fields.text("group", ""), fields.text("version", ""), fields.text("kind", ""));
    for (String problem : Subdomain.problems(type.group())) {
      fields.problem(INVALID, "group", "\"" + type.group() + "\" " + problem);
    }
    check(fields, "version", type.version(), VERSION, "a version such as v1 or v1beta1");
    check(fields, "kind", type.kind(), KIND, "a kind in camel case");
    if (!kinds.add(type.group() + "/" + type.kind())) {
      fields.problem(DUPLICATE, "kind", type.kind() + " is there twice (expected: once)");
    } else if (Framework.find(type.group(), type.kind()).isPresent()) {
      fields.problem(
          FORBIDDEN,
          "kind",
          type.kind() + " is built in (expected: name it under integrations.frameworks)");
    } else if (jobs.isExternal(type.group(), type.kind())) {
      fields.problem(
          FORBIDDEN,
          "kind",
          type.kind() + " is under integrations.externalFrameworks too (expected: one of the two)");
    }
    return type;
  }

  private static void check(
      Fields fields, String name, String text, Pattern pattern, String expected) {
    if (!pattern.matcher(text).matches()) {
      fields.problem(INVALID, name, Fields.wrong("\"" + text + "\"", expected));
    }
  }

  private static Optional<ObjectPath> single(Fields fields, String name) {
    Optional<ObjectPath> path = fields.text(name).flatMap(text -> path(fields, name, text));
    if (path.isPresent() && path.get().hasMany()) {
      fields.problem(
          INVALID, name, Fields.wrong(path.get(), "one place, so no " + ObjectPath.EACH));
    }
    return path;
  }

  private static List<ObjectPath> templates(Fields fields) {
    List<String> texts = fields.texts("podTemplatePaths");
    List<ObjectPath> paths = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      path(fields, "podTemplatePaths[" + i + "]", texts.get(i)).ifPresent(paths::add);
    }
    return paths;
  }

  private static Optional<ObjectPath> path(Fields fields, String name, String text) {
    Optional<ObjectPath> path = ObjectPath.parse(text);
    if (path.isEmpty()) {
      fields.problem(
          INVALID,
          name,
          Fields.wrong(
              "\"" + text + "\"", "a path such as spec.suspend or spec.groups[*].template"));
    }
    return path;
  }
}
