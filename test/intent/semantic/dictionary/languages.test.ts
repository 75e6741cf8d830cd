/** Words of other languages, read as the English words that they mean, by the dictionaries that ship. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDictionary } from "../../../../src/intent/semantic/dictionary/dictionary.ts";
import type { ForeignLanguage } from "../../../../src/intent/semantic/dictionary/language.ts";
import { createEncoder, vocabularyOf } from "../../../../src/intent/semantic/encoder.ts";
import { hashText } from "../../../../src/intent/semantic/hash.ts";
import { readSemantic } from "../../../../src/intent/semantic/semantic-model.ts";
import { trainSemantic } from "../../../../src/intent/semantic/train.ts";
import { wordsOf } from "../../../../src/intent/semantic/words.ts";
import { languageLoader } from "../../../../src/stores/semantic/languages-asset.ts";
import { assistant, vectors as english, folder } from "../policies.ts";

const bytesOf = (file: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(`${folder}${file}`));
const loader = () => languageLoader(async (file) => bytesOf(file).buffer);
const vectors = await loader().load(english, ["de", "en", "es", "fr", "ja", "zh"]);
const { languages } = vectors;
if (!languages) throw new Error("no dictionary was loaded");

/** The English words, of those given, that the text holds. */
function meant(text: string, candidates: string): string {
  const words = wordsOf(text);
  const language = languages?.languageOf(words);
  if (!languages || !language) return "English";
  const hashes = new Set(
    languages
      .read(language === "zh" ? words.map(languages.simplified) : words, language)
      .flatMap((word) => word?.meanings.flatMap((meaning) => meaning.hashes) ?? []),
  );
  return candidates
    .split(" ")
    .filter((word) => hashes.has(hashText(word)))
    .join(" ");
}

describe("the language of a message", () => {
  it.each([
    ["de", "kannst du mir bitte die test mail schicken"],
    ["es", "mándale un mail a Bob"],
    ["fr", "envoie un mail à Bob stp"],
    ["fr", "l'erreur du serveur, corrige-la"],
    ["zh", "帮我删除这个文件"],
    ["ja", "明日の会議を削除して"],
    ["ja", "docker に redis 足して"],
    ["ja", "明日予約確認"],
    ["zh", "确认明天的预约"],
    ["de", "Was steht da auf dem Schild? 立入禁止"],
  ])("%s: %s", (language, text) => {
    expect(languages.languageOf(wordsOf(text))).toBe(language);
  });

  it.each(["the plan is to test the die", "dont note the kind of arm", "delete", "", "12 45", "привет", "안녕하세요"])(
    "English or none: %s",
    (text) => {
      expect(languages.languageOf(wordsOf(text))).toBeUndefined();
    },
  );
});

describe("German", () => {
  it.each([
    ["ich hätte das gern gelöscht", "delete"],
    ["bitte loeschen", "delete"],
    ["schreibst du mir das auf", "write"],
    ["hast du die Bücher", "books"],
    ["der Besprechungstermin ist falsch", "appointment"],
    ["bitte die Vokabelprüfung", "exam vocabulary"],
  ])("%s: %s", (text, words) => {
    expect(meant(text, words)).toBe(words);
  });
});

describe("Spanish", () => {
  it.each([
    ["bórralos por favor", "delete"],
    ["ya apuntaste mi cita", "appointment"],
    ["búscame los apuntes", "search note"],
    ["que traduzcan las cartas", "letter"],
    ["cuéntame qué hay en las carpetas", "tell folder"],
  ])("%s: %s", (text, words) => {
    expect(meant(text, words)).toBe(words);
  });
});

describe("French", () => {
  it.each([
    ["j'ai effacé l'adresse", "delete address"],
    ["qu'est-ce que t'as noté aujourd’hui", "write note today"],
    ["rédigez les lettres", "letter write"],
    ["ils envoyaient des fichiers", "send file"],
    ["achete des œufs frais", "buy egg"],
    ["les chevaux de la voisine", "horse neighbor"],
    ["nous traduisions l'article", "translate article"],
    ["elle remplacera la clé", "replace key"],
  ])("%s: %s", (text, words) => {
    expect(meant(text, words)).toBe(words);
  });
});

