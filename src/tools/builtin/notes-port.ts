/** The port to the store of notes. Every method concerns only one owner's notes; it rejects if the store fails. */

import * as z from "zod";
import { once } from "../../lib/once.ts";
import type { Owner } from "../../session/principal.ts";

export interface FoundNote {
  readonly note: Note;
  /** The passage with the words, these between `[` and `]`. */
  readonly snippet: string;
}

export interface FoundNotes {
  /** The best first. */
  readonly notes: readonly FoundNote[];
  /** Whether there are more than these. */
  readonly more: boolean;
  /** Whether each holds all words that were searched for; `latest` if none were. */
  readonly matched: "all" | "some" | "latest";
}

/** A change that a decision made before: it is not made again. */
export interface MadeChange {
  /** Undefined if it was the first version, or is not kept any more. */
  readonly before: Note | undefined;
  readonly after: Note;
}

export interface NotesPort {
  /** @returns undefined if the owner has as many notes as one may have. The same decision makes the same note. */
  create(owner: Owner, text: NoteText, by: string): Promise<Note | undefined>;
  /** Deleted ones too. */
  read(owner: Owner, id: string): Promise<Note | undefined>;
  readVersion(owner: Owner, id: string, version: number): Promise<Note | undefined>;
  madeBy(owner: Owner, id: string, by: string): Promise<MadeChange | undefined>;
  /** @returns undefined, and changes nothing, if `note` is not the newest version any more. */
  change(owner: Owner, note: Note, next: NextNote, by: string): Promise<Note | undefined>;
  /** How many there are that are not deleted. */
  count(owner: Owner): Promise<number>;
  /** @param limit at least 1. Deleted ones are not found. */
  search(owner: Owner, query: string, limit: number): Promise<FoundNotes>;
}

export interface NextNote extends NoteText {
  readonly deleted: boolean;
}

export interface NoteText {
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
}

export interface Note extends NoteText {
  readonly id: string;
  /** 1, and one more with each change, deletion and restoration. */
  readonly version: number;
  /** The decision that made this version. */
  readonly madeBy: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  readonly deletedAt: number | null;
}

export const MAX_NOTES = 10_000;
export const MAX_TITLE = 300;
/** Characters. */
export const MAX_CONTENT = 60_000;
export const MAX_TAGS = 20;
export const MAX_TAG = 60;
/** Versions of one note that an edit can go back to. */
export const KEPT_VERSIONS = 20;
export const DELETED_KEPT_DAYS = 30;
/** Deleted notes of one user: beyond these, the ones deleted first are removed at once. */
export const MAX_DELETED = 1_000;

/** SQLite ends a text at NUL, and stores no lone surrogate. */
const stored = (text: string): string => text.replaceAll("\0", "").toWellFormed();

const text = (max: number, name: string) =>
  z
    .string({ error: `${name} must be text` })
    .max(max, { error: `${name} is longer than ${max} characters` })
    .transform(stored);

export const noteSchema = once(() => ({
  note_id: z
    .string({ error: "`note_id` must be text" })
    .min(1, { error: "`note_id` is empty" })
    .max(128, { error: "`note_id` is longer than any" }),
  title: text(MAX_TITLE, "`title`")
    .transform((title) => title.replace(/\s+/gu, " ").trim())
    .refine((title) => title !== "", { error: "`title` is empty" }),
  content: text(MAX_CONTENT, "`content`"),
  tags: z
    .array(
      text(MAX_TAG, "a tag").transform((tag) => tag.trim()),
      { error: "`tags` must be a list of texts" },
    )
    .max(MAX_TAGS, { error: `\`tags\` has more than ${MAX_TAGS} members` })
    .transform((tags) => [...new Set(tags)].filter((tag) => tag !== "")),
}));
