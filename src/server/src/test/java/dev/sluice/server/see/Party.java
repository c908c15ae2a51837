package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An authority, or a client that one signed, in a key store of its own that the JDK's keytool
 * makes.
 */
final class Party {
  private static final String PASSWORD = "changeit";
  private static final Base64.Encoder PEM = Base64.getMimeEncoder(64, "\n".getBytes(UTF_8));

  private final Path folder;
  private final String name;

  private Party(Path folder, String name) {
    this.folder = folder;
    this.name = name;
  }

  static Party authority(Path folder, String name) {
    var party = new Party(folder, name);
    party.generate(name, "-ext", "bc:c");
    return party;
  }

  private void generate(String commonName, String... more) {
    var arguments =
        new ArrayList<>(List.of("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1"));
    arguments.addAll(List.of("-alias", name, "-dname", "CN=" + commonName, "-validity", "10"));
    arguments.addAll(List.of(more));
    keytool(arguments);
  }

  /**
   * A client that this authority signs.
   *
   * @param name of its files
   * @param more options of keytool's gencert, such as those of the time
   */
  Party client(String name, String commonName, String... more) {
    var client = new Party(folder, name);
    client.generate(commonName);
    client.keytool(List.of("-certreq", "-alias", name, "-file", client.file(".csr")));
    var arguments = new ArrayList<>(List.of("-gencert", "-alias", this.name, "-rfc"));
    arguments.addAll(List.of("-infile", client.file(".csr"), "-outfile", client.file(".crt")));
    arguments.addAll(List.of("-ext", "eku=clientAuth"));
    arguments.addAll(List.of(more));
    keytool(arguments);
    client.prove(this);
    return client;
  }

  /** Keeps the signed certificate with its authority, instead of the one that keytool made. */
  private void prove(Party authority) {
    try (InputStream in = Files.newInputStream(Path.of(file(".crt")))) {
      Certificate signed = CertificateFactory.getInstance("X.509").generateCertificate(in);
      KeyStore store = store();
      store.setKeyEntry(
          name,
          store.getKey(name, PASSWORD.toCharArray()),
          PASSWORD.toCharArray(),
          new Certificate[] {signed, authority.certificate()});
      try (OutputStream out = Files.newOutputStream(Path.of(file(".p12")))) {
        store.store(out, PASSWORD.toCharArray());
      }
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The certificate as a PEM file. */
  String exported() {
    try {
      return Files.writeString(Path.of(file(".pem")), pem()).toString();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  String pem() {
    try {
      return "-----BEGIN CERTIFICATE-----\n"
          + PEM.encodeToString(certificate().getEncoded())
          + "\n-----END CERTIFICATE-----\n";
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** The key as a PEM file. */
  String exportedKey() {
    try {
      byte[] key = store().getKey(name, PASSWORD.toCharArray()).getEncoded();
      String pem =
          "-----BEGIN PRIVATE KEY-----\n"
              + PEM.encodeToString(key)
              + "\n-----END PRIVATE KEY-----\n";
      return Files.writeString(Path.of(file(".key")), pem).toString();
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The key store, to be shown to servers with {@link #password}. */
  KeyStore store() {
    try (InputStream in = Files.newInputStream(Path.of(file(".p12")))) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, PASSWORD.toCharArray());
      return store;
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  Certificate certificate() {
    try {
      return store().getCertificate(name);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static char[] password() {
    return PASSWORD.toCharArray();
  }

  private String file(String ending) {
    return folder.resolve(name + ending).toString();
  }

  private void keytool(List<String> arguments) {
    var command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")); // half the time
    command.addAll(arguments);
    command.addAll(List.of("-keystore", file(".p12"), "-storepass", PASSWORD));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("keytool.log").toFile())
              .start();
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new AssertionError(command + ": " + Files.readString(folder.resolve("keytool.log")));
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
