package dev.sluice.conversion.laws;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import java.util.random.RandomGenerator;

/** Draws objects for the laws to be tried on. */
interface ObjectSource {

  /** The text of an object of this kind at this version; the same for the same random numbers. */
  String draw(ApiKind kind, ApiVersion version, RandomGenerator random);

  /**
   * Whether members come sorted and strings with the fewest escapes, as the API server sends them;
   * then what comes back must be the same bytes.
   */
  boolean isCanonical();
}
