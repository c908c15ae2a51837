package dev.sluice.conversion.step;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.ApiVersion;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.json.JsonObject;
import java.util.List;
import java.util.Set;

/**
 * The step between two neighbouring versions of a kind: what differs between them, settled in
 * order. Everything else in the object stays as it came.
 *
 * @param older the older version, such as {@code v1beta1}
 * @param newer the newer version
 * @param notes how the names of annotations begin that keep what a version cannot say; the version
 *     from which the object came follows
 * @param differences what differs
 */
public record VersionStep(String older, String newer, String notes, List<Difference> differences) {
  public VersionStep {
    requireNonNull(older, "older");
    requireNonNull(newer, "newer");
    requireNonNull(notes, "notes");
    differences = List.copyOf(differences);
  }

  /** A step of a kind of Kueue. */
  public VersionStep(ApiVersion older, ApiVersion newer, List<Difference> differences) {
    this(older.text(), newer.text(), Domains.CONVERSION_FROM, differences);
  }

  /**
   * Takes the object over this step, in place; {@code apiVersion} is left to the caller.
   *
   * @param warnings receives what a person should know of the object
   * @param refusals receives why it must not be converted; filled only in {@link Mode#FAIL}
   */
  public void convert(
      JsonObject root,
      Direction direction,
      Mode mode,
      Set<ConversionWarning> warnings,
      Set<Refusal> refusals) {
    convert(root, direction, mode, Work.unbounded(), warnings, refusals);
  }

  /**
   * Takes the object over this step, in place; {@code apiVersion} is left to the caller.
   *
   * @param work gives memory and time
   * @param warnings receives what a person should know of the object
   * @param refusals receives why it must not be converted; filled only in {@link Mode#FAIL}
   * @throws WorkStopped if memory or time ran out; the object is of no use then
   */
  public void convert(
      JsonObject root,
      Direction direction,
      Mode mode,
      Work work,
      Set<ConversionWarning> warnings,
      Set<Refusal> refusals) {
    String source = notes + (direction == Direction.UP ? older : newer);
    String target = notes + (direction == Direction.UP ? newer : older);
    PreservedFields kept = Annotations.take(root, source, target, warnings::add);
    kept.compareStatus(root);
    ConversionContext context = new ConversionContext(mode, work, kept, warnings, refusals);
    for (Difference difference : differences) {
      difference.convert(root, direction, context);
    }
    context.warnOfUnknownEntries();
    Annotations.put(root, source, context);
  }
}
