/** Bibliographies in D1. Every statement names the tenant and the owner of the sources. */
import { bounded } from "../../lib/text/search-words.ts";
import {
  type BibliographyPort,
  type BibliographyScope,
  type KeptSource,
  MAX_TENANT_SOURCES,
  MAX_USER_SOURCES,
  type Source,
} from "../../tools/builtin/bibliography.ts";
import { ownerWord, type SearchedIndex, searchIndex } from "./search-index.ts";

interface SourceRow {
  readonly id: string;
  readonly user: string;
  readonly csl: string;
  readonly updated_at: number;
}

const COLUMNS = "id, user, csl, updated_at";
/** Size of a statement's value; D1 takes 2 MB. */
const MAX_CHUNK = 400_000;

const keyOf = ({ tenant, user }: BibliographyScope) => [tenant, user ?? ""] as const;
const wordOf = ({ tenant, user }: BibliographyScope) => (user === null ? ownerWord(tenant) : ownerWord(tenant, user));

const sourceOf = (row: SourceRow): KeptSource => ({
  id: row.id,
  scope: row.user === "" ? "tenant" : "user",
  csl: row.csl,
  updatedAt: row.updated_at,
});

const sourcesIndex: SearchedIndex = {
  index: "sources_index",
  table: "sources",
  columns: COLUMNS,
  ranked: [
    { name: "title", place: 1, weight: 8 },
    { name: "authors", place: 2, weight: 8 },
    { name: "tags", place: 3, weight: 4 },
    { name: "year", place: 4, weight: 2 },
    { name: "container", place: 5, weight: 2 },
    { name: "abstract", place: 6, weight: 2 },
  ],
};

export function d1Bibliography(db: D1Database, now: () => number): BibliographyPort {
  return {
    async put(scope, sources) {
      const chunks = chunksOf(sources.map(rowOf));
      const count = db.prepare("SELECT COUNT(*) AS n FROM sources WHERE tenant = ? AND user = ?").bind(...keyOf(scope));
      const known = chunks.map((chunk) => db.prepare(KNOWN).bind(...keyOf(scope), chunk));
      const counts = (await db.batch<{ n: number }>([count, ...known])).map(({ results }) => results[0]?.n ?? 0);
      const [before = 0, ...there] = counts;
      const updated = there.reduce((sum, n) => sum + n, 0);
      const created = sources.length - updated;
      if (created > 0 && before + created > (scope.user === null ? MAX_TENANT_SOURCES : MAX_USER_SOURCES))
        return undefined;
      const at = now();
      if (chunks.length > 0)
        await db.batch(chunks.map((chunk) => db.prepare(PUT).bind(...keyOf(scope), wordOf(scope), at, chunk)));
      return { created, updated };
    },

    async list(scope, { limit, after = "" }) {
      const { results } = await db
        .prepare(`SELECT ${COLUMNS} FROM sources WHERE tenant = ? AND user = ? AND id > ? ORDER BY id LIMIT ?`)
        .bind(...keyOf(scope), after, limit)
        .all<SourceRow>();
      return results.map(sourceOf);
    },

    async read(scope, id) {
      const row = await db
        .prepare(`SELECT ${COLUMNS} FROM sources WHERE tenant = ? AND user = ? AND id = ?`)
        .bind(...keyOf(scope), id)
        .first<SourceRow>();
      return row ? sourceOf(row) : undefined;
    },

    async remove(scope, id) {
      const { results } = await db
        .prepare("DELETE FROM sources WHERE tenant = ? AND user = ? AND id = ? RETURNING id")
        .bind(...keyOf(scope), id)
        .all();
      return results.length > 0;
    },

    async search({ tenant, user }, query, limit) {
      const scope = {
        words: [ownerWord(tenant, user), ownerWord(tenant)],
        condition: "t.tenant = ? AND t.user IN (?, '')",
        values: [tenant, user],
      };
      const { rows, more, matched } = await searchIndex<SourceRow>(db, sourcesIndex, scope, query, limit);
      return { sources: rows.map((row) => ({ ...sourceOf(row), snippet: row.snippet })), more, matched };
    },
  };
}

function rowOf({ id, csl, searched }: Source): string {
  const columns = Object.entries(searched).map(([name, text]: [string, string]) => [name, bounded(text) ?? text]);
  return JSON.stringify({ ...Object.fromEntries(columns), id, csl });
}

/** JSON lists, so that a thousand sources are few statements: D1 counts these. */
function chunksOf(rows: readonly string[]): string[] {
  const chunks: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    if (size + row.length > MAX_CHUNK) {
      chunks.push([]);
      size = 0;
    }
    chunks.at(-1)?.push(row);
    size += row.length;
  }
  return chunks.map((chunk) => `[${chunk.join(",")}]`);
}

const KNOWN = `
  SELECT COUNT(*) AS n FROM sources WHERE tenant = ? AND user = ?
    AND id IN (SELECT json_extract(value, '$.id') FROM json_each(?))`;

const searched = ["title", "authors", "tags", "year", "container", "abstract"];

const PUT = `
  INSERT INTO sources (tenant, user, owner, updated_at, id, csl, ${searched.join(", ")})
  SELECT ?1, ?2, ?3, ?4, ${["id", "csl", ...searched].map((name) => `json_extract(value, '$.${name}')`).join(", ")}
  FROM json_each(?5) WHERE true
  ON CONFLICT (tenant, user, id) DO UPDATE SET csl = excluded.csl, updated_at = excluded.updated_at,
    ${searched.map((name) => `${name} = excluded.${name}`).join(", ")}`;
