import type { Note } from "../../tools/builtin/note.ts";

export interface NoteRow {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly content: string;
  readonly tags: string;
  readonly made_by: string;
  readonly updated_at: number;
  readonly deleted_at: number | null;
}

export const COLUMNS = "id, version, title, content, tags, made_by, updated_at, deleted_at";

export const noteOf = (row: NoteRow | null | undefined): Note | undefined =>
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
