/** `policy check` with invariants, and `policy diff` of two files. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { checkCommand } from "../../src/cli/policy/check-command.ts";
import { diffCommand } from "../../src/cli/policy/remote-commands.ts";
import { recording } from "../clients/support/recording.ts";

const never = { effect: ["allow", "confirm"], tool: "deploy" };
const document = (roles: readonly string[]) => ({
  unlistedTools: "deny",
  tools: { deploy: { category: "modification", roles } },
  invariants: [{ say: "guests do not deploy", never, when: { role: "guest" } }],
});

function fileOf(name: string, value: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), "toolgate-")), name);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

afterEach(() => void vi.restoreAllMocks());

it("check lists what is proved, and shows the turn that breaks an invariant", async () => {
  const good = recording();
  expect(await checkCommand.run([fileOf("good.json", document(["admin"]))])).toBe(0);
  expect(good.lines).toContainEqual(expect.stringMatching(/^ {2}proved {3}guests do not deploy \(\d+ situations\)$/));
  const bad = recording();
  expect(await checkCommand.run([fileOf("bad.json", document(["guest"]))])).toBe(1);
  expect(bad.lines[1]).toBe(
    '  error    /invariants/0: is broken (`guests do not deploy`): for a `guest` in mode `default`, with the intent `general`, the model calls `deploy` with {"id":"A-1042","to":"ada@example.org"}: it runs once a person agrees',
  );
  expect(JSON.parse(bad.lines[2]?.replace("  turn     ", "") ?? "")).toMatchObject({ role: "guest", mode: "default" });
});

it("diff of two files says who loses what, without a gateway", async () => {
  const [older, newer] = [fileOf("a.json", document(["user", "admin"])), fileOf("b.json", document(["admin"]))];
  const out = recording();
  expect(await diffCommand.run([older, newer])).toBe(1);
  expect(out.lines[0]?.split("\n").slice(0, 3)).toEqual([
    `--- ${older}`,
    `+++ ${newer}`,
    "user loses deploy in mode default under general (role_forbids)",
  ]);
  recording();
  expect(await diffCommand.run([older, older])).toBe(0);
  const full = recording();
  expect(await diffCommand.run([older, newer, "--full"])).toBe(1);
  expect(full.lines[0]).toContain('roles ["admin","user"] → ["admin"]');
  expect(await diffCommand.run([older, "missing.json"])).toBe(2);
});
