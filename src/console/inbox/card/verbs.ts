/** The text of the approve button: the act, if the tool's name has one, so that a press is more than an *OK*. */

import type { ApprovalView } from "../../../api-views/approval-views.ts";
import { type Verb, verbOf } from "../../../lib/acts/tool-verb.ts";
import { texts as common, textsIn } from "../../texts/texts.ts";

/** No entry for `cancel`: beside the deny button it would read as another no. */
const verbs: Readonly<Partial<Record<Verb, string>>> = textsIn<Partial<Record<Verb, string>>>({
  en: {
    append: "Add",
    commit: "Commit",
    copy: "Copy",
    create: "Create",
    delete: "Delete",
    deploy: "Deploy",
    edit: "Change",
    fetch: "Fetch",
    install: "Install",
    merge: "Merge",
    move: "Move",
    pay: "Pay",
    post: "Post",
    push: "Push",
    read: "Read",
    refund: "Refund",
    rename: "Rename",
    run: "Run",
    search: "Search",
    send: "Send",
    transfer: "Transfer",
    upload: "Upload",
    write: "Write",
  },
  zh: {
    append: "添加",
    commit: "提交",
    copy: "复制",
    create: "创建",
    delete: "删除",
    deploy: "部署",
    edit: "修改",
    fetch: "抓取",
    install: "安装",
    merge: "合并",
    move: "移动",
    pay: "支付",
    post: "发布",
    push: "推送",
    read: "读取",
    refund: "退款",
    rename: "重命名",
    run: "运行",
    search: "搜索",
    send: "发送",
    transfer: "转账",
    upload: "上传",
    write: "写入",
  },
  ja: {
    append: "追加する",
    commit: "コミットする",
    copy: "コピーする",
    create: "作成する",
    delete: "削除する",
    deploy: "デプロイする",
    edit: "変更する",
    fetch: "取得する",
    install: "インストールする",
    merge: "マージする",
    move: "移動する",
    pay: "支払う",
    post: "投稿する",
    push: "プッシュする",
    read: "読む",
    refund: "返金する",
    rename: "名前を変える",
    run: "実行する",
    search: "検索する",
    send: "送信する",
    transfer: "送金する",
    upload: "アップロードする",
    write: "書き込む",
  },
});

interface YesWords {
  readonly text: string;
  /** For screen readers, which may read the button without the question. */
  readonly label: string;
}

export function yesWords({ tool, details: { category } }: Pick<ApprovalView, "tool" | "details">): YesWords {
  const { approve } = common.answer;
  const verb = verbOf({ tool, category });
  const text = verb && verbs[verb];
  return text === undefined ? { text: approve, label: approve } : { text, label: `${approve}: ${text}` };
}
