// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.krypton.multicluster.status.StatusComparison.OwnedFields;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusComparisonTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static JsonNode json(String text) throws JsonProcessingException {
    return text.equals("-") ? MissingNode.getInstance() : JSON.readTree(text.replace('\'', '"'));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          equal                          | {'a':1}                       | {'a':1}               | -                   | true
          others added a field           | {'a':1,'b':2}                 | {'a':1}               | -                   | true
          another value                  | {'a':1}                       | {'a':2}               | -                   | false
          another type of number         | {'a':1}                       | {'a':1.0}             | -                   | true
          absent                         | {}                            | {'a':{'b':1}}         | -                   | false
          absent below                   | {'a':{}}                      | {'a':{'b':1}}         | -                   | false
          no status at all               | -                             | {'a':1}               | -                   | false
          item of a shared list          | {'l':[{'k':1,'v':2},{'k':3}]} | {'l':[{'k':3}]}       | -                   | true
          changed item of a shared list  | {'l':[{'k':1,'v':2}]}         | {'l':[{'k':1,'v':3}]} | -                   | false
          own list shrank                | {'l':[{'k':1},{'k':2}]}       | {'l':[{'k':1}]}       | {'f:l':{}}          | false
          list that is shared by keys    | {'l':[{'k':1},{'k':2}]}       | {'l':[{'k':1}]}       | {'f:l':{'k:{}':{}}} | true
          list of texts in another order | {'l':['a','b']}               | {'l':['b','a']}       | -                   | false
          set of texts                   | {'l':['a','b']}               | {'l':['b']}           | {'f:l':{'v:b':{}}}  | true
          """)
  void an_object_covers_what_it_says_at_least(
      String name, String live, String wanted, String owned, boolean expected) throws Exception {
    assertThat(StatusComparison.covers(json(live), json(wanted), json(owned))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          all of ours is wanted         | {'f:a':{},'f:b':{'.':{},'f:c':{}}}  | {'a':1,'b':{'c':2}} | false
          nothing is ours yet           | {}                                  | {'a':1}             | false
          a field is no longer wanted   | {'f:a':{},'f:z':{}}                 | {'a':1}             | true
          a deeper field is not wanted  | {'f:b':{'f:c':{}}}                  | {'b':{}}            | true
          an item is wanted             | {'f:l':{'k:{~type~:~A~}':{'.':{},'f:type':{}}}} | {'l':[{'type':'A'}]} | false
          an item is no longer wanted   | {'f:l':{'k:{~type~:~A~}':{'.':{}}}} | {'l':[{'type':'B'}]} | true
          a field of an item is not     | {'f:l':{'k:{~type~:~A~}':{'f:x':{}}}} | {'l':[{'type':'A'}]} | true
          a member of a set is not      | {'f:l':{'v:~a~':{}}}                | {'l':['b']}         | true
          """)
  void a_field_of_ours_that_is_not_wanted_has_to_go(
      String name, String owned, String wanted, boolean expected) throws Exception {
    var fields = json(owned.replace("~", "\\\""));
    assertThat(OwnedFields.exceed(fields, json(wanted))).isEqualTo(expected);
  }
}
