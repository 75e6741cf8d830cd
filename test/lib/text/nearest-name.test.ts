import { describe, expect, it } from "vitest";
import { didYouMean, nearestName } from "../../../src/lib/text/nearest-name.ts";

const names = ["tools", "rateLimits", "read_only", "keywords", "handshake", "send_mail", "Send_Note"];

describe("the nearest name", () => {
  it.each([
    ["tool", "tools"],
    ["rate_limits", "rateLimits"],
    ["readonly", "read_only"],
    ["keyword", "keywords"],
    ["hanshdake", "handshake"],
    ["Send-Mail", "send_mail"],
    ["send_note", "Send_Note"],
  ])("of %s is %s", (written, name) => {
    expect(nearestName(written, names)).toBe(name);
  });

  it.each(["", "x", "ab", "colour", "delete_file", "t".repeat(5_000), "__proto__"])("of %.20s is none", (written) => {
    expect(nearestName(written, names)).toBeUndefined();
  });

  it("is the first of those that are equally near, and an equal one before a near one", () => {
    expect(nearestName("cat", ["bat", "rat"])).toBe("bat");
    expect(nearestName("note_s", ["note", "notes"])).toBe("notes");
  });
});

describe("a misspelt setting", () => {
  const known = ["UPSTREAM_BASE_URL", "UPSTREAM_API_KEY", "TOOLGATE_POLICY", "TOOLGATE_STATE", "PORT", "tools"];

  it.each([
    ["UPSTREAM_BASEURL", "UPSTREAM_BASE_URL"],
    ["UPSTREAM_API_KYE", "UPSTREAM_API_KEY"],
    ["TOOLGATE_POLCY", "TOOLGATE_POLICY"],
    ["toolgate_policy", "TOOLGATE_POLICY"],
    ["PROT", "PORT"],
  ])("%s is taken for %s", (name, nearest) => {
    expect(didYouMean(name, known)).toBe(`: did you mean \`${nearest}\`?`);
  });

  it.each(["UPSTREAM_REGION", "TOOLGATE_COLOUR", "PATH_TO"])("%s is taken for none", (name) => {
    expect(didYouMean(name, known)).toBe("");
  });
});
