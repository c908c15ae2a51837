package dev.sluice.rules;

import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SameValueTest {
  @ParameterizedTest(name = "{0} and {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                | {}                                   | true
          {'a':null}                        | {}                                   | true
          {'a':[]}                          | {}                                   | true
          {'a':''}                          | {}                                   | true
          {'metadata':{}}                   | {}                                   | true
          {'metadata':{'labels':{}}}        | {'metadata':{}}                      | true
          {'emptyDir':{}}                   | {}                                   | false
          {'hostNetwork':false}             | {}                                   | true
          {'hostNetwork':true}              | {}                                   | false
          {'hostPort':0}                    | {}                                   | true
          {'hostPort':1}                    | {}                                   | false
          {'initialDelaySeconds':0}         | {}                                   | true
          {'partition':0}                   | {}                                   | true
          {'priority':0}                    | {}                                   | false
          {'volumeAttributes':{}}           | {}                                   | true
          {'allowPrivilegeEscalation':false}| {}                                   | false
          {'fileKeyRef':{'optional':false}} | {'fileKeyRef':{}}                    | true
          {'fileKeyRef':{'optional':true}}  | {'fileKeyRef':{}}                    | false
          {'secretRef':{'optional':false}}  | {'secretRef':{}}                     | false
          {'grace':0}                       | {}                                   | false
          {'requests':{'cpu':'1000m'}}      | {'requests':{'cpu':1}}               | true
          {'requests':{'cpu':'1'}}          | {'requests':{'cpu':'2'}}             | false
          {'labels':{'cpu':'1000m'}}        | {'labels':{'cpu':'1'}}               | false
          {'emptyDir':{'sizeLimit':'1Ki'}}  | {'emptyDir':{'sizeLimit':1024}}      | true
          {'labels':{'a':''}}               | {'labels':{}}                        | false
          {'labels':{'a':''}}               | {}                                   | false
          [1,2]                             | [2,1]                                | false
          [1]                               | [1,2]                                | false
          {'a':{'b':[{'c':1}]}}             | {'a':{'b':[{'c':2}]}}                | false
          """)
  void comparesByMeaning(String one, String other, boolean same) {
    assertThat(SameValue.of(json(one), json(other))).isEqualTo(same);
    assertThat(SameValue.of(json(other), json(one))).isEqualTo(same);
  }
}
