package dev.sluice.json.edit;

import dev.sluice.json.Canonical;
import dev.sluice.json.Json;
import dev.sluice.json.yaml.Manifest;
import dev.sluice.json.yaml.Manifest.Format;
import dev.sluice.json.yaml.Manifest.Place;
import dev.sluice.json.yaml.ManifestException;
import dev.sluice.json.yaml.ManifestReader;
import dev.sluice.json.yaml.YamlWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A file of manifests whose documents can be given other values while the rest of it stays. */
public final class ManifestText {
  private final String file;
  private final SourceText source;
  private final List<Manifest> documents;

  private ManifestText(String file, SourceText source, List<Manifest> documents) {
    this.file = file;
    this.source = source;
    this.documents = List.copyOf(documents);
  }

  /**
   * Reads a file with this content.
   *
   * @throws ManifestException if it is neither YAML nor JSON
   */
  public static ManifestText read(String file, byte[] content) throws ManifestException {
    List<Manifest> documents = ManifestReader.read(file, content);
    return new ManifestText(
        file, new SourceText(new String(content, StandardCharsets.UTF_8)), documents);
  }

  /** The documents in their order; empty ones are left out. */
  public List<Manifest> documents() {
    return documents;
  }

  /** The text as it was read. */
  public String text() {
    return source.text();
  }

  /**
   * The text with other values for its documents. Documents that have the same content as before
   * stay byte for byte. The text has been read again, and says exactly these values.
   *
   * @param values one for each document; null leaves the document out
   * @param rewritten receives each document that had to be written again, without its comments
   * @throws ManifestException if there is no such text
   */
  public String with(List<? extends @Nullable Json> values, Consumer<Place> rewritten)
      throws ManifestException {
    List<Integer> changed = changed(values);
    if (changed.isEmpty()) {
      return source.text();
    }
    List<SourceNode> roots = roots();
    TextEdits edits = new TextEdits();
    for (int i : changed) {
      edits.addAll(edit(i, roots.get(i), values.get(i), rewritten));
    }
    String text = edits.apply(source.text());
    if (!says(text, values)) {
      throw new ManifestException(
          documents.get(changed.getFirst()).place()
              + ": the file cannot be written so that it reads as what was converted");
    }
    return text;
  }

  private List<Integer> changed(List<? extends @Nullable Json> values) {
    List<Integer> changed = new ArrayList<>();
    for (int i = 0; i < documents.size(); i++) {
      Json value = values.get(i);
      if (value == null || !Canonical.equal(documents.get(i).value(), value)) {
        changed.add(i);
      }
    }
    return changed;
  }

  private List<SourceNode> roots() throws ManifestException {
    List<SourceNode> roots =
        isJson() ? JsonSource.read(source.text()) : YamlSource.read(source.text());
    if (roots.size() != documents.size()) {
      throw new ManifestException(
          file + ": %d documents at %d places".formatted(documents.size(), roots.size()));
    }
    return roots;
  }

  private boolean isJson() {
    return documents.getFirst().format() == Format.JSON;
  }

  private TextEdits edit(
      int index, SourceNode root, @Nullable Json value, Consumer<Place> rewritten) {
    if (value == null) {
      return replacement(root, "");
    }
    Manifest document = documents.get(index);
    Optional<TextEdits> edits = editParts(document, root, value);
    if (edits.isEmpty()) {
      rewritten.accept(document.place());
    }
    return edits.orElseGet(() -> replacement(root, rewrite(root, value)));
  }

  /** The changes part by part, if the document then says the value. */
  private Optional<TextEdits> editParts(Manifest document, SourceNode root, Json value) {
    try {
      TextEdits edits = TreeEdit.between(source, isJson(), root, document.value(), value);
      int start = isJson() ? root.start() : source.lineStart(root.start());
      int end = isJson() ? root.end() : source.nextLine(root.end());
      String text = edits.apply(source.text(), start, end);
      return says(text, List.of(value)) ? Optional.of(edits) : Optional.empty();
    } catch (NotEditableException e) {
      return Optional.empty();
    }
  }

  private static TextEdits replacement(SourceNode root, String text) {
    TextEdits edits = new TextEdits();
    edits.replace(root.start(), root.end(), text);
    return edits;
  }

  private String rewrite(SourceNode root, Json value) {
    String newline = source.newline(root.start());
    if (isJson()) {
      boolean lines = source.between(root.start(), root.end()).contains("\n");
      FlowText style = lines ? FlowText.pretty(newline) : FlowText.COMPACT;
      return style.write(value, source.lead(root.start()));
    }
    boolean own = source.isFirstInLine(root.start());
    int column = own ? source.column(root.start()) : 0;
    String yaml = YamlWriter.write(value).stripTrailing();
    return (own ? "" : newline) + BlockEdit.indented(yaml, column, newline);
  }

  private boolean says(String text, List<? extends @Nullable Json> values) {
    List<Manifest> read;
    try {
      read = ManifestReader.read(file, text.getBytes(StandardCharsets.UTF_8));
    } catch (ManifestException e) {
      return false;
    }
    List<Json> expected = new ArrayList<>();
    values.stream().filter(Objects::nonNull).forEach(expected::add);
    if (read.size() != expected.size()) {
      return false;
    }
    for (int i = 0; i < read.size(); i++) {
      Manifest document = read.get(i);
      if (document.format() != documents.getFirst().format()
          || !Canonical.equal(document.value(), expected.get(i))) {
        return false;
      }
    }
    return true;
  }
}
