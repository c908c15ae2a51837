package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.FeatureGate.FLAVOR_FUNGIBILITY;
import static dev.sluice.api.configuration.FeatureGate.MULTI_KUEUE;
import static dev.sluice.api.configuration.FeatureGate.TLS_OPTIONS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.configuration.FeatureGate.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FeatureGatesTest {
  /** All code that may ask for a gate. */
  private static final List<Path> SOURCES =
      Stream.of(
              "api",
              "json",
              "rules",
              "jobs",
              "lifecycle",
              "quota",
              "cluster",
              "scheduler",
              "multicluster",
              "server",
              "cli",
              "../webhook",
              "../conversion")
          .map(module -> Path.of("..", module, "src", "main", "java"))
          .toList();

  /** The other value than the default is what is always done here. */
  private static final List<String> NEITHER_ASKED_NOR_REFUSED =
      List.of("WorkloadRequestUseMergePatch");

  /** Off unless somebody says otherwise; all others are on. */
  private static final List<String> OFF =
      List.of(
          "ConcurrentAdmission",
          "CustomMetricLabels",
          "DisableWaitForPodsReady",
          "ElasticJobsViaWorkloadSlicesWithTAS",
          "FailureRecoveryPolicy",
          "FastQuotaReleaseInPodIntegration",
          "KueueDRAIntegrationConsumableCapacity",
          "MultiKueueClusterProfile",
          "MultiKueueManagerQuotaAutomation",
          "MultiKueueOrchestratedPreemption",
          "PrioritizePreemptorWorkloads",
          "PriorityBoost",
          "RejectUpdatesToCQWithInvalidOnFlavors",
          "SchedulerLibraryIntegration",
          "ShortWorkloadNames",
          "SparkApplicationIntegration",
          "TASBalancedPlacement",
          "TASReplaceNodeDueToNotReadyOverFixedTime",
          "TASRespectNodeAffinityPreferred",
          "UnadmittedWorkloadsExplicitStatus",
          "WorkloadRequestUseMergePatch");

  @Test
  void areAsThePeerHasThemByDefault() {
    assertThat(FeatureGate.values()).hasSize(80);
    assertThat(Arrays.stream(FeatureGate.values()).filter(gate -> !gate.onByDefault()))
        .extracting(FeatureGate::gateName)
        .containsExactlyElementsOf(OFF);
    assertThat(Arrays.stream(FeatureGate.values()).filter(FeatureGate::locked))
        .extracting(FeatureGate::gateName)
        .containsExactly("ManagedJobsNamespaceSelectorAlwaysRespected", "TLSOptions");
    assertThat(FeatureGates.DEFAULT).hasToString("");
  }

  @ParameterizedTest
  @EnumSource(FeatureGate.class)
  void haveDefaultsThatNeedNothingElse(FeatureGate gate) {
    if (FeatureGates.DEFAULT.isOn(gate)) {
      assertThat(FeatureGates.DEFAULT.missingFor(gate)).isEmpty();
    }
    assertThat(FeatureGate.find(gate.gateName())).contains(gate);
  }

  @Test
  void switchOneByOneUnlessLocked() {
    assertThat(FeatureGates.DEFAULT.with(MULTI_KUEUE, false).isOn(MULTI_KUEUE)).isFalse();
    assertThat(FeatureGates.DEFAULT.with(MULTI_KUEUE, false)).hasToString("MultiKueue=false");
    assertThatThrownBy(() -> FeatureGates.DEFAULT.with(TLS_OPTIONS, false))
        .hasMessageContaining("locked");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      textBlock =
          """
          MultiKueue=false                                        |
          MultiKueue=false, PriorityBoost=true                    |
          AllAlpha=true                                           |
          AllBeta=false                                           |
          FlavorFungibility=false                                 | FlavorFungibilityPreserveScanProgress is on, as it is by default, and needs FlavorFungibility
          FlavorFungibility=false,FlavorFungibilityPreserveScanProgress=false |
          UnadmittedWorkloadsObservability=false,UnadmittedWorkloadsExplicitStatus=true | needs UnadmittedWorkloadsObservability
          KueueDRAIntegration=false,KueueDRAIntegrationExtendedResource=false | KueueDRAIntegrationPartitionableDevices is on
          MultiKueue=F,PriorityBoost=1,AllAlpha=False,AllBeta=t    |
          MultiKueu=true                                          | did you mean MultiKueue?
          MultiKueue                                              | MultiKueue= (expected: Name=true or Name=false)
          MultiKueue=yes                                          | MultiKueue=yes (expected: Name=true or Name=false)
          """)
  void comeFromAFlag(String flag, String problem) {
    Reading reading =
        ConfigurationReader.in("n").withFeatureGates(flag).read(List.of(Documents.v1beta2("")));

    if (problem == null) {
      assertThat(reading).isInstanceOf(Reading.Accepted.class);
    } else {
      assertThat(((Reading.Refused) reading).problems())
          .singleElement()
          .asString()
          .startsWith("--feature-gates: ")
          .contains(problem);
    }
  }

  @Test
  void namesAllDependentsWhenTopologyIsTurnedOff() {
    assertThat(
            Documents.problems(Documents.v1beta2("featureGates: {TopologyAwareScheduling: false}")))
        .extracting(problem -> problem.detail().substring(0, problem.detail().indexOf(' ')))
        .containsExactly(
            "TASFailedNodeReplacement",
            "TASFailedNodeReplacementFailFast",
            "TASHandleOverlappingFlavors",
            "TASMultiLayerTopology",
            "TASProfileMixed",
            "TASRecomputeAssignmentWithinSchedulingCycle",
            "TASReplaceNodeOnNodeTaints",
            "TASReplaceNodeOnPodTermination");
  }

  @Test
  void comeFromOnePlaceOnly() {
    Reading reading =
        ConfigurationReader.in("n")
            .withFeatureGates("PriorityBoost=true")
            .read(List.of(Documents.v1beta2("featureGates: {PriorityBoost: true}")));

    assertThat(((Reading.Refused) reading).problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.type()).isEqualTo(Problem.Type.FORBIDDEN));
  }

  @Test
  void warnOfGatesThatAreLockedOrGoing() {
    Reading.Accepted accepted =
        Documents.accepted(
            Documents.v1beta2(
                "featureGates: {TLSOptions: true, TASReplaceNodeDueToNotReadyOverFixedTime:"
                    + " true}"));

    assertThat(accepted.warnings()).hasSize(2);
    assertThat(accepted.configuration().featureGates().isOn(TLS_OPTIONS)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(FeatureGate.class)
  void areRefusedWithASentenceWhereTheyCannotBeObeyed(FeatureGate gate) {
    String turned = gate + "=" + !gate.onByDefault();
    boolean isPlayed = NEITHER_ASKED_NOR_REFUSED.contains(gate.gateName()) || gate.hasEffect();
    Reading reading =
        ConfigurationReader.in("n").withFeatureGates(turned).read(List.of(Documents.v1beta2("")));
    boolean refused =
        reading instanceof Reading.Refused(var problems)
            && problems.stream().anyMatch(it -> it.detail().startsWith(turned + " cannot be"));

    assertThat(refused || gate.locked() || isPlayed).as("none without effect").isTrue();
    assertThat(refused).isEqualTo(FeatureGateRefusals.contains(gate));
  }

  @Test
  void areLeftAtTheirDefaultByAGroupWhereTheyCannotBeObeyed() {
    Reading.Accepted accepted =
        Documents.accepted(Documents.v1beta2("featureGates: {AllAlpha: true}"));
    FeatureGates gates = accepted.configuration().featureGates();

    assertThat(gates.isOn(FeatureGate.SCHEDULER_LIBRARY_INTEGRATION)).isFalse();
    assertThat(gates.isOn(FeatureGate.PRIORITY_BOOST)).isTrue();
  }

  @Test
  void changeNothingIfNoCodeAsksForThem() throws IOException {
    Set<FeatureGate> asked = EnumSet.noneOf(FeatureGate.class);
    for (Path folder : SOURCES) {
      for (Path source : sources(folder)) {
        String text = Files.readString(source, UTF_8);
        Stream.of(FeatureGate.values()).filter(it -> isNamed(text, it)).forEach(asked::add);
      }
    }

    assertThat(FeatureGate.values()).filteredOn(FeatureGate::hasEffect).hasSameElementsAs(asked);
  }

  /** One gate's name may begin with another's. */
  private static boolean isNamed(String text, FeatureGate gate) {
    return text.contains(gate.name())
        && Pattern.compile("\\b" + gate.name() + "\\b").matcher(text).find();
  }

  private static List<Path> sources(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(it -> it.toString().endsWith(".java"))
          .filter(it -> !it.getFileName().toString().startsWith("FeatureGate"))
          .toList();
    }
  }

  @Test
  void turnWholeStagesAtOnceButNotThoseThatAreNamed() {
    Reading.Accepted accepted =
        Documents.accepted(
            Documents.v1beta2("featureGates: {AllBeta: false, FlavorFungibility: true}"));
    FeatureGates gates = accepted.configuration().featureGates();

    assertThat(gates.isOn(FLAVOR_FUNGIBILITY)).isTrue();
    assertThat(gates.on())
        .filteredOn(gate -> !FeatureGateRefusals.contains(gate))
        .extracting(FeatureGate::stage)
        .containsOnlyOnce(Stage.BETA);
    assertThat(gates.isOn(TLS_OPTIONS)).isTrue();
  }
}
