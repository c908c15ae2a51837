package dev.sluice.jobs.leaderworkerset;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A Pod of a group.
 *
 * @param pod as it was seen
 * @param set the StatefulSet that made it
 * @param role its Pod set
 */
record GroupMember(JsonNode pod, JsonNode set, String role) {}
