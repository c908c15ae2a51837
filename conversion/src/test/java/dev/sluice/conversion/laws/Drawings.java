package dev.sluice.conversion.laws;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import java.util.List;
import java.util.random.RandomGenerator;

/** Objects of all sorts, hand-made and drawn from schemas, for tests of other packages. */
public final class Drawings {
  static final List<ObjectSource> SOURCES =
      List.of(
          new HandMadeObjects(true),
          new HandMadeObjects(false),
          new SchemaDrawnObjects(false),
          new SchemaDrawnObjects(true));

  private Drawings() {}

  /** The text of an object; the same for the same random numbers. */
  public static String draw(ApiKind kind, ApiVersion version, RandomGenerator random) {
    return SOURCES.get(random.nextInt(SOURCES.size())).draw(kind, version, random);
  }
}
