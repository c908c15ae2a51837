package dev.sluice.controlplane;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The Go module that names the programs and their versions; it travels inside our jar. */
final class GoModule {
  /** Without a version stamped in, an API server takes itself for one of an unknown release. */
  static final List<String> FLAGS =
      List.of(
          "-trimpath",
          "-ldflags",
          "-s -w -X k8s.io/component-base/version.gitVersion=v1.36.3"
              + " -X k8s.io/component-base/version.gitMajor=1"
              + " -X k8s.io/component-base/version.gitMinor=36");

  private static final List<String> PARTS = List.of("go.mod", "go.sum");

  private GoModule() {}

  /** Names what a build yields: it differs whenever other binaries would come out. */
  static String digest() {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      for (String part : PARTS) {
        sha.update(PrivateFiles.resource("module/" + part));
      }
      sha.update(String.join("\n", FLAGS).getBytes(UTF_8));
      sha.update((System.getProperty("os.name") + System.getProperty("os.arch")).getBytes(UTF_8));
      return HexFormat.of().formatHex(sha.digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Writes the module into the folder. */
  static void extract(Path folder) {
    for (String part : PARTS) {
      PrivateFiles.write(folder.resolve(part), PrivateFiles.resource("module/" + part));
    }
  }
}
