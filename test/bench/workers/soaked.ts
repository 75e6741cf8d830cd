/** Toolgate, and a leak that the soak plants to see that it would find one. No deployment has this entry. */
import toolgate from "toolgate";

export * from "toolgate";

interface Env {
  /** In bytes a request; none where it is not bound. */
  readonly BENCH_LEAK?: string;
}

const leaked: number[][] = [];

export default {
  fetch(request: Request, env: Env, ctx: unknown): Response | Promise<Response> {
    // A number takes 8 bytes in an array of fractions.
    const numbers = Math.floor(Number(env.BENCH_LEAK ?? 0) / 8);
    if (numbers > 0) leaked.push(Array.from({ length: numbers }, () => Math.random()));
    return toolgate.fetch(request, env, ctx);
  },
};
