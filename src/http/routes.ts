/**
 * Hono with its fastest router. The one that it takes by itself tries this one too, and brings another along in case that the
 * paths are none for it; here such a path is an error at the first request.
 */
import type { Env } from "hono";
import { HonoBase } from "hono/hono-base";
import { RegExpRouter } from "hono/router/reg-exp-router";
import type { AppEnv } from "./app-env.ts";

export class Routes<E extends Env = AppEnv> extends HonoBase<E> {
  constructor() {
    super();
    this.router = new RegExpRouter();
  }
}
