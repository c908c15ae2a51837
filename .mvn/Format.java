import com.google.googlejavaformat.java.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Runs google-java-format over every Java file of the tree: {@code Format.java check|write|skip ROOT}.
 *
 * <p>A program of its own because formatter plugins run inside Maven's JVM, which may be too old to
 * parse our sources.
 */
final class Format {
  private static final Set<String> SKIPPED = Set.of("target", ".git", ".mvn", "node_modules");

  public static void main(String[] args) throws Exception {
    if (args[0].equals("skip")) {
      return; // a program that somebody is trying out need not be formatted yet
    }
    boolean check = args[0].equals("check");
    List<String> call = new ArrayList<>();
    call.addAll(check ? List.of("--dry-run", "--set-exit-if-changed") : List.of("--replace"));
    call.addAll(javaFiles(Path.of(args[1])));
    var out = new PrintWriter(System.out, true);
    var err = new PrintWriter(System.err, true);
    int code = new Main(out, err, System.in).format(call.toArray(String[]::new));
    out.flush();
    err.flush();
    if (code != 0 && check) {
      System.err.println("The files above are not formatted. Run: mvn -N validate -Dformat=write");
    }
    System.exit(code);
  }

  private static List<String> javaFiles(Path root) throws IOException {
    List<String> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            return SKIPPED.contains(String.valueOf(dir.getFileName()))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              files.add(file.toString());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    return files;
  }
}
