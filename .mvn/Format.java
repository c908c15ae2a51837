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
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Runs google-java-format over Java files of the tree: {@code Format.java check|changed|write|skip
 * ROOT}. {@code changed} checks what differs from the commit before the last one, according to git;
 * without git it checks all files, as {@code check} does.
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
    boolean check = !args[0].equals("write");
    Path root = Path.of(args[1]);
    List<String> files = args[0].equals("changed") ? changedFiles(root) : javaFiles(root);
    if (files.isEmpty()) {
      return;
    }
    List<String> call = new ArrayList<>();
    call.addAll(check ? List.of("--dry-run", "--set-exit-if-changed") : List.of("--replace"));
    call.addAll(files);
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

  private static List<String> changedFiles(Path root) throws IOException, InterruptedException {
    Optional<List<String>> tracked = git(root, "diff", "--name-only", "--diff-filter=d", "HEAD~1");
    Optional<List<String>> untracked = git(root, "ls-files", "--others", "--exclude-standard");
    if (tracked.isEmpty() || untracked.isEmpty()) {
      return javaFiles(root);
    }
    return Stream.concat(tracked.get().stream(), untracked.get().stream())
        .filter(file -> file.endsWith(".java"))
        .filter(file -> SKIPPED.stream().noneMatch(dir -> file.startsWith(dir + "/")))
        .map(file -> root.resolve(file).toString())
        .sorted()
        .toList();
  }

  /** The lines that git prints; empty where git is missing or refuses. */
  private static Optional<List<String>> git(Path root, String... command)
      throws InterruptedException {
    List<String> call = new ArrayList<>(List.of("git", "-C", root.toString()));
    call.addAll(List.of(command));
    try {
      Process process =
          new ProcessBuilder(call).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      List<String> lines = process.inputReader().lines().toList();
      return process.waitFor() == 0 ? Optional.of(lines) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
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
