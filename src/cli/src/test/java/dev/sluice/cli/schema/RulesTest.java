package dev.sluice.cli.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules in CEL as Kubernetes understands them. */
class RulesTest {
  private static final String FIELDS =
      """
      {type: object,
       x-kubernetes-validations: [{rule: "%s", message: bad}],
       properties: {
         a: {type: integer}, b: {type: integer}, s: {type: string}, namespace: {type: string},
         a-b: {type: string}, q: {x-kubernetes-int-or-string: true},
         m: {type: object, additionalProperties: {type: string}},
         l: {type: array, items: {type: object, properties: {k: {type: string}, v: {type: integer}}}}}}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "self.a <= self.b ~ {a: 1, b: 1} ~ {a: 2, b: 1}",
        "!has(self.a) || self.b > 0 ~ {b: 0} ~ {a: 1, b: 0}",
        "self.b > 0 ~ {b: 1} ~ {a: 1}",
        "self.b > 0 || true ~ {} ~ ",
        "self.l.all(x, x.v > 0) ~ {l: [{v: 1}]} ~ {l: [{v: 1}, {v: 0}]}",
        "self.l.exists(x, x.k == 'a') ~ {l: [{}, {k: a}]} ~ {l: [{}, {k: b}]}",
        "self.l.exists_one(x, x.v == 1) ~ {l: [{v: 1}, {v: 2}]} ~ {l: [{v: 1}, {v: 1}]}",
        "size(self.l.filter(x, has(x.k))) == 1 ~ {l: [{k: a}, {}]} ~ {l: [{}]}",
        "self.l.map(x, x.v) == [1, 2] ~ {l: [{v: 1}, {v: 2}]} ~ {l: [{v: 2}, {v: 1}]}",
        "self.s.startsWith('a') && self.s.matches('^[a-z]+$') ~ {s: ab} ~ {s: a1}",
        "size(self.s) == 1 ~ {s: 🚢} ~ {s: ab}",
        "self.__namespace__ == 'x' ~ {namespace: x} ~ {namespace: y}",
        "self.a__dash__b == 'x' ~ {a-b: x} ~ {a-b: y}",
        "self.m['a-b'] == 'c' && 'a-b' in self.m ~ {m: {a-b: c}} ~ {m: {a-b: d}}",
        "type(self.q) == int ? self.q > 1 : self.q == 'x' ~ {q: 2} ~ {q: 1}",
        "type(self.q) == int ? self.q > 1 : self.q == 'x' ~ {q: x} ~ {q: y}",
        "self.a in [1, 2] ~ {a: 2} ~ {a: 3}"
      })
  void holdOrAreBrokenByTheFieldsTheyLookAt(String rule, String good, String bad) {
    KindSchema schema = Schemas.ofSpec(FIELDS.formatted(rule));

    assertThat(Schemas.said(schema, good, null)).isEmpty();
    if (bad != null) {
      assertThat(Schemas.said(schema, bad, null))
          .singleElement()
          .asString()
          .startsWith("spec: Invalid value: bad");
    }
  }

  @Test
  void thatCannotBeEvaluatedAreBrokenAndSayWhy() {
    KindSchema schema = Schemas.ofSpec(FIELDS.formatted("self.b > 0"));

    assertThat(Schemas.said(schema, "{}", null))
        .singleElement()
        .asString()
        .contains("the rule cannot be evaluated", "'b' is not present");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // new | old | whether the rule is broken
        "{l: [{k: a, v: 2}]} |                      | false",
        "{l: [{k: a, v: 2}]} | {l: [{k: a, v: 1}]}  | true",
        "{l: [{k: a, v: 1}]} | {l: [{k: a, v: 1}]}  | false",
        "{l: [{k: b, v: 2}]} | {l: [{k: a, v: 1}]}  | false",
        "{l: [{k: b, v: 1}, {k: a, v: 1}]} | {l: [{k: a, v: 1}]} | false",
        "{l: [{k: b, v: 1}, {k: a, v: 2}]} | {l: [{k: a, v: 1}]} | true",
        "{l: [{k: a}]}       | {l: [{k: a, v: 1}]}  | false"
      })
  void aboutChangesCompareTheItemsWithTheSameKeysWhereThereAreBoth(
      String spec, String old, boolean broken) {
    KindSchema schema =
        Schemas.ofSpec(
            """
            {type: object, properties: {l: {type: array, x-kubernetes-list-type: map,
              x-kubernetes-list-map-keys: [k], items: {type: object, properties: {
                k: {type: string},
                v: {type: integer, x-kubernetes-validations: [{rule: self == oldSelf}]}}}}}}
            """);

    List<String> said = Schemas.said(schema, spec, old);

    assertThat(said).hasSize(broken ? 1 : 0);
    assertThat(said).allSatisfy(text -> assertThat(text).endsWith("failed rule: self == oldSelf"));
  }

  @Test
  void ofItemsAndEntriesNameTheirPlace() {
    KindSchema schema =
        Schemas.ofSpec(
            """
            {type: object, properties: {
              m: {type: object, additionalProperties: {type: integer,
                  x-kubernetes-validations: [{rule: self > 0, message: bad}]}},
              l: {type: array, items: {type: integer,
                  x-kubernetes-validations: [{rule: self > 0, message: bad}]}}}}
            """);

    assertThat(Schemas.said(schema, "{m: {a.b/c: 0, d: 1}, l: [1, 0]}", null))
        .containsExactly("spec.m[a.b/c]: Invalid value: bad", "spec.l[1]: Invalid value: bad");
  }

  @Test
  void seeOfMetadataTheNameOnly() {
    Schema schema =
        Schema.of(
            Schemas.tree(
                """
                {type: object, properties: {metadata: {type: object}}, x-kubernetes-validations: [
                  {rule: self.metadata.name == 'a' && !has(self.metadata.labels), message: bad}]}
                """));
    var kind = new KindSchema(schema, false, new CelPrograms());

    assertThat(kind.check(Schemas.tree("{metadata: {name: a, labels: {x: y}}}"), null).violations())
        .isEmpty();
    assertThat(kind.check(Schemas.tree("{metadata: {name: b}}"), null).violations()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // spec | whether rules are left out
        "{a: x}                  | true",
        "{a: 0, s: ab, e: C}     | true",
        "{a: 0, s: abc}          | true",
        "{a: 0, s: ab, n: [1, 2]}| true",
        "{a: 0, s: ab, r: {}}    | true",
        "{a: 0, s: A}            | false",
        "{a: 0, s: a}            | false",
        "{a: 0, s: ab, i: [1, 1]}| false",
        "{a: -1, s: ab}          | false"
      })
  void areLeftOutWhereTheyCouldNotBeEvaluated(String spec, boolean leftOut) {
    KindSchema schema =
        Schemas.ofSpec(
            """
            {type: object, x-kubernetes-validations: [{rule: 'false', message: asked}], properties: {
              a: {type: integer, minimum: 0},
              s: {type: string, minLength: 2, maxLength: 2, pattern: '^[a-z]*$'},
              e: {type: string, enum: [A]}, n: {type: array, maxItems: 1, items: {type: integer}},
              i: {type: array, x-kubernetes-list-type: set, items: {type: integer}},
              r: {type: object, required: [x], properties: {x: {type: string}}}}}
            """);

    var verdict = schema.check(schema.receive(Schemas.object(spec)).object(), null);

    assertThat(verdict.leftOutRules()).isEqualTo(leftOut);
    assertThat(verdict.violations().stream().anyMatch(v -> v.detail().equals("asked")))
        .isEqualTo(!leftOut);
  }

  @ParameterizedTest
  @CsvSource({"self.", "self.all(x)", "unheardOf(self) == 1"})
  void thatAreNoCelAreRefusedWhenTheyAreRead(String rule) {
    assertThatThrownBy(() -> new CelProgram(rule))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: CEL");
  }
}
