/** The pages that the Worker serves, built before it starts. */
import { buildConsole } from "../../../src/cli/build/console.ts";

export async function setup(): Promise<void> {
  await buildConsole();
}
