/** Search in a user's notes. */
import type { NoteOwner } from "../../tools/builtin/note.ts";
import type { FoundNote, FoundNotes } from "../../tools/builtin/notes-port.ts";
import { COLUMNS, type NoteRow, noteOf } from "./note-row.ts";
import { ownerWord } from "./owner-word.ts";
import { type SearchedIndex, searchIndex } from "./search-index.ts";

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

export async function searchNotes(db: D1Database, owner: NoteOwner, query: string, limit: number): Promise<FoundNotes> {
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

async function latestNotes(db: D1Database, { tenant, user }: NoteOwner, limit: number): Promise<FoundNotes> {
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
