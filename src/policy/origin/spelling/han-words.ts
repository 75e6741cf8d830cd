/** Where words of Chinese writing begin and end, which has no blanks between them. Pure. */
import { lazyRegExp, once } from "../../../lib/once.ts";

const han = lazyRegExp(String.raw`\p{sc=Han}`, "u");
const segmenter = once(() => new Intl.Segmenter("zh", { granularity: "word" }));

/** Letters on each side that are read: words are shorter. */
const AROUND = 24;

/** Whether a word may begin or end at a place: not within a word of the dictionary. Beside other writing there is no question. */
export function isWordEdge(text: string, at: number): boolean {
  const isHan = (index: number) => index >= 0 && index < text.length && han().test(text.charAt(index));
  if (!isHan(at - 1) || !isHan(at)) return true;
  let [start, end] = [at, at];
  while (at - start < AROUND && isHan(start - 1)) start -= 1;
  while (end - at < AROUND && isHan(end)) end += 1;
  for (const { index } of segmenter().segment(text.slice(start, end))) if (start + index === at) return true;
  return false;
}

const orders =
  "删除|打开|发送|发给|转发|读取|看看|查看|移动|复制|上传|下载|分享|共享|重命名|编辑|修改|更新|打印|保存|发布|取消|加入|添加|通知|联系|给|发|删|看|读|找|用|查|改";
const beforeName = lazyRegExp(
  `^(?:请|麻烦|帮我|帮忙|你|我想|我要|再|先|也|都){0,3}(?:把|将|给|到|在|从|和|与|跟|叫|向|往|对|为)?(?:${orders})?(?:一下|这个|那个|文件|文档|名为|叫|给|到|在|和)?$`,
  "u",
);
const beforeRun = lazyRegExp(
  String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\u30fc]{1,${AROUND}}$`,
  "u",
);

/** Whether what is joined to a name before it is wholly a short order: `删除旧报告.docx` names `旧报告.docx`, `我的旧报告.docx` does not. */
export function isNameStart(text: string, at: number): boolean {
  const [run = ""] = beforeRun().exec(text.slice(Math.max(0, at - AROUND), at)) ?? [];
  return run.length < AROUND && beforeName().test(run) && isWordEdge(text, at);
}
