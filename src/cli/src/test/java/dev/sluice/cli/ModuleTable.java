package dev.sluice.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The table of modules and the picture of their arrows in {@code
 * docs/contributing/architecture.md}.
 *
 * @param folders the folder of each module, by its name
 * @param knows the modules that each may depend on
 * @param picture the modules that each has an arrow to
 */
record ModuleTable(
    SequencedMap<String, String> folders,
    SequencedMap<String, Set<String>> knows,
    SequencedMap<String, Set<String>> picture) {
  static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

  private static final Path PAGE = ROOT.resolve("docs/contributing/architecture.md");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final Pattern ARROWS =
      Pattern.compile("^ *(\\w+) --> (\\w+(?: & \\w+)*)$", Pattern.MULTILINE);

  static ModuleTable read() {
    String section = section("## Modules");
    SequencedMap<String, String> folders = new LinkedHashMap<>();
    SequencedMap<String, String> cells = new LinkedHashMap<>();
    for (String line : section.lines().filter(it -> it.startsWith("| `")).toList()) {
      String[] row = line.split("\\|", -1);
      String folder = quoted(row[1]).getFirst();
      String name = folder.substring(folder.lastIndexOf('/') + 1);
      folders.put(name, folder);
      cells.put(name, row[3]);
    }
    return new ModuleTable(folders, knows(cells), picture(section));
  }

  private static String section(String heading) {
    try {
      String page = Files.readString(PAGE);
      int start = page.indexOf(heading);
      return page.substring(start, page.indexOf("\n## ", start));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> quoted(String cell) {
    return QUOTED.matcher(cell).results().map(it -> it.group(1)).toList();
  }

  private static SequencedMap<String, Set<String>> knows(SequencedMap<String, String> cells) {
    SequencedMap<String, Set<String>> knows = new LinkedHashMap<>();
    Set<String> above = new LinkedHashSet<>();
    cells.forEach(
        (name, cell) -> {
          Set<String> named =
              quoted(cell).stream().filter(cells::containsKey).collect(Collectors.toSet());
          Set<String> known = new TreeSet<>(named);
          if (cell.strip().startsWith("all of the above")) {
            known = new TreeSet<>(above);
            known.removeAll(named);
          }
          knows.put(name, known);
          above.add(name);
        });
    return knows;
  }

  private static SequencedMap<String, Set<String>> picture(String section) {
    SequencedMap<String, Set<String>> picture = new LinkedHashMap<>();
    for (MatchResult arrows : ARROWS.matcher(section).results().toList()) {
      picture
          .computeIfAbsent(arrows.group(1), _ -> new TreeSet<>())
          .addAll(List.of(arrows.group(2).split(" & ")));
    }
    return picture;
  }

  /** The arrows that do not follow from others: none to what a known module knows itself. */
  SequencedMap<String, Set<String>> reduced() {
    SequencedMap<String, Set<String>> reduced = new LinkedHashMap<>();
    knows.forEach(
        (name, known) -> {
          Set<String> direct = new TreeSet<>(known);
          known.forEach(it -> direct.removeAll(reachable(it)));
          if (!direct.isEmpty()) {
            reduced.put(name, direct);
          }
        });
    return reduced;
  }

  private Set<String> reachable(String module) {
    Set<String> reachable = new TreeSet<>(known(module));
    known(module).forEach(it -> reachable.addAll(reachable(it)));
    return reachable;
  }

  /** The modules that a module of the table may depend on. */
  Set<String> known(String module) {
    return Objects.requireNonNull(knows.get(module), module);
  }
}
