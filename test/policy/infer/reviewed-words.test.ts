/** What is believed of a tool's words where a person reviews the result, and what is not. */
import { describe, expect, it } from "vitest";
import { inferTool } from "../../../src/policy/infer/infer-tool.ts";

const text = { type: "string" };
const hint = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
const tool = (name: string, description: string, properties: object = {}, annotations: object = {}) => ({
  ...{ name, description, annotations },
  parameters: { type: "object", properties, required: Object.keys(properties) },
});
const reviewed = { believesReaders: true };

describe("a reading name whose server says that it only reads", () => {
  it.each([
    ["list_tables", "Lists all tables. Set verbose to true to include columns."],
    ["list_branches", "Lists all branches. This will return details that you can use to check when they complete."],
    ["read_text_file", "Read a file. Operates on the file as text."],
    ["directory_tree", "Get a recursive tree view. Files have no children."],
    ["search_objects", "Searches objects. Returns full paths, and puts them into a list."],
  ])("is a reader: %s", (name, description) => {
    const one = tool(name, description, {}, hint);
    expect(inferTool(one, reviewed).category).toBe("read_only");
    expect(inferTool(one).category).not.toBe("read_only");
  });

  it.each([
    ["get_and_delete", "Gets it and deletes it.", {}, hint],
    ["read_write_file", "Reads or writes a file.", { path: text }, hint],
    ["search_replace", "Searches and replaces.", {}, hint],
    ["clean_tree", "Get a tree, and operates on it.", {}, hint],
    ["get_data", "Gets data.", { command: text }, hint],
    ["find_rows", "Finds rows.", { code: { type: "string", description: "Python" } }, hint],
    ["get_data", "Gets data, and operates on it.", { webhook_url: text }, hint],
    ["list_tables", "Lists all tables, then deletes them.", {}, {}],
    ["list_tables", "Lists all tables, then deletes them.", {}, { readOnlyHint: true, destructiveHint: true }],
  ])(
    "is none where its name, an argument or no hint says so: %s (%s)",
    (name, description, properties, annotations) => {
      expect(inferTool(tool(name, description, properties, annotations), reviewed).category).not.toBe("read_only");
    },
  );

  it("takes a domain for a value where its server says that nobody outside takes part, and a URL for an address", () => {
    const link = (name: string, annotations = hint) =>
      inferTool(tool("get_link", "Get a link.", { [name]: text }, annotations), reviewed).effect;
    expect([link("ui_domain"), link("url")]).toEqual(["read", "reach"]);
    expect(link("ui_domain", { ...hint, openWorldHint: true })).toBe("reach");
  });
});

describe("prose that tells no act", () => {
  it.each([
    ["list_invoices", "List invoices. Ask the user if they want to see all. Call this tool again with the next page."],
    ["get_projects", "Get projects for which the user has either view, browse, create or edit permission."],
    ["list_tags", "Lists any set of tags."],
  ])("%s reads", (name, description) => {
    expect(inferTool(tool(name, description), reviewed).category).toBe("read_only");
  });

  it.each([
    ["list_invoices", "List invoices. Asks the customer if they want to pay."],
    ["get_project", "Gets a project. Creates a permission for the user."],
    ["get_tags", "Gets the tags, then sets them."],
    ["open_door", "Allows access to the house."],
  ])("%s does more", (name, description) => {
    expect(inferTool(tool(name, description), reviewed).category).not.toBe("read_only");
  });

  it("believes none of it at run time", () => {
    const said = tool("list_invoices", "List invoices. Ask the user if they want to see all.");
    expect(inferTool(said).category).toBe("external");
  });
});

describe("what a person does to a page", () => {
  it.each([
    ["browser_click", "Perform click on a web page.", { target: text }, "change"],
    ["navigate", "Navigate to a URL.", { url: text }, "reach"],
    ["browser_resize", "Resize the browser window.", { width: { type: "number" } }, "change"],
  ])("%s", (name, description, properties, effect) => {
    const one = tool(name, description, properties, { destructiveHint: true });
    expect(inferTool(one, reviewed).effect).toBe(effect);
    expect(inferTool(one).effect).not.toBe(effect === "reach" ? "read" : "reach");
  });

  it.each([
    ["browser_file_upload", "Upload files to the page.", { paths: text }],
    ["browser_evaluate", "Evaluate JavaScript on the page.", { function: text }],
    ["type_command", "Type a command into the page.", { code: text }],
    ["close_account", "Close an account.", { id: text }],
    ["press_button", "Press the button of the washing machine.", { device: text }],
  ])("not %s", (name, description, properties) => {
    const one = tool(name, description, properties, { destructiveHint: true });
    // The hint of its server counts.
    expect(inferTool(one, reviewed).effects).toContain("destroy");
  });
});

describe("the input of a process", () => {
  it.each([
    ["interact_with_process", "Send input to a running process.", { pid: text, input: text }],
    ["send_keys", "Sends keys to a tmux session.", { session: text, keys: text }],
    ["write_stdin", "Writes.", { terminal_id: text, data: text }],
  ])("is run: %s", (name, description, properties) => {
    expect(inferTool(tool(name, description, properties)).effects).toContain("execute");
  });

  it.each([
    ["send_text", "Sends a text to a game session.", { session: text, text }],
    ["send_message", "Sends a message.", { channel: text, text }],
    ["kill_it", "Sends a signal.", { pid: text }],
  ])("is not: %s", (name, description, properties) => {
    const { reasons } = inferTool(tool(name, description, properties));
    expect(reasons.join()).not.toContain("gives a running process");
  });
});

it("takes the leave of an employee for no list of employees", () => {
  const originOf = (name: string) => inferTool({ name, description: "Lists them." }).origin;
  expect(originOf("list_employees")).toBe("directory");
  expect(originOf("list_employee_leave")).toBe("third_party");
  expect(originOf("list_contact_list")).toBe("directory");
});
