/** A Worker of the bench whose objects are far away: each call of one takes so long on its way there, and as long on its way back. */
import worker from "near";

export * from "near";

interface Env {
  /** Milliseconds, one way. */
  readonly BENCH_FAR_MS?: string;
}

interface Namespace {
  idFromName(name: string): unknown;
  get(id: unknown): object;
}

const isNamespace = (binding: unknown): binding is Namespace =>
  typeof binding === "object" && binding !== null && "idFromName" in binding && "get" in binding;

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const farObject = (stub: object, ms: number): object =>
  new Proxy(stub, {
    get(target, name) {
      if (name === "then") return undefined;
      return async (...args: readonly unknown[]) => {
        await pass(ms);
        const method = (target as Readonly<Record<string | symbol, (...args: readonly unknown[]) => unknown>>)[name];
        const answer = await method?.(...args);
        await pass(ms);
        return answer;
      };
    },
  });

const far = (namespace: Namespace, ms: number): Namespace => ({
  idFromName: (name) => namespace.idFromName(name),
  get: (id) => farObject(namespace.get(id), ms),
});

/** Bindings do not change within an isolate, and the gateway knows its caches by them. */
let moved: Env | undefined;

function moveObjects(env: Env): Env {
  const ms = Number(env.BENCH_FAR_MS ?? 0);
  const bindings = Object.entries(env).map(([name, one]) => [name, isNamespace(one) ? far(one, ms) : one] as const);
  return Object.fromEntries(bindings);
}

export default {
  fetch(request: Request, env: Env, ctx: unknown): Response | Promise<Response> {
    moved ??= moveObjects(env);
    return worker.fetch(request, moved, ctx);
  },
};
