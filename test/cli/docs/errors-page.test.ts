/** The codes of errors in the source and on the page that explains them. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorNotes } from "../../../src/cli/docs/error-notes.ts";
import { errorsPage } from "../../../src/cli/docs/errors-page.ts";
import { root } from "../../../src/cli/settings.ts";

const sources = globSync("src/{http,turn,wire,model,cli/start}/**/*.ts", { cwd: root })
  .concat("src/app.ts")
  .map((name) => readFileSync(join(root, name), "utf8"));

/** The makers of `Problem`s and of a turn's errors; the code is their first or last text. */
const MAKERS =
  /\b(?:badRequest|unauthorized|forbidden|conflict|tooManyRequests|unavailable|upstreamFailed|headersTooLarge|requestFault|invalidToken|errorBody)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;
/** Texts of that form which those calls have besides: parameters and members. */
const PARAMETERS = new Set([
  ...["access_token", "approvers", "default_role", "expires_at", "expires_in", "rate_limit", "seen_digest"],
  ...["session_id", "tool_choice", "user_prefix", "acts_for", "is_error", "repeat_unknown"],
]);

const used = new Set(
  sources.flatMap((text) =>
    [...text.matchAll(MAKERS)].flatMap(([call]) =>
      [...call.matchAll(/"([a-z]+(?:_[a-z]+)+)"/g)]
        .map(([, code = ""]) => code)
        .filter((code) => !PARAMETERS.has(code)),
    ),
  ),
);
const noted = Object.values(errorNotes).flatMap((notes) => Object.keys(notes));

describe("the page of errors", () => {
  it("finds the codes of the source", () => {
    expect(used.size).toBeGreaterThan(70);
  });

  it("explains every code of the source", () => {
    expect([...used].filter((code) => !noted.includes(code)).sort()).toEqual([]);
  });

  it("explains no code that the source does not have", () => {
    const text = sources.join("\n");
    expect(noted.filter((code) => !new RegExp(`["\`]${code}["\`]`).test(text)).sort()).toEqual([]);
  });

  it("has one anchor for each code", () => {
    const anchors = [...errorsPage().matchAll(/<a id="(\w+)">/g)].map(([, id = ""]) => id);
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(anchors).toEqual(expect.arrayContaining(noted));
  });
});