describe("Chinese and Japanese", () => {
  it.each([
    ["帮我把会议纪要翻译成英文", "meeting translate english"],
    ["幫我刪除這張閃卡", "delete card"],
    ["请总结一下这篇文章", "summarize article"],
    ["フラッシュカードを作って", "card make"],
    ["メールを送っておいてください", "mail send"],
    ["この文書を翻訳してもらえますか", "document translate"],
    ["ファイルを消さないで", "file not"],
  ])("%s: %s", (text, words) => {
    expect(meant(text, words)).toBe(words);
  });
});

describe("a model that learnt English examples", () => {
  const classify = (of: typeof english) => {
    const model = readSemantic(trainSemantic(assistant, of), of);
    if (!model.ok) throw new Error(model.error);
    return (text: string) => model.value.classify(text)[0]?.name;
  };
  const withDictionaries = classify(vectors);

  it.each([
    ["schreib das bitte auf", "TAKE_NOTE"],
    ["mándale un correo a mi equipo", "SEND_MAIL"],
    ["envoie un courriel à mon équipe", "SEND_MAIL"],
    ["明天帮我安排一个会议", "CALENDAR"],
    ["図書館で小説を検索して", "SEARCH"],
    ["bezahl meine Stromrechnung", "PAY"],
  ])("understands %s", (text, name) => {
    expect(withDictionaries(text)).toBe(name);
  });

  it("reads a misspelt word as the policy's", () => {
    expect(withDictionaries("pay my electrcity bill")).toBe("PAY");
    expect(withDictionaries("trasnfer it to my lanldord")).toBe("PAY");
  });

  it("reads English as without dictionaries", () => {
    const vocabulary = vocabularyOf(assistant.flatMap(({ examples }) => examples));
    const [with_, without] = [createEncoder(vocabulary, vectors), createEncoder(vocabulary, english)];
    for (const text of [
      "save this for later",
      "what's on my calendar?",
      "settle the bill",
      "the die is cast",
      "ask Maria",
    ]) {
      expect(with_(text)).toEqual(without(text));
    }
  });
});

describe("the assets", () => {
  const { dictionaries } = JSON.parse(readFileSync(`${folder}manifest.json`, "utf8")) as {
    dictionaries: { files: { file: string; sha256: string; bytes: number }[] };
  };

  it("are those of the manifest, small, and made for these vectors", () => {
    expect(dictionaries.files).toHaveLength(6);
    for (const { file, sha256, bytes } of dictionaries.files) {
      const found = bytesOf(file);
      expect(createHash("sha256").update(found).digest("hex")).toBe(sha256);
      expect(bytes).toBeLessThan(700_000);
      if (file !== "words.en.bin")
        expect(readDictionary(found.buffer, english.fingerprint)).toMatchObject({ ok: true });
    }
  });

  it("are left out where they are missing, damaged, or made for other vectors", async () => {
    const missing = languageLoader(async () => undefined);
    expect(await missing.load(english, ["de", "en"])).toBe(english);
    const cut = languageLoader(async (file) => bytesOf(file).buffer.slice(0, -4));
    expect(await cut.load(english, ["de", "en"])).toBe(english);
    const other = await loader().load({ ...english, fingerprint: 1 }, ["de"]);
    expect(other.languages).toBeUndefined();
  });

  it("give one fingerprint for one set of languages, whichever was read first", async () => {
    const one = loader();
    await one.load(english, ["zh"]);
    expect((await one.load(english, ["de", "zh"])).fingerprint).toBe(
      (await loader().load(english, ["zh", "de"])).fingerprint,
    );
    expect((await one.load(english, ["de"])).fingerprint).not.toBe(english.fingerprint);
  });
});

describe("laws", () => {
  const all: readonly ForeignLanguage[] = ["de", "es", "fr", "ja", "zh"];
  const read = (text: string) => {
    const words = wordsOf(text);
    languages.languageOf(words);
    for (const language of all) {
      const found = languages.read(words, language);
      expect(found).toHaveLength(words.length);
      for (const word of found) expect(word?.known ?? 0).toBeLessThanOrEqual(word?.parts ?? 0);
    }
  };

  it("never_throws", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), read));
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), read));
  });

  it("no_text_takes_long", () => {
    const pieces = [
      "aufge",
      "aufgeschriebenes ",
      "apuntándomelas ",
      "désenvoyassions ",
      "删",
      "送って",
      "ü",
      "a ",
      "schiffahrtskapitänsmütze",
    ];
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(65_536 / piece.length));
      const times = [1, 2, 3].map(() => {
        const start = performance.now();
        read(text);
        return performance.now() - start;
      });
      // The best of three: others use the machine too.
      expect(Math.min(...times)).toBeLessThan(50);
    }
  });
});
