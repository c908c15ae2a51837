package dev.sluice.json.edit;

import dev.sluice.json.Json;
import java.util.BitSet;

/**
 * Changes a mapping or a list where it stands. Indices are those of the members or items as they
 * were.
 */
sealed interface CollectionEdit permits BlockEdit, FlowEdit {
  /**
   * Takes out members or items, with their own comments; called once, before all else, and never
   * for all of them.
   */
  void remove(BitSet indices);

  /** Writes a member again, possibly with another key. */
  void replaceMember(int index, String key, Json value);

  /** Writes an item again. */
  void replaceItem(int index, Json value);

  /** Adds a member behind the one of this index; -1 means before all others. */
  void insertMember(int after, String key, Json value);

  /** Adds an item behind the one of this index; -1 means before all others. */
  void insertItem(int after, Json value);
}
