/** One thing that is wrong with a policy document, or that its writer should know. */
export interface PolicyIssue {
  /** JSON pointer into the document, "" for the whole. */
  readonly path: string;
  /** What is wrong and what to do about it. */
  readonly message: string;
}

export type IssuePath = readonly (string | number)[];

/** A step may be a test of member names. Names are the author's, so no string can stand for "any". */
export type ReadPath = readonly (string | number | ((name: string) => boolean))[];
export const ANY = (): boolean => true;

/**
 * Takes one issue; who checks a part of a document is handed it.
 * @param reads other parts that the judgement rests on. Where one of them is malformed, the issue may only follow from that,
 * and is left out.
 */
export type Report = (path: IssuePath, message: string, reads?: readonly ReadPath[]) => void;

/** Sorted by place, and none twice. Of one place the order stays as it was found. */
export function sortIssues<T extends PolicyIssue>(issues: readonly T[]): T[] {
  const unique = new Map(issues.map((issue) => [JSON.stringify([issue.path, issue.message]), issue]));
  const placed = [...unique.values()].map((issue) => ({ issue, at: issue.path.split("/") }));
  return placed.sort((one, other) => comparePlaces(one.at, other.at)).map(({ issue }) => issue);
}

function comparePlaces(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((key, index) => key !== other[index]);
  if (at < 0) return one.length - other.length;
  const [left = "", right] = [one[at], other[at]];
  if (right === undefined) return 1;
  const numbers = /^\d+$/.test(left) && /^\d+$/.test(right);
  return numbers ? Number(left) - Number(right) : left < right ? -1 : 1;
}
