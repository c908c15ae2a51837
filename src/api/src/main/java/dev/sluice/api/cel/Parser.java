package dev.sluice.api.cel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes an expression of its words. For one thread, and one expression. */
final class Parser {
  /** The deepest nesting. It bounds the stack of an evaluation. */
  private static final int MAX_DEPTH = 64;

  private static final int HEX = 16;
  private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=", "in");
  private static final Set<String> SUMS = Set.of("+", "-");
  private static final Set<String> PRODUCTS = Set.of("*", "/", "%");
  private static final String OPTIONAL = "optional";

  private final List<Token> tokens;
  private final Set<String> variables;
  private final Deque<String> ofMacros = new ArrayDeque<>();
  private int next;
  private int depth;

  Parser(List<Token> tokens, Set<String> variables) {
    this.tokens = tokens;
    this.variables = variables;
  }

  /** The whole text. */
  Node expression() {
    Node node = choice();
    if (token().kind() != Token.Kind.END) {
      throw token().unexpected("an operator or the end");
    }
    return node;
  }

  private Token token() {
    return tokens.get(next);
  }

  private boolean takes(String sign) {
    if (token().is(sign)) {
      next++;
      return true;
    }
    return false;
  }

  private void expect(String sign) {
    if (!takes(sign)) {
      throw token().unexpected(sign);
    }
  }

  private void deeper() {
    if (++depth > MAX_DEPTH) {
      throw new CelException("nests deeper than " + MAX_DEPTH);
    }
  }

  private Node choice() {
    deeper();
    Node condition = either();
    Node node = condition;
    if (takes("?")) {
      Node yes = either();
      expect(":");
      Node no = choice();
      node = scope -> Operators.choose(condition, yes, no, scope);
    }
    depth--;
    return node;
  }

  private Node either() {
    List<Node> all = new ArrayList<>();
    do {
      all.add(both());
    } while (takes("||"));
    return all.size() == 1 ? all.getFirst() : scope -> Operators.logical(all, true, scope);
  }

  private Node both() {
    List<Node> all = new ArrayList<>();
    do {
      all.add(comparison());
    } while (takes("&&"));
    return all.size() == 1 ? all.getFirst() : scope -> Operators.logical(all, false, scope);
  }

  private Node comparison() {
    return chain(COMPARISONS, this::sum);
  }

  private Node sum() {
    return chain(SUMS, this::product);
  }

  private Node product() {
    return chain(PRODUCTS, this::unary);
  }

  /** Operators of the same precedence, of which the first is evaluated first. */
  private Node chain(Set<String> signs, Supplier<Node> operand) {
    int before = depth;
    Node left = operand.get();
    while (isOperator(token()) && signs.contains(token().text())) {
      deeper();
      String sign = tokens.get(next++).text();
      left = binary(sign, left, operand.get());
    }
    depth = before;
    return left;
  }

  private static boolean isOperator(Token token) {
    return token.kind() == Token.Kind.SIGN
        || (token.kind() == Token.Kind.NAME && token.text().equals("in"));
  }

  private static Node binary(String sign, Node left, Node right) {
    return scope -> {
      scope.budget().take(1);
      return Operators.binary(sign, left.evaluate(scope), right.evaluate(scope), scope.budget());
    };
  }

  /** Two of the same sign in a row mean nothing, whatever the operand is. */
  private Node unary() {
    Token first = token();
    if (!first.is("!") && !first.is("-")) {
      return member(primary());
    }
    int signs = 0;
    while (token().is(first.text()) && !(first.is("-") && isNumber(tokens.get(next + 1)))) {
      next++;
      signs++;
    }
    boolean isNegative = first.is("-") && takes("-");
    Node operand = member(isNegative ? number("-") : primary());
    return signs % 2 == 0
        ? operand
        : scope -> Operators.unary(first.text(), operand.evaluate(scope));
  }

  private static boolean isNumber(Token token) {
    return token.kind() == Token.Kind.INTEGER || token.kind() == Token.Kind.NUMBER;
  }

  private Node member(Node start) {
    Node node = start;
    int steps = 0;
    while (true) {
      Node of = node;
      if (takes(".")) {
        Token name = name();
        node = takes("(") ? method(of, name) : new Field(of, name.text());
      } else if (takes(".?")) {
        String name = name().text();
        node = scope -> Members.optionalItem(of.evaluate(scope), name);
      } else if (takes("[?")) {
        Node index = choice();
        expect("]");
        node = scope -> Members.optionalItem(of.evaluate(scope), index.evaluate(scope));
      } else if (takes("[")) {
        Node index = choice();
        expect("]");
        node = scope -> Members.item(of.evaluate(scope), index.evaluate(scope));
      } else {
        return node;
      }
      if (++steps > MAX_DEPTH) {
        throw new CelException("has more than %d members in a row".formatted(MAX_DEPTH));
      }
    }
  }

  private Token name() {
    Token token = token();
    if (token.kind() != Token.Kind.NAME) {
      throw token.unexpected("a name");
    }
    next++;
    return token;
  }

  private Node primary() {
    Token token = token();
    return switch (token.kind()) {
      case TEXT -> {
        next++;
        yield constant(token.text());
      }
      case INTEGER, NUMBER -> number("");
      case NAME -> named();
      case SIGN -> bracketed(token);
      case END -> throw token.unexpected("a value");
    };
  }

