package dev.sluice.json;

import java.util.ArrayList;
import java.util.List;

/** An opened JSON list. */
public final class JsonArray implements Json {
  private final List<Json> items;

  /** An empty list. */
  public JsonArray() {
    this.items = new ArrayList<>();
  }

  /** The number of items. */
  public int size() {
    return items.size();
  }

  /** The item at this index, as it stands (perhaps not opened). */
  public Json get(int index) {
    return items.get(index);
  }

  /**
   * The item at this index with one level of it opened; the list holds the opened one from now on.
   */
  public Json open(int index) {
    Json opened = items.get(index).opened();
    items.set(index, opened);
    return opened;
  }

  /** Appends an item. */
  public void add(Json item) {
    items.add(item);
  }

  @Override
  public Type type() {
    return Type.ARRAY;
  }

  @Override
  public Json opened() {
    return this;
  }

  @Override
  public void writeTo(JsonOutput out) {
    out.write('[');
    for (int i = 0; i < items.size(); i++) {
      if (i > 0) {
        out.write(',');
      }
      items.get(i).writeTo(out);
    }
    out.write(']');
  }

  @Override
  public String toString() {
    return Canonical.text(this);
  }
}
