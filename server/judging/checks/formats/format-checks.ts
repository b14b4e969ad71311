import type { AnyCheck } from "@/server/judging/checks/check";
import { CSV_FORMAT } from "./csv-checks";
import { JSON_FORMAT, JSON_ITEMS, JSON_KEYS } from "./json-checks";
import { JSON_SCHEMA } from "./json-schema-check";
import { LABELS, NO_LISTS, TAGS } from "./layout-checks";
import { CODE_BLOCK, CODE_ONLY, MARKDOWN, PLAIN_TEXT } from "./markdown-checks";
import { HTML_FORMAT, JSON_LINES_FORMAT, XML_FORMAT, YAML_FORMAT } from "./markup-checks";
import { NUMBER_FORMAT } from "./number-format-check";
import { NAMED_SECTIONS, TITLE } from "./section-checks";
import { SORTED_LIST } from "./sorted-check";
import { COLUMNS, TABLE, TABLE_COLUMNS, TABLE_ROWS } from "./table-checks";
import { DATE_FORMAT, DECIMALS } from "./value-checks";

export const FORMAT_CHECKS: AnyCheck[] = [
  JSON_FORMAT,
  JSON_KEYS,
  JSON_ITEMS,
  JSON_SCHEMA,
  JSON_LINES_FORMAT,
  CSV_FORMAT,
  YAML_FORMAT,
  XML_FORMAT,
  HTML_FORMAT,
  MARKDOWN,
  PLAIN_TEXT,
  TABLE,
  COLUMNS,
  TABLE_ROWS,
  TABLE_COLUMNS,
  CODE_BLOCK,
  CODE_ONLY,
  NAMED_SECTIONS,
  LABELS,
  TAGS,
  NO_LISTS,
  SORTED_LIST,
  TITLE,
  DATE_FORMAT,
  DECIMALS,
  NUMBER_FORMAT,
];
