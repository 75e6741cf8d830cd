/** The documentation's snippets of policies and settings are valid, and its programs can be read. */
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readPolicy } from "../../../src/cli/policy-file.ts";
import { root } from "../../../src/cli/settings.ts";
import { withoutComments } from "../../../src/lib/json/json-comments.ts";
import { readJwtIssuers } from "../../../src/settings/jwt-issuers.ts";
import { fencesOf } from "../../clients/support/page-commands.ts";

const folder = mkdtempSync(join(tmpdir(), "toolgate-snippets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const written = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const fences = ["README.md", ...globSync("docs/**/*.md", { cwd: root })].flatMap((page) =>
  fencesOf(readFileSync(join(root, page), "utf8")).map((fence) => ({ ...fence, page })),
);
const texts = (language: string): [string, string][] =>
  fences.filter((fence) => fence.language === language).map(({ page, text }) => [page, text]);
const jsonc = texts("jsonc");

describe("the documentation", () => {
  it("has snippets", () => {
    expect([jsonc.length > 5, texts("json").length > 5, texts("js").length > 3]).toEqual([true, true, true]);
  });

  it.each(jsonc.filter(([, text]) => !text.startsWith("[")))(
    "%s has a policy, or a part of one, that is valid: %.60j",
    async (_, text) => {
      const policy = text.startsWith("{") ? text : `{${text}}`;
      expect(await readPolicy(written("policy.json", policy))).toMatchObject({ ok: true });
    },
  );

  it.each(jsonc.filter(([, text]) => text.startsWith("[")))("%s has issuers that are valid", (_, text) => {
    const JWT_ISSUERS = JSON.stringify(JSON.parse(withoutComments(text)));
    expect(readJwtIssuers({ JWT_ISSUERS })).toMatchObject({ ok: true });
  });

  it.each(texts("json"))("%s has JSON: %.60j", (_, text) => {
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it.each(texts("js"))("%s has a program that can be read: %.60j", (_, text) => {
    const { status, stderr } = spawnSync(process.execPath, ["--check", written("program.mjs", text)]);
    expect(status, String(stderr)).toBe(0);
  });
});
