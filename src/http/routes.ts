/**
 * Hono with the one of its routers that can hold all our paths. Its own choice builds another at the first request, finds
 * that it cannot, and takes this one: half of what it costs to make the app.
 */
import type { Env } from "hono";
import { HonoBase } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";
import type { AppEnv } from "./app-env.ts";

export class Routes<E extends Env = AppEnv> extends HonoBase<E> {
  constructor() {
    super();
    this.router = new TrieRouter();
  }
}
