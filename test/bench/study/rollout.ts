/** The reference's flag as a rollout: of so many users, for how many the system was first, as the model's provider saw it. */
import type { Agent } from "node:http";
import { converse } from "./chat.ts";
import type { World } from "./recording.ts";
import { users as named, type StudyRequest } from "./requests.ts";
import type { ModelRequest } from "./scripted-model.ts";
import type { Tenant } from "./toolgate.ts";

export interface Rollout {
  readonly share: number;
  readonly users: number;
  readonly systemFirst: number;
  /** How many of those who asked again went the other way. */
  readonly changed: number;
}

const request: StudyRequest = { user: "ada", text: "Show my streak", shows: "rollout" };
const AT_ONCE = 4;
/** So many ask a second time. */
const AGAIN = 20;

/** @param tenant of which every user may ask with one key. */
export async function rollOut(
  agent: Agent,
  { begin }: World,
  tenant: Tenant,
  share: number,
  users: number,
): Promise<Rollout> {
  const ada = named[0];
  const recording = begin(request, ada);
  const askAs = (user: string, session: string) =>
    converse(request, (messages) => tenant.ask(agent, user, session, messages));
  let next = 0;
  const slot = async () => {
    while (next < users) await askAs(`user-${next++}`, "rollout");
  };
  await Promise.all(Array.from({ length: AT_ONCE }, slot));
  const systemFirst = recording.served.filter(({ request: sent }) => isSystemFirst(sent)).length;
  const modelFirst = recording.served.filter(({ request: sent }) => sent.messages.at(-1)?.role === "user").length;
  if (systemFirst + modelFirst !== users) {
    throw new Error(`of ${users} users ${systemFirst} and ${modelFirst} went one of the two ways`);
  }
  let changed = 0;
  for (let user = 0; user < AGAIN; user++) {
    const ways: boolean[] = [];
    for (const session of ["again", "and-again"]) {
      const own = begin(request, ada);
      await askAs(`user-${user}`, session);
      ways.push(own.served.some(({ request: sent }) => isSystemFirst(sent)));
    }
    if (ways[0] !== ways[1]) changed += 1;
  }
  return { share, users, systemFirst, changed };
}

/** The model is sent the result of a call that it did not make, and no tools. */
const isSystemFirst = ({ messages, tools = [] }: ModelRequest): boolean =>
  messages.at(-1)?.role === "tool" && tools.length === 0;

/** Whether chance alone explains how far the users are from the share. */
export const isNear = ({ share, users, systemFirst }: Rollout): boolean =>
  Math.abs(systemFirst - share * users) <= 3 * Math.sqrt(users * share * (1 - share));
