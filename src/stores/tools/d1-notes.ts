/** Notes in D1. Every statement names the tenant and the user. */

import { lengthPrefixed, sha256Hex } from "../../lib/digest.ts";
import { bounded } from "../../lib/text/search-words.ts";
import { DAY_MS } from "../../lib/time.ts";
import type { Owner } from "../../session/principal.ts";
import {
  DELETED_KEPT_DAYS,
  type FoundNote,
  type FoundNotes,
  KEPT_VERSIONS,
  MAX_DELETED,
  MAX_NOTES,
  type MadeChange,
  type NextNote,
  type Note,
  type NotesPort,
  type NoteText,
} from "../../tools/builtin/notes-port.ts";
import { ownerWord, type SearchedIndex, searchIndex } from "./search-index.ts";

interface NoteRow {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly content: string;
  readonly tags: string;
  readonly made_by: string;
  readonly updated_at: number;
  readonly deleted_at: number | null;
}

const COLUMNS = "id, version, title, content, tags, made_by, updated_at, deleted_at";

const noteOf = (row: NoteRow | null | undefined): Note | undefined =>
  row
    ? {
        id: row.id,
        version: row.version,
        title: row.title,
        content: row.content,
        tags: JSON.parse(row.tags) as string[],
        madeBy: row.made_by,
        updatedAt: row.updated_at,
        deletedAt: row.deleted_at,
      }
    : undefined;

export function d1Notes(db: D1Database, now: () => number): NotesPort {
  const find = (owner: Owner, id: string) =>
    db
      .prepare(`SELECT ${COLUMNS} FROM notes WHERE tenant = ? AND user = ? AND id = ?`)
      .bind(owner.tenant, owner.user, id);

  const self: NotesPort = {
    async create(owner, text, by) {
      const id = noteId(by);
      const insert = db
        .prepare(CREATE)
        .bind(...columnsOf(owner, id, text, by, now()), owner.tenant, owner.user, MAX_NOTES);
      const [, read] = await db.batch<NoteRow>([insert, find(owner, id)]);
      return noteOf(read?.results[0]);
    },

    read: async (owner, id) => noteOf(await find(owner, id).first<NoteRow>()),

    async readVersion(owner, id, version) {
      const row = await db
        .prepare(`SELECT ${COLUMNS} FROM note_versions WHERE tenant = ? AND user = ? AND id = ? AND version = ?`)
        .bind(owner.tenant, owner.user, id, version)
        .first<NoteRow>();
      return noteOf(row);
    },

    async madeBy(owner, id, by): Promise<MadeChange | undefined> {
      const of = [owner.tenant, owner.user, id, by];
      const select = (table: string) =>
        `SELECT ${COLUMNS} FROM ${table} WHERE tenant = ? AND user = ? AND id = ? AND made_by = ?`;
      const row = await db
        .prepare(`${select("notes")} UNION ALL ${select("note_versions")} LIMIT 1`)
        .bind(...of, ...of)
        .first<NoteRow>();
      const after = noteOf(row);
      return after && { before: await self.readVersion(owner, id, after.version - 1), after };
    },

    async change(owner, note, next, by) {
      const at = now();
      const key = [owner.tenant, owner.user, note.id] as const;
      const [, updated] = await db.batch<NoteRow>([
        db.prepare(PRUNE).bind(...key, note.version),
        db.prepare(UPDATE).bind(...wordsOf(next), by, at, next.deleted ? at : null, ...key, note.version),
        db
          .prepare("DELETE FROM note_versions WHERE tenant = ? AND user = ? AND id = ? AND version <= ?")
          .bind(...key, note.version - KEPT_VERSIONS),
        ...(next.deleted
          ? [db.prepare(FORGET).bind(owner.tenant, owner.user, owner.tenant, owner.user, MAX_DELETED)]
          : []),
      ]);
      return noteOf(updated?.results[0]);
    },

    async count(owner) {
      const row = await db
        .prepare("SELECT live FROM note_counts WHERE tenant = ? AND user = ?")
        .bind(owner.tenant, owner.user)
        .first<{ live: number }>();
      return row?.live ?? 0;
    },

    search: (owner, query, limit) => searchNotes(db, owner, query, limit),
  };
  return self;
}

/** Short, since the model reads and writes it; the same decision makes the same one. */
const noteId = (by: string): string => `note_${sha256Hex(lengthPrefixed(by)).slice(0, 16)}`;

