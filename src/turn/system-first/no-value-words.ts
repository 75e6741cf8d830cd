/**
 * "None", "what", "up to you": words that answer a question for a value, and give none. Pure. Only as the whole of an answer: in
 * a longer one they may belong to the value ("Nothing Else Matters").
 */
import { plainWords } from "../../approvals/answers/plain-words.ts";

/** UTF-16 units: longer ones are not looked up. */
const MAX_LENGTH = 60;

const en = `none, none of them, none of these, none of those, nothing, nothing special, nothing in particular, nothing really, not anything,
  anything, anything is fine, anything works, anything goes, any, any of them, any of these, either, either one, whatever, whatever you want, whatever you like, whatever you think,
  what, what is that, what's that, what is this, what do you mean, what does that mean, what are those, which, which one, which ones, why, why that, how, how so, who, where, when, huh, eh, hm, hmm, um, uh, pardon, excuse me, come again,
  i don't know, i dont know, i do not know, i don't know yet, don't know, dont know, dunno, idk, no clue, no idea, not sure, i'm not sure, im not sure, i am not sure, unsure, unknown, undecided, i have no idea, i don't understand, i do not understand, i can't say,
  you choose, you decide, you pick, your choice, your call, up to you, it's up to you, surprise me, i don't care, i do not care, don't care, i don't mind, doesn't matter, it doesn't matter, does not matter, no matter, no preference,
  n/a, na, not applicable, null, undefined, nil, empty, blank, nobody, no one, nowhere, never`;

const zh = `没有, 没, 無, 无, 沒有, 没有了, 没什么, 没啥, 什么都没有, 什么, 什麼, 啥, 什么意思, 什麼意思, 什么是, 哪个, 哪個, 哪些, 为什么, 為什麼, 怎么, 怎麼, 谁, 谁知道, 什么时候, 哪里,
  不知道, 我不知道, 我也不知道, 不清楚, 我不清楚, 不确定, 我不确定, 不確定, 不懂, 我不懂, 不明白, 没想好, 还没想好, 没主意,
  随便, 隨便, 随意, 任意, 都可以, 都行, 都好, 什么都行, 什么都可以, 哪个都行, 无所谓, 無所謂, 你决定, 你決定, 你定, 你来定, 你选, 你看着办, 由你决定, 听你的`;

const ja = `なし, 無し, 無, ない, ないです, ありません, 特にない, 特にないです, 特になし, 特にありません, 別に, べつに, 何も, 何もない, 何もありません,
  何, なに, なん, 何が, 何を, 何の, 何ですか, なんですか, 何のこと, 何のことですか, どれ, どれですか, どっち, どの, どういう意味, どういう意味ですか, どういうこと, どういうことですか, なぜ, なんで, どうして, 誰, だれ, いつ, どこ, え, えっ, はあ,
  わからない, 分からない, 判らない, わからないです, 分からないです, わかりません, 分かりません, わかんない, 知らない, 知りません, 未定, 未定です, 決めていない, 決めていません, まだ決めていません, 不明, 不明です,
  何でも, なんでも, 何でもいい, なんでもいい, 何でもいいです, なんでもいいです, どれでも, どれでもいい, どれでもいいです, どちらでも, どちらでもいい, どちらでもいいです, お任せ, おまかせ, お任せします, おまかせします, 任せます, 適当, 適当に, 適当で, お好きに`;

/** Beside them: they say nothing. */
const FILLERS: ReadonlySet<string> = new Set(
  "well, oh, ah, hm, hmm, um, uh, sorry, please, thanks, really, actually, honestly, then".split(", "),
);

const bare = (text: string): string =>
  plainWords(text)
    .replace(/[\p{P}\s]+/gu, " ")
    .trim();

let known: ReadonlySet<string> | undefined;

/** Whether the whole answer is such words, or no words at all ("…", "?"). */
export function saysNoValue(answer: string): boolean {
  if (answer.length > MAX_LENGTH) return false;
  const said = bare(answer);
  known ??= new Set([en, zh, ja].flatMap((words) => words.split(/[,\n]/).map(bare)));
  return said === "" || known.has(said) || known.has(withoutFillers(said));
}

function withoutFillers(said: string): string {
  const words = said.split(" ");
  while (words.length > 1 && FILLERS.has(words[0] ?? "")) words.shift();
  while (words.length > 1 && FILLERS.has(words.at(-1) ?? "")) words.pop();
  return words.join(" ");
}
