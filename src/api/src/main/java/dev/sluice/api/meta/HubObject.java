package dev.sluice.api.meta;

import dev.sluice.api.ApiKind;

/** An object of one of our kinds at the hub version. Fields that we do not know are not kept. */
public interface HubObject {
  /** Its kind. */
  ApiKind apiKind();

  /** Its name, labels and history. */
  ObjectMeta metadata();
}
