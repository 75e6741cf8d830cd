/** Texts about the intents detected in a message. */
import { textsIn } from "../texts/texts.ts";

export const texts = textsIn({
  en: {
    nothingHeard: "no intent in the user's words",
    by: (layer: string, sure: string) => `${sure} sure, ${layer}`,
    layers: {
      keywords: "by the keyword",
      patterns: "by the pattern",
      semantic: "by meaning, near to",
      model: "by the model that detects",
      fallback: "since nothing else was heard",
    },
    discounted: {
      negated: "does not count: the user said not this",
      overruled: "does not count: more exact words cover it",
      mentioned: "does not count: it is only mentioned",
    },
    wrote: "The user wrote",
    marked: (intents: string) => `speaks for ${intents}`,
    notCounted: (intents: string) => `does not count for ${intents}`,
  },
  zh: {
    nothingHeard: "用户的话中没有意图",
    by: (layer: string, sure: string) => `把握 ${sure}，${layer}`,
    layers: {
      keywords: "依据关键词",
      patterns: "依据模式",
      semantic: "依据含义，接近",
      model: "依据识别模型",
      fallback: "因为没有识别到别的",
    },
    discounted: {
      negated: "不计：用户说不要",
      overruled: "不计：有更确切的词",
      mentioned: "不计：只是提到",
    },
    wrote: "用户写道",
    marked: (intents: string) => `指向 ${intents}`,
    notCounted: (intents: string) => `不计入 ${intents}`,
  },
  ja: {
    nothingHeard: "利用者の言葉に意図なし",
    by: (layer: string, sure: string) => `確度 ${sure}、${layer}`,
    layers: {
      keywords: "キーワード",
      patterns: "パターン",
      semantic: "意味が近い",
      model: "検出モデル",
      fallback: "ほかに聞き取れず",
    },
    discounted: {
      negated: "数えない：打ち消された",
      overruled: "数えない：より確かな言葉がある",
      mentioned: "数えない：触れただけ",
    },
    wrote: "利用者の言葉",
    marked: (intents: string) => `${intents} を指す`,
    notCounted: (intents: string) => `${intents} には数えない`,
  },
});
