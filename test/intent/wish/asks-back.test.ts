import { describe, expect, it } from "vitest";
import { asksBack } from "../../../src/intent/wish/asks-back.ts";

describe("a reply only asks something back", () => {
  it.each(
    [
      "why?|what for?|which one?|which ones|to whom?|since when?|how so?|what do you mean?|really?|are you sure?|ok, but why?",
      "wozu?|wozu denn|welche?|an wen?|wie viel?|wieso das?|wie meinst du das?|echt?|bist du sicher?",
      "¿para qué?|por qué?|¿cuál?|¿a quién?|¿seguro?|de verdad?",
      "pourquoi ?|lequel ?|pour quoi faire ?|à qui ?|t'es sûr ?|comment ça ?|c'est-à-dire ?",
      "为什么？|哪一个？|给谁？|干嘛？|确定吗？|什么意思？",
      "どれ？|なぜ？|何のために？|誰に？|本当に？|どういうこと？",
      "왜요?|어느 거?|누구에게?|정말?",
    ].flatMap((line) => line.split("|")),
  )("%s", (text) => {
    expect(asksBack(text)).toBe(true);
  });
});

describe("a reply that wants something", () => {
  it.each(
    [
      "why not?|one more?|and Anna?|how about friday?|could you do it?|sure|what else?|do what you want|which one? the blue one",
      "warum nicht?|noch eins?|sicher|wie das|egal welche|machst du es?|was auch immer",
      "¿por qué no?|seguro|como esa|cualquiera|verdad|pourquoi pas ?|n'importe lequel|c'est ça",
      "确定|真的|什么都行|随便哪个都行|いつでも|どれでも|何でもいい|本当に|消して？|해줘",
    ].flatMap((line) => line.split("|")),
  )("%s", (text) => {
    expect(asksBack(text)).toBe(false);
  });
});
