/** A built-in policy that was edited and is no policy any more: told where it is built in, not by each request. */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../../src/cli/settings.ts";
import { shellEnvironment } from "../../support/shell-environment.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-policy-"));
  cpSync(join(root, "src"), join(folder, "src"), {
    recursive: true,
    filter: (file) => !file.slice(root.length).includes("node_modules"),
  });
  cpSync(join(root, "policies"), join(folder, "policies"), { recursive: true });
  cpSync(join(root, "wrangler.toml"), join(folder, "wrangler.toml"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "policies/default.json"), '{ "name": "mine", "modes": 1 }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ["npm start", ["src/cli/start.ts"], {}],
  ["npm run deploy", ["src/cli/deploy.ts", "--dry-run"], { UPSTREAM_BASE_URL: "https://api.example.com/v1" }],
])("%s refuses it, and says what is wrong with it where", async (_, args, settings) => {
  const env = { ...shellEnvironment(), ...settings };
  const ended = promisify(execFile)(process.execPath, args, { cwd: folder, env });
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/policies\/default\.json is not a valid policy:\n {2}\/modes: /),
  });
});
