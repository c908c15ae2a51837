package dev.sluice.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists of classes, as a JVM writes and reads them. */
class StartClassesTest {
  @Test
  void twoListsBecomeOneWithoutIdsAndComments() {
    assertThat(
            StartClasses.merged(
                List.of(
                    "# a comment",
                    "java/lang/Object id: 0",
                    "java/lang/Object id: 7",
                    "java/lang/String id: 1",
                    "@lambda-form-invoker [LF_RESOLVE] x",
                    "@lambda-proxy java/lang/String run ()V",
                    "")))
        .containsExactly(
            "@lambda-form-invoker [LF_RESOLVE] x", "java/lang/Object", "java/lang/String");
  }

  @Test
  void constantsOfAClassAreThoseOfAllListsInOrder() {
    assertThat(StartClasses.merged(List.of("@cp a/B 9 2", "@cp a/B 10 2", "@cp a/C 1")))
        .containsExactly("@cp a/B 2 9 10", "@cp a/C 1");
  }

  @Test
  void constantsFollowTheirClassesSinceTheJvmSkipsThemOtherwise() {
    assertThat(
            StartClasses.merged(List.of("@cp b/C 1", "a/B id: 1", "@lambda-form-invoker x", "b/C")))
        .containsExactly("@lambda-form-invoker x", "a/B", "b/C", "@cp b/C 1");
  }

  @Test
  void classesThatReadTheCommandLineAreLeftOut() {
    assertThat(
            StartClasses.merged(
                List.of("picocli/CommandLine id: 1", "@cp picocli/CommandLine 4", "a/B id: 2")))
        .containsExactly("a/B");
  }

  @Test
  void theKeptListIsWhatMergingItGives() throws IOException {
    assertThat(StartClasses.merged(List.copyOf(StartClasses.kept())))
        .isEqualTo(StartClasses.kept())
        .contains("java/lang/Object", "dev/sluice/server/serve/ServeCommand");
  }
}
