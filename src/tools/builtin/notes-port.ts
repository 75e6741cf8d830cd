/** The port to where notes are kept. Every method concerns one owner's notes alone; it rejects where the store fails. */
import type { Note, NoteOwner, NoteText } from "./note.ts";

export interface FoundNote {
  readonly note: Note;
  /** Where the words are, the words between `[` and `]`. */
  readonly snippet: string;
}

export interface FoundNotes {
  /** The best first. */
  readonly notes: readonly FoundNote[];
  /** Whether there are more than these. */
  readonly more: boolean;
  /** Whether each holds all words that were searched for; `latest` where none were. */
  readonly matched: "all" | "some" | "latest";
}

/** A change that a decision made before: it is not made again. */
export interface MadeChange {
  /** Undefined where it was the first version, or is not kept any more. */
  readonly before: Note | undefined;
  readonly after: Note;
}

export interface NotesPort {
  /** @returns undefined where the owner has as many notes as one may have. The same decision makes the same note. */
  create(owner: NoteOwner, text: NoteText, by: string): Promise<Note | undefined>;
  /** Deleted ones too. */
  read(owner: NoteOwner, id: string): Promise<Note | undefined>;
  readVersion(owner: NoteOwner, id: string, version: number): Promise<Note | undefined>;
  madeBy(owner: NoteOwner, id: string, by: string): Promise<MadeChange | undefined>;
  /** @returns undefined, and nothing is changed, where `note` is not the newest version any more. */
  change(owner: NoteOwner, note: Note, next: NextNote, by: string): Promise<Note | undefined>;
  /** How many there are that are not deleted. */
  count(owner: NoteOwner): Promise<number>;
  /** @param limit at least 1. Deleted ones are not found. */
  search(owner: NoteOwner, query: string, limit: number): Promise<FoundNotes>;
}

export interface NextNote extends NoteText {
  readonly deleted: boolean;
}
