package dev.sluice.multicluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.check.MultiKueueCluster;
import dev.sluice.api.check.MultiKueueConfig;
import dev.sluice.api.read.HubObjects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterCheckActivityTest {
  private static <T> T read(Class<T> type, String json) {
    try {
      return HubObjects.read(type, new ObjectMapper().readTree(json));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AdmissionCheck check(String parameters) {
    return read(
        AdmissionCheck.class,
        """
        {"metadata":{"name":"mk"},"spec":{"controllerName":"kueue.x-k8s.io/multikueue"%s}}\
        """
            .formatted(parameters));
  }

  private static AdmissionCheck checkOf(String config) {
    return check(
        """
        ,"parameters":{"apiGroup":"kueue.x-k8s.io","kind":"MultiKueueConfig","name":"%s"}\
        """
            .formatted(config));
  }

  private static MultiKueueConfig config(String clusters) {
    String names =
        Stream.of(clusters.split(" ", -1))
            .map("\"%s\""::formatted)
            .collect(Collectors.joining(","));
    return read(
        MultiKueueConfig.class,
        "{\"metadata\":{\"name\":\"c\"},\"spec\":{\"clusters\":[" + names + "]}}");
  }

  /** One whose name begins with m is missing, with i inactive, with u without a condition. */
  private static Optional<MultiKueueCluster> cluster(String name) {
    String condition =
        """
        {"type":"Active","status":"%s","reason":"r","message":"",\
        "lastTransitionTime":"2026-03-01T10:00:00Z"}\
        """
            .formatted(name.startsWith("i") ? "False" : "True");
    return name.startsWith("m")
        ? Optional.empty()
        : Optional.of(
            read(
                MultiKueueCluster.class,
                """
                {"metadata":{"name":"%s"},"spec":{"clusterSource":{"kubeConfig":{"location":"s"}}},\
                "status":{"conditions":[%s]}}\
                """
                    .formatted(name, name.startsWith("u") ? "" : condition)));
  }

  private static ClusterCheckActivity of(AdmissionCheck check, String clusters) {
    return ClusterCheckActivity.of(
        check,
        name -> name.equals("c") ? Optional.of(config(clusters)) : Optional.empty(),
        ClusterCheckActivityTest::cluster);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a b c     | true  | Active             | The admission check is active
          m2 m1 i1 a | true  | SomeActiveClusters | Missing clusters: [m2 m1], Inactive clusters: [i1]
          a i1 u1   | true  | SomeActiveClusters | Inactive clusters: [i1 u1]
          a m1      | true  | SomeActiveClusters | Missing clusters: [m1]
          m1 i1     | false | NoUsableClusters   | Missing clusters: [m1], Inactive clusters: [i1]
          """)
  void countsTheClustersThatCanBeUsed(
      String clusters, boolean active, String reason, String message) {
    assertThat(of(checkOf("c"), clusters))
        .isEqualTo(new ClusterCheckActivity(active, reason, message));
  }

  @Test
  void parametersThatCannotBeLoadedAreTold() {
    String loading = "Cannot load the AdmissionChecks parameters: ";

    assertThat(of(checkOf("x"), "a"))
        .isEqualTo(
            new ClusterCheckActivity(
                false, "BadConfig", loading + "multikueueconfigs.kueue.x-k8s.io \"x\" not found"));
    assertThat(of(check(""), "a").message()).isEqualTo(loading + "spec.parameters is missing");
    assertThat(
            of(check(",\"parameters\":{\"apiGroup\":\"g\",\"kind\":\"K\",\"name\":\"c\"}"), "a")
                .message())
        .isEqualTo(
            loading
                + "spec.parameters names a K of \"g\" (expected: a MultiKueueConfig of"
                + " kueue.x-k8s.io)");
  }
}
