/** Twenty tools as a coding agent offers them. */
import type { DemoTool } from "../../src/model/demo/tool-schema.ts";

const text = (description: string) => ({ type: "string", description });

function tool(name: string, description: string, properties: Record<string, unknown>, required: string[]): DemoTool {
  return { name, description, schema: { type: "object", properties, required, additionalProperties: false } };
}

const path = text("Path relative to the workspace root");

export const codingTools: readonly DemoTool[] = [
  tool("read_file", "Read the contents of a file", { path, limit: { type: "integer", minimum: 1 } }, ["path"]),
  tool("write_file", "Write content to a file, replacing what is there", { path, content: text("The whole text") }, [
    "path",
    "content",
  ]),
  tool(
    "edit_file",
    "Replace one text in a file with another",
    { path, old_string: text("what"), new_string: text("by") },
    ["path", "old_string", "new_string"],
  ),
  tool("delete_file", "Delete a file", { path }, ["path"]),
  tool("move_file", "Move or rename a file", { source: text("from"), destination: text("to") }, [
    "source",
    "destination",
  ]),
  tool("list_directory", "List the files in a directory", { path, recursive: { type: "boolean" } }, ["path"]),
  tool("glob", "Find files whose names match a pattern", { pattern: text("A glob, such as **/*.ts") }, ["pattern"]),
  tool("search_files", "Search the text of files for a pattern", { query: text("Text or regex"), path }, ["query"]),
  tool("run_command", "Run a command in the shell", { command: text("The command"), timeout: { type: "integer" } }, [
    "command",
  ]),
  tool("run_tests", "Run the project's test suite", { filter: text("Only tests of this name") }, []),
  tool("git_status", "Show the state of the working tree", {}, []),
  tool("git_diff", "Show the changes that are not committed", { path }, []),
  tool("git_commit", "Commit the staged changes", { message: text("Commit message") }, ["message"]),
  tool("git_log", "Show the last commits", { max_count: { type: "integer", minimum: 1, maximum: 100 } }, []),
  tool("fetch_url", "Fetch a web page and return its text", { url: { type: "string", format: "uri" } }, ["url"]),
  tool("web_search", "Search the web", { query: text("Search terms"), limit: { type: "integer", default: 5 } }, [
    "query",
  ]),
  tool("ask_user", "Ask the user a question", { question: text("The question") }, ["question"]),
  tool(
    "update_todo",
    "Set the list of things to do",
    {
      items: {
        type: "array",
        items: {
          type: "object",
          properties: { content: text("what"), status: { enum: ["pending", "in_progress", "completed"] } },
          required: ["content", "status"],
        },
      },
    },
    ["items"],
  ),
  tool(
    "create_issue",
    "Create an issue in the tracker",
    { title: text("Title"), body: text("Body"), labels: { type: "array", items: { type: "string" } } },
    ["title"],
  ),
  tool(
    "send_email",
    "Send an email",
    { to: { type: "string", format: "email" }, subject: text("Subject"), body: text("Body") },
    ["to", "subject", "body"],
  ),
];
