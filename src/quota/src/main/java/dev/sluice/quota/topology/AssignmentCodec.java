package dev.sluice.quota.topology;

import dev.sluice.api.workload.ImpossiblePlacement;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.TopologyAssignment;
import dev.sluice.api.workload.TopologyAssignmentSize;
import dev.sluice.api.workload.TopologyAssignmentSlice;
import dev.sluice.api.workload.TopologyAssignmentSliceLevelIndividualValues;
import dev.sluice.api.workload.TopologyAssignmentSliceLevelValues;
import dev.sluice.api.workload.TopologyAssignmentSlicePodCounts;
import dev.sluice.quota.topology.PodPlacement.Domain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Encodes placements as the compressed slices of a Workload's topologyAssignment, and decodes them.
 * Decodes any valid encoding; an {@linkplain ImpossiblePlacement impossible} one has no domains.
 */
// A slice names what its values have in common once. Nodes of one pool mostly share a prefix, so a
// run of them is a slice of its own where that makes the whole shorter. What is unpacked is counted
// by domain, never by pod, and only after its size is known: stored numbers may be hostile.
public final class AssignmentCodec {
  private static final int MOST_SLICES = 1000;
  private static final int MOST_DOMAINS = 100_000; // what the schema allows in one slice

  private AssignmentCodec() {}

  /**
   * The domains of an assignment, in their order. Makes at most {@link
   * TopologyAssignmentSize#MAX_DOMAINS} of them, and one only for a slice of the same values.
   */
  public static PodPlacement decode(TopologyAssignment assignment) {
    return new PodPlacement(
        assignment.levels(),
        ImpossiblePlacement.of(assignment).isPresent() ? List.of() : domains(assignment.slices()));
  }

  /** The places of the pod set; null where it has none, or none that are possible. */
  public static @Nullable PodPlacement decode(PodSetAssignment assignment, PodSet podSet) {
    TopologyAssignment topology = assignment.topologyAssignment();
    return topology == null || ImpossiblePlacement.of(assignment, podSet).isPresent()
        ? null
        : new PodPlacement(topology.levels(), domains(topology.slices()));
  }

  /**
   * As {@link #decode(PodSetAssignment, PodSet)}, without the last places where the job has shrunk
   * since they were assigned. Only places on nodes are given back so: a pod that still runs on one
   * counts there by itself.
   */
  public static @Nullable PodPlacement held(PodSetAssignment assignment, PodSet podSet) {
    PodPlacement assigned = decode(assignment, podSet);
    return assigned == null || !assigned.onHosts() ? assigned : assigned.first(podSet.count());
  }

  private static List<Domain> domains(List<TopologyAssignmentSlice> slices) {
    List<Domain> domains = new ArrayList<>();
    for (TopologyAssignmentSlice slice : slices) {
      if (slice.valuesPerLevel().stream().allMatch(level -> level.universal() != null)) {
        domains.add(new Domain(values(slice, 0), (int) TopologyAssignmentSize.pods(slice)));
      } else {
        for (int i = 0; i < slice.domainCount(); i++) {
          domains.add(new Domain(values(slice, i), pods(slice.podCounts(), i)));
        }
      }
    }
    return domains;
  }

  private static int pods(TopologyAssignmentSlicePodCounts counts, int index) {
    Integer same = counts.universal();
    return same == null ? counts.individual().get(index) : same;
  }

  private static List<String> values(TopologyAssignmentSlice slice, int index) {
    List<String> values = new ArrayList<>();
    for (TopologyAssignmentSliceLevelValues level : slice.valuesPerLevel()) {
      TopologyAssignmentSliceLevelIndividualValues each = level.individual();
      values.add(
          each == null
              ? text(level.universal())
              : text(each.prefix()) + each.roots().get(index) + text(each.suffix()));
    }
    return values;
  }

  private static String text(@Nullable String optional) {
    return optional == null ? "" : optional;
  }

  /**
   * The placement in as few words as the two ways to cut it into slices allow.
   *
   * @param byPrefix whether hosts whose names begin alike may have a slice of their own
   */
  public static TopologyAssignment encode(PodPlacement placement, boolean byPrefix) {
    List<Domain> domains = placement.domains();
    if (domains.isEmpty() || !byPrefix) {
      return new TopologyAssignment(
          placement.levels(), domains.isEmpty() ? List.of() : slices(List.of(domains)));
    }
    List<TopologyAssignmentSlice> runs = slices(runs(domains));
    if (runs.size() <= 1 || domains.size() > MOST_DOMAINS) {
      return new TopologyAssignment(placement.levels(), runs);
    }
    List<TopologyAssignmentSlice> single = List.of(slice(domains));
    return new TopologyAssignment(
        placement.levels(), length(single) < length(runs) ? single : runs);
  }

  private static List<TopologyAssignmentSlice> slices(List<List<Domain>> runs) {
    List<TopologyAssignmentSlice> slices = new ArrayList<>();
    for (List<Domain> run : runs) {
      for (int start = 0; start < run.size(); start += MOST_DOMAINS) {
        slices.add(slice(run.subList(start, Math.min(run.size(), start + MOST_DOMAINS))));
      }
    }
    return slices;
  }

