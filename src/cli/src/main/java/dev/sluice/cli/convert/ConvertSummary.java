package dev.sluice.cli.convert;

/** Counts converted, unchanged and failed documents and files. */
final class ConvertSummary {
  private int files;
  private int converted;
  private int unchanged;
  private int errors;

  /** A summary that begins with this many errors. */
  ConvertSummary(int errors) {
    this.errors = errors;
  }

  /** Counts a file; one with errors is left as it is, and so are its documents. */
  void add(ConvertedFile file, int errorsOfFile) {
    errors += errorsOfFile;
    if (errorsOfFile > 0) {
      unchanged += file.converted() + file.unchanged();
      return;
    }
    files += file.converted() > 0 ? 1 : 0;
    converted += file.converted();
    unchanged += file.unchanged();
  }

  int errors() {
    return errors;
  }

  String text(boolean dryRun) {
    return "%s %s in %s, %d unchanged, %s"
        .formatted(
            count(converted, "document"),
            dryRun ? "would be converted" : "converted",
            count(files, "file"),
            unchanged,
            count(errors, "error"));
  }

  private static String count(int count, String word) {
    return count + " " + word + (count == 1 ? "" : "s");
  }
}
