/**
 * The parts of a document that cannot be judged, and which findings about other parts may only follow from them. Pure.
 * An author sees all mistakes at once, and each of them once.
 */
import type { ReadPath } from "./policy-issue.ts";

export type PartPath = readonly PropertyKey[];

export class MalformedParts {
  /** Taken out of the document, or replaced: nothing about them or inside them is judged. */
  readonly #unread: PartPath[] = [];
  /** In the document, but perhaps not what the author means: a key that stands twice, or the place of a misspelt one. */
  readonly #doubtful: PartPath[] = [];

  addUnread(path: PartPath): void {
    this.#unread.push(path);
  }

  addDoubtful(path: PartPath): void {
    this.#doubtful.push(path);
  }

  /** @param reads the parts that a finding at `path` rests on besides that place itself. */
  mayCause(path: ReadPath, reads: readonly ReadPath[]): boolean {
    if (this.#unread.some((part) => part.length <= path.length && overlap(part, path))) return true;
    const parts = [...this.#unread, ...this.#doubtful];
    return parts.some((part) => reads.some((read) => overlap(part, read)));
  }
}

/** Whether one is the other, or holds it. */
function overlap(part: PartPath, read: ReadPath): boolean {
  const common = Math.min(part.length, read.length);
  for (let at = 0; at < common; at++) {
    const [name, step] = [String(part[at]), read[at]];
    if (typeof step === "function" ? !step(name) : name !== String(step)) return false;
  }
  return true;
}
