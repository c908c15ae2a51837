package dev.sluice.conversion.law;

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
 * to note, remark on or refuse.
 */
public final class Exchange {
  private static final int MOST_REMARKS = 16;
  private static final int MOST_REFUSALS = 5;

  private final Mode mode;
  private final Work work;
  private final Notes kept;
  private final Notes noted;
  private final Set<Remark> remarks;
  private final Set<Refusal> refusals;
  private final Set<String> looked = new LinkedHashSet<>();

  Exchange(Mode mode, Work work, Notes kept, Set<Remark> remarks, Set<Refusal> refusals) {
    this.mode = mode;
    this.work = work;
    this.kept = kept;
    this.noted = new Notes();
    this.remarks = remarks;
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
    remark(
        new Remark(
            Remark.Reason.NOTE_IGNORED,
            "metadata.annotations",
            "entry " + Excerpt.of(name) + " is nothing that is kept under this name"));
  }

  /** Notes a value that the other version cannot say; it is copied at once. */
  public void note(String name, JsonObject value, boolean derived) {
    noted.put(name, Canonical.text(value), derived);
  }

  /** Remarks on the object; the same remark twice is one, and of very many the first are kept. */
  public void remark(Remark remark) {
    if (remarks.size() < MOST_REMARKS) {
      remarks.add(remark);
    }
  }

  /** Refuses the object for what stands in this field; of very many reasons the first are kept. */
  public void refuse(String field, String sentence) {
    if (refusals.size() < MOST_REFUSALS) {
      refusals.add(new Refusal(field, sentence));
    }
  }

  Notes noted() {
    return noted;
  }

  /** Remarks on entries that no difference asked for. */
  void remarkOnStrangers() {
    List<String> strangers = new ArrayList<>(kept.names());
    strangers.removeAll(looked);
    strangers.stream().limit(3).forEach(this::ignored);
  }
}