const wordsOf = ({ title, content, tags }: NextNote | NoteText) => {
  const list = JSON.stringify(tags);
  return [title, content, list, bounded(title) ?? null, bounded(content) ?? null, bounded(list) ?? null] as const;
};

const columnsOf = (owner: Owner, id: string, text: NoteText, by: string, at: number) => [
  owner.tenant,
  owner.user,
  id,
  ownerWord(owner.tenant, owner.user),
  ...wordsOf(text),
  by,
  at,
  at,
];

const CREATE = `
  INSERT INTO notes (version, tenant, user, id, owner, title, content, tags, bounded_title, bounded_content, bounded_tags,
    made_by, created_at, updated_at)
  SELECT 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
  WHERE coalesce((SELECT live FROM note_counts WHERE tenant = ? AND user = ?), 0) < ?
  ON CONFLICT (tenant, user, id) DO NOTHING`;

const PRUNE = `
  INSERT INTO note_versions (tenant, user, id, version, title, content, tags, made_by, updated_at, deleted_at)
  SELECT tenant, user, id, version, title, content, tags, made_by, updated_at, deleted_at FROM notes
  WHERE tenant = ? AND user = ? AND id = ? AND version = ?`;

const UPDATE = `
  UPDATE notes SET title = ?, content = ?, tags = ?, bounded_title = ?, bounded_content = ?, bounded_tags = ?, made_by = ?,
    updated_at = ?, deleted_at = ?, version = version + 1
  WHERE tenant = ? AND user = ? AND id = ? AND version = ? RETURNING ${COLUMNS}`;

/** The notes that were deleted first. */
const FORGET = `
  DELETE FROM notes WHERE tenant = ? AND user = ? AND row IN (
    SELECT row FROM notes WHERE tenant = ? AND user = ? AND deleted_at IS NOT NULL
    ORDER BY deleted_at DESC, row DESC LIMIT -1 OFFSET ?)`;

const notesIndex: SearchedIndex = {
  index: "notes_index",
  table: "notes",
  columns: COLUMNS,
  ranked: [
    { name: "title", place: 1, weight: 8 },
    { name: "tags", place: 3, weight: 4 },
    { name: "content", place: 2, weight: 2 },
  ],
};

async function searchNotes(db: D1Database, owner: Owner, query: string, limit: number): Promise<FoundNotes> {
  const { tenant, user } = owner;
  if (query.trim() === "") return latestNotes(db, owner, limit);
  const scope = {
    words: [ownerWord(tenant, user)],
    condition: "t.tenant = ? AND t.user = ? AND t.deleted_at IS NULL",
    values: [tenant, user],
  };
  const { rows, more, matched } = await searchIndex<NoteRow>(db, notesIndex, scope, query, limit);
  return { notes: rows.flatMap((row) => foundNote(row, row.snippet)), more, matched };
}

async function latestNotes(db: D1Database, { tenant, user }: Owner, limit: number): Promise<FoundNotes> {
  const { results } = await db
    .prepare(LATEST)
    .bind(tenant, user, limit + 1)
    .all<NoteRow>();
  const notes = results.slice(0, limit).flatMap((row) => foundNote(row, row.content.slice(0, 200)));
  return { notes, more: results.length > limit, matched: "latest" };
}

function foundNote(row: NoteRow, snippet: string): FoundNote[] {
  const note = noteOf(row);
  return note ? [{ note, snippet }] : [];
}

const LATEST = `
  SELECT ${COLUMNS} FROM notes WHERE tenant = ? AND user = ? AND deleted_at IS NULL
  ORDER BY updated_at DESC, row DESC LIMIT ?`;

/** Per run: the next run finds the rest. */
const MAX_EXPIRED = 5_000;
const BATCH = 500;

/** @returns how many. Rejects if D1 fails: the next run finds the same. */
export async function expireNotes(db: D1Database, now: number): Promise<number> {
  for (let swept = 0; ; ) {
    const { results } = await db
      .prepare(DELETE_OLD)
      .bind(now - DELETED_KEPT_DAYS * DAY_MS, BATCH)
      .all();
    swept += results.length;
    if (results.length < BATCH || swept >= MAX_EXPIRED) return swept;
  }
}

/** For every user: the only statement that names none. */
const DELETE_OLD = `
  DELETE FROM notes WHERE row IN (
    SELECT row FROM notes WHERE deleted_at IS NOT NULL AND deleted_at < ? ORDER BY deleted_at LIMIT ?)
  RETURNING row`;
