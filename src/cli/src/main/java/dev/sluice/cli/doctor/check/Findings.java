package dev.sluice.cli.doctor.check;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Finding.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What all checks found, in their order. For one thread. */
public final class Findings {
  private final List<Finding> all = new ArrayList<>();
  private final List<Fix> fixes = new ArrayList<>();

  /**
   * A safe way out.
   *
   * @param object what it changes
   * @param done what it has done, in the past tense
   * @param action does it
   */
  public record Fix(String object, String done, Supplier<Answer> action) {}

  /** It is as it should be. */
  public void ok(String object, String seen) {
    all.add(new Finding(Level.OK, object, seen, ""));
  }

  /** It works now, but will not always, or could not be looked at. */
  public void warning(String object, String seen, String remedy) {
    all.add(new Finding(Level.WARNING, object, seen, remedy));
  }

  /** It does not work. */
  public void error(String object, String seen, String remedy) {
    all.add(new Finding(Level.ERROR, object, seen, remedy));
  }

  /** Something is wrong that can be mended without a choice. */
  public void error(String object, String seen, String remedy, Fix fix) {
    error(object, seen, remedy);
    fixes.add(fix);
  }

  /** What can be mended, in the order in which it was found. */
  public List<Fix> fixes() {
    return List.copyOf(fixes);
  }

  /** How many there are of a level. */
  public long count(Level level) {
    return all.stream().filter(finding -> finding.level() == level).count();
  }

  /** For people: a line each, the remedy below, a sum at the end. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Finding finding : all) {
      text.append("%-8s %s: %s%n".formatted(finding.level(), finding.object(), finding.seen()));
      if (!finding.remedy().isEmpty()) {
        text.append("         remedy: %s%n".formatted(finding.remedy()));
      }
    }
    return text.append(
            "%d ok, %d warnings, %d errors%n"
                .formatted(count(Level.OK), count(Level.WARNING), count(Level.ERROR)))
        .toString();
  }

  /** The same for programs. */
  public ObjectNode tree() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("healthy", count(Level.ERROR) == 0);
    ArrayNode list = root.putArray("findings");
    for (Finding finding : all) {
      list.addObject()
          .put("level", finding.level().toString())
          .put("object", finding.object())
          .put("seen", finding.seen())
          .put("remedy", finding.remedy());
    }
    return root;
  }
}
