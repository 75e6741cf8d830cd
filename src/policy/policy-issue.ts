/** One thing that is wrong with a policy document, or that its writer should know. */
export interface PolicyIssue {
  /** JSON pointer into the document, "" for the whole. */
  readonly path: string;
  /** What is wrong and what to do about it. */
  readonly message: string;
}

export type IssuePath = readonly (string | number)[];

/** Takes one issue; who checks a part of a document is handed it. */
export type Report = (path: IssuePath, message: string) => void;

/** A JSON pointer (RFC 6901). */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
