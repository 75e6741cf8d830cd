import { missingFile } from "../missing-file.ts";

/** What every `policy` command writes to. */
export interface Output {
  /** The result: standard output. */
  print(text: string): void;
  /** What is wrong: standard error. */
  fail(text: string): void;
  /** Tells how the command is called; answers the exit code 2. */
  usage(text: string): number;
}

export const terminal: Output = {
  print: (text) => console.log(text),
  fail: (text) => console.error(text),
  usage(text) {
    console.error(`usage: npm run policy -- ${text}`);
    return 2;
  },
};

/** Tells of each file that is not there; false where all are. */
export function tellsMissing(paths: readonly string[], out: Output): boolean {
  const missing = paths.flatMap((path) => missingFile(path) ?? []);
  for (const line of missing) out.fail(line);
  return missing.length > 0;
}
