import { expect, test } from "vitest";
import { type ParsedLanguage, parseCode } from "./parse-code";

const VALID: [ParsedLanguage, string][] = [
  [
    "javascript",
    "export default function A() {\n  return <><p onClick={() => f(1)}>{a}</p></>;\n}",
  ],
  ["javascript", "get name() { return this.first; }\nset name(value) { this.first = value; }"],
  ["javascript", '{\n  "a": 1,\n  b() { return 1 }\n}'],
  ["javascript", "function f(a: number): string { return '' + a }"],
  ["typescript", "const f = <T,>(x: T) => x satisfies T;\nenum A { B = 1 }"],
  ["typescript", "@Component({ selector: 'x' })\nexport class X { @Input() name!: string; }"],
  ["typescript", "const A = () => <div>{a as string}</div>;\nlet y = obj!.a?.b!;"],
  ["shell", 'while read -r x; do\n  echo "$((10#$x + 1))" | sort -z -k1,1nr\ndone < <(ls)'],
  ["shell", "cat <<'EOF' > x\nif only it's\nEOF\nif [[ $a =~ ^[0-9]+$ ]]; then echo b; fi"],
  ["go", 'if err != nil {\n\treturn fmt.Errorf("x: %w", err)\n}\nm := map[string]int{"a": 1}'],
  [
    "rust",
    "fn f<'a>(x: &'a str) -> Option<u8> { let Some(y) = g(x) else { return None }; Some(y?) }",
  ],
  ["sql", "SELECT `a` FROM t WHERE b >= DATE_SUB(CURDATE(), INTERVAL 30 DAY) LIMIT 5, 10;"],
  ["sql", "SELECT TOP 10 [Name] FROM [dbo].[Users] WHERE ISNULL(x, 0) = 1"],
  [
    "sql",
    "CREATE TABLE o (id INTEGER PRIMARY KEY AUTOINCREMENT);\nINSERT INTO o VALUES (1) ON CONFLICT (id) DO NOTHING;",
  ],
  [
    "sql",
    "SELECT count(*) FILTER (WHERE x > 1), percentile_cont(0.5) WITHIN GROUP (ORDER BY y) FROM t",
  ],
  ["sql", "SELECT MAX(a) KEEP (DENSE_RANK FIRST ORDER BY b) FROM t WHERE x(+) = y"],
  [
    "sql",
    "SELECT * FROM t USE INDEX (i) WHERE c <=> 1;\nDELETE FROM t OUTPUT deleted.* WHERE a = 1",
  ],
  ["sql", "CREATE TABLE p (id INT) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10))"],
  ["yaml", "a: {b: [1, 2]}\n---\nrun: |\n  npm ci\nenv: $A\nx: !Sub 'b'"],
  [
    "dockerfile",
    'FROM node:20 AS build\nRUN a && \\\n  # comment\n  b\nRUN <<EOF\nls\nEOF\nCMD ["x"]',
  ],
  ["json", '{"a": 1}\n{"a": 2}'],
];
const BROKEN: [ParsedLanguage, string, line: number][] = [
  ["javascript", "const x = 1;\nfunction f(a {\n  return a;\n}", 2],
  ["javascript", "let a = 1;\nlet a = 2;", 2],
  ["typescript", "const f = (x: number): string => {\n  return x +;\n}", 2],
  ["shell", "if [ -f x ]; then\n  echo a\n", 2],
  ["shell", 'echo "abc\nls -l', 1],
  ["go", 'package main\nfunc main() {\n\tfmt.Println("a"\n}', 3],
  ["rust", "fn f(x: i32 -> i32 {\n x\n}", 1],
  ["sql", "SELECT a FROM t;\nSELECT count(* FROM t\nWHERE x = 1", 2],
  ["sql", "SELECT a FROM t GROUP BY a WHERE b = 1", 1],
  ["sql", "SELECT CASE WHEN a THEN b FROM t", 1],
  ["sql", "UPDATE t SET WHERE a = 1", 1],
  ["yaml", "a:\n  - b\n c: d", 2],
  ["dockerfile", "FROM node:20\nINSTALL curl", 2],
  ["json", '{"a": 1,, "b": 2}', 1],
];

test.each(VALID)("%s is valid: %s", async (language, code) => {
  expect(await parseCode(language, code)).toBeNull();
});

test.each(BROKEN)("%s is broken: %s", async (language, code, line) => {
  const fault = await parseCode(language, code);
  expect(fault?.message).toBeTruthy();
  expect(Math.abs((fault?.line ?? 0) - line)).toBeLessThan(2);
});
