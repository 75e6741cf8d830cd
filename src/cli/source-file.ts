/** Where the project's own files lie: as TypeScript in the repository, as JavaScript in what npm publishes. */
import { existsSync } from "node:fs";
import { join } from "node:path";

export const projectRoot: string = join(import.meta.dirname, "../..");

/** Runs from what npm publishes. */
export const isPublished: boolean = !existsSync(join(projectRoot, "src/index.ts"));

/** @param file in the repository, such as `src/index.ts`; a leading `./` is dropped. */
export function sourceFile(file: string): string {
  const plain = file.replace(/^\.\//, "");
  return isPublished ? plain.replace(/^src\//, "dist/").replace(/\.tsx?$/, ".js") : plain;
}
