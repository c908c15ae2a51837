package dev.sluice.cluster.access;

import dev.sluice.cluster.access.ClusterAccess.Header;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The user, groups and extra values to impersonate, from the kubeconfig. */
final class Impersonation {
  private static final String UNFIT =
      "cannot stand in a header (expected: visible ASCII characters)";

  private Impersonation() {}

  static List<Header> headers(Section user) {
    List<Header> headers = new ArrayList<>();
    Optional<String> as = user.nonEmpty("as");
    as.ifPresent(it -> headers.add(header(user, "as", "Impersonate-User", it)));
    user.nonEmpty("as-uid")
        .ifPresent(it -> headers.add(header(user, "as-uid", "Impersonate-Uid", it)));
    for (String group : user.texts("as-groups")) {
      headers.add(header(user, "as-groups", "Impersonate-Group", group));
    }
    Section extra = user.section("as-user-extra");
    for (String key : extra.fields()) {
      String name = "Impersonate-Extra-" + URLEncoder.encode(key, StandardCharsets.UTF_8);
      extra.texts(key).forEach(it -> headers.add(header(user, "as-user-extra", name, it)));
    }
    if (as.isEmpty() && !headers.isEmpty()) {
      throw user.problem("as", "is missing (expected: the name of the user to act as)");
    }
    return headers;
  }

  /** Those of a user that flags name. */
  static List<Header> headers(@Nullable String user, List<String> groups) {
    if (user == null) {
      throw new AccessException("--as-group: there is no user to act as (expected: --as)");
    }
    List<Header> headers = new ArrayList<>();
    headers.add(header("--as", "Impersonate-User", user));
    groups.forEach(it -> headers.add(header("--as-group", "Impersonate-Group", it)));
    return headers;
  }

  private static Header header(String flag, String name, String value) {
    if (value.isEmpty() || !isVisible(value)) {
      throw new AccessException(flag + ": " + UNFIT);
    }
    return new Header(name, value);
  }

  private static Header header(Section user, String field, String name, String value) {
    if (!isVisible(value)) {
      throw user.problem(field, UNFIT);
    }
    return new Header(name, value);
  }

  private static boolean isVisible(String value) {
    return value.chars().allMatch(c -> c >= ' ' && c < 0x7f);
  }
}
