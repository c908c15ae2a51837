package dev.sluice.api.meta;

/** An object of one of our kinds at the hub version. Fields that we do not know are not kept. */
public interface HubObject {
  /** Its name, labels and history. */
  ObjectMeta metadata();
}
