package dev.sluice.image.oci;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files that a layer of an image adds, sorted by path. Folders above an entry are added with
 * it. For one thread.
 */
public final class Layer {
  private static final int READABLE = 0755;

  private final String name;
  private final SortedMap<String, Entry> entries = new TreeMap<>();

  /** A layer without files; the name is told in reports and in the history of the image. */
  public Layer(String name) {
    this.name = name;
  }

  /** What it holds, in one word. */
  public String name() {
    return name;
  }

  /** Adds an entry, in place of one of the same path. */
  public Layer add(Entry entry) {
    addParents(entry.path());
    entries.put(entry.path(), entry);
    return this;
  }

  /** Adds all files and links of a folder on disk below that path. */
  public Layer addTree(String path, Path folder) throws IOException {
    for (Path file : filesOf(folder)) {
      String place = path + "/" + folder.relativize(file).toString().replace('\\', '/');
      add(
          Files.isSymbolicLink(file)
              ? new Entry.Link(place, Files.readSymbolicLink(file).toString())
              : new Entry.Copy(place, file, Files.isExecutable(file)));
    }
    return this;
  }

  private static List<Path> filesOf(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(it -> !Files.isDirectory(it, LinkOption.NOFOLLOW_LINKS)).toList();
    }
  }

  private void addParents(String path) {
    for (int end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
      String parent = path.substring(0, end);
      entries.putIfAbsent(parent, new Entry.Folder(parent, READABLE, Entry.ROOT));
    }
  }

  Collection<Entry> entries() {
    return entries.values();
  }

  /** The bytes of all its files. */
  public long size() throws IOException {
    long size = 0;
    for (Entry entry : entries.values()) {
      size +=
          switch (entry) {
            case Entry.Copy copy -> Files.size(copy.source());
            case Entry.Bytes bytes -> bytes.content().length;
            case Entry.Folder _, Entry.Link _ -> 0;
          };
    }
    return size;
  }
}
