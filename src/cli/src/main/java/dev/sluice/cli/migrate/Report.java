package dev.sluice.cli.migrate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.migrate.KindReport.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run did.
 *
 * @param kinds kind by kind
 * @param aborted why it ended early; null if it did not
 */
record Report(List<KindReport> kinds, @Nullable String aborted) {
  private static final String ROW = "%-28s %-15s %10s %10s %6s %10s %7s  %s%n";

  Report {
    kinds = List.copyOf(kinds);
  }

  /** Whether nothing is left to do. */
  boolean isSuccess() {
    return aborted == null && kinds.stream().noneMatch(kind -> kind.outcome() == Outcome.FAILED);
  }

  /** A table, then what failed, for people. */
  String text() {
    StringBuilder text =
        new StringBuilder(
            ROW.formatted(
                "KIND",
                "OUTCOME",
                "REWRITTEN",
                "UNCHANGED",
                "GONE",
                "CONFLICTS",
                "FAILED",
                "STORED VERSIONS"));
    kinds.forEach(kind -> text.append(row(kind)));
    for (KindReport kind : kinds) {
      for (Failure failure : kind.failures()) {
        text.append("%s %s: %s%n".formatted(kind.kind(), failure.object(), failure.message()));
      }
    }
    return text.toString();
  }

  private static String row(KindReport kind) {
    Counts counts = kind.counts();
    String row =
        ROW.formatted(
            kind.kind(),
            kind.outcome(),
            counts.rewritten(),
            counts.unchanged(),
            counts.gone(),
            counts.conflicts(),
            kind.failures().size(),
            versions(kind.versions()));
    return kind.note().isEmpty() ? row : row.stripTrailing() + "  (" + kind.note() + ")\n";
  }

  private static String versions(KindReport.Versions versions) {
    String before = String.join(",", versions.before());
    return versions.after().equals(versions.before())
        ? before
        : before + " -> " + String.join(",", versions.after());
  }

  /** The same for programs. */
  ObjectNode tree() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("success", isSuccess());
    if (aborted != null) {
      root.put("aborted", aborted);
    }
    ArrayNode list = root.putArray("kinds");
    kinds.forEach(kind -> describe(kind, list.addObject()));
    return root;
  }

  private static void describe(KindReport kind, ObjectNode node) {
    node.put("kind", kind.kind().kind());
    node.put("outcome", kind.outcome().toString());
    node.put("note", kind.note());
    node.put("storageVersion", kind.versions().storage());
    kind.versions().before().forEach(node.putArray("storedVersionsBefore")::add);
    kind.versions().after().forEach(node.putArray("storedVersionsAfter")::add);
    node.put("rewritten", kind.counts().rewritten());
    node.put("unchanged", kind.counts().unchanged());
    node.put("gone", kind.counts().gone());
    node.put("conflicts", kind.counts().conflicts());
    ArrayNode failures = node.putArray("failed");
    for (Failure failure : kind.failures()) {
      failures.addObject().put("object", failure.object()).put("message", failure.message());
    }
  }
}
