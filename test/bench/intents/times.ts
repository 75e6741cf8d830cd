/** How long a model takes: to read it, to correct or translate a message, and to train one for very many tools. */
import { readSemantic } from "../../../src/intent/semantic/semantic-model.ts";
import { trainSemantic } from "../../../src/intent/semantic/train.ts";
import type { WordVectors } from "../../../src/intent/semantic/vectors.ts";
import { median } from "../report/statistics.ts";
import type { Labelled } from "./data-sets.ts";
import { misspelt } from "./misspell.ts";
import { talk, trainingIntents } from "./toolgate.ts";

export interface Times {
  /** Milliseconds to read a stored model, the median of several. */
  readonly reading: number;
  /** Microseconds for a message with a misspelt word, and for one in another language; medians. */
  readonly corrected: number;
  readonly translated: number;
  /** CPU seconds to train a model of 4,000 tools. */
  readonly manyTools: number;
}

const readings = 15;
const repeats = 5;
const tools = 4000;
const foreign = [
  "Wie wird das Wetter morgen in Hamburg?",
  "Überweise bitte 50 Euro an meinen Bruder",
  "Stell einen Wecker für halb sieben",
  "¿Cuánto dinero me queda en la cuenta?",
  "Reserva una mesa para dos esta noche",
  "Pon música tranquila en el salón",
  "明天上海会下雨吗",
  "帮我订一张去北京的机票",
  "口座の残高を教えて",
  "明日の朝七時にアラームをセットして",
];

export function measureTimes(examples: Labelled, texts: readonly string[], vectors: WordVectors): Times {
  const bytes = trainSemantic(trainingIntents(examples, true), vectors, talk);
  const read = () => {
    const model = readSemantic(bytes, vectors);
    if (!model.ok) throw new Error(model.error);
    return model.value;
  };
  const reading = median(Array.from({ length: readings }, () => timeOf(read)));
  const { classify } = read();
  const time = (all: readonly string[]) =>
    1000 * median(all.map((text) => Math.min(...Array.from({ length: repeats }, () => timeOf(() => classify(text))))));
  const wrong = misspelt(texts, 7);
  time(wrong);
  return { reading, corrected: time(wrong), translated: time(foreign), manyTools: trainMany(vectors) };
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const verbs =
  "create read update delete list search export import archive share approve reject assign close open merge move copy rename tag".split(
    " ",
  );
const things =
  "invoice ticket contact order file message calendar event report customer product shipment payment contract task note user group server database backup alert image survey course booking vehicle claim recipe playlist meeting lead deployment branch pipeline".split(
    " ",
  );
const systems = "billing warehouse school hospital studio website archive garage kitchen library".split(" ");

/** Names and descriptions that a list of tools has, each once: 20 verbs, 35 things, 10 systems. */
function trainMany(vectors: WordVectors): number {
  const intents = Array.from({ length: tools }, (_, i) => {
    const verb = verbs[i % verbs.length] ?? "";
    const thing = things[Math.floor(i / verbs.length) % things.length] ?? "";
    const system = systems[Math.floor(i / verbs.length / things.length) % systems.length] ?? "";
    const name = `${system}_${verb}_${thing}`;
    return { name, description: `${verb} a ${thing} of the ${system}`, keywords: [`${verb} ${thing}`], examples: [] };
  });
  const before = process.cpuUsage();
  trainSemantic(intents, vectors, talk);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
