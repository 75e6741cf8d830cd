/**
 * What a case's tools would send to other hosts goes to whoever runs the cases, with the case's name: nothing leaves the
 * machine. The model is asked as ever.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Names the case that a request is part of. */
const CASE_HEADER = "x-policy-case";

interface Case {
  readonly id: string;
  readonly variables: CaseVariables;
}

export interface CaseVariables {
  /** Answers in the place of all other hosts. */
  readonly CASES_URL?: string;
  readonly UPSTREAM_BASE_URL?: string;
}

const cases = new AsyncLocalStorage<Case>();

export function inCase<T>(request: Request, variables: CaseVariables, work: () => T): T {
  const id = request.headers.get(CASE_HEADER);
  return id === null ? work() : cases.run({ id, variables }, work);
}

export function installFetch(): void {
  const realFetch = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (input, init) => {
    const at = cases.getStore();
    const request = new Request(input, init);
    const { CASES_URL: stage, UPSTREAM_BASE_URL: model } = at?.variables ?? {};
    if (!at || stage === undefined || (model && request.url.startsWith(model))) return realFetch(request);
    const headers = new Headers(request.headers);
    headers.set(CASE_HEADER, at.id);
    headers.set("x-policy-case-url", request.url);
    const { method, signal } = request;
    const body = request.body === null ? {} : { body: await request.arrayBuffer() };
    return realFetch(stage, { method, headers, signal, redirect: "manual", ...body });
  };
}
