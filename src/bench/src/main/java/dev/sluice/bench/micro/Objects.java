package dev.sluice.bench.micro;

import dev.sluice.api.ApiVersion;
import dev.sluice.bench.objects.Corpus;
import dev.sluice.bench.objects.ObjectMaker;
import dev.sluice.bench.objects.ObjectMakers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/** The objects that JMH's benchmarks work on, the same in every run. */
final class Objects {
  private static final long SEED = 1;

  private Objects() {}

  /** The text of one object. */
  static byte[] object(String kind, ApiVersion version) {
    ObjectMaker maker = ObjectMakers.ofKinds(List.of(kind)).getFirst();
    return maker
        .make(version, new SplittableRandom(SEED))
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }

  /** The text of a review of this many objects. */
  static byte[] review(String kind, int objects) {
    return Corpus.of(ObjectMakers.ofKinds(List.of(kind)), objects, SEED)
        .reviews()
        .getFirst()
        .json();
  }
}
