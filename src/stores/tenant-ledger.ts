/** TenantLedger: the Durable Object of one tenant. It serialises operators' writes, so that two of them cannot undo each other unseen. */
import { DurableObject } from "cloudflare:workers";

export class TenantLedger extends DurableObject {}
