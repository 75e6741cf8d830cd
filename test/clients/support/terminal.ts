/** `toolgate` as a person or a script runs it: a process of its own. */
import { spawn } from "node:child_process";
import { text as textOf } from "node:stream/consumers";
import { root } from "../../../src/cli/settings.ts";
import { shellEnvironment } from "../../support/shell-environment.ts";

export const program = ["src/cli/toolgate.ts"] as const;

export interface Ended {
  readonly code: number | null;
  /** Standard output. */
  readonly out: string;
  /** Standard error. */
  readonly aside: string;
}

interface RunSettings {
  readonly env?: Readonly<Record<string, string>>;
  /** Lines of standard input. */
  readonly lines?: readonly string[];
}

export async function runToolgate(args: readonly string[], { env = {}, lines = [] }: RunSettings = {}): Promise<Ended> {
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: root,
    env: { ...shellEnvironment(), LANG: "C.UTF-8", ...env },
  });
  const [out, aside] = [textOf(child.stdout), textOf(child.stderr)];
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  child.stdin.end(lines.map((line) => `${line}\n`).join(""));
  return { code: await code, out: await out, aside: await aside };
}
