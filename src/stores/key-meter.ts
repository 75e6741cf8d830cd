/** KeyMeter: the Durable Object of one API key that has a request rate limit. It counts the key's requests. */
import { DurableObject } from "cloudflare:workers";

export class KeyMeter extends DurableObject {}
