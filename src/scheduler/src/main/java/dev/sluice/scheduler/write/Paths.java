package dev.sluice.scheduler.write;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.write.ObjectRef;
import java.net.URLEncoder;
import java.util.Locale;
import java.util.Map;

/** Where the API server serves objects. */
public final class Paths {
  private static final Map<String, String> IRREGULAR =
      Map.of(
          "PriorityClass", "priorityclasses",
          "RuntimeClass", "runtimeclasses",
          "LimitRange", "limitranges");

  private Paths() {}

  /** The collection that objects of that kind are in. */
  public static String collection(GroupVersionKind kind, String namespace) {
    String root = kind.group().isEmpty() ? "/api/" + kind.version() : "/apis/" + kind.apiVersion();
    String in = namespace.isEmpty() ? "" : "/namespaces/" + encoded(namespace);
    return root + in + "/" + plural(kind);
  }

  /** The object. */
  public static String object(ObjectRef ref) {
    return collection(ref.kind(), ref.namespace()) + "/" + encoded(ref.name());
  }

  /** The kind's name in URLs. */
  public static String plural(GroupVersionKind kind) {
    if (kind.group().equals(ApiVersion.GROUP)) {
      return ApiKind.find(kind.kind()).map(ApiKind::plural).orElseGet(() -> regular(kind));
    }
    return Framework.find(kind.group(), kind.kind())
        .map(Framework::plural)
        .orElseGet(() -> regular(kind));
  }

  private static String regular(GroupVersionKind kind) {
    return IRREGULAR.getOrDefault(kind.kind(), kind.kind().toLowerCase(Locale.ROOT) + "s");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }
}
