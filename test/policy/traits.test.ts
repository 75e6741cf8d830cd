import { describe, expect, it } from "vitest";
import { traitsOf } from "../../src/policy/traits.ts";
import { policyOf } from "./arbitraries.ts";

const traits = (tools: unknown, name: string, more: object = {}) => traitsOf(policyOf({ tools, ...more }), name);

describe("a tool's traits", () => {
  it("follow from the category", () => {
    const of = (category: string) => traits({ x: { category } }, "x");
    expect(of("read_only")).toMatchObject({ class: "safe", needsConfirmation: false, gate: false });
    expect(of("note_taking")).toMatchObject({ class: "destructive", needsConfirmation: true, gate: false });
    expect(of("modification")).toMatchObject({ class: "destructive", needsConfirmation: true, gate: false });
    expect(of("external")).toMatchObject({ class: "destructive", needsConfirmation: false, gate: true });
  });

  it("follow the document's confirmation and gates", () => {
    const strict = { confirmation: { autoConfirmReadOnly: false }, gates: { requireFirstTime: false } };
    expect(traits({ x: { category: "read_only" } }, "x", strict).needsConfirmation).toBe(true);
    expect(traits({ x: { category: "external", sensitive: true } }, "x", strict)).toMatchObject({
      needsConfirmation: true,
      gate: false,
    });
    const notes = { confirmation: { autoConfirmNoteTaking: true } };
    expect(traits({ x: { category: "note_taking" } }, "x", notes).needsConfirmation).toBe(false);
  });

  it("ask at the first use as the tool says, else as a group does, else for what is external", () => {
    const external = { category: "external" };
    expect(traits({ x: { ...external, firstTime: false } }, "x").gate).toBe(false);
    expect(traits({ x: { category: "read_only", firstTime: true } }, "x").gate).toBe(true);
    expect(traits({ x: { firstTime: true } }, "x", { gates: { requireFirstTime: false } }).gate).toBe(true);
    expect(traits({ x: { ...external, firstTime: false }, "*": { firstTime: true } }, "x").gate).toBe(false);
    expect(traits({ x: external, "*": { firstTime: false }, "x*": { firstTime: true } }, "x").gate).toBe(true);
    expect(traits({ x: external, "x*": { firstTime: false } }, "x").gate).toBe(false);
  });

  it("let a name that the policy does not list neither out of the first use, nor choose what a person is told", () => {
    const words = { firstTime: false, disclosure: "Nothing to see", learnMore: "Safe", preview: { after: "/a" } };
    const glob = traits({ "send_*": words }, "send_mail", { unlistedTools: "external" });
    expect(glob).toMatchObject({ gate: true, disclosure: undefined, learnMore: undefined, preview: undefined });
    const all = traits({ "category:external": words }, "send_mail", { unlistedTools: "external" });
    expect(all).toMatchObject({ gate: false, disclosure: "Nothing to see", learnMore: "Safe" });
    expect(traits({ "send_*": { firstTime: true } }, "send_mail").gate).toBe(true);
  });

  it("give a question the tool's own time, else the shortest of its groups", () => {
    const groups = { "x*": { timeoutSeconds: 60 }, "*": { timeoutSeconds: 20 } };
    expect(traits({ x: { timeoutSeconds: 90 }, ...groups }, "x").timeoutSeconds).toBe(90);
    expect(traits({ x: {}, ...groups }, "x").timeoutSeconds).toBe(20);
    expect(traits({ x: {} }, "x").timeoutSeconds).toBeUndefined();
  });

  it("take the words for a person from the tool, else from a group", () => {
    const group = { disclosure: "About to write", preview: { before: "/was", after: "/is" } };
    expect(traits({ x: { disclosure: "Write {{title}}" }, "x*": group }, "x")).toMatchObject({
      ...group,
      disclosure: "Write {{title}}",
    });
    expect(traits({ x: {}, "x*": group }, "x")).toMatchObject(group);
  });

  it("are destructive where nothing classifies, whatever `unlistedTools` says", () => {
    expect(traits({ x: {} }, "x", { unlistedTools: "read_only" })).toMatchObject({
      listed: true,
      class: "destructive",
    });
    expect(traits({}, "x", { unlistedTools: "read_only" })).toMatchObject({ listed: false, class: "destructive" });
    expect(traits({ "*": { category: "read_only", class: "safe" } }, "x").class).toBe("destructive");
  });

  it("take the tool's own setting before a group's", () => {
    const tools = {
      fs_write: { confirm: "auto", roles: ["user"], rateLimits: [], category: "modification" },
      "fs_*": { confirm: "ask", roles: ["admin"], rateLimits: [{ max: 1, window: "1h" }], class: "safe" },
    };
    const own = traits(tools, "fs_write", { rateLimits: { "category:modification": [{ max: 5, window: "1m" }] } });
    expect(own).toMatchObject({ needsConfirmation: false, roles: ["user"], windows: [], class: "destructive" });
  });

  it("take the stricter of two groups' settings", () => {
    const tools = {
      fs_write: {},
      "fs_*": { category: "read_only", confirm: "auto", roles: ["user", "admin"], connection: "a", trusted: true },
      "*_write": { category: "external", confirm: "ask", roles: ["admin", "guest"], connection: "b", trusted: false },
    };
    expect(traits(tools, "fs_write")).toMatchObject({
      category: "external",
      needsConfirmation: true,
      gate: true,
      roles: ["admin"],
      connections: ["a", "b"],
      trusted: false,
    });
  });

  it("share a group's windows by its selector, and count a tool's own by its name", () => {
    const limits = [{ max: 3, window: "1m" }];
    const more = { rateLimits: { "category:external": limits, y: limits } };
    const tools = { x: { category: "external" }, z: { category: "external", rateLimits: limits } };
    expect(traits(tools, "x", more).windows).toEqual([{ key: "category:external", max: 3, windowMs: 60_000 }]);
    expect(traits(tools, "y", more).windows).toEqual([{ key: "tool:y", max: 3, windowMs: 60_000 }]);
    expect(traits(tools, "z", more).windows).toEqual([{ key: "tool:z", max: 3, windowMs: 60_000 }]);
  });

  it("let `auto` loosen for an unlisted tool from `*` and its category, not from a glob or a family", () => {
    const families = { families: { fs: ["fs_*"] } };
    for (const key of ["*", "category:modification", "class:destructive"]) {
      expect(traits({ [key]: { confirm: "auto" } }, "fs_x").needsConfirmation).toBe(false);
    }
    for (const key of ["fs_*", "family:fs", "category:external"]) {
      expect(
        traits({ [key]: { confirm: "auto" }, "fs_*x": { category: "external" } }, "fs_x", families).needsConfirmation,
      ).toBe(true);
    }
  });

  it("keep the question of `modification` where a glob calls an unlisted tool external", () => {
    expect(traits({ "mcp_*": { category: "external" } }, "mcp_x")).toMatchObject({
      needsConfirmation: true,
      gate: true,
    });
  });

  it("keep an unlisted tool within the groups of both its categories", () => {
    const tools = { "category:modification": { roles: ["admin"] }, "mcp_*": { category: "external" } };
    const more = { rateLimits: { "category:external": [{ max: 1, window: "1m" }] } };
    expect(traits(tools, "mcp_x", more)).toMatchObject({ roles: ["admin"], windows: [{ key: "category:external" }] });
  });

  it("keep an unlisted tool within a group that one glob brought it into, whatever another makes of it", () => {
    const notes = { "a_*": { category: "note_taking" }, "category:note_taking": { roles: ["admin"] } };
    const policy = policyOf({ unlistedTools: "read_only", tools: { ...notes, "*_b": { category: "external" } } });
    expect(traitsOf(policy, "a_b")).toMatchObject({ category: "external", roles: ["admin"] });
  });

  it("add to the injection sets of an unlisted tool, and replace those of a listed one", () => {
    const tools = {
      a_listed: {},
      own: { injection: false },
      "a_*": { injection: { sets: ["shell"], action: "deny", except: ["text"] } },
    };
    const standard = { injection: { sets: ["sql"] } };
    expect(traits(tools, "a_listed", standard).injection).toEqual({
      sets: ["shell"],
      action: "deny",
      except: ["text"],
    });
    expect(traits(tools, "a_x", standard).injection).toEqual({ sets: ["sql", "shell"], action: "deny", except: [] });
    expect(traits(tools, "own", standard).injection.sets).toEqual([]);
  });

  it("are cached in a bound: names are the client's", () => {
    const policy = policyOf({});
    const first = traitsOf(policy, "first");
    expect(traitsOf(policy, "first")).toBe(first);
    for (let index = 0; index < 3_000; index += 1) traitsOf(policy, `t${index}`);
    expect(traitsOf(policy, "first")).not.toBe(first);
  });

  it("are cached in one bound for all policies, but for those of the tools that a policy lists", () => {
    const policy = policyOf({ tools: { own: {} } });
    const [own, other] = [traitsOf(policy, "own"), traitsOf(policy, "other")];
    for (let index = 0; index < 3_000; index += 1) traitsOf(policyOf({}), "other");
    expect(traitsOf(policy, "own")).toBe(own);
    expect(traitsOf(policy, "other")).not.toBe(other);
  });
});
