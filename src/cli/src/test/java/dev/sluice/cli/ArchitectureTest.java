package dev.sluice.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.sluice.supervision.Halt;
import dev.sluice.webhook.server.NettyConnection;
import java.security.Security;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The arrows between modules, and what no class may do; this module sees all of them. */
class ArchitectureTest {
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.sluice");
  private static final String[] PURE = {
    "dev.sluice.api..",
    "dev.sluice.json..",
    "dev.sluice.conversion..",
    "dev.sluice.quota..",
    "dev.sluice.see..",
    "dev.sluice.rules..",
    "dev.sluice.jobs.."
  };

  /** What MultiKueue plans, and the plans alone. */
  private static final String[] MULTICLUSTER_PLANS = {
    "dev.sluice.multicluster.protocol..",
    "dev.sluice.multicluster.dispatch..",
    "dev.sluice.multicluster.drain..",
    "dev.sluice.multicluster.copy..",
    "dev.sluice.multicluster.sweep..",
    "dev.sluice.multicluster.waiting.."
  };

  private static final String LIFECYCLE = "dev.sluice.lifecycle..";
  private static final DescribedPredicate<JavaClass> CONCURRENT =
      resideInAnyPackage("java.util.concurrent..");

  /** The benchmarks are built after this module, and no module uses the examples. */
  private static final Set<String> NOT_SEEN_HERE = Set.of("bench", "examples");

  private static final ModuleTable TABLE = ModuleTable.read();

  private static List<String> modules() {
    return TABLE.knows().keySet().stream().filter(it -> !NOT_SEEN_HERE.contains(it)).toList();
  }

  private static String packages(String module) {
    return "dev.sluice." + module + "..";
  }

  @Test
  void modulesUseOnlyThoseThatTheTableOfTheArchitectureNames() {
    for (String module : modules()) {
      String[] known =
          Stream.concat(Stream.of(module), TABLE.known(module).stream())
              .map(ArchitectureTest::packages)
              .toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage(packages(module))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("dev.sluice..")
                  .and(DescribedPredicate.not(resideInAnyPackage(known))))
          .check(ALL);
    }
  }

  @Test
  void pureModulesKnowNoServerClusterClockThreadOrFile() {
    noClasses()
        .that()
        .resideInAnyPackage(PURE)
        .or()
        .resideInAPackage(LIFECYCLE)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.vertx..",
            "io.netty..",
            "org.apache.hc..",
            "org.slf4j..",
            "java.net..",
            "java.nio.file..")
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(Clock.class, Thread.class, Runtime.class)
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(ALL);
    noClasses().that().resideInAnyPackage(PURE).should().dependOnClassesThat(CONCURRENT).check(ALL);
  }

  @Test
  void plansForOtherClustersKnowNoConnectionClockOrThread() {
    noClasses()
        .that()
        .resideInAnyPackage(MULTICLUSTER_PLANS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.sluice.cluster..",
            "dev.sluice.supervision..",
            "org.slf4j..",
            "java.net..",
            "java.nio.file..")
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(Clock.class, Thread.class, Runtime.class)
        .orShould()
        .callMethod(Instant.class, "now")
        .allowEmptyShould(true)
        .check(ALL);
  }

  /** Threads of the scheduler share its indexes. */
  @Test
  void theLifecycleHasThreadSafeCollectionsButStartsAndAwaitsNoThread() {
    noClasses()
        .that()
        .resideInAPackage(LIFECYCLE)
        .should()
        .dependOnClassesThat(
            CONCURRENT.and(
                DescribedPredicate.not(assignableTo(Map.class).or(assignableTo(Set.class)))))
        .check(ALL);
  }

  @Test
  void packagesOfAModuleFormNoCyclesItsRootIncluded() {
    for (String module : modules()) {
      slices()
          .assignedFrom(packagesOf("dev.sluice." + module))
          .should()
          .beFreeOfCycles()
          .check(ALL);
    }
  }

  private static SliceAssignment packagesOf(String root) {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        String name = type.getPackageName();
        return name.equals(root) || name.startsWith(root + ".")
            ? SliceIdentifier.of(name)
            : SliceIdentifier.ignore();
      }

      @Override
      public String getDescription() {
        return "packages of " + root;
      }
    };
  }

  @Test
  void onlyMainAndTheSupervisorEndTheProcessAndNobodyRegistersASecurityProvider() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(Main.class.getName())
        .and()
        .doNotHaveFullyQualifiedName(dev.sluice.server.Main.class.getName())
        .and()
        .doNotHaveFullyQualifiedName(Halt.class.getName())
        .should()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "halt", int.class)
        .check(ALL);
    noClasses()
        .should()
        .callMethod(Security.class, "addProvider", java.security.Provider.class)
        .orShould()
        .callMethod(Security.class, "insertProviderAt", java.security.Provider.class, int.class)
        .check(ALL);
  }

  @Test
  void noProgramKnowsTheTestkit() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.sluice.testkit..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.sluice.testkit..")
        .check(ALL);
  }

  @Test
  void bouncyCastleStaysInsideCertsAndTheHttpClientOfTheClusterInsideCluster() {
    classes()
        .that(dependOn("org.bouncycastle.."))
        .should()
        .resideInAPackage("dev.sluice.certs..")
        .check(ALL);
    classes()
        .that(dependOn("org.apache.hc.."))
        .should()
        .resideInAPackage("dev.sluice.cluster..")
        .check(ALL);
  }

  @Test
  void internalConnectionsOfVertxAreUsedByOneClass() {
    classes()
        .that(dependOn("io.vertx.core.http.impl.."))
        .should()
        .be(NettyConnection.class)
        .check(ALL);
  }

  private static DescribedPredicate<JavaClass> dependOn(String packages) {
    return DescribedPredicate.describe(
        "depend on " + packages,
        c ->
            c.getDirectDependenciesFromSelf().stream()
                .anyMatch(d -> resideInAnyPackage(packages).test(d.getTargetClass())));
  }

  @Test
  void everyPackageIsDescribedAndNullMarked() {
    assertThat(ALL.getPackage("dev.sluice").getSubpackagesInTree())
        .filteredOn(
            p -> p.getClasses().stream().anyMatch(c -> !c.getSimpleName().equals("package-info")))
        .extracting(JavaPackage::getName, p -> p.isAnnotatedWith(NullMarked.class))
        .isNotEmpty()
        .allSatisfy(found -> assertThat(found.toList()).as("%s", found).element(1).isEqualTo(true));
  }
}
