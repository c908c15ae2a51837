package dev.sluice.api.read;

/**
 * On its way up from the field that is wrong to the object it belongs to, collecting the path. So a
 * path costs nothing where all is well.
 */
final class MalformedFieldException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final StringBuilder path = new StringBuilder();

  MalformedFieldException(String problem) {
    super(problem, null, false, false);
    this.problem = problem;
  }

  String problem() {
    return problem;
  }

  String path() {
    return path.isEmpty() ? "the object" : path.toString();
  }

  MalformedFieldException in(String field) {
    boolean last = path.isEmpty() || path.charAt(0) == '[';
    path.insert(0, last ? field : field + ".");
    return this;
  }

  MalformedFieldException at(int index) {
    boolean last = path.isEmpty() || path.charAt(0) == '[';
    path.insert(0, "[" + index + (last ? "]" : "]."));
    return this;
  }

  MalformedFieldException at(String key) {
    boolean last = path.isEmpty() || path.charAt(0) == '[';
    path.insert(0, "[" + key + (last ? "]" : "]."));
    return this;
  }
}
