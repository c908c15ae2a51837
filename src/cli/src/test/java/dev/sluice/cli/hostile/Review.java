package dev.sluice.cli.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.random.RandomGenerator;

/** A body for a path, and the ways to put one together. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Review(String path, byte[] bytes) {
  static final String CONVERT = "/convert";
  private static final List<String> OPERATIONS =
      List.of("CREATE", "CREATE", "UPDATE", "UPDATE", "DELETE", "CONNECT", "PATCH", "");

  private Review(String path, String text) {
    this(path, text.getBytes(UTF_8));
  }

  /** Bytes of any kind. */
  static Review of(String path, byte[] bytes) {
    return new Review(path, bytes);
  }

  /** Asks to convert these objects. */
  static Review conversion(String uid, ApiVersion to, List<String> objects) {
    return conversion(
        "\"" + uid + "\"", "\"" + to.groupVersion() + "\"", String.join(",", objects));
  }

  /** Asks to convert; uid and version are any JSON, objects the items of a list. */
  static Review conversion(String uid, String version, String objects) {
    return new Review(
        CONVERT,
        """
        {"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":%s,\
        "desiredAPIVersion":%s,"objects":[%s]}}\
        """
            .formatted(uid, version, objects));
  }

  /** Asks about an object; all but the route are any JSON. */
  static Review admission(
      Route route, String uid, String operation, String object, String old, String more) {
    GroupVersionKind kind = route.kind();
    return new Review(
        route.path(),
        """
        {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":%s,\
        "kind":{"group":"%s","version":"%s","kind":"%s"},"operation":%s,"namespace":"ns",\
        "userInfo":{"username":"someone"},"object":%s,"oldObject":%s%s}}\
        """
            .formatted(
                uid, kind.group(), kind.version(), kind.kind(), operation, object, old, more));
  }

  /** Asks about an object, as what is drawn. */
  static Review admission(RandomGenerator random, Route route, String object, String old) {
    String more = random.nextInt(3) == 0 ? ",\"subResource\":\"status\"" : "";
    return admission(
        route,
        "\"u-" + random.nextInt(1000) + "\"",
        "\"" + pick(random, OPERATIONS) + "\"",
        object,
        old,
        more);
  }

  /** The same with the bytes in the first place where the mark stands. */
  Review filled(String mark, byte[] with) {
    String text = new String(bytes, UTF_8);
    int at = text.indexOf(mark);
    var all = new ByteArrayOutputStream(bytes.length + with.length);
    all.writeBytes(text.substring(0, at).getBytes(UTF_8));
    all.writeBytes(with);
    all.writeBytes(text.substring(at + mark.length()).getBytes(UTF_8));
    return new Review(path, all.toByteArray());
  }

  static <T> T pick(RandomGenerator random, List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
