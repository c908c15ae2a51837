package dev.sluice.lifecycle.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestNamesTest {
  @Test
  void aRequestIsNamedAfterItsWorkloadItsCheckAndTheAttempt() {
    assertThat(RequestNames.request("job-sample-1a2b3", "nodes", 2))
        .isEqualTo("job-sample-1a2b3-nodes-2");
  }

  @Test
  void aPodTemplateIsNamedAfterItsRequestAndItsPodSet() {
    assertThat(RequestNames.template("w-nodes-1", "main")).isEqualTo("ppt-w-nodes-1-main");
  }

  /** The hashes are the first digits that {@code sha1sum} prints for the whole name. */
  @ParameterizedTest
  @CsvSource({"239, ''", "240, -1a589"})
  void aNameOfMoreThan247CharactersIsCutAndGetsAHash(int length, String hash) {
    String whole = "w".repeat(length) + "-check-1";

    assertThat(RequestNames.request("w".repeat(length), "check", 1))
        .isEqualTo(whole.substring(0, 247) + hash)
        .hasSizeLessThanOrEqualTo(253);
  }

  @Test
  void theNameOfAPodTemplateIsCutInTheSameWay() {
    String request = "r".repeat(230);
    String podSet = "p".repeat(20);

    assertThat(RequestNames.template(request, podSet))
        .isEqualTo(("ppt-" + request + "-" + podSet).substring(0, 247) + "-c0d20");
  }
}
