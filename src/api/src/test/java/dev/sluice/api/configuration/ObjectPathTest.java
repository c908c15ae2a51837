package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.Documents.json;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectPathTest {
  @Test
  void leadsToEveryItemAndEveryValue() {
    var object =
        json("{spec: {cars: [{t: 1}, {}, {t: null}, {t: 2}], roles: {a: {t: 3}, b: {t: 4}}}}");

    assertThat(ObjectPath.parse("spec.cars[*].t").orElseThrow().find(object))
        .extracting(ObjectPath.Place::path)
        .containsExactly("spec.cars[0].t", "spec.cars[3].t");
    assertThat(ObjectPath.parse("spec.roles[*].t").orElseThrow().find(object))
        .extracting(ObjectPath.Place::path)
        .containsExactly("spec.roles[a].t", "spec.roles[b].t");
    assertThat(ObjectPath.parse("spec.none[*].t").orElseThrow().find(object)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec.suspend", "spec.a[*].b", "spec.a[*][*].b", "x"})
  void printsAsItWasWritten(String text) {
    assertThat(ObjectPath.parse(text)).map(ObjectPath::toString).contains(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "spec.",
        "[*]",
        "spec[0]",
        "spec.a b",
        "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q"
      })
  void refusesWhatIsNoPath(String text) {
    assertThat(ObjectPath.parse(text)).isEmpty();
  }
}
