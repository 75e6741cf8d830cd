/**
 * Search in a full-text index that many owners share. Not ranked by FTS5's `bm25`: it counts a word in all owners' texts. That takes
 * longer with more texts, and the order of one owner's results would show which words others use.
 */
import { lengthPrefixed, sha256Hex } from "../../lib/digest.ts";
import { searchExpressions, unboundedText } from "../../lib/text/search-words.ts";

/** The index. Columns are numbered from 0, the first being `owner`. */
export interface SearchedIndex {
  readonly index: string;
  /** With a column `row` that is the index's rowid. */
  readonly table: string;
  /** The table's columns that are read. */
  readonly columns: string;
  /** Names of the index's columns, the first the one that counts most, the last the one that the snippet is of. */
  readonly ranked: readonly { readonly name: string; readonly place: number; readonly weight: number }[];
}

interface SearchScope {
  /** Words of `owner`, one of which a row must have. */
  readonly words: readonly string[];
  /** A condition on the table, beside the index, so that results are the owner's in any case. */
  readonly condition: string;
  readonly values: readonly string[];
}

interface SearchPage<Row> {
  readonly rows: readonly (Row & { readonly snippet: string })[];
  readonly more: boolean;
  readonly matched: "all" | "some";
}

/** The newest matches: further ones are not ranked. */
const CANDIDATES = 200;

export async function searchIndex<Row>(
  db: D1Database,
  index: SearchedIndex,
  scope: SearchScope,
  query: string,
  limit: number,
): Promise<SearchPage<Row>> {
  const expressions = searchExpressions(query);
  if (!expressions) return { rows: [], more: false, matched: "all" };
  const within = (expression: string) =>
    `owner : (${scope.words.join(" OR ")}) AND {${index.ranked.map(({ name }) => name).join(" ")}} : (${expression})`;
  const read = async (sql: string, ...values: readonly unknown[]) => {
    const { results } = await db
      .prepare(sql)
      .bind(...values)
      .all<Row & { readonly snippet: string }>();
    const rows = results.slice(0, limit).map((row) => ({ ...row, snippet: unboundedText(row.snippet) }));
    return { rows, more: results.length > limit };
  };
  const all = await read(matchAll(index, scope), within(expressions.all), CANDIDATES, ...scope.values, limit + 1);
  if (all.rows.length > 0) return { ...all, matched: "all" };
  const { parts } = expressions;
  if (parts.length === 1 && parts[0] === expressions.all) return { ...all, matched: "all" };
  const any = within(parts.join(" OR "));
  const some = await read(matchSome(index, scope, parts.length), ...parts.map(within), any, ...scope.values, limit + 1);
  return { ...some, matched: some.rows.length > 0 ? "some" : "all" };
}

const selected = (columns: string) =>
  `${columns
    .split(", ")
    .map((name) => `t.${name}`)
    .join(", ")}, m.snippet`;

const snippetOf = ({ index, ranked }: SearchedIndex) =>
  `snippet(${index}, ${ranked.at(-1)?.place ?? 1}, '[', ']', '…', 24) AS snippet`;

/** How often a mark was put into a column's text. */
const marks = (index: string, place: number) =>
  `(length(highlight(${index}, ${place}, char(1), '')) - length(highlight(${index}, ${place}, '', '')))`;

/** A row with the words in columns that count more comes first; their number counts less and less. */
const matchAll = (searched: SearchedIndex, { condition }: SearchScope): string => {
  const { index, table, columns, ranked } = searched;
  return `
    WITH m AS MATERIALIZED (
      SELECT rowid AS row, ${snippetOf(searched)}, ${ranked.map(({ name, place }) => `${marks(index, place)} AS ${name}`).join(", ")}
      FROM ${index} WHERE ${index} MATCH ? ORDER BY rowid DESC LIMIT ?)
    SELECT ${selected(columns)} FROM m JOIN ${table} t ON t.row = m.row WHERE ${condition}
    ORDER BY ${ranked.map(({ name, weight }) => `${weight.toFixed(1)} * m.${name} / (m.${name} + 1)`).join(" + ")} DESC,
      t.row DESC LIMIT ?`;
};

/** A row with more of the parts comes first. */
const matchSome = (searched: SearchedIndex, { condition }: SearchScope, parts: number): string => {
  const { index, table, columns } = searched;
  const part = `SELECT * FROM (SELECT rowid AS row FROM ${index} WHERE ${index} MATCH ? ORDER BY rowid DESC LIMIT 500)`;
  return `
    WITH hits AS MATERIALIZED (
      SELECT row, COUNT(*) AS n FROM (${Array(parts).fill(part).join(" UNION ALL ")})
      GROUP BY row ORDER BY n DESC, row DESC LIMIT 60),
    m AS MATERIALIZED (
      SELECT rowid AS row, ${snippetOf(searched)} FROM ${index} WHERE ${index} MATCH ? AND rowid IN (SELECT row FROM hits))
    SELECT ${selected(columns)} FROM hits JOIN m ON m.row = hits.row JOIN ${table} t ON t.row = hits.row WHERE ${condition}
    ORDER BY hits.n DESC, hits.row DESC LIMIT ?`;
};

/** One word to the full-text index, unique to the owner; a letter first, so that no stemmer takes it for a number. */
export const ownerWord = (...names: readonly string[]): string =>
  `o${sha256Hex(lengthPrefixed(...names)).slice(0, 40)}x`;
