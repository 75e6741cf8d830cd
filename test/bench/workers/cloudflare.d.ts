/** As much of the runtime's module as the bench's Workers use: its types and node's do not go together. */
declare module "cloudflare:workers" {
  interface Sql {
    exec(query: string, ...values: readonly (string | number | null)[]): { one(): Record<string, unknown> };
  }

  export class DurableObject {
    constructor(ctx: { readonly storage: { readonly sql: Sql } }, env: unknown);
    protected readonly ctx: { readonly storage: { readonly sql: Sql } };
  }
}

/** The gateway's entry, as the bundle for the soak names it. */
declare module "toolgate" {
  const worker: {
    fetch(request: Request, env: unknown, ctx: unknown): Response | Promise<Response>;
    scheduled(controller: unknown, env: unknown, ctx: unknown): Promise<void>;
    queue(batch: unknown, env: unknown, ctx: unknown): Promise<void>;
  };
  export default worker;
  export class UserGuard {
    constructor(ctx: unknown, env: unknown);
    call(...args: readonly unknown[]): Promise<unknown>;
    alarm(): Promise<void>;
  }
}

/** The Worker whose objects are moved far away, as its bundle names it. */
declare module "near" {
  const worker: { fetch(request: Request, env: unknown, ctx: unknown): Response | Promise<Response> };
  export default worker;
}
