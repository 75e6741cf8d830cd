/** One round: the twenty requests in each column side by side, then what the audit trails hold. */
import type { Agent } from "node:http";
import { readTrail, type Trail } from "./audit.ts";
import { converse, type Said } from "./chat.ts";
import { type Comparison, compareVariants } from "./experiments.ts";
import { type Column, type Counts, columns, countsOf } from "./figures.ts";
import type { StudyTool } from "./judge-call.ts";
import { runPlainAgent } from "./plain-agent.ts";
import type { Recording, World } from "./recording.ts";
import { requests, type StudyRequest, users } from "./requests.ts";
import type { ModelMessage } from "./scripted-model.ts";
import type { Tenant } from "./toolgate.ts";

type Governed = Exclude<Column, "no gateway">;

export interface Contenders {
  readonly agent: Agent;
  readonly world: World;
  readonly tools: Readonly<Record<string, StudyTool>>;
  readonly tenants: Readonly<Record<Governed, Tenant>>;
}

export interface Round {
  readonly recordings: Readonly<Record<Column, readonly Recording[]>>;
  readonly counts: Readonly<Record<Column, Counts>>;
  /** By `GET /v1/audit/experiments`: of the requests that prepared the round too. */
  readonly told: Readonly<Record<Governed, Comparison>>;
}

/** The hour's limit of quizzes, spent before the twenty begin. */
const SPENT = 15;

/** Done before anything counts: each user's object is there, the policy is compiled, and one has spent a limit. */
const preparing: readonly StudyRequest[] = [
  ...users.map(({ name }) => ({ user: name, text: "Show my streak", shows: "warms" })),
  ...Array.from({ length: SPENT }, () => ({ user: "rae", text: "Quiz me about particles", shows: "spends" }) as const),
];

type ByColumn<T> = Record<Column, T>;

/** @param name of the round: what ran in others is not counted in it. */
export async function playRound(contenders: Contenders, name: string, thinkMs: number): Promise<Round> {
  const { world, tenants } = contenders;
  const prepared: ByColumn<Recording[]> = { "no gateway": [], llm_first: [], system_first: [] };
  const recordings: ByColumn<Recording[]> = { "no gateway": [], llm_first: [], system_first: [] };
  const playAll = async (list: readonly StudyRequest[], into: ByColumn<Recording[]>, session: string) => {
    for (const [place, request] of list.entries()) {
      // Another is the first each time, so that none always comes after the same.
      for (const turn of columns.keys()) {
        const column = columns[(place + turn) % columns.length] ?? "no gateway";
        world.service.count(`${name} ${column}`);
        into[column].push(await play(contenders, column, request, `${session}-${place}`));
      }
    }
  };
  world.provider.think(0);
  await playAll(preparing, prepared, "before");
  world.provider.think(thinkMs);
  await playAll(requests, recordings, "request");
  const trails: Partial<ByColumn<Trail>> = {};
  const told: Partial<Record<Governed, Comparison>> = {};
  for (const column of ["llm_first", "system_first"] as const) {
    const turns = [...prepared[column], ...recordings[column]].flatMap(({ replies }) =>
      replies.map(({ turn }) => turn),
    );
    const known = turns.filter((turn) => turn !== undefined);
    if (known.length < turns.length) throw new Error(`${column}: a reply names no turn`);
    const trail = await readTrail(tenants[column], known);
    trails[column] = trail;
    const all = [...prepared[column], ...recordings[column]];
    told[column] = compareVariants(await tenants[column].read("/v1/audit/experiments"), all, trail);
  }
  const counts = columns.map((column) => [column, countsOf(recordings[column], trails[column])]);
  return { recordings, counts: Object.fromEntries(counts) as Round["counts"], told: told as Round["told"] };
}

async function play(
  { agent, world, tools, tenants }: Contenders,
  column: Column,
  request: StudyRequest,
  session: string,
): Promise<Recording> {
  const user = users.find(({ name }) => name === request.user);
  if (!user) throw new Error(`there is no user \`${request.user}\``);
  const recording = world.begin(request, user);
  const plain = { agent, model: { url: world.provider.url, headers: {} }, service: world.service.url, tools };
  const send = (messages: readonly ModelMessage[]): Promise<Said> =>
    column === "no gateway"
      ? runPlainAgent(plain, user.name, messages)
      : tenants[column].ask(agent, user.name, session, messages);
  await converse(request, async (messages) => {
    const [calls, runs] = [recording.served.length, recording.ran.length];
    const said = await send(messages);
    recording.replies.push({ ...said, served: recording.served.slice(calls), ran: recording.ran.slice(runs) });
    return said;
  });
  return recording;
}
