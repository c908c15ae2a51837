package dev.sluice.json.edit;

import java.util.List;

/** A value where it stands in a text; places are indices of characters, ends are exclusive. */
sealed interface SourceNode {
  /** Where it begins, its anchor or tag included. */
  int start();

  /** Where it ends; whatever follows it (blanks, comments, line ends) is not part of it. */
  int end();

  /** A single value; it is empty where YAML takes nothing for null. */
  record Scalar(int start, int end) implements SourceNode {}

  /** A reference to a value that stands elsewhere. */
  record Alias(int start, int end) implements SourceNode {}

  /**
   * A mapping.
   *
   * @param flow whether it stands in braces
   */
  record Mapping(int start, int end, boolean flow, List<Member> members) implements SourceNode {
    public Mapping {
      members = List.copyOf(members);
    }

    /** The index of the member of this key, or -1. */
    int indexOf(String key) {
      for (int i = 0; i < members.size(); i++) {
        if (members.get(i).key().equals(key)) {
          return i;
        }
      }
      return -1;
    }
  }

  /**
   * A list.
   *
   * @param flow whether it stands in brackets
   */
  record Sequence(int start, int end, boolean flow, List<SourceNode> items) implements SourceNode {
    public Sequence {
      items = List.copyOf(items);
    }
  }

  /** One member of a mapping. */
  record Member(String key, int start, int keyEnd, SourceNode value) {
    int end() {
      return Math.max(keyEnd, value.end());
    }
  }
}
