package dev.sluice.cluster.access;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One or several kubeconfig files, merged as kubectl does: of entries with the same name, and of
 * current contexts, the first counts. Each entry keeps the file it came from.
 */
final class Kubeconfig {
  private static final long LARGEST = 16 << 20;

  private final List<Section> files;

  /**
   * The cluster, the user and the namespace of a context; the user is an empty section where none
   * is named, and so is the namespace.
   */
  record Context(Section cluster, Section user, Optional<String> namespace) {}

  private Kubeconfig(List<Section> files) {
    this.files = files;
  }

  /** Reads the files in their order; at least one. */
  static Kubeconfig read(List<Path> paths) {
    List<Section> files = new ArrayList<>();
    for (Path path : paths) {
      files.add(read(path));
    }
    return new Kubeconfig(files);
  }

  private static Section read(Path path) {
    Path file = path.toAbsolutePath();
    String name = "kubeconfig " + path;
    if (!Files.exists(file)) {
      throw new AccessException(name + ": there is no such file");
    }
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new AccessException(name + ": cannot be read (expected: a file this user may read)");
    }
    try {
      if (Files.size(file) > LARGEST) {
        throw new AccessException(name + ": is larger than " + LARGEST + " bytes");
      }
      JsonNode tree = new YAMLMapper().readTree(Files.readAllBytes(file));
      if (tree == null || !tree.isObject()) {
        throw new AccessException(
            name + ": is not a kubeconfig (expected: YAML with clusters, users and contexts)");
      }
      return checked(new Section(path, "", tree));
    } catch (JsonProcessingException e) {
      throw new AccessException(name + ": is not YAML" + place(e), e);
    } catch (IOException e) {
      throw new AccessException(name + ": cannot be read: " + e.getClass().getSimpleName(), e);
    }
  }

  private static Section checked(Section file) {
    if (!file.nonEmpty("kind").orElse("Config").equals("Config")) {
      throw file.problem("kind", "is another (expected: Config)");
    }
    return file;
  }

  /** The parser's message may repeat a value. */
  private static String place(JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    return at == null || at.getLineNr() < 1 ? "" : " (line " + at.getLineNr() + ")";
  }

  /**
   * The context of that name, or the current one.
   *
   * @param wanted null for the current one
   */
  Context context(@Nullable String wanted) {
    Section context = wanted == null ? current() : named(wanted);
    Section inner = context.section("context");
    String cluster = required(inner, "cluster");
    Optional<String> user = inner.nonEmpty("user");
    return new Context(
        find("clusters", cluster, inner, "cluster").section("cluster"),
        user.map(name -> find("users", name, inner, "user").section("user"))
            .orElseGet(Section::empty),
        inner.nonEmpty("namespace"));
  }

  private Section current() {
    for (Section file : files) {
      Optional<String> current = file.nonEmpty("current-context");
      if (current.isPresent()) {
        return find("contexts", current.get(), file, "current-context");
      }
    }
    throw files
        .getFirst()
        .problem("current-context", "is missing (expected: the name of a context)");
  }

  private Section named(String wanted) {
    return entry("contexts", wanted)
        .orElseThrow(
            () ->
                new AccessException(
                    "--context: kubeconfig %s: contexts: none is named %s (expected: %s)"
                        .formatted(files.getFirst().file(), wanted, names("contexts"))));
  }

  private Section find(String list, String name, Section asking, String field) {
    return entry(list, name)
        .orElseThrow(
            () ->
                asking.problem(
                    field, name + " is not in " + list + " (expected: " + names(list) + ")"));
  }

  private Optional<Section> entry(String list, String name) {
    for (Section file : files) {
      for (Section entry : file.sections(list)) {
        if (entry.text("name").orElse("").equals(name)) {
          return Optional.of(entry);
        }
      }
    }
    return Optional.empty();
  }

  private String names(String list) {
    List<String> names = new ArrayList<>();
    for (Section file : files) {
      file.sections(list).forEach(entry -> entry.nonEmpty("name").ifPresent(names::add));
    }
    return names.isEmpty() ? "one that is there" : "one of " + String.join(", ", names);
  }

  private static String required(Section section, String field) {
    return section
        .nonEmpty(field)
        .orElseThrow(() -> section.problem(field, "is missing (expected: a name)"));
  }
}
