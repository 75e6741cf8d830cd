/**
 * Laws are tried with the same examples each time, so that a change is judged by what it did and not by the luck of its run;
 * `npm run laws` looks for more.
 */
import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    readonly lawSeed: number;
  }
}

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: inject("lawSeed") });
