package dev.sluice.cli.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What convert leaves of a text: everything but what the other version says differently. */
class KeptTextTest {
  private static final String COHORT =
      """
      apiVersion: kueue.x-k8s.io/v1alpha1
      kind: Cohort
      metadata:
        name: a
      spec:
        parent: all
      """;
  private static final String CONVERTED = up(COHORT);

  /** What becomes of a v1alpha1 Cohort at a newer version. */
  private static String up(String cohort) {
    return cohort.replace("/v1alpha1", "/v1beta2").replace("parent", "parentName");
  }

  static Stream<Arguments> cohorts() {
    return Stream.of(
        named("no comment", COHORT),
        named(
            "comments above, beside and below",
            """
            # above the document

            # above the version
            apiVersion: kueue.x-k8s.io/v1alpha1 # beside the version
            kind:   Cohort   # blanks before
            metadata:
                # deeper by four
                name: 'a'

                labels: {team: "red" , 'x':  y} # flow
            spec:
              # above the field
              parent: "all" # beside the field
              # below the field

            # at the end
            """),
        named("tabs in comments", COHORT.replace("all\n", "all \t#\ta\tb\t\n#\tend\n")),
        named("no newline at the end", COHORT.stripTrailing()),
        named("carriage returns", COHORT.replace("\n", "\r\n")),
        named("a byte order mark", "\ufeff" + COHORT),
        named("more than ASCII before the change", "# \u00e9\u4e2d\ud83d\ude00\n" + COHORT),
        named(
            "more than ASCII in values",
            COHORT.replace(
                "name: a", "name: a\n  annotations:\n    \u00fc: \"\ud83d\ude00\" # \ud83d\ude00")),
        named("a marker with a comment, and an end", "--- # first\n" + COHORT + "...\n"),
        named(
            "documents between comments",
            "# one\n---\n" + COHORT + "# two\n---\n# three\n---\n\n" + COHORT + "---\n"),
        named(
            "the output of helm template",
            "---\n# Source: queues/templates/cohort.yaml\n"
                + COHORT
                + "---\n# Source: queues/templates/empty.yaml\n---\n# Source: queues/x.yaml\n"
                + COHORT),
        named(
            "a document of flow style on its marker",
            "--- {apiVersion: kueue.x-k8s.io/v1alpha1, kind: Cohort, metadata: {name: a},"
                + " spec: {parent: all}}\n"),
        named(
            "braces over many lines",
            """
            { # begin
              apiVersion: "kueue.x-k8s.io/v1alpha1", # version
              kind: Cohort, metadata: {name: a},
              spec: { parent: all, }, # trailing comma
            }
            """),
        named(
            "a list of any objects",
            """
            apiVersion: v1
            kind: List
            items:
            # the first
            - apiVersion: kueue.x-k8s.io/v1alpha1
              kind: Cohort
              metadata: {name: a}
              spec: {parent: all}
            # something else
            - apiVersion: v1
              kind: ConfigMap
              metadata: {name: c}
              data:
                text: |
                  # no comment
                   x

            -   kind: Cohort # the last
                apiVersion: 'kueue.x-k8s.io/v1alpha1'
                metadata: {name: b}
                spec: {"parent": all}
            """),
        named(
            "anchors, aliases and merge keys beside the change",
            """
            x-all: &all [cpu, memory]
            apiVersion: kueue.x-k8s.io/v1alpha1
            kind: Cohort
            metadata:
              name: a
              annotations: &n {a: b}
              labels:
                <<: *n
                c: d
            spec:
              parent: all
              resourceGroups: [{coveredResources: *all, flavors: []}]
            """),
        named(
            "texts of many lines",
            """
            apiVersion: kueue.x-k8s.io/v1alpha1
            metadata:
              annotations:
                x: |+
                  one

                y: >-
                  two
                  three
                z: "four
                  five"
            spec:
              parent: all
            kind: Cohort
            """),
        named(
            "pretty JSON, two spaces and tabs",
            """
            {
              "apiVersion": "kueue.x-k8s.io/v1alpha1",
            \t"kind" : "Cohort", "metadata": {"name": "\\u0061\ud83d\ude00"},
              "spec": {
                "parent": "all"
              }
            }
            """),
        named(
            "compact JSON one behind the other",
            "{\"apiVersion\":\"kueue.x-k8s.io/v1alpha1\",\"kind\":\"Cohort\",\"metadata\":{\"name\":\"a\"},"
                + "\"spec\":{\"parent\":\"all\"}}"
                + " {\"spec\":{\"parent\":\"all\"},\"kind\":\"Cohort\",\"metadata\":{},\"apiVersion\":\"kueue.x-k8s.io/v1alpha1\"}\n"));
  }

