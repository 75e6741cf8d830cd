/** The npm scripts as a person meets them who mistypes an option or asks for help. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../../src/cli/settings.ts";
import { shellEnvironment } from "../support/shell-environment.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-commands-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
}

function run(program: string, args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const env = { ...shellEnvironment(), TOOLGATE_STATE: join(folder, "state"), ...settings };
  return new Promise<Ran>((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { cwd: root, env }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out: out + err });
    });
    child.stdin?.end();
  });
}

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
/** Those that are one program of ours. */
const programs = Object.entries(scripts).flatMap(([name, command]) => {
  const [, program] = /^(?:exec )?node (?:--\S+ )*(\S+\.ts)$/.exec(command) ?? [];
  return program === undefined ? [] : [[name, program] as const];
});

describe("every program", () => {
  it("is looked at here", () => {
    expect(programs.map(([name]) => name)).toEqual(
      expect.arrayContaining(["start", "reset", "console", "deploy", "policy", "policy:schema", "bench", "laws"]),
    );
  });

  it.each(programs)("npm run %s answers --help, and does nothing else", async (_, program) => {
    const { code, out } = await run(program, ["--help"]);
    expect(out).toMatch(/^usage: /);
    expect(code).toBe(0);
    expect(existsSync(join(folder, "state"))).toBe(false);
  });

  it.each(programs)("npm run %s refuses what it does not know, and does nothing", async (_, program) => {
    const { code, out } = await run(program, ["--nonsense"]);
    expect(out).toMatch(/^unknown (option|command) `--nonsense`/);
    expect(out).toContain("usage: ");
    expect(code).toBe(2);
    expect(existsSync(join(folder, "state"))).toBe(false);
  });
});

describe("npm run reset", () => {
  const reset = (...args: string[]) => run("src/cli/reset.ts", args);
  const stores = () => join(folder, "state", "v3");
  beforeEach(() => {
    mkdirSync(stores(), { recursive: true });
    writeFileSync(join(folder, "state", "mine.txt"), "");
  });

  it("removes nothing unasked where nobody can be asked", async () => {
    expect(await reset()).toMatchObject({ code: 1, out: expect.stringContaining("add --yes") });
    expect(existsSync(stores())).toBe(true);
  });

  it.each([["--help"], ["--yse"], ["yes"]])("removes nothing for %s", async (argument) => {
    await reset(argument);
    expect(existsSync(stores())).toBe(true);
  });

  it("removes with --yes what is Toolgate's, and nothing else of the folder", async () => {
    expect(await reset("--yes")).toEqual({ code: 0, out: `removed ${stores()}\n` });
    expect([existsSync(stores()), existsSync(join(folder, "state", "mine.txt"))]).toEqual([false, true]);
    expect(await reset()).toEqual({ code: 0, out: `nothing to remove in ${join(folder, "state")}\n` });
  });
});
