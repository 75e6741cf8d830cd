/** Questions right behind the gateway's question: those that point at the call keep it open, those about another thing do not. */
import { describe, expect, it } from "vitest";
import { answerInMessage } from "../../../src/approvals/answers/answer-in-message.ts";
import { frameText } from "../../../src/approvals/disclosure/frame.ts";
import { approvalOf } from "../samples.ts";

const question = frameText([approvalOf("K7QF", { traits: { name: "delete_file" }, arguments: { path: "b.txt" } })], {
  typedCode: false,
  now: 0,
});
const asks = (text: string) =>
  answerInMessage(text, ["K7QF"], question)?.some(({ action }) => action === "ask") === true;

const open = [
  "is there a backup?",
  "what port will it be on?",
  "will it take long?",
  "does this send them anything?",
  "is there any way back?",
  "gibt es ein Backup?",
  "auf welchem Port läuft es dann?",
  "dauert es lange?",
  "¿hay una copia?",
  "¿eso se puede deshacer?",
  "有备份吗？",
  "它会影响别的文件吗？",
  "バックアップはありますか？",
  "それは元に戻せますか？",
  "who will see it?",
  "is there an undo?",
  "how long will that take?",
  "would it delete the history too?",
  "are there copies of it?",
  "does it cost anything?",
  "gibt es davon eine Kopie?",
  "wird es sofort gemacht?",
  "¿hay alguna copia de seguridad?",
  "¿cuánto tarda eso?",
  "这个会通知他们吗？",
  "有没有副本？",
  "왜 물어보세요?",
  "왜 물어보는 거예요?",
  "왜 확인해야 하나요?",
  "これは取り消せますか？",
  "履歴はありますか？",
  "which account is it charged to?",
  "is it permanent?",
  "lequel ?",
  "hä?",
  "was ist das für eine Datei?",
  "what's the reason you ask?",
  "何のため？",
  "何に使うの？",
  "干嘛用的？",
  "这是什么文件？",
];
const message = [
  "왜 서울에 가요?",
  "can you show me the file first?",
  "when is Lea's next visit?",
  "is there a table free on friday at 7?",
  "what is the capital of Peru?",
  "do we have milk?",
  "could you send it to Tom instead?",
  "gibt es heute Termine bei Dr. Weber?",
  "kannst du mir sagen wie es Anna geht?",
  "¿puedes buscar otra?",
  "¿hay mesa para 4 en Viena?",
  "北京天气怎么样？",
  "能不能先给我看看？",
  "田中さんの予定は？",
  "もっと安いのを探してくれる？",
  "how do I bake bread?",
  "can you check the calendar?",
  "what did Mia say yesterday?",
  "is there a train to Graz at 9?",
  "who wrote Faust?",
  "please, could you list them?",
  "wann kommt Frau Huber?",
  "kannst du es lieber morgen machen?",
  "¿quién es Lorca?",
  "¿me puedes mostrar las facturas?",
  "帮我查一下航班好吗？",
  "李雷明天有空吗？",
  "東京の天気は？",
  "これを佐藤さんに送ってもらえますか？",
  "how many moons has Mars?",
  "wie wird das Wetter?",
];

describe("a question that names nothing", () => {
  it.each(open)("keeps the call open: %s", (text) => expect(asks(text)).toBe(true));
  it.each(message)("does not where it is about another thing, or wants something: %s", (text) =>
    expect(asks(text)).toBe(false),
  );
});
