package dev.sluice.cli.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading and validating by schema; the API server itself is asked in {@code OfflineE2E}. */
class KindSchemaTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // given | read
        "{a: null}                  | {d: 5, o: {e: x}}",
        "{d: null, o: {e: y}}       | {o: {e: y}, d: 5}",
        "{a: 1.0, d: 1e3}           | {a: 1, d: 1000, o: {e: x}}",
        "{l: [{b: 1}, {}]}          | {l: [{b: 1, k: m}, {k: m}], d: 5, o: {e: x}}",
        "{m: {any: 1}, f: {any: 1}} | {m: {any: 1}, f: {any: 1}, d: 5, o: {e: x}}"
      })
  void dropsNullsWritesDefaultsAndTakesWholeNumbersForIntegers(String given, String read) {
    KindSchema schema =
        Schemas.ofSpec(
            """
            {type: object, properties: {
              a: {type: integer}, d: {type: integer, default: 5},
              o: {type: object, default: {}, properties: {e: {type: string, default: x}}},
              m: {type: object, additionalProperties: {type: integer}},
              f: {type: object, x-kubernetes-preserve-unknown-fields: true},
              l: {type: array, items: {type: object, properties: {
                    b: {type: integer}, k: {type: string, default: m}}}}}}
            """);

    var received = schema.receive(Schemas.object(given));

    assertThat(received.object().get("spec").toString())
        .isEqualTo(Schemas.tree(read).toString().replace(":1000.0", ":1000"));
    assertThat(received.unknown()).isEmpty();
  }

  @Test
  void namesUnknownFieldsWithTheKnownOneThatWasProbablyMeant() {
    KindSchema schema = new KindSchemas().of(ApiKind.CLUSTER_QUEUE, ApiVersion.V1BETA2);

    var received =
        schema.receive(
            Schemas.tree(
                """
                metadata: {name: a, label: {}}
                spec: {cohort: all, stoppolicy: Hold, resourceGroups: [{flavor: []}], zebra: 1}
                """));

    assertThat(received.unknown())
        .extracting(UnknownField::path, field -> field.nearest().orElse(""))
        .extracting(Object::toString)
        .containsExactlyInAnyOrder(
            "(\"spec.cohort\", \"\")",
            "(\"spec.stoppolicy\", \"stopPolicy\")",
            "(\"spec.resourceGroups[0].flavor\", \"flavors\")",
            "(\"spec.zebra\", \"\")",
            "(\"metadata.label\", \"labels\")");
    assertThat(received.object().get("spec").has("cohort")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{type: string} | 1 | spec.a: Invalid value: 1: must be text",
        "{type: integer} | x | 'spec.a: Invalid value: \"x\": must be an integer'",
        "{type: integer, format: int32} | 2147483648 | spec.a: Invalid value: 2147483648: must be"
            + " an integer of 32 bits",
        "{type: integer, minimum: 1} | 0 | spec.a: Invalid value: 0: must be at least 1",
        "{type: integer, maximum: 1} | 2 | spec.a: Invalid value: 2: must be at most 1",
        "{type: boolean} | 1 | spec.a: Invalid value: 1: must be true or false",
        "{x-kubernetes-int-or-string: true} | 1.5 | spec.a: Invalid value: 1.5: must be an integer"
            + " or text",
        "{type: string, enum: [A, B]} | C | 'spec.a: Unsupported value: \"C\": supported values:"
            + " \"A\", \"B\"'",
        "{type: string, maxLength: 1} | 🚢🚢 | 'spec.a: Too long: must have at most 1 characters,"
            + " not 2'",
        "{type: string, minLength: 3} | ab | 'spec.a: Invalid value: \"ab\": must have at least 3"
            + " characters'",
        "{type: string, pattern: ^a$} | \"a\\n"
            + "\" | 'spec.a: Invalid value: \"a\\n"
            + "\": must match ^a$'",
        "{type: string, format: date-time} | x | 'spec.a: Invalid value: \"x\": must be a time,"
            + " such as 2026-01-31T12:00:00Z'",
        "{type: array, minItems: 1, items: {type: string}} | [] | 'spec.a: Invalid value: []: must"
            + " have at least one item'",
        "{type: array, maxItems: 1, items: {type: string}} | [x, y] | 'spec.a: Too many: 2: must"
            + " have at most 1 items'",
        "{type: array, items: {type: string}} | [x, null] | 'spec.a[1]: Invalid value: null: must"
            + " be text'",
        "{type: object, maxProperties: 1, additionalProperties: {type: string}} | {x: y, z: z}"
            + " | 'spec.a: Too many: 2: must have at most 1 entries'",
        "{type: object, additionalProperties: {type: string}} | {x/y.z: 1}"
            + " | spec.a.x/y.z: Invalid value: 1: must be text",
        "{type: object, required: [b], properties: {b: {type: string}}} | {}"
            + " | spec.a.b: Required value",
        "{type: array, x-kubernetes-list-type: set, items: {type: string}} | [x, y, x]"
            + " | 'spec.a[2]: Duplicate value: \"x\"'"
      })
  void saysWhatIsWrongWithTheField(String schema, String value, String said) {
    KindSchema kind = Schemas.ofSpec("{type: object, properties: {a: " + schema + "}}");

    assertThat(Schemas.said(kind, "{a: " + value + "}", null)).containsExactly(said);
  }

  @Test
  void tellsItemsOfAListMapApartByAllTheirKeys() {
    KindSchema schema =
        Schemas.ofSpec(
            """
            {type: object, properties: {a: {type: array, x-kubernetes-list-type: map,
              x-kubernetes-list-map-keys: [k, l], items: {type: object, properties: {
                k: {type: string}, l: {type: string, default: d}}}}}}
            """);

    assertThat(Schemas.said(schema, "{a: [{k: x, l: y}, {k: x}, {k: x, l: d}]}", null))
        .containsExactly("spec.a[2]: Duplicate value: {\"k\":\"x\",\"l\":\"d\"}");
  }

  @Test
  void asksAnUpdateNothingAboutWhatItLeavesAsItWas() {
    KindSchema schema =
        Schemas.ofSpec(
            """
            {type: object, properties: {
              a: {type: string, maxLength: 1}, b: {type: string, maxLength: 1},
              l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k],
                  items: {type: object, properties: {k: {type: string}, v: {type: string, maxLength: 1}}}},
              s: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}
            """);

    assertThat(
            Schemas.said(
                schema,
                "{a: long, b: longer, l: [{k: n}, {k: o, v: long}, {k: p, v: long}], s: [x, x, y,"
                    + " y]}",
                "{a: long, b: long, l: [{k: o, v: long}, {k: p}], s: [x, x]}"))
        .containsExactly(
            "spec.b: Too long: must have at most 1 characters, not 6",
            "spec.l[2].v: Too long: must have at most 1 characters, not 4");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{name: A}                         | metadata.name",
        "{generateName: a-}                | ''",
        "{}                                | metadata.name",
        "{name: a, labels: {a b: c}}       | metadata.labels",
        "{name: a, labels: {a: b c}}       | metadata.labels",
        "{name: a, labels: {a: 1}}         | metadata.labels.a",
        "{name: a, annotations: {X/y: z}}  | ''",
        "{name: a, annotations: {/y: z}}   | metadata.annotations",
        "{name: a, finalizers: [a b]}      | metadata.finalizers"
      })
  void checksTheMetadataThatPeopleWrite(String metadata, String field) {
    KindSchema schema = Schemas.ofSpec("{type: object}");

    var verdict = schema.check(Schemas.tree("{metadata: " + metadata + "}"), null);

    assertThat(verdict.violations())
        .allSatisfy(violation -> assertThat(violation.field()).isEqualTo(field))
        .hasSize(field.isEmpty() ? 0 : 1);
  }

  @Test
  void refusesNumbersThatNoApiServerCanHoldWhereverTheyStand() {
    KindSchema schema = Schemas.ofSpec("{type: object}");

    var received = schema.receive(Schemas.tree("{metadata: {name: a}, unknown: {x: 1.0e+400}}"));

    assertThat(received.violations())
        .singleElement()
        .satisfies(violation -> assertThat(violation.field()).isEqualTo("unknown.x"));
  }

  @Test
  void leavesStatusToItsEndpoint() {
    KindSchema schema = new KindSchemas().of(ApiKind.LOCAL_QUEUE, ApiVersion.V1BETA2);
    var sent = schema.receive(Schemas.tree("{status: {pendingWorkloads: 1}}")).object();
    var stored = Schemas.tree("{status: {pendingWorkloads: 2}}");

    assertThat(schema.withStoredStatus(sent, null).has("status")).isFalse();
    assertThat(schema.withStoredStatus(sent, stored).at("/status/pendingWorkloads").asInt())
        .isEqualTo(2);
  }

  @Test
  void refusesASchemaWithAKeywordThatNobodyHere() {
    for (String schema : List.of("{type: string, oneOf: []}", "{type: text}")) {
      assertThatThrownBy(() -> Schemas.ofSpec(schema))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected: ");
    }
  }

  @Test
  void knowsEveryKeywordAndRuleOfTheDefinitionsThatAreInstalled() {
    KindSchemas schemas = new KindSchemas();
    for (ApiKind kind : ApiKind.values()) {
      for (ApiVersion version : kind.versions()) {
        schemas.of(kind, version).rules().forEach(CelProgram::new);
      }
    }
  }
}
