/**
 * Whole sessions of coding agents with `policies/coding-agent.json`, against `npm start` and a scripted model. Agents that are not
 * installed are left out: CONTRIBUTING.md tells how to install them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentCall, type AgentCli, agentClis, findProgram, runAgent } from "../support/agent-clis.ts";
import { type AgentGateway, startAgentGateway } from "../support/agent-gateway.ts";
import { type Answer, answers, type ScriptedUpstream, says, startUpstream, toolNames } from "../support/upstream.ts";

const found = agentClis.map((cli) => ({ cli, program: findProgram(cli.program) }));
const isAnyInstalled = found.some(({ program }) => program !== undefined);

let upstream: ScriptedUpstream;
let gateway: AgentGateway;

const missing = found.flatMap(({ cli, program }) => (program === undefined ? [cli.program] : []));
const howToInstall = "CONTRIBUTING.md tells how to install coding agents for the tests";

beforeAll(async () => {
  if (missing.length > 0)
    console.info(`left out, since they are not installed: ${missing.join(", ")}; ${howToInstall}`);
  if (!isAnyInstalled) return;
  upstream = await startUpstream();
  gateway = await startAgentGateway({ UPSTREAM_BASE_URL: upstream.url, UPSTREAM_API_KEY: "sk-upstream" });
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.stop();
});

const calls = ({ name, arguments: args }: AgentCall): Answer => answers({ calls: [{ name, arguments: args }] });

/** The model's steps for what the agent itself asks; titles, and what sub-agents ask, come without all of its tools. */
function script(cli: AgentCli, ...steps: readonly Answer[]): () => number {
  const left = [...steps];
  const marker = cli.ownTool ?? (cli.files?.read("") ?? cli.run("")).name;
  upstream.answer((response, request) => {
    if (!toolNames(request).includes(marker)) return says("A title")(response, request);
    return (left.shift() ?? says("Nothing is left to do."))(response, request);
  });
  return () => left.length;
}

/** The messages that the model was sent last, as text. */
const told = (): string => JSON.stringify(upstream.requests.at(-1)?.body.messages);
const codeIn = (output: string): string => /⟦(\w{4})⟧/.exec(output)?.[1] ?? "none";

describe.each(found)("$cli.name", ({ cli, program }) => {
  it("lists and reads unasked, is asked for a file, hears no, and types a code", async (context) => {
    if (program === undefined) return context.skip(`\`${cli.program}\` is not installed; ${howToInstall}`);
    const place = { home: join(gateway.folder, cli.name, "home"), workspace: join(gateway.folder, cli.name, "work") };
    for (const one of Object.values(place)) mkdirSync(one, { recursive: true });
    const variables = cli.configure(place, { baseURL: gateway.baseURL, key: "tg-dev-user" });
    const at = (name: string) => join(place.workspace, name);
    writeFileSync(at("notes.txt"), "the plan is simple\n");
    let goesOn = false;
    const say = async (words: string): Promise<string> => {
      const output = await runAgent(program, cli.prompt(words, goesOn), place, variables);
      goesOn = true;
      return output;
    };
    if (cli.files) await worksOnFiles(cli, cli.files, place.workspace, say);

    // What a command printed is anybody's text: from then on the code is typed.
    const left = script(
      cli,
      calls(cli.run("echo one > first.txt; cat first.txt")),
      calls(cli.run("echo two > second.txt")),
      says("Both commands ran."),
    );
    expect(await say("Run the command that writes first.txt")).not.toMatch(/yes [0-9A-Z]{4}/);
    const typed = await say("yes");
    expect([readFileSync(at("first.txt"), "utf8"), existsSync(at("second.txt"))]).toEqual(["one\n", false]);
    expect(typed).toContain(`yes ${codeIn(typed)}`);
    expect(await say("yes")).toContain("Type the code");
    expect(existsSync(at("second.txt"))).toBe(false);
    expect(await say(`yes ${codeIn(typed)}`)).toContain("Both commands ran.");
    expect([left(), readFileSync(at("second.txt"), "utf8")]).toEqual([0, "two\n"]);
  }, 900_000);
});

async function worksOnFiles(
  cli: AgentCli,
  files: NonNullable<AgentCli["files"]>,
  workspace: string,
  say: (words: string) => Promise<string>,
): Promise<void> {
  const at = (name: string) => join(workspace, name);
  // A folder and a file are read without a question; a whole file is written only after one.
  let left = script(
    cli,
    calls(files.list(workspace)),
    calls(files.read(at("notes.txt"))),
    calls(files.write(at("summary.txt"), "simple\n")),
    says("The summary is written."),
  );
  const question = await say("Create a file summary.txt that sums up notes.txt");
  expect(told()).toContain("the plan is simple");
  expect([left(), codeIn(question), existsSync(at("summary.txt"))]).toEqual([1, expect.any(String), false]);
  expect(question).toContain("Write a file, replacing what it held");
  expect(question).not.toMatch(/yes [0-9A-Z]{4}/);
  const done = await say("yes");
  expect(done).toContain("The summary is written.");
  expect([left(), readFileSync(at("summary.txt"), "utf8")]).toEqual([0, "simple\n"]);

  // A refusal, with its reason, is the model's to hear.
  left = script(cli, calls(files.write(at("other.txt"), "x\n")), says("Then I leave it."));
  expect(codeIn(await say("Create another file other.txt"))).not.toBe("none");
  expect(await say("no: one summary is enough")).toContain("Then I leave it.");
  expect(told()).toContain("one summary is enough");
  expect(existsSync(at("other.txt"))).toBe(false);
}
