import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { exampleCommand } from "../../../src/cli/start/greeting.ts";
import { policyOf } from "../../support/policy.ts";

interface Body {
  readonly model: string;
  readonly messages: readonly { readonly content: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
}

/** What a shell makes of it. */
function bodyOf(document: unknown, demo = false): Body {
  const policy = document === undefined ? undefined : policyOf(document);
  const command = exampleCommand({ address: "http://localhost:1/v1", model: "m", policy, demo });
  const seen = execFileSync("bash", ["-c", command.replace(/^curl/, "printf '%s\\0'")], { encoding: "utf8" }).split(
    "\0",
  );
  return JSON.parse(seen[seen.indexOf("-d") + 1] ?? "");
}

const namesIn = ({ tools }: Body) => tools?.map(({ function: { name } }) => name);

it("offers the policy's own tools, safe ones first, where a real model answers", () => {
  const tools = {
    send: { category: "external" },
    ban_user: { category: "modification", roles: ["admin"] },
    look_up: { category: "read_only", description: "Find it in the user's notes" },
    write_file: { category: "modification" },
  };
  const body = bodyOf({ tools });
  expect(namesIn(body)).toEqual(["look_up", "send", "write_file"]);
  expect(body.messages[0]?.content).toContain("look_up");
  expect(JSON.stringify(body)).toContain("Find it in the user's notes");
  expect(body.tools?.[2]?.function.parameters).toMatchObject({ required: ["path", "content"] });
});

it("offers the arguments that the policy gives a tool", () => {
  const parameters = { type: "object", properties: { q: { type: "string" } } };
  expect(bodyOf({ tools: { find: { category: "read_only", parameters } } }).tools?.[0]?.function.parameters).toEqual(
    parameters,
  );
});

it("offers files to the demo model, and where the policy in force is not known or lists no safe tool", () => {
  const listed = { tools: { look_up: { category: "read_only" } } };
  for (const [document, demo] of [
    [listed, true],
    [undefined, false],
    [{}, false],
  ] as const)
    expect(namesIn(bodyOf(document, demo))).toEqual(["read_file", "write_file", "send_mail"]);
});

it("brings no tools where the gateway runs one", () => {
  const tools = { search_notes: { category: "read_only", run: { kind: "builtin" } } };
  const body = bodyOf({ tools });
  expect(body.tools).toBeUndefined();
  expect(body.messages[0]?.content).toContain("search_notes");
});
