import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtInFamilyOf } from "../../../src/policy/families.ts";
import { builtInFamilies, toolFamilies } from "../../../src/policy/intent-guard/tool-families.ts";
import { traitsOf } from "../../../src/policy/traits.ts";
import { documents, policyOf } from "../arbitraries.ts";

const named: Readonly<Record<string, readonly string[]>> = {
  browser: [
    "browser_navigate",
    "mcp__playwright__browser_click",
    "mcp__someone__browser_snapshot",
    "playwright_screenshot",
    "puppeteer_evaluate",
    "chrome-devtools_click",
    "mcp__chrome-devtools__take_snapshot",
    "browserNavigate",
    "browse",
  ],
  network: [
    "fetch",
    "fetch_url",
    "WebFetch",
    "WebSearch",
    "web_search",
    "webSearch",
    "http_get",
    "HTTPRequest",
    "curl",
    "brave_web_search",
    "tavily-search",
    "mcp__fetch__fetch",
  ],
  filesystem: [
    "read_file",
    "readFile",
    "Read",
    "Write",
    "Edit",
    "MultiEdit",
    "LS",
    "Glob",
    "Grep",
    "list_directory",
    "list_dir",
    "str_replace_editor",
    "apply_patch",
    "mcp__filesystem__search_files",
    "filesystem_get_config",
    "write_to_file",
    "codebase_search",
    "functions.read_file",
  ],
  memory: [
    "memory_search",
    "save_memory",
    "write_memory",
    "mem0_add",
    "recall",
    "create_entities",
    "mcp__memory__open_nodes",
    "fetch_memories",
  ],
  vcs: [
    "git_status",
    "git_fetch",
    "github_create_issue",
    "mcp__github__get_file_contents",
    "mcp__github__search_code",
    "create_pull_request",
    "gitlab_list_projects",
  ],
  task: ["todo_write", "TodoWrite", "todos", "task_create", "Task", "create_task", "write_todos", "update_plan"],
  shell: [
    "bash",
    "Bash",
    "run_command",
    "run_terminal_cmd",
    "run_in_terminal",
    "shell_exec",
    "execute_command",
    "exec_command",
    "write_stdin",
    "local_shell",
    "container.exec",
  ],
  unknown: [
    "search",
    "click",
    "query",
    "get_weather",
    "send_email",
    "write_query",
    "webhook",
    "gitter",
    "shellfish",
    "",
    "constructor",
    "__proto__",
    "toString",
    "a".repeat(300),
    "🙂",
  ],
};

describe("built-in families", () => {
  it.each(Object.entries(named))("%s", (family, tools) => {
    expect(tools.map((tool) => [tool, builtInFamilyOf(tool)])).toEqual(tools.map((tool) => [tool, family]));
  });

  it("are the eight of the reference, and no name stands in two", () => {
    expect([...builtInFamilies]).toEqual([
      "browser",
      "network",
      "filesystem",
      "memory",
      "vcs",
      "task",
      "shell",
      "unknown",
    ]);
    const all = Object.values(toolFamilies).flat();
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
    for (const [family, names] of Object.entries(toolFamilies)) {
      for (const name of names) expect([name, builtInFamilyOf(name.replaceAll("*", "x"))]).toEqual([name, family]);
    }
  });

  it("any_name_has_exactly_one", () => {
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (name) => builtInFamilies.has(builtInFamilyOf(name))));
  });
});

describe("a tool's families", () => {
  const familiesOf = (document: object, tool: string) => [...traitsOf(policyOf(document), tool).families];

  it("are the built-in one only with the guard", () => {
    expect(familiesOf({}, "browser_open")).toEqual([]);
    expect(familiesOf({ intentGuard: { enabled: false } }, "browser_open")).toEqual([]);
    expect(familiesOf({ intentGuard: {} }, "browser_open")).toEqual(["browser"]);
    expect(familiesOf({ intentGuard: {} }, "calculator")).toEqual(["unknown"]);
  });

  it("are what the policy says, where it says something", () => {
    const families = { notes: ["browser_note", "my_*"], browser: ["my_page", "surf"] };
    const document = {
      families,
      intentGuard: {},
      tools: { bash: { families: [] }, read_file: { families: ["docs"] } },
    };
    expect(familiesOf(document, "browser_note")).toEqual(["notes"]);
    expect(familiesOf(document, "my_page")).toEqual(["notes", "browser"]);
    expect(familiesOf(document, "surf")).toEqual(["browser"]);
    expect(familiesOf(document, "browser_open")).toEqual(["browser"]);
    expect(familiesOf(document, "bash")).toEqual(["unknown"]);
    expect(familiesOf(document, "read_file")).toEqual(["docs"]);
  });

  it("a_built_in_family_changes_nothing_else_of_a_tool", () => {
    const unlisted = fc.constantFrom("browser_open", "bash", "read_file", "memory_save", "calculator", "fs_read");
    fc.assert(
      fc.property(documents({ groups: true }), unlisted, (document, tool) => {
        const { tools, rateLimits, ...rest } = document;
        // Groups of a family are what a policy says of it: `family:browser` must apply to what is in it.
        const without = {
          ...rest,
          tools: Object.fromEntries(Object.entries(tools).filter(([key]) => !key.startsWith("family:"))),
          rateLimits: {},
        };
        const [before, after] = [without, { ...without, intentGuard: {} }].map((one) => traitsOf(policyOf(one), tool));
        const bare = (traits: typeof before) =>
          traits && { ...traits, families: [], base: { ...traits.base, families: [] } };
        expect(bare(after)).toEqual(bare(before));
      }),
      { numRuns: 300 },
    );
  });
});