  private static Arguments named(String name, String text) {
    return Arguments.argumentSet(name, text);
  }

  @ParameterizedTest
  @MethodSource("cohorts")
  void changesOnlyTheVersionAndTheNameOfTheParentUpAndBackAgain(String text) {
    var newer = Commands.runWith(text, "convert", "-f", "-", "--to", "v1beta2");
    var older = Commands.runWith(newer.out(), "convert", "-f", "-", "--to", "v1alpha1");

    assertThat(newer.out()).isEqualTo(up(text));
    assertThat(newer.err()).isEmpty();
    assertThat(older.out()).isEqualTo(text);
    assertThat(older.err()).isEmpty();
  }

  static Stream<Arguments> texts() {
    return Stream.of(
        Arguments.argumentSet(
            "a note is added where annotations are, a status field goes with its comments",
            """
            apiVersion: kueue.x-k8s.io/v1beta1
            kind: Cohort
            metadata:
              name: a # the name
              annotations:
                # mine
                z: "1" # beside
                # below mine
              labels: {b: c}
            status:
              fairSharing:
                weightedShare: 1 # share
                # about the field
                admissionFairSharingStatus:
                  # within
                  lastUpdate: "2026-01-01T00:00:00Z" # when
              # behind
            # end
            """,
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: Cohort
            metadata:
              name: a # the name
              annotations:
                conversion.kueue.x-k8s.io/from-v1beta1: NOTE
                # mine
                z: "1" # beside
                # below mine
              labels: {b: c}
            status:
              fairSharing:
                weightedShare: 1 # share
              # behind
            # end
            """),
        Arguments.argumentSet(
            "a note is added within braces and in a text that ends without a newline",
            """
            kind: Cohort
            apiVersion: kueue.x-k8s.io/v1beta1
            status: {fairSharing: {admissionFairSharingStatus: {a: 1}, weightedShare: 1}} # s
            metadata: {name: a} # m\
            """,
            """
            kind: Cohort
            apiVersion: kueue.x-k8s.io/v1beta2
            status: {fairSharing: {weightedShare: 1}} # s
            metadata: {annotations: {conversion.kueue.x-k8s.io/from-v1beta1: NOTE}, name: a} # m\
            """),
        Arguments.argumentSet(
            "a note makes a mapping of no annotations, with carriage returns",
            """
            apiVersion: kueue.x-k8s.io/v1beta1\r
            kind: Cohort\r
            metadata:\r
              annotations: # none yet\r
              name: a\r
            status: {fairSharing: {admissionFairSharingStatus: {a: 1}}}\r
            """,
            """
            apiVersion: kueue.x-k8s.io/v1beta2\r
            kind: Cohort\r
            metadata:\r
              annotations: # none yet\r
                conversion.kueue.x-k8s.io/from-v1beta1: NOTE\r
              name: a\r
            status: {fairSharing: {}}\r
            """));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void addsAndRemovesWhatTheOtherVersionCannotSay(String before, String after) {
    var newer = Commands.runWith(before, "convert", "-f", "-", "--to", "v1beta2");

    assertThat(newer.err()).isEmpty();
    assertThat(newer.out().replaceAll("from-v1beta1: ('.*?'|\".*?[^\\\\]\")", "from-v1beta1: NOTE"))
        .isEqualTo(after);
  }

  @ParameterizedTest
  @MethodSource("cohorts")
  void printsAnObjectOfTheSameVersionByteForByte(String text) {
    assertThat(Commands.runWith(text, "convert", "-f", "-", "--to", "v1alpha1").out())
        .isEqualTo(text);
  }

  @Test
  void writesADocumentAnewWhereAnAnchorStandsInTheWayAndSaysWhere() {
    String text =
        CONVERTED
            + """
            ---
            # kept
            kind: Cohort
            apiVersion: &v kueue.x-k8s.io/v1alpha1
            metadata: {name: b, labels: {x: *v}}
            # end
            """;

    var ran = Commands.runWith(text, "convert", "-f", "-", "--to", "v1beta2");

    assertThat(ran.code()).isZero();
    assertThat(ran.err())
        .isEqualTo("stdin:9: rewritten without its comments, since it cannot be edited\n");
    assertThat(ran.out())
        .isEqualTo(
            CONVERTED
                + """
                ---
                # kept
                kind: Cohort
                apiVersion: kueue.x-k8s.io/v1beta2
                metadata:
                  name: b
                  labels:
                    x: kueue.x-k8s.io/v1alpha1
                # end
                """);
  }
}
