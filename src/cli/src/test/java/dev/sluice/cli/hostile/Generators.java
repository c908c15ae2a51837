package dev.sluice.cli.hostile;

import java.util.List;

/** All that draw bodies. */
final class Generators {
  static final List<BodyGenerator> ALL =
      List.of(
          new Expansion(),
          new Depth(),
          new Structures(),
          new Spelling(),
          new Types(),
          new Envelopes());

  private Generators() {}
}