  /** Neighbours whose names begin alike, with as long a beginning as leaves few enough slices. */
  private static List<List<Domain>> runs(List<Domain> domains) {
    Map<String, Integer> uses = new HashMap<>();
    int deepest = 0;
    for (Domain domain : domains) {
      int depth = 0;
      String host = domain.values().getLast();
      for (int end = nextEnd(host, 0); end > 0; end = nextEnd(host, end)) {
        uses.merge(host.substring(0, end), 1, Integer::sum);
        depth++;
      }
      deepest = Math.max(deepest, depth);
    }
    List<List<Domain>> runs = List.of(domains);
    for (int depth = deepest; depth > 0; depth--) {
      int most = depth;
      runs = runs(domains, host -> key(host, uses, most));
      if (runs.size() <= MOST_SLICES) {
        return runs;
      }
    }
    return List.of(domains);
  }

  /** The end of the next beginning of the name that closes with a dash; 0 where there is none. */
  private static int nextEnd(String host, int from) {
    int dash = host.indexOf('-', from);
    return dash < 0 || dash == host.length() - 1 ? 0 : dash + 1;
  }

  private static String key(String host, Map<String, Integer> uses, int most) {
    String key = "";
    int depth = 0;
    for (int end = nextEnd(host, 0); end > 0 && depth < most; end = nextEnd(host, end)) {
      String prefix = host.substring(0, end);
      if (uses.getOrDefault(prefix, 0) >= 2) {
        key = prefix;
      }
      depth++;
    }
    return key;
  }

  private static List<List<Domain>> runs(List<Domain> domains, UnaryOperator<String> keys) {
    List<List<Domain>> runs = new ArrayList<>();
    String last = null;
    for (Domain domain : domains) {
      String key = keys.apply(domain.values().getLast());
      if (!key.equals(last)) {
        runs.add(new ArrayList<>());
        last = key;
      }
      runs.getLast().add(domain);
    }
    return runs;
  }

  private static TopologyAssignmentSlice slice(List<Domain> domains) {
    List<TopologyAssignmentSliceLevelValues> levels = new ArrayList<>();
    for (int level = 0; level < domains.getFirst().values().size(); level++) {
      int at = level;
      levels.add(values(domains.stream().map(d -> d.values().get(at)).toList()));
    }
    List<Integer> counts = domains.stream().map(Domain::pods).toList();
    Integer first = counts.getFirst();
    boolean same = counts.stream().allMatch(first::equals);
    return new TopologyAssignmentSlice(
        domains.size(),
        levels,
        new TopologyAssignmentSlicePodCounts(same ? first : null, same ? List.of() : counts));
  }

  private static TopologyAssignmentSliceLevelValues values(List<String> values) {
    String first = values.getFirst();
    int shortest = first.length();
    int prefix = first.length();
    int suffix = first.length();
    boolean same = true;
    for (String value : values) {
      same &= value.equals(first);
      shortest = Math.min(shortest, value.length());
      prefix = Math.min(prefix, commonPrefix(first, value));
      suffix = Math.min(suffix, commonSuffix(first, value));
    }
    if (same) {
      return new TopologyAssignmentSliceLevelValues(first, null);
    }
    int end = suffix;
    int start = Math.min(prefix, shortest - suffix);
    List<String> roots =
        values.stream().map(value -> value.substring(start, value.length() - end)).toList();
    return new TopologyAssignmentSliceLevelValues(
        null,
        new TopologyAssignmentSliceLevelIndividualValues(
            orNull(first.substring(0, start)),
            orNull(first.substring(first.length() - end)),
            roots));
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static int commonPrefix(String a, String b) {
    int length = 0;
    int most = Math.min(a.length(), b.length());
    while (length < most && a.charAt(length) == b.charAt(length)) {
      length++;
    }
    return length;
  }

  private static int commonSuffix(String a, String b) {
    int length = 0;
    int most = Math.min(a.length(), b.length());
    while (length < most
        && a.charAt(a.length() - 1 - length) == b.charAt(b.length() - 1 - length)) {
      length++;
    }
    return length;
  }

  /** How long the slices are in JSON; label values need no escapes. */
  private static long length(List<TopologyAssignmentSlice> slices) {
    long length = 1; // brackets and commas: one each, and one more
    for (TopologyAssignmentSlice slice : slices) {
      length += 1L + "{'domainCount':,'valuesPerLevel':[],'podCounts':{}}".length();
      length += digits(slice.domainCount());
      for (TopologyAssignmentSliceLevelValues level : slice.valuesPerLevel()) {
        length += 1 + length(level);
      }
      length += length(slice.podCounts()) - 1;
    }
    return length;
  }

  private static long length(TopologyAssignmentSliceLevelValues level) {
    TopologyAssignmentSliceLevelIndividualValues each = level.individual();
    if (each == null) {
      return 0L + "{'universal':''}".length() + text(level.universal()).length();
    }
    long length = "{'individual':{'roots':[]}}".length() - 1L;
    for (String root : each.roots()) {
      length += 3L + root.length();
    }
    length += each.prefix() == null ? 0 : "'prefix':'',".length() + each.prefix().length();
    length += each.suffix() == null ? 0 : "'suffix':'',".length() + each.suffix().length();
    return length;
  }

  private static long length(TopologyAssignmentSlicePodCounts counts) {
    Integer same = counts.universal();
    if (same != null) {
      return 0L + "'universal':".length() + digits(same);
    }
    long length = "'individual':[]".length() - 1L;
    for (int count : counts.individual()) {
      length += 1L + digits(count);
    }
    return length;
  }

  private static int digits(int number) {
    return Integer.toString(number).length();
  }
}
