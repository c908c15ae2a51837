package dev.sluice.cli.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be used ends every command at once, with one sentence that names file and field. */
class UnusableAccessTest {
  private static final String SECRET = "s3cr3t";

  @TempDir static Path shared;

  @TempDir Path folder;

  private static String certificate = "";

  @BeforeAll
  static void issue() {
    certificate =
        CertificateFolder.open(
                shared.resolve("certs"),
                List.of("localhost"),
                Lifetimes.DEFAULT,
                InstantSource.system(),
                new SecureRandom())
            .caBundlePem();
  }

  private static String key() {
    try {
      byte[] der = KeyPairGenerator.getInstance("EC").generateKeyPair().getPrivate().getEncoded();
      return "-----BEGIN PRIVATE KEY-----\n"
          + Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der)
          + "\n-----END PRIVATE KEY-----\n";
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /** Replaces names of the table by what takes long to write. */
  private static String filled(String text) {
    return text.replace("CERTIFICATE", base64(certificate))
        .replace("KEY", base64(key()))
        .replace("NO-PEM", base64(SECRET))
        .replace(
            "PKCS8-ENCRYPTED",
            base64(
                "-----BEGIN ENCRYPTED PRIVATE K"
                    + "EY-----\nAAAA\n"
                    + "-----END ENCRYPTED PRIVATE K"
                    + "EY-----\n"))
        .replace(
            "PKCS1-ENCRYPTED",
            base64(
                "-----BEGIN RSA PRIVATE K"
                    + "EY-----\nProc-Type: 4,ENCRYPTED\n"
                    + "DEK-Info: AES-256-CBC,00\n\nAAAA\n-----END RSA PRIVATE K"
                    + "EY-----\n"));
  }

  private Path kubeconfig(String text) throws IOException {
    return Files.writeString(folder.resolve("kubeconfig"), text);
  }

  private Path kubeconfig(String cluster, String user) throws IOException {
    return kubeconfig(
        """
        clusters: [{name: c, cluster: {%s}}]
        users: [{name: u, user: {%s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(filled(cluster), filled(user)));
  }

  private Ran run(String command, Path kubeconfig, String... more) {
    List<String> line = new ArrayList<>(List.of(command.split(" ", -1)));
    line.add("--kubeconfig=" + kubeconfig);
    line.addAll(List.of(more));
    return Commands.run(line.toArray(String[]::new));
  }

  private static void assertSentence(Ran ran, String sentence) {
    assertThat(ran.err()).isEqualTo("sluice: " + sentence + System.lineSeparator());
    assertThat(ran.out()).isEmpty();
    assertThat(ran.code()).isEqualTo(2);
  }

  /** The doctor refuses the field with these words, and tells no secret. */
  private void assertRefused(Path kubeconfig, String problem) {
    Ran ran = run("doctor", kubeconfig);

    assertSentence(
        ran, "kubeconfig " + kubeconfig + ": " + problem.replace("FOLDER", folder.toString()));
    assertThat(ran.err()).doesNotContain(SECRET);
  }

  @ParameterizedTest
  @ValueSource(strings = {"doctor", "migrate", "explain a/b", "schedule", "serve", "run"})
  void everyCommandEndsAtOnceAndMakesNothing(String command) throws IOException {
    Path missing = folder.resolve("missing");
    Path data = folder.resolve("data");
    String[] flags =
        Stream.of("serve", "run", "migrate").anyMatch(command::equals)
            ? new String[] {"--data=" + data}
            : new String[0];

    assertSentence(
        run(command, missing, flags), "kubeconfig " + missing + ": there is no such file");

    Path kubeconfig =
        kubeconfig(
            "server: 'https://127.0.0.1:1'", "client-certificate-data: CERTIFICATE, token: a");
    assertSentence(
        run(command, kubeconfig, flags),
        "kubeconfig "
            + kubeconfig
            + ": users[0].user.client-key: is missing beside client-certificate (expected: both)");
    assertThat(data).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "client-certificate-data: CERTIFICATE, client-key-data: NO-PEM"
            + " | client-key-data: is no private key (expected: PEM of PKCS#1, SEC1 or PKCS#8)",
        "client-certificate-data: CERTIFICATE, client-key-data: CERTIFICATE"
            + " | client-key-data: is no private key (expected: PEM of PKCS#1, SEC1 or PKCS#8)",
        "client-certificate-data: CERTIFICATE, client-key-data: PKCS8-ENCRYPTED"
            + " | client-key-data: is encrypted (expected: a private key without a passphrase)",
        "client-certificate-data: CERTIFICATE, client-key-data: PKCS1-ENCRYPTED"
            + " | client-key-data: is encrypted (expected: a private key without a passphrase)",
        "client-certificate-data: CERTIFICATE, client-key-data: KEY"
            + " | client-key-data: does not belong to the certificate of client-certificate"
            + " (expected: its key)",
        "client-certificate-data: NO-PEM, client-key-data: KEY"
            + " | client-certificate-data: is no certificate (expected: PEM)",
        "client-certificate-data: s3cr3t!, client-key-data: KEY"
            + " | client-certificate-data: is not Base64 (expected: PEM encoded as Base64)",
        "client-key-data: KEY"
            + " | client-certificate: is missing beside client-key (expected: both)",
        "client-certificate: none.crt, client-key-data: KEY"
            + " | client-certificate: FOLDER/none.crt: there is no such file",
        "client-certificate: ., client-key-data: KEY"
            + " | client-certificate: FOLDER/.: cannot be read: IOException",
        "token: '' | token: is empty (expected: a token)",
        "token: 's3cr3t s3cr3t'"
            + " | token: is no token (expected: visible ASCII characters without blanks)",
        "token: [s3cr3t] | token: is no text (expected: a string)",
        "tokenFile: '' | tokenFile: is empty (expected: a file)",
        "tokenFile: none | tokenFile: FOLDER/none: there is no such file",
        "token: s3cr3t, username: kim"
            + " | token: stands beside username (expected: only one of them)",
        "username: '', password: s3cr3t"
            + " | username: is no name of a user (expected: a text without a colon)",
        "auth-provider: {name: gcp} | auth-provider: is not supported"
            + " (expected: exec, token, tokenFile or a certificate)",
        "exec: {apiVersion: client.authentication.k8s.io/v1}"
            + " | exec.command: is missing (expected: a program)",
        "exec: {command: x} | exec.apiVersion: is not supported"
            + " (expected: client.authentication.k8s.io/v1 or v1beta1)",
        "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./none, installHint: get it}"
            + " | exec.command: ./none cannot be started: get it",
        "exec: {apiVersion: client.authentication.k8s.io/v1, command: 'false'}"
            + " | exec.command: false ended with exit code 1",
        "exec: {apiVersion: client.authentication.k8s.io/v1, command: echo, args: [s3cr3t]}"
            + " | exec.command: echo printed no ExecCredential of client.authentication.k8s.io/v1",
        "as-groups: [g] | as: is missing (expected: the name of the user to act as)",
      })
  void aUserThatCannotLogInIsRefusedByFileAndField(String user, String problem) throws IOException {
    Path kubeconfig = kubeconfig("server: 'https://127.0.0.1:1'", user);

    assertRefused(kubeconfig, "users[0].user." + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "name: y | server: is missing (expected: a URL)",
        "server: 'a b' | server: is no URL (expected: one such as https://HOST:PORT)",
        "server: 'ftp://h'"
            + " | server: has another scheme (expected: https://HOST:PORT or http://HOST:PORT)",
        "server: 'h:6443'"
            + " | server: has another scheme (expected: https://HOST:PORT or http://HOST:PORT)",
        "server: 'https://'" + " | server: is no URL (expected: one such as https://HOST:PORT)",
        "server: 'https://kim:s3cr3t@h'"
            + " | server: is no address (expected: a URL such as https://HOST:PORT)",
        "server: 'https://h:99999'"
            + " | server: is no address (expected: a URL such as https://HOST:PORT)",
        "server: 'https://h', certificate-authority-data: NO-PEM"
            + " | certificate-authority-data: is no certificate (expected: PEM)",
        "server: 'https://h', certificate-authority: none.crt"
            + " | certificate-authority: FOLDER/none.crt: there is no such file",
        "server: 'https://h', insecure-skip-tls-verify: true,"
            + " certificate-authority-data: CERTIFICATE"
            + " | insecure-skip-tls-verify: stands beside certificate-authority"
            + " (expected: only one of them)",
        "server: 'https://h', insecure-skip-tls-verify: 'yes'"
            + " | insecure-skip-tls-verify: is neither true nor false",
        "server: 'https://h', proxy-url: 'socks5://p:1'"
            + " | proxy-url: is no HTTP proxy (expected: http://HOST:PORT)",
        "server: 'https://h', tls-server-name: 'not a name'"
            + " | tls-server-name: is no host name (expected: one such as api.example.org)",
      })
  void aClusterThatCannotBeCalledIsRefusedByFileAndField(String cluster, String problem)
      throws IOException {
    Path kubeconfig = kubeconfig(cluster, "token: " + SECRET);

    assertRefused(kubeconfig, "clusters[0].cluster." + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "just text | is not a kubeconfig (expected: YAML with clusters, users and contexts)",
        "[] | is not a kubeconfig (expected: YAML with clusters, users and contexts)",
        "users: @s3cr3t | is not YAML (line 1)",
        "kind: Secret | kind: is another (expected: Config)",
        "users: {} | current-context: is missing (expected: the name of a context)",
        "current-context: x"
            + " | current-context: x is not in contexts (expected: one that is there)",
        "{current-context: x, contexts: [{name: y, context: {cluster: c}}]}"
            + " | current-context: x is not in contexts (expected: one of y)",
        "{current-context: x, contexts: {}} | contexts: is no list",
        "{current-context: x, contexts: [{name: x, context: {user: u}}]}"
            + " | contexts[0].context.cluster: is missing (expected: a name)",
        "{current-context: x, contexts: [{name: x, context: {cluster: c}}], clusters: [{name: d}]}"
            + " | contexts[0].context.cluster: c is not in clusters (expected: one of d)",
        "{current-context: x, contexts: [{name: x, context: {cluster: c, user: u}}],"
            + " clusters: [{name: c, cluster: {server: 'https://h'}}]}"
            + " | contexts[0].context.user: u is not in users (expected: one that is there)",
      })
  void aKubeconfigThatLeadsNowhereIsRefusedByFileAndField(String text, String problem)
      throws IOException {
    Path kubeconfig = kubeconfig(text + "\n");

    assertSentence(run("doctor", kubeconfig), "kubeconfig " + kubeconfig + ": " + problem);
  }

  @Test
  void aContextThatIsNotThereIsRefused() throws IOException {
    Path kubeconfig = kubeconfig("server: 'https://h'", "token: t");

    assertSentence(
        run("migrate", kubeconfig, "--context=y"),
        "--context: kubeconfig " + kubeconfig + ": contexts: none is named y (expected: one of x)");
  }

  @Test
  void aFolderIsNoKubeconfig() {
    assertSentence(
        run("schedule", folder),
        "kubeconfig " + folder + ": cannot be read (expected: a file this user may read)");
  }
}
