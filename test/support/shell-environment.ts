import { join } from "node:path";
import { root } from "../../src/cli/settings.ts";

/**
 * What a person's shell gives to a program of ours: nothing of the environment of the test. Modules that one start has compiled
 * serve the next: without that most of a short program's time goes in reading TypeScript.
 */
export function shellEnvironment(): Record<"PATH" | "HOME" | "NODE_COMPILE_CACHE", string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE: join(root, "node_modules/.cache/toolgate/compiled") };
}
