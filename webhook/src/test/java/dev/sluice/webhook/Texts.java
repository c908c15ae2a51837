package dev.sluice.webhook;

import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Texts of reviews and of the objects in them. */
public final class Texts {
  public static final String VALIDATE_TOPOLOGY = "/validate-kueue-x-k8s-io-v1beta2-topology";
  public static final String VALIDATE_COHORT = "/validate-kueue-x-k8s-io-v1beta2-cohort";

  private Texts() {}

  /** A review that asks to convert Topologies of these names from v1alpha1 to v1beta2. */
  public static String conversion(String uid, String... names) {
    return conversion(
        uid, "kueue.x-k8s.io/v1beta2", List.of(names).stream().map(Texts::topology).toList());
  }

  public static String conversion(String uid, String version, Collection<String> objects) {
    return """
    {"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"%s",\
    "desiredAPIVersion":"%s","objects":[%s]}}\
    """
        .formatted(uid, version, String.join(",", objects));
  }

  /** So many Topologies, {@code t-0} first. */
  public static String largeConversion(String uid, int objects) {
    return conversion(
        uid,
        "kueue.x-k8s.io/v1beta2",
        IntStream.range(0, objects).mapToObj(i -> topology("t-" + i)).toList());
  }

  /**
   * A review of one Workload whose slices stand for 100,000 domains of so many levels, so many
   * times.
   */
  public static String expanding(String uid, int assignments, int levels) {
    return expanding(uid, assignments, levels, 100_000);
  }

  /** The same with so many domains. */
  public static String expanding(String uid, int assignments, int levels, int domains) {
    String slice =
        "{\"domainCount\":%d,\"podCounts\":{\"universal\":1},\"valuesPerLevel\":%s}"
            .formatted(domains, Collections.nCopies(levels, "{\"universal\":\"a\"}"));
    String assignment =
        "{\"name\":\"p\",\"topologyAssignment\":{\"levels\":%s,\"slices\":[%s]}}"
            .formatted(Collections.nCopies(levels, "\"l\""), slice);
    return conversion(
        uid,
        "kueue.x-k8s.io/v1beta1",
        List.of(
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"w"},\
            "spec":{},"status":{"admission":{"podSetAssignments":%s}}}\
            """
                .formatted(Collections.nCopies(assignments, assignment))));
  }

  /** A review of so many Workloads, each in one domain, which get a fifth longer. */
  public static String placed(String uid, int workloads) {
    String workload =
        """
        {"apiVersion":"kueue.x-k8s.io/v1beta1","kind":"Workload","metadata":{"name":"w"},\
        "spec":{},"status":{"admission":{"podSetAssignments":[{"name":"p","topologyAssignment":{\
        "levels":["l"],"domains":[{"values":["n"],"count":1}]}}]}}}\
        """;
    return conversion(uid, "kueue.x-k8s.io/v1beta2", Collections.nCopies(workloads, workload));
  }

  public static String topology(String name) {
    return """
    {"apiVersion":"kueue.x-k8s.io/v1alpha1","kind":"Topology","metadata":{"name":"%s"},\
    "spec":{"levels":[{"nodeLabel":"example.com/block"},{"nodeLabel":"kubernetes.io/hostname"}]}}\
    """
        .formatted(name);
  }

  public static String cohort(String name) {
    return """
    {"apiVersion":"kueue.x-k8s.io/v1alpha1","kind":"Cohort","metadata":{"name":"%s"},\
    "spec":{"parent":"root"}}\
    """
        .formatted(name);
  }

  /** A review of the creation of a Topology with these levels. */
  public static String creation(String uid, String... levels) {
    String list =
        List.of(levels).stream()
            .map(level -> "{\"nodeLabel\":\"" + level + "\"}")
            .collect(joining(","));
    return admission(
        uid,
        "Topology",
        "CREATE",
        "\"object\":{\"apiVersion\":\"kueue.x-k8s.io/v1beta2\",\"kind\":\"Topology\","
            + "\"metadata\":{\"name\":\"racks\"},\"spec\":{\"levels\":["
            + list
            + "]}}");
  }

  public static String admission(String uid, String kind, String operation, String objects) {
    return """
    {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"%s",\
    "kind":{"group":"kueue.x-k8s.io","version":"v1beta2","kind":"%s"},"operation":"%s",%s}}\
    """
        .formatted(uid, kind, operation, objects);
  }
}
