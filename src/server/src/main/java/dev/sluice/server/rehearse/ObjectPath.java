package dev.sluice.server.rehearse;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a URL of an API server names: a kind, all objects of it or one, and a subresource or not.
 *
 * @param root the group and version, such as /apis/batch/v1
 * @param namespace empty if there is none
 * @param name empty for all objects of the kind
 */
record ObjectPath(String root, String namespace, String resource, String name) {
  private static final Pattern FORM =
      Pattern.compile(
          "(/api/v1|/apis/[^/]+/[^/]+)(?:/namespaces/([^/]+))?/([a-z]+)(?:/([^/]+))?(?:/status)?");

  /** The path of a URL; empty if it names no kind, as that of a discovery does. */
  static Optional<ObjectPath> of(String path) {
    Matcher matcher = FORM.matcher(path);
    return matcher.matches()
        ? Optional.of(
            new ObjectPath(matcher.group(1), text(matcher, 2), matcher.group(3), text(matcher, 4)))
        : Optional.empty();
  }

  private static String text(Matcher matcher, int group) {
    return Optional.ofNullable(matcher.group(group)).orElse("");
  }

  /** The object of that name among these. */
  ObjectPath named(String object) {
    return new ObjectPath(root, namespace, resource, object);
  }

  /** What all objects of the kind have in common, whatever their namespaces. */
  String kind() {
    return root + "/" + resource;
  }

  /** What tells an object from others of its kind. */
  String key() {
    return namespace + "/" + name;
  }
}
