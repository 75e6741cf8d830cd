/** What of a note a change changed, short. Pure. */
import type { NoteText } from "./note.ts";

export interface ChangedMember {
  readonly member: "title" | "content" | "tags";
  readonly before: string | readonly string[];
  readonly after: string | readonly string[];
}

/** Of a text that changed, in characters: from a little before the first difference to a little after the last. */
const MAX_TOLD = 1_000;
const AROUND = 40;

export function whatChanged(before: NoteText, after: NoteText): ChangedMember[] {
  const changed: ChangedMember[] = [];
  if (before.title !== after.title) changed.push({ member: "title", before: before.title, after: after.title });
  if (before.content !== after.content) changed.push({ member: "content", ...passages(before.content, after.content) });
  if (before.tags.join("\n") !== after.tags.join("\n"))
    changed.push({ member: "tags", before: before.tags, after: after.tags });
  return changed;
}

function passages(was: string, now: string): { readonly before: string; readonly after: string } {
  const shorter = Math.min(was.length, now.length);
  let start = 0;
  while (start < shorter && was[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && was.at(-1 - end) === now.at(-1 - end)) end += 1;
  const part = (text: string) =>
    told(text, Math.max(0, start - AROUND), Math.min(text.length, text.length - end + AROUND));
  return { before: part(was), after: part(now) };
}

function told(text: string, from: number, to: number): string {
  const cut = to - from > MAX_TOLD;
  const part = text.slice(from, cut ? from + MAX_TOLD : to);
  return `${from > 0 ? "…" : ""}${part}${cut || to < text.length ? "…" : ""}`.toWellFormed();
}
