package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.supervision.Health;
import dev.sluice.supervision.Readiness;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which page a request is about, and who may see it. */
class PageIndexTest {
  private final PageIndex index =
      new PageIndex(
          List.of(
              Page.health(() -> Health.GOOD), Page.report("/debug/audit", () -> Readiness.READY)));

  @ParameterizedTest
  @CsvSource({
    "GET,    /healthz,          10.1.2.3,         0",
    "HEAD,   /healthz,          10.1.2.3,         0",
    "POST,   /healthz,          127.0.0.1,        405",
    "DELETE, /healthz,          127.0.0.1,        405",
    "BREW,   /healthz,          127.0.0.1,        405",
    "GET,    /healthz/,         127.0.0.1,        404",
    "GET,    /healthzz,         127.0.0.1,        404",
    "GET,    /healthz/deeper,   127.0.0.1,        404",
    "GET,    /HEALTHZ,          127.0.0.1,        404",
    "GET,    //healthz,         127.0.0.1,        404",
    "GET,    /,                 127.0.0.1,        404",
    "GET,    ,                  127.0.0.1,        404",
    "GET,    /debug/audit,      127.0.0.1,        0",
    "GET,    /debug/audit,      127.9.9.9,        0",
    "GET,    /debug/audit,      0:0:0:0:0:0:0:1,  0",
    "GET,    /debug/audit,      ::ffff:127.0.0.1, 0",
    "GET,    /debug/audit,      10.1.2.3,         403",
    "GET,    /debug/audit,      fe80::1,          403",
    "GET,    /debug/audit,      localhost,        403",
    "GET,    /debug/audit,      ,                 403",
    "GET,    /debug/nothing,    10.1.2.3,         403",
    "GET,    /debug/nothing,    127.0.0.1,        404",
    "GET,    /debug/audit/more, 127.0.0.1,        404",
    "POST,   /debug/audit,      127.0.0.1,        405",
  })
  void showsExactPathsAndDebugToThisMachineOnly(
      String method, String path, String peer, int status) {
    int chosen =
        switch (index.choose(method, path, peer)) {
          case PageIndex.Choice.Show _ -> 0;
          case PageIndex.Choice.Refuse(var answer) -> answer.status();
        };

    assertThat(chosen).isEqualTo(status);
  }

  @Test
  void hasOnePageOfAPath() {
    Page page = Page.health(() -> Health.GOOD);

    assertThatThrownBy(() -> new PageIndex(List.of(page, page)))
        .hasMessageContaining("two of /healthz");
  }
}
