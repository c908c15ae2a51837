package dev.sluice.conversion.step;

import dev.sluice.json.Canonical;
import dev.sluice.json.Excerpt;
import dev.sluice.json.Json;
import dev.sluice.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one step on one object takes from the annotation of the version it goes to, and what it has
 * to keep, warn about or refuse.
 */
public final class ConversionContext {
  private static final int MOST_WARNINGS = 16;
  private static final int MOST_REFUSALS = 5;

  private final Mode mode;
  private final Work work;
  private final PreservedFields kept;
  private final PreservedFields noted;
  private final Set<ConversionWarning> warnings;
  private final Set<Refusal> refusals;
  private final Set<String> looked = new LinkedHashSet<>();

  ConversionContext(
      Mode mode,
      Work work,
      PreservedFields kept,
      Set<ConversionWarning> warnings,
      Set<Refusal> refusals) {
    this.mode = mode;
    this.work = work;
    this.kept = kept;
    this.noted = new PreservedFields();
    this.warnings = warnings;
    this.refusals = refusals;
  }

  /** Whether odd content is carried or refused. */
  public Mode mode() {
    return mode;
  }

  /** What converting the object may take of memory and time. */
  public Work work() {
    return work;
  }

  /**
   * What was kept under this name, or null. A derived value is only given out while the status
   * still is the one it was kept beside.
   */
  public @Nullable Json kept(String name, boolean derived) {
    looked.add(name);
    return derived && !kept.statusUnchanged() ? null : kept.entry(name);
  }

  /** Says that what was kept under this name is not what is kept under such a name. */
  public void ignored(String name) {
    warn(
        new ConversionWarning(
            ConversionWarning.Reason.NOTE_IGNORED,
            "metadata.annotations",
            "entry " + Excerpt.of(name) + " is nothing that is kept under this name"));
  }

  /** Keeps a value that the other version cannot say; it is copied at once. */
  public void note(String name, JsonObject value, boolean derived) {
    noted.put(name, Canonical.text(value), derived);
  }

  /** Warns about the object; the same warning twice is one, and of very many the first are kept. */
  public void warn(ConversionWarning warning) {
    if (warnings.size() < MOST_WARNINGS) {
      warnings.add(warning);
    }
  }

  /** Refuses the object for what stands in this field; of very many reasons the first are kept. */
  public void refuse(String field, String sentence) {
    if (refusals.size() < MOST_REFUSALS) {
      refusals.add(new Refusal(field, sentence));
    }
  }

  PreservedFields noted() {
    return noted;
  }

  /** Warns about entries that no difference asked for. */
  void warnOfUnknownEntries() {
    List<String> strangers = new ArrayList<>(kept.names());
    strangers.removeAll(looked);
    strangers.stream().limit(3).forEach(this::ignored);
  }
}
