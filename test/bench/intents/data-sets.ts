/** CLINC150 and BANKING77 from `../shared/data` or `TOOLGATE_DATA`; in no part of what ships. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type Labelled = readonly (readonly [text: string, intent: string])[];

export interface DataSet {
  readonly name: string;
  readonly train: Readonly<Record<"5" | "10" | "all", Labelled>>;
  /** The texts that are measured. */
  readonly held: Labelled;
  /** Texts of no intent; none in BANKING77. */
  readonly outside: readonly string[];
}

interface Stored {
  readonly name: string;
  readonly train: Labelled;
  readonly train_5: Labelled;
  readonly train_10: Labelled;
  readonly val: Labelled;
  readonly oos?: { readonly train: readonly string[]; readonly val: readonly string[] };
}

export const folder = join(
  process.env.TOOLGATE_DATA ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url).href),
  "intent",
);

/** Undefined where the data is not there. */
export function readDataSets(): readonly DataSet[] | undefined {
  const paths = ["clinc150.json", "banking77.json"].map((file) => join(folder, file));
  if (!paths.every((path) => existsSync(path))) return undefined;
  return paths.map((path) => {
    const { name, train, train_5, train_10, val, oos } = JSON.parse(readFileSync(path, "utf8")) as Stored;
    const outside = oos ? [...oos.train, ...oos.val] : [];
    const held = new Set(val.map(([text]) => bare(text)));
    const unseen = (part: Labelled) => part.filter(([text]) => !held.has(bare(text)));
    return { name, train: { 5: unseen(train_5), 10: unseen(train_10), all: unseen(train) }, held: val, outside };
  });
}

/** BANKING77's training part holds its validation part in another spelling: those would be learnt by heart. */
const bare = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
