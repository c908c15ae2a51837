package dev.sluice.cli.validate;

/**
 * Something to say about an object.
 *
 * @param place file and line
 * @param object kind and name
 * @param field the field's path, empty if it is about the whole
 * @param type the type of violation, {@code Warning} for warnings
 * @param message one line that begins with the field
 * @param refuses whether the object would be refused for it
 */
record Finding(
    String place, String object, String field, String type, String message, boolean refuses) {
  String text() {
    return "%s: %s: %s%s".formatted(place, object, refuses ? "" : "warning: ", message);
  }
}
