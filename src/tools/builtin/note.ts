/** A note of a user, and what bounds it. */

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

/** Whose notes: each of them is unknown to everybody else. */
export interface NoteOwner {
  readonly tenant: string;
  readonly user: string;
}

export const MAX_NOTES = 10_000;
export const MAX_TITLE = 300;
/** Characters. */
export const MAX_CONTENT = 60_000;
export const MAX_TAGS = 20;
export const MAX_TAG = 60;
/** Of one note, to which an edit can go back. */
export const KEPT_VERSIONS = 20;
export const DELETED_KEPT_DAYS = 30;
/** Of one user: of more than these the ones deleted first are gone at once. */
export const MAX_DELETED = 1_000;
