package dev.sluice.cluster.access;

import dev.sluice.cluster.access.ClusterAccess.Header;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The user, groups and extra values to impersonate, from the kubeconfig. */
final class Impersonation {
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

  private static Header header(Section user, String field, String name, String value) {
    if (!value.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
      throw user.problem(field, "cannot stand in a header (expected: visible ASCII characters)");
    }
    return new Header(name, value);
  }
}
