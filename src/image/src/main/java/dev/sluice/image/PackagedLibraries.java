package dev.sluice.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The program that prepares the libraries of a packaged program for a quick start: it trims Bouncy
 * Castle, brings classes into a format that a cache of linked classes takes, and puts all of it
 * into one jar beside the program, which the launcher starts.
 *
 * <p>Bouncy Castle is 9 MB, of which certificates need a twentieth. Its jars are signed, too, and a
 * JVM verifies a signature of 7,000 entries before it takes the first class from such a jar. The
 * classes of picocli, which read each command line, are in the format of Java 5.
 */
public final class PackagedLibraries {
  private static final Pattern BOUNCY_CASTLE = Pattern.compile("bc[a-z]+-jdk.*");
  private static final String OURS = "sluice-";

  private PackagedLibraries() {}

  /**
   * Replaces libraries by what they shall be. They must be whole: a class that was removed does not
   * come back. Beside {@code program.jar} comes {@code program-whole.jar}.
   *
   * @param args the jar of a program whose libraries are beside it in a folder {@code lib}
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      throw new IllegalArgumentException(
          args.length + " arguments (expected: the jar of a program)");
    }
    Path program = Path.of(args[0]).toAbsolutePath();
    List<Path> ours = new ArrayList<>(List.of(program));
    List<Path> trimmed = new ArrayList<>();
    List<Path> others = new ArrayList<>();
    try (Stream<Path> libraries = Files.list(program.resolveSibling("lib"))) {
      for (Path library : libraries.sorted().toList()) {
        String name = library.getFileName().toString();
        if (name.startsWith(OURS)) {
          ours.add(library);
        } else if (BOUNCY_CASTLE.matcher(name).matches()) {
          trimmed.add(library);
        } else {
          others.add(library);
        }
      }
    }
    TrimmedLibraries.trim(ours, trimmed);
    OldClasses.update(others);
    WholeJar.write(program, program.resolveSibling(whole(program)));
  }

  private static String whole(Path program) {
    return program.getFileName().toString().replaceFirst("\\.jar$", "-whole.jar");
  }
}
