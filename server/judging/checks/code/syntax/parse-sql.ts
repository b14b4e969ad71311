import { type DialectName, init, SUPPORTED_DIALECTS, validate } from "@guanmingchiu/sqlparser-ts";
import { hasSqlDetails, loadModule, parseSync } from "libpg-query";
import type { SyntaxFault } from "@/server/judging/checks/code/code-run";

/** Matches what depends on a client or a procedural language, which the parsers lack. */
const PROCEDURAL =
  /\b(?:delimiter|declare|procedure|function|trigger|begin|loop|pivot|unpivot|merge|qualify|connect\s+by|match_recognize|go)\b|^\s*[.\\]\w|[@:#$]\w|\$\{|\{\{|\?/im;

/** Matches what belongs to one product and is missing from the parsers of its dialect. */
const PROPRIETARY =
  /^\s*(?:pragma|load|grant|revoke|create\s+(?:user|role|sequence|fulltext|spatial|event|login|server)|alter|set|show|explain|kill|flush|handler)\b|\b(?:glob|div|xor|natural|(?:non)?clustered|fulltext|option\s*\(|keep\s*\(|partition\s+by\s+(?:range|list|hash|key)|engine|outfile|as\s+of|for\s+system_time|model|tablespace|storage|lateral\s+view|soundex)\b|&&|<=>/i;

/**
 * Returns the first syntax error of a statement that both PostgreSQL's own parser and those of every
 * other dialect reject. Procedural code and placeholders count as valid.
 */
export async function parseSql(code: string): Promise<SyntaxFault | null> {
  if (PROCEDURAL.test(code.replace(/'[^']*'/g, "''"))) return null;
  await Promise.all([loadModule(), init()]);
  let line = 1;
  for (const statement of code.split(/(?<=;)[ \t]*\n/)) {
    const fault = statement.trim() === "" ? null : parseStatement(statement);
    if (fault) return { ...fault, line: line + fault.line - 1 };
    line += statement.split("\n").length;
  }
  return null;
}

function parseStatement(statement: string): SyntaxFault | null {
  try {
    parseSync(statement);
    return null;
  } catch (error) {
    if (PROPRIETARY.test(statement) || SUPPORTED_DIALECTS.some(isValid(statement))) return null;
    const position = hasSqlDetails(error) ? (error.sqlDetails?.cursorPosition ?? 0) : 0;
    return {
      line: statement.slice(0, position).split("\n").length,
      message: (error instanceof Error ? error.message : "syntax error").slice(0, 200),
    };
  }
}

const isValid = (statement: string) => (dialect: DialectName) => {
  try {
    validate(statement, dialect);
    return true;
  } catch (error) {
    // Anything else exceeds a limit of the parser.
    return !(
      error instanceof Error && /^sql parser error: (?:Expected|Unterminated)/.test(error.message)
    );
  }
};
