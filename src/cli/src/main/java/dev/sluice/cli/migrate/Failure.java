package dev.sluice.cli.migrate;

/**
 * An object that the API server would not store.
 *
 * @param object its name, with its namespace and a slash before it if it has one
 * @param message what the API server said
 */
record Failure(String object, String message) {}
