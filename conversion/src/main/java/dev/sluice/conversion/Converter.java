package dev.sluice.conversion;

import static java.util.stream.Collectors.joining;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.kinds.Steps;
import dev.sluice.conversion.step.ConversionWarning;
import dev.sluice.conversion.step.Direction;
import dev.sluice.conversion.step.Mode;
import dev.sluice.conversion.step.Refusal;
import dev.sluice.conversion.step.VersionStep;
import dev.sluice.conversion.step.Work;
import dev.sluice.conversion.step.WorkStopped;
import dev.sluice.json.Excerpt;
import dev.sluice.json.Json;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts one object at a time. Thread-safe; one object belongs to one call.
 *
 * <p>In {@link Mode#CARRY} the content of an object is never a reason to refuse it; only an object
 * of an unknown kind or version is refused.
 */
public final class Converter {
  private final Mode mode;

  /** A converter that treats odd content this way. */
  public Converter(Mode mode) {
    this.mode = mode;
  }

  /**
   * Converts an object to a version of its kind.
   *
   * @param value the object as it came; unchanged bytes are shared with the result, and an object
   *     that is opened already is changed in place
   * @param to the version to convert to
   */
  public Outcome convert(Json value, ApiVersion to) {
    return convert(value, to, Work.unbounded());
  }

  /**
   * Converts an object to a version of its kind, within bounds of memory and time.
   *
   * @param value the object as it came; unchanged bytes are shared with the result, and an object
   *     that is opened already is changed in place
   * @param to the version to convert to
   * @param work gives memory and time; what the result takes is the caller's to give back
   * @throws WorkStopped if memory or time ran out; names the object and the field
   */
  public Outcome convert(Json value, ApiVersion to, Work work) {
    if (!(value.opened() instanceof JsonObject root)) {
      return new Outcome.Refused(
          null, null, "is " + value.type().words() + " (expected: an object of " + group() + ")");
    }
    String kindText = root.text("kind");
    String versionText = root.text("apiVersion");
    Optional<ApiKind> kind = Optional.ofNullable(kindText).flatMap(ApiKind::find);
    Optional<ApiVersion> from =
        Optional.ofNullable(versionText).flatMap(ApiVersion::findByGroupVersion);
    if (kind.isEmpty()) {
      return refuseKind(root, kindText, versionText);
    }
    if (from.isEmpty() || !kind.get().has(from.get())) {
      return refuse(
          kind.get(), null, name(root), unknownVersion("apiVersion", kind.get(), versionText));
    }
    if (!kind.get().has(to)) {
      return refuse(
          kind.get(),
          from.get(),
          name(root),
          unknownVersion("desiredAPIVersion", kind.get(), to.groupVersion()));
    }
    if (from.get() == to) {
      return new Outcome.Converted(value, kind.get(), to, name(root), Set.of());
    }
    return convert(root, kind.get(), from.get(), to, work);
  }

  private Outcome convert(
      JsonObject root, ApiKind kind, ApiVersion from, ApiVersion to, Work work) {
    String name = name(root);
    Set<ConversionWarning> warnings = new LinkedHashSet<>();
    Set<Refusal> refusals = new LinkedHashSet<>();
    if (root.size() > 2) { // an object of nothing but kind and version is a probe: it stays that
      giveMetadata(root);
      try {
        for (VersionStep step : Steps.between(kind, from, to)) {
          step.convert(root, Direction.between(from, to), mode, work, warnings, refusals);
        }
      } catch (WorkStopped e) {
        throw e.at(describe(kind.kind(), name));
      }
    }
    if (!refusals.isEmpty()) {
      return refuse(
          kind, from, name, refusals.stream().map(Refusal::toString).collect(joining("; ")));
    }
    root.put("apiVersion", JsonSlice.text(to.groupVersion()));
    return new Outcome.Converted(root, kind, from, name, warnings);
  }

  private static void giveMetadata(JsonObject root) {
    Json metadata = root.get("metadata");
    if (metadata == null || metadata.type() == Json.Type.NULL) {
      root.putSorted("metadata", new JsonObject());
    }
  }

  private static Outcome refuseKind(
      JsonObject root, @Nullable String kind, @Nullable String version) {
    if (kind == null || kind.isEmpty()) {
      return new Outcome.Refused(null, null, "kind is missing (expected: " + kinds() + ")");
    }
    if (kind.endsWith("List")) {
      return new Outcome.Refused(
          null,
          null,
          "%s is a list (expected: its items one by one)".formatted(describe(kind, name(root))));
    }
    return new Outcome.Refused(
        null,
        null,
        "%s of %s: unknown kind (expected: %s of %s)"
            .formatted(
                describe(kind, name(root)),
                version == null ? "no apiVersion" : Excerpt.of(version),
                kinds(),
                group()));
  }

  private static Outcome refuse(
      ApiKind kind, @Nullable ApiVersion from, String name, String message) {
    return new Outcome.Refused(kind, from, describe(kind.kind(), name) + ": " + message);
  }

  private static String unknownVersion(String field, ApiKind kind, @Nullable String version) {
    return "%s: %s (expected: one of %s)"
        .formatted(
            field,
            version == null ? "missing" : Excerpt.of(version),
            kind.versions().stream().map(ApiVersion::groupVersion).collect(joining(", ")));
  }

  private static String describe(String kind, String name) {
    return name.isEmpty() ? Excerpt.of(kind) : Excerpt.of(kind) + " \"" + name + "\"";
  }

  /** The namespace and name as far as the object has them; never changes the object. */
  private static String name(JsonObject root) {
    JsonObject metadata = root.object("metadata");
    String name = metadata == null ? null : metadata.text("name");
    String namespace = metadata == null ? null : metadata.text("namespace");
    if (name == null) {
      return "";
    }
    return namespace == null ? Excerpt.of(name) : Excerpt.of(namespace) + "/" + Excerpt.of(name);
  }

  private static String kinds() {
    return List.of(ApiKind.values()).stream().map(ApiKind::kind).collect(joining(", "));
  }

  private static String group() {
    return ApiVersion.GROUP;
  }
}
