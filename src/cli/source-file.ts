/** The paths of the project's own files: TypeScript in the repository, JavaScript in the published package. */
import { existsSync } from "node:fs";
import { join } from "node:path";

export const projectRoot: string = join(import.meta.dirname, "../..");

/** Runs from the published package. */
export const isPublished: boolean = !existsSync(join(projectRoot, "src/index.ts"));

/** @param file in the repository, such as `src/index.ts`; a leading `./` is dropped. */
export function sourceFile(file: string): string {
  const plain = file.replace(/^\.\//, "");
  return isPublished ? plain.replace(/^src\//, "dist/").replace(/\.tsx?$/, ".js") : plain;
}
