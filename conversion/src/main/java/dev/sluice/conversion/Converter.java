package dev.sluice.conversion;

import static java.util.stream.Collectors.joining;

import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.kinds.Steps;
import dev.sluice.conversion.step.ConversionWarning;
import dev.sluice.conversion.step.KindVersions;
import dev.sluice.conversion.step.Mode;
import dev.sluice.conversion.step.Refusal;
import dev.sluice.conversion.step.VersionStep;
import dev.sluice.conversion.step.Work;
import dev.sluice.conversion.step.WorkStopped;
import dev.sluice.json.Excerpt;
import dev.sluice.json.Json;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Converts one object at a time: of Kueue's kinds, or of kinds of an operator of its own.
 * Thread-safe; one object belongs to one call.
 *
 * <p>In {@link Mode#CARRY} the content of an object is never a reason to refuse it; only an object
 * of an unknown kind or version is refused.
 */
public final class Converter {
  private final Mode mode;
  private final String group;
  private final Map<String, KindVersions> kinds = new LinkedHashMap<>();

  /** The versions of all kinds, by {@code apiVersion}. */
  private final Map<String, String> versions = new TreeMap<>();

  /** A converter of Kueue's kinds that treats odd content this way. */
  public Converter(Mode mode) {
    this(mode, Steps.all());
  }

  /**
   * A converter of these kinds that treats odd content this way.
   *
   * @throws IllegalArgumentException if there is no kind, if a kind is there twice, or if the kinds
   *     are of several groups
   */
  public Converter(Mode mode, Collection<KindVersions> kinds) {
    this.mode = mode;
    this.group = kinds.stream().findFirst().map(it -> it.kind().group()).orElse("");
    for (KindVersions each : kinds) {
      boolean isNew = this.kinds.put(each.kind().kind(), each) == null;
      if (!isNew || !each.kind().group().equals(group)) {
        throw new IllegalArgumentException(
            each.kind() + " (expected: each kind once, and all of one group)");
      }
      each.versions().forEach(it -> versions.put(each.apiVersion(it), it));
    }
    if (this.kinds.isEmpty()) {
      throw new IllegalArgumentException("kinds: [] (expected: at least one)");
    }
  }

  /** The API group of the kinds. */
  public String group() {
    return group;
  }

  /** The kinds, in the order they were named. */
  public List<KindVersions> kinds() {
    return List.copyOf(kinds.values());
  }

  /** The versions that any of the kinds has, in alphabetical order. */
  public List<String> versions() {
    return List.copyOf(versions.values());
  }

  /** The version with that {@code apiVersion}, if one of the kinds has it. */
  public Optional<String> version(String apiVersion) {
    return Optional.ofNullable(versions.get(apiVersion));
  }

  /**
   * Converts an object to a version of its kind.
   *
   * @param value the object as it came; unchanged bytes are shared with the result, and an object
   *     that is opened already is changed in place
   * @param to the version to convert to
   */
  public Outcome convert(Json value, ApiVersion to) {
    return convert(value, to.text(), Work.unbounded());
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
    return convert(value, to.text(), work);
  }

  /**
   * Converts an object to a version of its kind, within bounds of memory and time.
   *
   * @param value the object as it came; unchanged bytes are shared with the result, and an object
   *     that is opened already is changed in place
   * @param to the version to convert to, such as {@code v1}
   * @param work gives memory and time; what the result takes is the caller's to give back
   * @throws WorkStopped if memory or time ran out; names the object and the field
   */
  public Outcome convert(Json value, String to, Work work) {
    if (!(value.opened() instanceof JsonObject root)) {
      return new Outcome.Refused(
          null, null, "is " + value.type().words() + " (expected: an object of " + group + ")");
    }
    String kindText = root.text("kind");
    String versionText = root.text("apiVersion");
    KindVersions kind = kindText == null ? null : kinds.get(kindText);
    String from = versionText == null ? null : versions.get(versionText);
    if (kind == null) {
      return refuseKind(root, kindText, versionText);
    }
    if (from == null || !kind.versions().contains(from)) {
      return refuse(kind, null, name(root), unknownVersion("apiVersion", kind, versionText));
    }
    if (!kind.versions().contains(to)) {
      return refuse(
          kind, from, name(root), unknownVersion("desiredAPIVersion", kind, kind.apiVersion(to)));
    }
    if (from.equals(to)) {
      return new Outcome.Converted(value, kind.kind().kind(), to, name(root), Set.of());
    }
    return convert(root, kind, from, to, work);
  }

  private Outcome convert(JsonObject root, KindVersions kind, String from, String to, Work work) {
    String name = name(root);
    Set<ConversionWarning> warnings = new LinkedHashSet<>();
    Set<Refusal> refusals = new LinkedHashSet<>();
    if (root.size() > 2) { // an object of nothing but kind and version is a probe: it stays that
      giveMetadata(root);
      try {
        for (VersionStep step : kind.between(from, to)) {
          step.convert(root, kind.direction(from, to), mode, work, warnings, refusals);
        }
      } catch (WorkStopped e) {
        throw e.at(describe(kind.kind().kind(), name));
      }
    }
    if (!refusals.isEmpty()) {
      return refuse(
          kind, from, name, refusals.stream().map(Refusal::toString).collect(joining("; ")));
    }
    root.put("apiVersion", JsonSlice.text(kind.apiVersion(to)));
    return new Outcome.Converted(root, kind.kind().kind(), from, name, warnings);
  }

  private static void giveMetadata(JsonObject root) {
    Json metadata = root.get("metadata");
    if (metadata == null || metadata.type() == Json.Type.NULL) {
      root.putSorted("metadata", new JsonObject());
    }
  }

  private Outcome refuseKind(JsonObject root, @Nullable String kind, @Nullable String version) {
    if (kind == null || kind.isEmpty()) {
      return new Outcome.Refused(null, null, "kind is missing (expected: " + kindNames() + ")");
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
                kindNames(),
                group));
  }

  private static Outcome refuse(
      KindVersions kind, @Nullable String from, String name, String message) {
    String kindText = kind.kind().kind();
    return new Outcome.Refused(kindText, from, describe(kindText, name) + ": " + message);
  }

  private static String unknownVersion(String field, KindVersions kind, @Nullable String version) {
    return "%s: %s (expected: one of %s)"
        .formatted(
            field,
            version == null ? "missing" : Excerpt.of(version),
            kind.versions().stream().map(kind::apiVersion).collect(joining(", ")));
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

  private String kindNames() {
    return String.join(", ", kinds.keySet());
  }
}
