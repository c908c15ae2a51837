package dev.sluice.cli.scan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.cluster.ReportFlags;
import dev.sluice.server.program.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares a bill of materials with a database of vulnerabilities. */
@Command(
    name = "scan",
    header = "Says which known vulnerabilities are in a bill of materials.",
    description = {
      "Compares the libraries and Debian packages of a CycloneDX bill, as sluice image writes it,"
          + " with records in the OSV format. Nothing is sent anywhere: the database is a folder"
          + " or a zip that you have, such as all.zip of the ecosystems Maven and Debian from"
          + " osv.dev.",
      "Exit code 1 if there is a vulnerability that --ignore does not name, or if the database has"
          + " nothing of an ecosystem of the bill."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice scan sluice.tar.cdx.json --database osv/",
      "  sluice scan sluice.tar.cdx.json --database osv/ --ignore CVE-2026-12345"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ScanCommand implements Callable<Integer> {
  private static final JsonMapper JSON = new JsonMapper();

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "BILL", description = "The bill of materials.")
  private Path bill;

  @Option(
      names = "--database",
      required = true,
      paramLabel = "PATH",
      description = "A folder of records and zips of records, or one such file.")
  private Path database;

  @Option(
      names = "--ignore",
      paramLabel = "ID",
      description = "A vulnerability that was looked at and does no harm, by any of its names.")
  private List<String> ignored = new ArrayList<>();

  @Mixin private ReportFlags output;

  /** A component and what is known about it. */
  private record Hit(Component component, Advisory advisory, boolean isIgnored) {}

  @Override
  public Integer call() {
    List<Component> components = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (JsonNode each : read().path("components")) {
      Component.of(each)
          .ifPresentOrElse(components::add, () -> unknown.add(each.path("name").asText()));
    }
    if (components.isEmpty()) {
      throw new CommandException(bill + ": no component with a purl of Maven or Debian in it");
    }
    AdvisoryDatabase known = AdvisoryDatabase.read(database, components);
    requireComplete(components, known);
    List<Hit> hits = hits(components, known);
    output.print(
        spec.commandLine().getOut(),
        text(components, unknown, known, hits),
        tree(components, unknown, known, hits));
    return hits.stream().allMatch(Hit::isIgnored) ? 0 : 1;
  }

  private JsonNode read() {
    try {
      return JSON.readTree(bill.toFile());
    } catch (IOException e) {
      throw new CommandException(bill + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /** An empty database would find everything to be fine. */
  private void requireComplete(List<Component> components, AdvisoryDatabase known) {
    Set<Ecosystem> lacking = EnumSet.noneOf(Ecosystem.class);
    components.forEach(it -> lacking.add(it.ecosystem()));
    lacking.removeAll(known.known());
    if (!lacking.isEmpty()) {
      throw new CommandException(
          "%s: has no record of %s, which the bill has components of"
              .formatted(
                  database,
                  lacking.stream().map(Ecosystem::label).collect(Collectors.joining(", "))));
    }
  }

  private List<Hit> hits(List<Component> components, AdvisoryDatabase known) {
    List<Hit> hits = new ArrayList<>();
    for (Component component : components) {
      for (Advisory advisory : known.advisories()) {
        if (advisory.affects(component)) {
          boolean isIgnored =
              ignored.contains(advisory.id())
                  || advisory.aliases().stream().anyMatch(ignored::contains);
          hits.add(new Hit(component, advisory, isIgnored));
        }
      }
    }
    return hits;
  }

  private static String text(
      List<Component> components, List<String> unknown, AdvisoryDatabase known, List<Hit> hits) {
    StringBuilder text = new StringBuilder();
    for (Hit hit : hits) {
      text.append(
          "%-10s %s: %s%s: %s%n"
              .formatted(
                  hit.isIgnored() ? "ignored" : "vulnerable",
                  hit.component(),
                  hit.advisory().id(),
                  hit.advisory().aliases().isEmpty() ? "" : " " + hit.advisory().aliases(),
                  hit.advisory().summary()));
      hit.advisory()
          .fixedAfter(hit.component())
          .ifPresent(version -> text.append("           fixed in %s%n".formatted(version)));
    }
    return text.append(
            "%d components compared with %d records, the newest of %s; not compared: %s%n"
                .formatted(
                    components.size(),
                    known.records(),
                    known.newest().isEmpty() ? "an unknown time" : known.newest(),
                    unknown.isEmpty() ? "none" : String.join(", ", unknown)))
        .toString();
  }

  private static ObjectNode tree(
      List<Component> components, List<String> unknown, AdvisoryDatabase known, List<Hit> hits) {
    ObjectNode tree = JSON.createObjectNode();
    tree.put("compared", components.size()).put("records", known.records());
    tree.put("newestRecord", known.newest());
    unknown.forEach(tree.putArray("notCompared")::add);
    var found = tree.putArray("vulnerabilities");
    for (Hit hit : hits) {
      ObjectNode each = found.addObject();
      each.put("component", hit.component().name()).put("version", hit.component().version());
      each.put("id", hit.advisory().id()).put("ignored", hit.isIgnored());
      hit.advisory().aliases().forEach(each.putArray("aliases")::add);
      each.put("summary", hit.advisory().summary());
      hit.advisory().fixedAfter(hit.component()).ifPresent(it -> each.put("fixed", it));
    }
    return tree;
  }
}
