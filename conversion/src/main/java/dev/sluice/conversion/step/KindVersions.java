package dev.sluice.conversion.step;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.GroupKind;
import java.util.ArrayList;
import java.util.List;

/**
 * The versions of a kind, oldest first, and what differs between neighbours. An operator describes
 * a kind of its own like this:
 *
 * <pre>{@code
 * KindVersions.of("bakery.example", "Order", "v1alpha1")
 *     .then("v1", FieldConversion.renamed("loaves", List.of("spec"), "count", "loaves"));
 * }</pre>
 *
 * <p>Immutable; any thread may use it.
 *
 * @param kind the kind
 * @param versions its versions, such as {@code v1}, oldest first
 * @param steps the steps between neighbours: one less than versions
 */
public record KindVersions(GroupKind kind, List<String> versions, List<VersionStep> steps) {
  public KindVersions {
    requireNonNull(kind, "kind");
    versions = List.copyOf(versions);
    steps = List.copyOf(steps);
    if (versions.isEmpty() || versions.stream().distinct().count() < versions.size()) {
      throw new IllegalArgumentException(
          "versions: " + versions + " (expected: at least one, each once)");
    }
    for (int i = 1; i < versions.size(); i++) {
      boolean fits =
          steps.size() == versions.size() - 1
              && steps.get(i - 1).older().equals(versions.get(i - 1))
              && steps.get(i - 1).newer().equals(versions.get(i));
      if (!fits) {
        throw new IllegalArgumentException(
            "steps of %s (expected: one between each two of %s)".formatted(kind, versions));
      }
    }
  }

  /**
   * A kind with one version so far.
   *
   * @param group the API group, such as {@code bakery.example}
   * @param kind the value of {@code kind} in its objects
   * @param oldest its oldest version, such as {@code v1alpha1}
   */
  public static KindVersions of(String group, String kind, String oldest) {
    return new KindVersions(new GroupKind(group, kind), List.of(oldest), List.of());
  }

  /**
   * The same kind with one more version.
   *
   * <p>What one of the two versions cannot say is kept in an annotation of the object, whose name
   * is {@code conversion.GROUP/from-VERSION}. So an object that comes back is what it was.
   *
   * @param newer the version, newer than all so far
   * @param differences what differs from the version before; fields that none names are copied
   * @throws IllegalArgumentException if the kind has that version
   */
  public KindVersions then(String newer, Difference... differences) {
    List<String> more = new ArrayList<>(versions);
    more.add(newer);
    List<VersionStep> longer = new ArrayList<>(steps);
    longer.add(
        new VersionStep(
            versions.getLast(),
            newer,
            "conversion." + kind.group() + "/from-",
            List.of(differences)));
    return new KindVersions(kind, more, longer);
  }

  /** The value of {@code apiVersion} in objects of that version. */
  public String apiVersion(String version) {
    return kind.group() + "/" + version;
  }

  /**
   * The steps to take from one version to another, in order; none if they are the same.
   *
   * @throws IllegalArgumentException if the kind lacks one of the versions
   */
  public List<VersionStep> between(String from, String to) {
    int first = place(from);
    int last = place(to);
    return first <= last ? steps.subList(first, last) : steps.subList(last, first).reversed();
  }

  /** Whether an object goes to an older or to a newer version. */
  public Direction direction(String from, String to) {
    return place(from) < place(to) ? Direction.UP : Direction.DOWN;
  }

  private int place(String version) {
    int place = versions.indexOf(version);
    if (place < 0) {
      throw new IllegalArgumentException(version + " (expected: one of " + versions + ")");
    }
    return place;
  }
}
