package dev.sluice.multicluster.link;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.cluster.access.Target;
import dev.sluice.json.yaml.Manifest;
import dev.sluice.json.yaml.ManifestException;
import dev.sluice.json.yaml.ManifestReader;
import dev.sluice.multicluster.link.KubeconfigNode.Entry;
import dev.sluice.multicluster.link.LinkSource.Unusable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a kubeconfig from an untrusted source. Accepts addresses and credentials in the text, and
 * refuses all that would make this process read a file, run a program, or skip verification. A
 * refusal contains no value of the text except names of its entries. Pure.
 */
final class KubeconfigReader {
  static final int LARGEST = 1 << 20;

  private static final ObjectMapper MAPPER = new JsonMapper();
  private static final Pattern DNS_NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern PROBLEM =
      Pattern.compile("kubeconfig:(\\d+): (key \"[^\"]{1,100}\" stands twice in one mapping)?.*");

  private KubeconfigReader() {}

  static LinkSource read(byte[] bytes) {
    try {
      return new LinkSource.Usable(target(document(bytes)));
    } catch (KubeconfigRefusal e) {
      return e.source();
    }
  }

  private static KubeconfigNode document(byte[] bytes) {
    if (bytes.length > LARGEST) {
      throw unreadable("is larger than " + LARGEST + " bytes");
    }
    JsonNode tree = parsed(bytes);
    if (!tree.isObject()) {
      throw unreadable("is no mapping (expected: clusters, users and contexts)");
    }
    KubeconfigNode document = new KubeconfigNode("", tree);
    String kind = document.text("kind");
    if (!kind.isEmpty() && !kind.equals("Config")) {
      throw unreadable("kind is another (expected: Config)");
    }
    return document;
  }

  private static JsonNode parsed(byte[] bytes) {
    try {
      List<Manifest> documents = ManifestReader.read("kubeconfig", bytes);
      return switch (documents.size()) {
        case 0 -> throw unreadable("is empty (expected: clusters, users and contexts)");
        case 1 -> MAPPER.readTree(documents.getFirst().value().toByteArray());
        default -> throw unreadable("holds " + documents.size() + " documents (expected: one)");
      };
    } catch (ManifestException e) {
      throw unreadable(withoutValues(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the reader writes JSON
    }
  }

  /** The message of the reader may repeat values of the text. */
  private static String withoutValues(String problem) {
    Matcher known = PROBLEM.matcher(problem);
    if (!known.matches()) {
      return "is neither YAML nor JSON";
    }
    String what = known.group(2) == null ? "is neither YAML nor JSON" : known.group(2);
    return what + " (line " + known.group(1) + ")";
  }

  private static Target target(KubeconfigNode document) {
    List<Entry> clusters = document.entries("clusters", "cluster");
    List<Entry> users = document.entries("users", "user");
    users.forEach(KubeconfigReader::checkAnyUser);
    clusters.forEach(KubeconfigReader::checkAnyCluster);
    KubeconfigNode context = currentContext(document);
    Entry cluster = named(clusters, "cluster", context.text("cluster"));
    String userName = context.text("user");
    Entry user =
        userName.isEmpty() ? new Entry("", KubeconfigNode.empty()) : named(users, "user", userName);
    URI server = server(cluster);
    checkUser(user);
    return new Target(
        server,
        cluster.value().decoded("certificate-authority-data"),
        cluster.value().text("tls-server-name"),
        cluster.value().text("proxy-url"),
        new Target.Login(
            user.value().text("token"),
            user.value().decoded("client-certificate-data"),
            user.value().decoded("client-key-data")));
  }

  private static void checkAnyUser(Entry user) {
    if (user.value().isSet("tokenFile")) {
      throw insecure("tokenFile is not allowed");
    }
  }

  private static void checkAnyCluster(Entry cluster) {
    if (cluster.value().flag("insecure-skip-tls-verify")) {
      throw insecure("insecure TLS verification is not allowed for cluster " + cluster.name());
    }
    if (cluster.value().isSet("certificate-authority")) {
      throw insecure(
          "certificate-authority file paths are not allowed, use certificate-authority-data for"
              + " cluster "
              + cluster.name());
    }
  }

  private static KubeconfigNode currentContext(KubeconfigNode document) {
    String name = document.text("current-context");
    if (name.isEmpty()) {
      throw noClient("current-context is missing (expected: the name of a context)");
    }
    return named(document.entries("contexts", "context"), "context", name).value();
  }

  private static Entry named(List<Entry> entries, String what, String name) {
    return Entry.find(entries, name)
        .orElseThrow(() -> noClient("%s \"%s\" is not there".formatted(what, name)));
  }

  private static URI server(Entry cluster) {
    String text = cluster.value().text("server");
    if (text.isEmpty()) {
      throw insecure("server URL is required for cluster " + cluster.name());
    }
    URI uri = uri(text);
    if (!isTrusted(uri)) {
      throw insecure("untrusted server endpoint");
    }
    if (!uri.getScheme().toLowerCase(Locale.ROOT).equals("https")) {
      throw insecure("http servers are not allowed, use https for cluster " + cluster.name());
    }
    return URI.create(text.replaceAll("/+$", ""));
  }

  private static URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException _) {
      throw insecure("untrusted server endpoint");
    }
  }

  private static boolean isTrusted(URI uri) {
    String host = uri.getHost();
    return host != null
        && uri.getScheme() != null
        && uri.getRawUserInfo() == null
        && uri.getRawQuery() == null
        && uri.getRawFragment() == null
        && uri.getPort() <= 65_535
        && (host.startsWith("[") || DNS_NAME.matcher(host.toLowerCase(Locale.ROOT)).matches());
  }

  private static void checkUser(Entry user) {
    KubeconfigNode value = user.value();
    if (value.isSet("username") || value.isSet("password")) {
      throw insecure("basic auth is not allowed");
    }
    if (value.isSet("exec")) {
      throw insecure("exec plugins are not allowed");
    }
    if (value.isSet("auth-provider")) {
      throw insecure("auth providers are not allowed");
    }
    for (String field : List.of("client-certificate", "client-key")) {
      if (value.isSet(field)) {
        throw insecure(
            "%s file paths are not allowed, use %s-data for user %s"
                .formatted(field, field, user.name()));
      }
    }
    for (String field : List.of("as", "as-uid", "as-groups", "as-user-extra")) {
      if (value.isSet(field)) {
        throw insecure("impersonation is not allowed for user " + user.name());
      }
    }
  }

  private static KubeconfigRefusal unreadable(String why) {
    return insecure(KubeconfigNode.PARSING + why);
  }

  private static KubeconfigRefusal insecure(String why) {
    return new KubeconfigRefusal(Unusable.insecure(why));
  }

  private static KubeconfigRefusal noClient(String why) {
    return new KubeconfigRefusal(Unusable.noClient(why));
  }
}
