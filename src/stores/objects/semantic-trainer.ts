/**
 * SemanticTrainer: the Durable Object that trains the built-in model of one training set, so that this costs neither a chat request
 * nor the tenant's ledger its CPU, and is done once however many isolates ask. It stores only an order that is not done yet.
 */
import { DurableObject } from "cloudflare:workers";
import { readSemantic } from "../../intent/semantic/semantic-model.ts";
import { trainInPieces } from "../../intent/semantic/train.ts";
import type { TrainingSet } from "../../intent/training-set.ts";
import { runYielding } from "../../lib/concurrency.ts";
import { describeError, log } from "../../lib/log.ts";
import { type Assets, loadTalk, loadVectors, withShipped } from "../semantic/assets.ts";
import { builtinKey, type TrainerPort } from "../semantic/builtin-source.ts";
import { readModel, writeModel } from "../semantic/compiled-models.ts";
import { assetLanguages } from "../semantic/languages-asset.ts";

interface TrainerEnv {
  readonly KV: KVNamespace;
  readonly ASSETS?: Assets;
}

interface TrainingJob {
  readonly set: TrainingSet;
  readonly attempts: number;
}

/** After this time a chat must ask again. */
const MAX_ATTEMPTS = 6;
const BACK_OFF_MS = 30_000;

export class SemanticTrainer extends DurableObject<TrainerEnv> implements TrainerPort {
  /** The alarm is running: `getAlarm` returns null meanwhile. */
  private alarmed = false;
  private training: Promise<void> | undefined;

  async train(set: TrainingSet): Promise<void> {
    this.training ??= this.makeModel(set).finally(() => {
      this.training = undefined;
    });
    return this.training;
  }

  private async makeModel(set: TrainingSet): Promise<void> {
    const { KV: kv, ASSETS: assets } = this.env;
    const vectors = await assetLanguages(assets).load(await loadVectors(assets), set.languages);
    const key = builtinKey(vectors, set);
    const stored = await readModel(withShipped(kv, assets), key).catch(() => undefined);
    if (stored?.ok && readSemantic(stored.value, vectors).ok) return;
    const model = await runYielding(trainInPieces(set.intents, vectors, await loadTalk(assets)));
    await writeModel(kv, key, model);
    log("info", "semantic_model_trained", { key, intents: set.intents.length, bytes: model.length });
  }

  async trainSoon(set: TrainingSet): Promise<void> {
    const { storage } = this.ctx;
    const order = await storage.get<TrainingJob>("order");
    // The runtime gives up an alarm whose training it cuts off. Such a job has no alarm left, and would wait for ever.
    if (order !== undefined && (this.alarmed || (await storage.getAlarm()) !== null)) return;
    if (order === undefined) await storage.put<TrainingJob>("order", { set, attempts: 0 });
    await storage.setAlarm(Date.now());
  }

  /** Never throws: the runtime gives up on an alarm that does. */
  override async alarm(): Promise<void> {
    const order = await this.ctx.storage.get<TrainingJob>("order");
    if (order === undefined) return;
    const attempts = order.attempts + 1;
    if (attempts > MAX_ATTEMPTS) return this.ctx.storage.deleteAll();
    this.alarmed = true;
    try {
      // On disk first: training that is cut off by the runtime's limits must not begin again for ever.
      await this.ctx.storage.put<TrainingJob>("order", { ...order, attempts });
      await this.ctx.storage.sync();
      await this.train(order.set);
      await this.ctx.storage.deleteAll();
    } catch (error) {
      log("error", "semantic_training_failed", { attempts, ...describeError(error) });
      if (attempts >= MAX_ATTEMPTS) await this.ctx.storage.deleteAll();
      else await this.ctx.storage.setAlarm(Date.now() + BACK_OFF_MS * 2 ** attempts);
    } finally {
      this.alarmed = false;
    }
  }
}
