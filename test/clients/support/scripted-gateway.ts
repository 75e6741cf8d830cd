/** A gateway whose upstream is scripted: both are started before the tests of the file that calls this, and stopped after them. */
import { afterAll, beforeAll } from "vitest";
import { type ScriptedUpstream, startUpstream } from "./upstream.ts";
import { type Gateway, startGateway } from "./worker.ts";

export interface ScriptedGateway {
  readonly upstream: ScriptedUpstream;
  readonly gateway: Gateway;
}

export function scriptedGateway(): ScriptedGateway {
  const started: { upstream?: ScriptedUpstream; gateway?: Gateway } = {};
  beforeAll(async () => {
    started.upstream = await startUpstream();
    started.gateway = await startGateway({ upstream: started.upstream.url });
  });
  afterAll(async () => {
    await started.gateway?.stop();
    await started.upstream?.stop();
  });
  return {
    get upstream() {
      return running(started.upstream);
    },
    get gateway() {
      return running(started.gateway);
    },
  };
}

function running<T>(started: T | undefined): T {
  if (started === undefined) throw new Error("it is started before the first test");
  return started;
}
