package dev.sluice.image;

/** Which versions of Debian's packages the image has. */
public enum Base {
  /** Those that this version of Sluice names; the same on every machine. */
  PINNED,
  /** Those that are installed on the machine that builds. */
  INSTALLED
}
