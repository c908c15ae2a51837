package dev.sluice.cli.convert;

import dev.sluice.json.Canonical;
import dev.sluice.json.Json;
import dev.sluice.json.edit.ManifestText;
import dev.sluice.json.yaml.Manifest;
import dev.sluice.json.yaml.Manifest.Format;
import dev.sluice.json.yaml.ManifestException;
import dev.sluice.server.manifest.ManifestFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Converts the documents of whole files, and keeps of their text what need not change. */
final class FileConverter {
  private final ManifestFiles files;
  private final ManifestConverter converter;
  private final Consumer<String> warnings;

  FileConverter(ManifestFiles files, ManifestConverter converter, Consumer<String> warnings) {
    this.files = files;
    this.converter = converter;
    this.warnings = warnings;
  }

  /** Converts one file; what goes wrong is among its problems. */
  ConvertedFile convert(String file) {
    try {
      return convert(file, ManifestText.read(file, files.content(file)));
    } catch (ManifestException e) {
      String problem = String.valueOf(e.getMessage());
      return new ConvertedFile(file, "", "", Format.YAML, List.of(), 0, 0, List.of(problem));
    }
  }

  private ConvertedFile convert(String file, ManifestText text) throws ManifestException {
    List<String> problems = new ArrayList<>();
    List<@Nullable Json> values = new ArrayList<>();
    int converted = 0;
    int unchanged = 0;
    for (Manifest document : text.documents()) {
      Json value = converter.convert(document, problems).value();
      values.add(value);
      if (value != null) {
        boolean same = Canonical.equal(document.value(), value);
        converted += same ? 0 : 1;
        unchanged += same ? 1 : 0;
      }
    }
    return new ConvertedFile(
        file,
        text.text(),
        text.with(values, this::warnOfRewriting),
        text.documents().isEmpty() ? Format.YAML : text.documents().getFirst().format(),
        values.stream().filter(Objects::nonNull).toList(),
        converted,
        unchanged,
        problems);
  }

  private void warnOfRewriting(Manifest.Place place) {
    warnings.accept(place + ": rewritten without its comments, since it cannot be edited");
  }
}
