/** What one request came to, as the model's provider and the study service saw it: nothing that a gateway says of itself. */
import type { Said } from "./chat.ts";
import { type Breach, breachesOf, type StudyTool } from "./judge-call.ts";
import type { Provider, Served } from "./provider.ts";
import { startProvider } from "./provider.ts";
import type { StudyRequest, StudyUser } from "./requests.ts";
import { type RanCall, type Service, startService } from "./service.ts";

/** A call that the model made, and what was wrong with it when it was made. */
export interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly breaches: readonly Breach[];
}

/** The reply to one message of the user, and what it took. */
interface Reply extends Said {
  readonly served: readonly Served[];
  readonly ran: readonly RanCall[];
}

export interface Recording {
  readonly request: StudyRequest;
  readonly served: Served[];
  /** Without the handshake's, which is the gateway's own and reaches no tool. */
  readonly made: MadeCall[];
  readonly selected: MadeCall[];
  readonly ran: RanCall[];
  /** One a message of the user. */
  readonly replies: Reply[];
}

export interface World {
  readonly provider: Provider;
  readonly service: Service;
  /** What is heard from now on is of this request. One at a time. */
  begin(request: StudyRequest, user: StudyUser): Recording;
  stop(): Promise<void>;
}

const HANDSHAKE = "select_intent";

export async function startWorld(tools: Readonly<Record<string, StudyTool>>): Promise<World> {
  let current: { readonly recording: Recording; readonly user: StudyUser } | undefined;
  const service = await startService(tools, (one) => void current?.recording.ran.push(one));
  const provider = await startProvider((one) => {
    if (!current) return;
    const { recording, user } = current;
    recording.served.push(one);
    for (const { id, name, arguments: args } of one.calls) {
      if (name === HANDSHAKE) {
        recording.selected.push({ id, name, breaches: [] });
        continue;
      }
      const call = { user, tool: name, arguments: JSON.parse(args) as unknown };
      recording.made.push({ id, name, breaches: breachesOf(tools, call, service.ran(user.name, name)) });
    }
  });
  return {
    provider,
    service,
    begin(request, user) {
      const recording: Recording = { request, served: [], made: [], selected: [], ran: [], replies: [] };
      current = { recording, user };
      return recording;
    },
    async stop() {
      await Promise.all([provider.stop(), service.stop()]);
    },
  };
}