  private static Node constant(Object value) {
    return _ -> value;
  }

  private Node bracketed(Token token) {
    if (takes("(")) {
      Node inner = choice();
      expect(")");
      return inner;
    }
    if (takes("[")) {
      List<Node> items = items();
      return scope -> Operators.list(items, scope);
    }
    if (takes("{")) {
      return map();
    }
    throw token.unexpected("a value");
  }

  /** After the last item there may be a comma, and the grammar allows one instead of all. */
  private List<Node> items() {
    List<Node> items = new ArrayList<>();
    if (takes(",")) {
      expect("]");
      return items;
    }
    while (!takes("]")) {
      items.add(choice());
      separated("]");
    }
    return items;
  }

  private void separated(String end) {
    if (!token().is(end) && !takes(",")) {
      throw token().unexpected(", or " + end);
    }
  }

  private List<Node> operands() {
    List<Node> operands = new ArrayList<>();
    if (takes(")")) {
      return operands;
    }
    do {
      operands.add(choice());
    } while (takes(","));
    expect(")");
    return operands;
  }

  private Node map() {
    Map<Node, Node> entries = new LinkedHashMap<>();
    if (takes(",")) {
      expect("}");
    } else {
      while (!takes("}")) {
        Node key = choice();
        expect(":");
        entries.put(key, choice());
        separated("}");
      }
    }
    return scope -> Operators.map(entries, scope);
  }

  private Node number(String sign) {
    Token token = tokens.get(next++);
    String text = sign + token.text();
    try {
      if (token.kind() == Token.Kind.NUMBER) {
        return constant(Double.valueOf(text));
      }
      return token.text().startsWith("0x")
          ? constant(Long.valueOf(sign + token.text().substring(2), HEX))
          : constant(Long.valueOf(text));
    } catch (NumberFormatException _) {
      throw token.unexpected("a whole number of 64 bits");
    }
  }

  private Node named() {
    Token token = name();
    return switch (token.text()) {
      case "true" -> constant(true);
      case "false" -> constant(false);
      case "null" -> constant(CelNull.NULL);
      default -> {
        if (ReservedWords.include(token.text())) {
          throw token.unexpected("a value; this word is reserved");
        }
        yield takes("(") ? function(token) : variable(token);
      }
    };
  }

  private Node variable(Token token) {
    String name = token.text();
    if (token().is(".") && isQualified(name)) {
      next++;
      Token function = name();
      expect("(");
      return qualified(name, function);
    }
    if (!variables.contains(name) && !ofMacros.contains(name)) {
      throw token.unexpected(
          "a variable: " + String.join(", ", variables.stream().sorted().toList()));
    }
    return scope -> scope.find(name);
  }

  /** Whether a name with a dot is that of functions, and no variable hides it. */
  private boolean isQualified(String name) {
    return !ofMacros.contains(name)
        && (name.equals("cel") || name.equals("sets") || name.equals(OPTIONAL));
  }

  private Node qualified(String space, Token function) {
    if (space.equals("cel") && function.text().equals("bind")) {
      return bind();
    }
    return call(space + "." + function.text(), function, operands());
  }

  private Node function(Token token) {
    if (token.text().equals("has")) {
      return has();
    }
    return call(token.text(), token, operands());
  }

  private Node method(Node target, Token name) {
    Optional<Macro> macro = Macro.named(name.text());
    if (macro.isPresent() && isMacro()) {
      return macro(target, macro.get());
    }
    List<Node> operands = new ArrayList<>();
    operands.add(target);
    operands.addAll(operands());
    return call("." + name.text(), name, operands);
  }

  private static Node call(String name, Token at, List<Node> operands) {
    Function function = Functions.find(name, operands.size());
    if (function == null) {
      throw at.unexpected("a function of CEL with that many operands");
    }
    return scope -> {
      scope.budget().take(1);
      List<Object> values = new ArrayList<>(operands.size());
      for (Node operand : operands) {
        values.add(operand.evaluate(scope));
      }
      return function.apply(values, scope.budget());
    };
  }

  private Node has() {
    Token start = token();
    Node asked = choice();
    expect(")");
    if (asked instanceof Field(var of, var name)) {
      return scope -> Members.has(of.evaluate(scope), name);
    }
    throw start.unexpected("a member such as a.b");
  }

  private Node bind() {
    String variable = name().text();
    expect(",");
    Node value = choice();
    expect(",");
    Node result = within(variable);
    expect(")");
    return scope -> result.evaluate(scope.with(variable, value.evaluate(scope)));
  }

  private Node within(String variable) {
    ofMacros.push(variable);
    Node node = choice();
    ofMacros.pop();
    return node;
  }

  private boolean isMacro() {
    return token().kind() == Token.Kind.NAME && tokens.get(next + 1).is(",");
  }

  private Node macro(Node target, Macro macro) {
    String variable = name().text();
    expect(",");
    Node first = within(variable);
    Node second = null;
    if (macro == Macro.MAP && takes(",")) {
      second = within(variable);
    }
    expect(")");
    @Nullable Node mapped = second;
    return scope -> macro.evaluate(target, variable, first, mapped, scope);
  }
}
