/** The roots of paths in an expression: `event` is the run's event, `async` the awaited one. */
export type Scope = Record<string, unknown>;

/** A compiled expression. Missing fields are null, as in Inngest. */
export type Expression = (scope: Scope) => unknown;

const TOKEN =
  /\s*(?:(&&|\|\||==|!=|[+()])|'([^'\\]*)'|"([^"\\]*)"|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*(?:\.\w+)*))/y;

interface Token {
  operator?: string;
  text?: string;
  number?: string;
  path?: string;
}

/**
 * Compiles the part of Inngest's expression language (CEL) that the engine supports: paths such as
 * `event.data.id`, literals, `+` on strings, `==`, `!=`, `&&`, `||` and parentheses.
 *
 * @throws Error with the position of anything else: unsupported syntax is rejected, never treated
 * as true.
 */
export function compileExpression(source: string, roots: string[] = ["event"]): Expression {
  const tokens = tokenize(source);
  let at = 0;

  const refuse = (): never => {
    throw new Error(`the expression \`${source}\` is not supported by the embedded engine`);
  };
  const binary = (operators: string[], operand: () => Expression, apply: Apply): Expression => {
    let left = operand();
    for (;;) {
      const operator = tokens[at]?.operator;
      if (!operator || !operators.includes(operator)) return left;
      at += 1;
      const [a, b] = [left, operand()];
      left = (scope) => apply(operator, a(scope), () => b(scope));
    }
  };
  const atom = (): Expression => {
    const token = tokens[at++];
    if (token?.text !== undefined) return () => token.text;
    if (token?.number !== undefined) return () => Number(token.number);
    if (token?.path !== undefined) return path(token.path, roots) ?? refuse();
    if (token?.operator !== "(") return refuse();
    const inner = or();
    return tokens[at++]?.operator === ")" ? inner : refuse();
  };
  const sum = () => binary(["+"], atom, (_, a, b) => `${String(a)}${String(b())}`);
  const equality = () =>
    binary(["==", "!="], sum, (operator, a, b) => same(a, b()) === (operator === "=="));
  const and = () => binary(["&&"], equality, (_, a, b) => a === true && b() === true);
  const or = (): Expression => binary(["||"], and, (_, a, b) => a === true || b() === true);

  const expression = or();
  return at === tokens.length ? expression : refuse();
}

type Apply = (operator: string, left: unknown, right: () => unknown) => unknown;

const WORDS: Record<string, unknown> = { true: true, false: false, null: null };

function path(name: string, roots: string[]): Expression | null {
  if (name in WORDS) return () => WORDS[name];
  const [root = "", ...keys] = name.split(".");
  if (!roots.includes(root) || keys.length === 0) return null;
  return (scope) => {
    let value: unknown = scope[root];
    for (const key of keys) {
      const known = typeof value === "object" && value !== null && Object.hasOwn(value, key);
      value = known ? (value as Record<string, unknown>)[key] : null;
    }
    return value ?? null;
  };
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (source.slice(TOKEN.lastIndex).trim() !== "") {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(source);
    if (!match) {
      throw new Error(
        `the expression \`${source}\` is not supported by the embedded engine, from \`${source.slice(from).trim()}\``,
      );
    }
    const [, operator, single, double, number, name] = match;
    tokens.push({ operator, text: single ?? double, number, path: name });
  }
  return tokens;
}
