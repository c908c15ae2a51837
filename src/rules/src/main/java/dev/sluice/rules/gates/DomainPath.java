package dev.sluice.rules.gates;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.api.names.Subdomain;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;

/** A name of the form {@code host/path}. */
final class DomainPath {
  private static final String MARKS = "/-._~%!$&'()*+,;=:";

  private DomainPath() {}

  /** Reports at {@code path} what is wrong with the name, which is not empty. */
  static void check(String path, String name, ValidationResult findings) {
    int slash = name.indexOf('/');
    if (slash <= 0 || slash == name.length() - 1) {
      report(path, name, "must be a domain, '/' and a path, such as example.com/gate", findings);
      return;
    }
    String host = name.substring(0, slash);
    for (String problem : Subdomain.problems(host)) {
      report(path, host, "the domain before '/' " + problem, findings);
    }
    String rest = name.substring(slash + 1);
    if (!rest.chars().allMatch(DomainPath::isOfAPath)) {
      report(path, rest, "the path may have letters, digits and any of " + MARKS, findings);
    }
  }

  private static boolean isOfAPath(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || MARKS.indexOf(c) >= 0;
  }

  private static void report(String path, String value, String detail, ValidationResult findings) {
    findings.add(FieldError.invalid(path, TextNode.valueOf(value), detail));
  }
}
