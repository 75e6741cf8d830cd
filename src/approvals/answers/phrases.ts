/** The words that answers are made of, in each language that can be answered in. */

/** By kind, phrases as people write them, in lower case, divided by commas or line ends. */
interface Phrases {
  readonly yes: string;
  /** A yes, but to nothing that takes away or costs: "perfect" may be said of what is. */
  readonly praise: string;
  readonly no: string;
  /** Says nothing beside another, and nothing alone. Praise too: "love it" may be said of the cat that the question names. */
  readonly polite: string;
  readonly all: string;
  readonly always: string;
  /** Beside a yes: the task may use the values of the message that the question names. */
  readonly useValues: string;
  readonly continue: string;
  /** It was decided elsewhere: the answer goes on with that decision, and makes none. */
  readonly done: string;
  readonly preview: string;
  readonly learnMore: string;
  readonly edit: string;
  /** What a reason begins with after a refusal. */
  readonly because: string;
  /** Joins two answers. */
  readonly and: string;
  /** Joins two answers too; before other words it takes a yes back in part. */
  readonly but: string;
  /** Asks for time. */
  readonly wait: string;
  /** Made of words that mean an answer, and none itself. */
  readonly unclear: string;
}

export type PhraseKind = keyof Phrases;

const en: Phrases = {
  yes: `sounds right, pls do, that's the one, thats the one, sounds about right, sounds fine, sounds ok, sounds okay, looks right, looks correct, looks fine, looks fine to me, looks ok, looks okay, that works, that's right, thats right, that is right, fire away, yes, yeah, yea, yep, yup, yes yes, yes sir, yessir, ye, aye, ok, okay, o.k, k, kk, okey, okey dokey, okie dokie, alright, all right, sure,
    sure thing, no problem, no problem at all, no worries, of course, certainly, absolutely, definitely, by all means, go, go ahead, go for it, do it, do that, do so, please do,
    do it please, go on then, proceed, please proceed, approve, approved, i approve, accept, accepted, confirm, confirmed, i confirm, allow,
    allow it, allowed, permit, permitted, grant it, agreed, i agree, fine, that's fine, thats fine, fine by me, fine with me, that is fine,
    sounds good, looks good, lgtm, looks good to me, that's ok, thats ok, that's okay, it's ok, its ok, it's fine, its fine, works for me,
    run it, send it, make it so, apply, apply it, apply changes, apply the changes, enable, enable it, create it, save it, yes i do,
    yes you may, you may, you can, yes you can, yes do it, yes go ahead, ok do it, ok go, why not, roger, affirmative, correct, right, exactly, very well, true, be my guest, ship it, let's go, lets go, let's do it, lets do it, i'm ok with that, i am ok with that,
    👍, 👌, ✅, ✔, 🆗, 🙆, bingo, good to go, we're good to go, sgtm, sounds good to me, that'll do, that will do, green light, all good here, crack on, have at it, knock yourself out, let it rip, off you go, full steam ahead, happy with that, i'm happy with that, im happy with that, no objection, no objections, no objections here, you bet, right on, righto, roger that, indeed, for sure, totally`,
  praise: "perfect, great, excellent, good, spot on, 💯",
  no: `lol no, nice try, no, n, nope, nah, no no, no way, no sir, nay, never, not now, not yet, don't, dont, do not, don't do it, dont do it, do not do it,
    don't do that, dont do that, do not do that, please don't, please dont, please do not, stop, stop it, halt, cancel, cancel it, cancel that,
    abort, deny, denied, deny it, refuse, refused, i refuse, reject, rejected, reject it, decline, declined, i decline, disapprove,
    disapproved, skip, skip it, leave it, forget it, forget that, never mind, nevermind, nvm, no go, not approved, not allowed, not confirmed, i don't approve, i do not approve, absolutely not, certainly not, definitely not,
    of course not, i'd rather not, i would rather not, rather not, i don't want that, i dont want that, not ok, not okay, negative, wrong,
    no good, don't proceed, do not proceed, don't apply, do not apply, don't send it, do not send it, 👎, ❌, 🚫, ✋, 🛑, ⛔, 🙅, ✖`,
  polite: `please, pls, plz, thanks, thank you, thx, ty, cheers, thank you very much, thanks a lot, many thanks, sir, it, then, now, just,
    for now, this time, kindly, dear, so, well, oh, um, hmm, ah, 🙏, 🙂, 😊, 😀, 😃, 😄, 😉, cool, brilliant, lovely, awesome, wonderful, fantastic, would be great, that would be great, that'd be great, i like it, love it`,
  all: "both of those, both of these, them both, the two, the two of them, all, all of them, them all, everything, all of it, both, both of them, to all, for all, all calls, each of them, every one",
  always: `always, always allow, always allow it, always yes, yes always, allow always, always approve, always do it, don't ask again,
    dont ask again, do not ask again, don't ask me again, dont ask me again, yes and don't ask again, yes don't ask again, yes to this tool always`,
  useValues: `use its values, use the values, use values, use those values, use these values, use all its values, use all values, use its other values, use the other values, use other values, use values of this message, use values of that message, use values from this message, use values from that message, use the values of this message, use the values of that message, use the values from this message, use the values from that message, use values of this result, use values of that result, use values from this result, use values from that result, use the values of this result, use the values of that result, use the values from this result, use the values from that result, trust its values`,
  continue: "continue, go on, carry on, resume, next, keep going, please continue, move on",
  done: "done, all done, it's done, its done, it is done, that's done, i'm done, i am done, i did, i did it, i did that, i've done it, ive done it, i have done it, i've done that, i approved, i have approved, i've approved, ive approved, i just approved, i already approved, already approved, it's approved, its approved, it is approved, that's approved, i approved that, i approved them, i confirmed, i have confirmed, i've confirmed, i allowed, i have allowed, i denied, i have denied, i rejected, i've denied, i answered, i have answered, i've answered, answered, in the inbox, in my inbox, in the console, on the page, in the app, with the link, by the link, via the link, through the link, from the link, by mail, elsewhere, over there",
  preview: `preview, show preview, show me a preview, show the preview, show changes, show the changes, show me the changes, show diff, show the diff, diff,
    what changes, what would change, what will change, see changes`,
  learnMore: `learn more, more, more info, more information, tell me more, info, details, more details, show details, explain, help, what is this, what's this,
    what is it, what does it do, what does this do, ?, ??, ???`,
  edit: "edit, edit it, modify",
  because: "because, since, cause, cuz, bc, reason",
  and: "and, also, plus, &, +",
  but: "but, but then, however",
  wait: `later, maybe later, in a bit, in a minute, wait, wait please, wait up, wait a moment, wait a minute, wait a second, wait a sec, wait for me, wait a bit, please wait, hold on, hold on a second, hang on,
    hang on a second, hang on a sec, hold on a sec, hang on a minute, one moment, one moment please, just a moment, just a minute, just a second, just a sec, a moment, moment, one sec, one second,
    a second, sec, give me a moment, give me a minute, give me a second, give me a sec, let me think, let me check, let me see, i need a moment, i need a minute, not so fast`,
  unclear: `yeah right, don't stop, dont stop, do not stop, don't cancel, dont cancel, do not cancel, don't deny, do not deny, don't reject, do not reject,
    don't refuse, do not refuse, don't abort, do not abort, never stop, not never, yes and no, maybe, perhaps, not sure, i guess, no idea,
    i don't know, i dont know, i do not know, dunno,
    you choose, you decide, up to you, it's up to you, i changed my mind, i've changed my mind, ive changed my mind`,
};

const zh: Phrases = {
  yes: `看起来没问题, 看起來沒問題, 没毛病, 沒毛病, 看起来不错, 看起來不錯, 是, 是的, 是啊, 是呀, 对, 對, 对的, 對的, 对啊, 對啊, 好, 好的, 好吧, 好啊, 好呀, 好哒, 好滴, 好嘞, 可以, 可以的, 可以啊, 可, 行, 行的, 行啊, 行吧, 嗯, 嗯嗯, 恩, 没问题, 沒問題,
    同意, 我同意, 批准, 允许, 允許, 许可, 許可, 准许, 准許, 确认, 確認, 确定, 確定, 确认执行, 確認執行, 执行, 執行, 执行吧, 執行吧, 通过, 通過, 接受, 当然, 當然, 当然可以, 當然可以, 没错, 沒錯, 正确, 正確, 需要,
    做吧, 干吧, 去吧, 去做吧, 就这样, 就這樣, 就这么办, 就這麼辦, 就这么做, 就這麼做, 来吧, 來吧, 开始, 開始, 开始吧, 開始吧, 发吧, 發吧, 发送, 發送, 应用, 應用, 应用更改, 套用, 套用變更, 启用, 啟用, 请做, 請做, 请执行, 請執行, 请吧, 請吧,
    可以执行, 可以執行, 可以做, 好的可以, 好的没问题, 好的沒問題, 那就这样, 那就這樣, 我确认, 我確認, 我确定, 我確定, 赞成, 贊成, 赞同, 贊同, 成, 要得, 了解了解,
    走起, 冲, 妥, 妥了, 妥妥的, 得嘞, 没意见, 沒意見, 我没意见, 我沒意見, 没有意见, 沒有意見, 准了, 准奏, 安排, 安排上, 就它了, 就酱, 就這麼著, 搞起, 搞起来`,
  praise: "挺好, 挺好的, 不错, 不錯, 完美, 很好, 非常好",
  no: `不, 不是, 不是的, 不对, 不對, 不好, 不可以, 不可, 不行, 不要, 不要了, 不用, 不用了, 不必, 不必了, 不想, 不需要, 不同意, 我不同意, 不批准, 不允许, 不允許, 不准, 不许, 不許, 不确认, 不確認, 不接受, 不通过, 不通過, 否, 否定, 别, 別, 别做, 別做, 别这样, 別這樣, 别发, 別發, 别执行, 別執行,
    不执行, 不執行, 不要执行, 不要執行, 不要做, 不要这样做, 不要這樣做, 不做, 不发, 不發, 不要发, 不要發, 取消, 取消吧, 停, 停止, 停下, 停下来, 停下來, 算了, 算了吧, 拒绝, 拒絕, 我拒绝, 我拒絕, 否决, 否決, 驳回, 駁回, 中止, 终止, 終止, 放弃, 放棄, 先不要, 先别, 先別, 暂时不要, 暫時不要, 暂不, 暫不, 还是不要, 還是不要, 还是算了, 還是算了,
    没必要, 沒必要, 不了, 免了, 够了, 夠了, 绝不, 絕不, 当然不, 當然不, 当然不行, 當然不行, 跳过, 跳過, 不启用, 不啟用, 不应用, 不套用, 不应用更改`,
  polite:
    "请, 請, 谢谢, 謝謝, 谢谢你, 謝謝你, 谢谢您, 謝謝您, 多谢, 多謝, 谢了, 謝了, 麻烦, 麻煩, 麻烦你, 麻煩你, 麻烦您, 麻煩您, 麻烦了, 麻煩了, 辛苦了, 您好, 你好, 吧, 啊, 呀, 哦, 喔, 呢, 的, 了, 啦, 那, 那么, 那麼, 太好了",
  all: "两个, 兩個, 俩都, 倆都, 全部, 所有, 所有的, 都, 全都, 两个都, 兩個都, 全部都, 一起",
  always:
    "总是, 總是, 总是允许, 總是允許, 始终允许, 始終允許, 一直允许, 一直允許, 永远允许, 永遠允許, 一律允许, 一律允許, 总是同意, 總是同意, 不要再问, 不要再問, 不用再问, 不用再問, 别再问, 別再問, 别再问了, 別再問了, 以后都可以, 以後都可以, 以后不用问, 以後不用問",
  useValues: `使用其中的值, 使用其值, 使用它的值, 使用该消息的值, 使用此消息的值, 使用这条消息的值, 使用这条消息中的值, 使用该结果的值, 使用此结果的值, 使用这个结果的值, 使用这个结果中的值, 用其中的值, 用它的值, 用这条消息的值, 用这条消息里的值, 用这个结果的值, 也用其中的值, 也使用其中的值, 使用該訊息的值, 使用此訊息的值, 使用這則訊息的值, 使用這則訊息中的值, 使用這條訊息的值, 使用該結果的值, 使用此結果的值, 使用這個結果的值, 使用這個結果中的值, 用這則訊息的值, 用這則訊息裡的值, 用這個結果的值`,
  continue: "继续, 繼續, 继续吧, 繼續吧, 请继续, 請繼續, 接着, 接著, 下一步, 往下",
  done: "完成, 完成了, 已完成, 搞定, 搞定了, 弄好了, 做完了, 办好了, 辦好了, 已批准, 已经批准, 已經批准, 已经批准了, 已經批准了, 我已批准, 我已经批准, 我已經批准, 我批准了, 批准过了, 批准過了, 已同意, 已经同意, 已經同意, 已经同意了, 已經同意了, 我已同意, 已确认, 已確認, 已经确认了, 已經確認了, 我拒绝了, 我拒絕了, 已拒绝, 已拒絕, 在收件箱里, 在收件箱, 在收件匣, 在控制台, 在别处, 在別處",
  preview:
    "预览, 預覽, 看预览, 看預覽, 显示预览, 顯示預覽, 查看预览, 查看預覽, 预览一下, 預覽一下, 查看更改, 查看變更, 看看更改, 显示更改, 顯示變更, 差异, 差異, 改了什么, 改了什麼, 会改什么, 會改什麼",
  learnMore:
    "了解更多, 瞭解更多, 更多, 更多信息, 更多資訊, 详情, 詳情, 详细, 詳細, 详细信息, 詳細資訊, 说明, 說明, 解释, 解釋, 解释一下, 解釋一下, 这是什么, 這是什麼, 帮助, 幫助, 查看详情, 查看詳情",
  edit: "编辑, 編輯, 修改, 改, 更改, 改成, 改为, 改為",
  because: "因为, 因為, 由于, 由於, 理由, 原因, 理由是, 原因是",
  and: "和, 并, 並, 并且, 並且, 而且, 以及, 还有, 還有, 然后, 然後, 另外",
  but: "但, 但是, 不过, 不過, 可是, 只是",
  wait: "回头再说, 回頭再說, 晚点, 晚點, 待会儿, 待會兒, 等, 等等, 等一下, 等会, 等會, 等会儿, 等會兒, 等一会, 等一會, 等一会儿, 等一會兒, 稍等, 稍等一下, 请稍等, 請稍等, 请等一下, 請等一下, 先等等, 先等一下, 等我一下, 等下, 且慢, 慢着, 慢著, 我想想, 让我想想, 讓我想想, 我看看, 让我看看, 讓我看看, 我再看看",
  unclear: `不要取消, 别取消, 別取消, 不取消, 不要停, 别停, 別停, 不要停止, 不拒绝, 不拒絕, 不要拒绝, 不要拒絕, 不反对, 不反對, 不是不, 不是不行, 不是不可以, 不得不, 不对吧, 不對吧, 好不好, 行不行, 可不可以, 是不是, 对不对, 對不對, 要不要, 不好意思,
    好了吗, 好了嗎, 可以吗, 可以嗎, 行吗, 行嗎, 好吗, 好嗎, 是吗, 是嗎, 是吧, 对吧, 好了, 行了, 可以了, 对了, 對了, 没事, 沒事, 对吗, 對嗎, 也许, 也許, 可能, 不一定, 不确定, 不確定, 随便, 隨便`,
};

const ja: Phrases = {
  yes: `よさそう, それでお願い, それで頼む, 大丈夫です進めて, 大丈夫です、進めて, 良さそう, よさそうです, 良さそうです, よさそうですね, 良さそうですね, はい, はーい, ハイ, はいはい, 合っています, 合ってます, 合ってる, で合っています, で合ってます, で合ってる, うん, ええ, えぇ, そう, そうです, そうして, そうしてください, そうして下さい, お願い, おねがい, お願いします, おねがいします, お願いいたします, お願い致します, よろしく, よろしくお願いします, 宜しくお願いします, 宜しく,
    どうぞ, はいどうぞ, いいよ, いいですよ, よし, 良いですよ, オッケー, オーケー, オーケーです, おけ, おk, おっけー, 了解, 了解です, 了解しました, 承知, 承知しました, 承認, 承認します, 承認する, 許可, 許可します, 許可する,
    同意, 同意します, 同意する, 賛成, 賛成です, 確認, 確認しました, 確認済み, 実行, 実行して, 実行してください, 実行して下さい, 実行します, 実行する, 実行お願いします, 進めて, 進めてください, 進めて下さい, やって, やってください, やって下さい, やってみて, やろう, して, してください, して下さい,
    構いません, かまいません, 構わない, かまわない, 構わないよ, 問題ない, 問題ないです, 問題ありません, 問題なし, もちろん, 勿論, もちろんです, わかりました, 分かりました, わかった, 分かった, その通り, そのとおり, それでいい, それでいいです, それでいいよ, それでお願いします, それで大丈夫です,
    適用, 適用して, 適用してください, 適用して下さい, 適用する, 適用します, 有効にして, 有効にしてください, 有効にする, 送って, 送ってください, 送って下さい, 送信, 送信して, 送信してください, 保存して, 保存してください, 作成して, 作成してください, 作って, 作ってください, 続行, 続行して, 続行してください, 続行する, 続行します,
    それでいこう, それで行こう, それでいきましょう, それで行きましょう, それで進めて, それで進めてください, それでok, それでokです, おっけ, おけです, やっちゃって, やっちゃってください, いっちゃって, 頼む, 頼みます, 頼んだ, たのむ, よろ, りょ, りょうかい, りょうかいです, ゴー, goで, 異議なし, 異議ありません, いいと思う, いいと思います`,
  praise: "いいね, いいですね, 良い, よい, ばっちり, バッチリ, バッチリです, 完璧, 完璧です",
  no: `いいえ, いえ, いえいえ, いや, いやです, 嫌, 嫌です, イヤ, イヤです, ううん, 違う, 違います, ちがう, ちがいます, だめ, ダメ, 駄目, だめです, ダメです, 駄目です, いけません, いけない, やめて, 止めて, やめてください, やめて下さい, 止めてください, 止めて下さい, やめる, やめます, やめておく, やめておきます, やめとく, やめときます, やめよう,
    しない, しません, しないで, しないでください, しないで下さい, しなくていい, しなくていいです, やらない, やらないで, やらないでください, やらなくていい, やらなくていいです, 実行しない, 実行しないで, 実行しないでください, 進めないで, 進めないでください, 送らないで, 送らないでください, 不要, 不要です, いらない, いりません, 要らない, 要りません, 必要ない, 必要ないです, 必要ありません,
    キャンセル, キャンセルで, キャンセルして, キャンセルしてください, キャンセルします, キャンセルする, 取り消し, 取り消して, 取り消してください, 取消, 中止, 中止して, 中止してください, 中止する, 中止します, 停止, 停止して, 停止してください, ストップ, 拒否, 拒否します, 拒否する, 却下, 却下します, 却下する, 断る, 断ります, お断り, お断りします, 許可しない, 許可しません, 承認しない, 承認しません, 同意しない, 同意しません, 反対, 反対です,
    結構です, けっこうです, 遠慮します, 遠慮しておきます, また今度, 今はいい, 今はやめて, 今はしないで, まだ, まだです, まだだめ, ノー, 無理, 無理です, 見送り, 見送ります, 見送る, スキップ, 適用しない, 適用しないで, 適用しないでください, 有効にしない, 有効にしないで`,
  polite:
    "ありがとう, ありがとうございます, ありがと, どうも, すみません, すいません, ください, 下さい, です, ます, ね, よ, よね, さん, では, じゃあ, じゃ, それでは, まあ, あの, えっと, ぜひ, 是非, ごめん, ごめんなさい, ごめんね, 今回は, 今は, 素晴らしい, 最高です",
  all: "二つとも, 2つとも, どっちも, 全部, すべて, 全て, ぜんぶ, 両方, 両方とも, みんな, 全部とも, どちらも",
  always:
    "常に, いつも, 常に許可, 常に許可する, 常に許可します, 常に許可して, 常に許可してください, いつも許可, いつも許可する, いつも許可して, 今後は聞かないで, 今後は聞かないでください, もう聞かないで, もう聞かないでください, 次から聞かないで, 次から聞かないでください, ずっと許可",
  useValues: `その値を使う, その値も使う, その値を使って, その値も使って, その値を使ってください, その値も使ってください, その値を使って下さい, その値も使って下さい, このメッセージの値を使う, このメッセージの値も使う, このメッセージの値を使って, このメッセージの値も使って, このメッセージの値を使ってください, このメッセージの値も使ってください, そのメッセージの値を使って, そのメッセージの値も使って, そのメッセージの値を使ってください, この結果の値を使う, この結果の値も使う, この結果の値を使って, この結果の値も使って, この結果の値を使ってください, この結果の値も使ってください, その結果の値を使って, その結果の値も使って`,
  continue: "続けて, つづけて, 続けてください, 続けて下さい, 続き, 続きを, 続きをお願いします, 次, 次へ, 先へ",
  done: "完了, 完了です, 完了しました, 完了した, 終わりました, 終わった, できました, 済み, 済みです, 済ませました, 承認しました, 承認した, 承認済み, 承認済みです, もう承認しました, 承認されました, 許可しました, 許可した, 許可済み, 許可済みです, 拒否しました, 回答しました, 回答済み, 回答済みです, 受信箱で, 受信トレイで, コンソールで, リンクで, 別の場所で, ほかの場所で",
  preview:
    "プレビュー, プレビューして, プレビューを見せて, プレビューを表示, プレビューを表示して, 変更を見せて, 変更を表示, 変更を表示して, 変更点, 変更点を見せて, 変更内容, 変更内容を見せて, 差分, 差分を見せて, 差分を表示, 何が変わる, 何が変わりますか, 何が変わるの",
  learnMore:
    "詳しく, くわしく, もっと詳しく, 詳細, 詳細を, 詳細を見せて, 詳細を教えて, 詳しく教えて, 詳しく教えてください, 説明, 説明して, 説明してください, これは何, これは何ですか, これなに, もっと, もっと知りたい, ヘルプ",
  edit: "編集, 編集して, 編集する, 変更, 変更して, 変更する, 修正, 修正して, 修正する",
  because: "なぜなら, なぜなら、, 理由, 理由は, というのも",
  and: "と, それと, そして, あと, それから, また",
  but: "しかし, でも, ただ, ただし, けど, けれど, だけど, ですが, だが",
  wait: "あとで, 後で, またあとで, また後で, 待って, まって, 待ってください, 待って下さい, ちょっと待って, ちょっとまって, ちょっと待ってください, ちょっと待って下さい, ちょっと, 少し待って, 少し待ってください, 少々お待ちください, 少々お待ち下さい, お待ちください, お待ち下さい, 待った, ストップちょっと, 考えさせて, 考えさせてください, 少し考えさせてください, 確認させて, 確認させてください",
  unclear: `いい, いいです, 大丈夫, 大丈夫です, 大丈夫だよ, やめないで, 止めないで, やめないでください, 止めないでください, キャンセルしないで, キャンセルしないでください, 中止しないで, 中止しないでください, 拒否しない, 拒否しないで, 反対しない, 反対しません, 断らない, 違いますか, いいえではない, たぶん, 多分, かも, かもしれない, かもしれません,
    それで, そうですか, いいですか, 大丈夫ですか, 本当, 本当に, 本当ですか, 結構, 適当に`,
};

const ko: Phrases = {
  yes: `네, 넵, 넹, 네네, 넷, 예, 예예, 응, 응응, 어, 엉, 그래, 그래요, 그럼, 그럼요, 그렇게 해, 그렇게 해요, 그렇게 해줘, 그렇게 해 줘, 그렇게 해주세요, 그렇게 해 주세요, 그렇게 하세요, 그렇게 하자, 오케이, 오키, 오케, ㅇㅇ, ㅇㅋ, ㅇㅋㅇㅋ, ㄱㄱ, 고고,
    해, 해요, 해줘, 해 줘, 해줘요, 해주세요, 해 주세요, 하세요, 하자, 하십시오, 해도 돼, 해도 돼요, 해도 됩니다, 해도 좋아, 해도 좋아요, 해도 좋습니다, 부탁해, 부탁해요, 부탁드려요, 부탁드립니다, 부탁합니다, 진행, 진행해, 진행해요, 진행해줘, 진행해 줘, 진행해주세요, 진행해 주세요, 진행하세요, 진행하자, 진행시켜, 진행합니다, 실행, 실행해, 실행해줘, 실행해 줘, 실행해주세요, 실행해 주세요, 실행하세요,
    승인, 승인해, 승인해요, 승인합니다, 승인할게, 승인할게요, 허락, 허락해, 허락해요, 허락합니다, 허용, 허용해, 허용해요, 허용합니다, 동의, 동의해, 동의해요, 동의합니다, 찬성, 찬성해요, 찬성합니다, 확인, 확인했어요, 확인했습니다, 확인합니다, 수락, 수락해, 수락해요, 수락합니다, 알겠어, 알겠어요, 알겠습니다, 알았어, 알았어요, 물론, 물론이지, 물론이죠, 물론입니다, 당연하지, 당연하죠, 당연히, 맞아, 맞아요, 맞습니다,
    괜찮아 해, 괜찮으니 해줘, 문제없어, 문제 없어, 문제없어요, 문제 없어요, 문제없습니다, 문제 없습니다, 적용, 적용해, 적용해줘, 적용해 줘, 적용해주세요, 적용해 주세요, 적용하세요, 보내, 보내줘, 보내 줘, 보내주세요, 보내 주세요, 보내세요, 저장해, 저장해줘, 저장해 주세요, 만들어, 만들어줘, 만들어 줘, 만들어주세요, 만들어 주세요, 켜줘, 켜 주세요, 사용해, 사용하세요, 돼, 돼요, 됩니다, 됐어 해,
    콜, 가자, 가즈아, 오케바리, 문제 없음, 이의 없음, 이의 없어요, 이의 없습니다, 그대로 해줘, 그대로 해 주세요, 그대로 진행해줘, 그대로 진행해 주세요`,
  praise: "좋아, 좋아요, 좋습니다, 좋지, 좋네요, 좋다, 굿, 완벽해, 완벽해요, 완벽합니다",
  no: `아니, 아니야, 아니오, 아니요, 아뇨, 아닙니다, 아냐, 아니에요, 노, 놉, ㄴㄴ, ㄴ, 싫어, 싫어요, 싫습니다, 안 돼, 안돼, 안 돼요, 안돼요, 안 됩니다, 안됩니다, 안 해, 안해, 안 해요, 안해요, 안 합니다, 안합니다, 안 할래, 안할래, 안 할래요, 안할래요, 안 할게, 안 할게요, 하지 마, 하지마, 하지 마요, 하지마요, 하지 마세요, 하지마세요, 하지 말아줘, 하지 말아 주세요, 하지 말아주세요, 하지 말자, 그러지 마, 그러지 마세요, 그만, 그만해, 그만해요, 그만하세요, 그만둬, 그만둬요, 그만두세요,
    멈춰, 멈춰요, 멈춰줘, 멈춰 주세요, 멈추세요, 정지, 중지, 중지해, 중지해줘, 중지해 주세요, 중지하세요, 중단, 중단해, 중단해줘, 중단해 주세요, 중단하세요, 취소, 취소해, 취소해요, 취소해줘, 취소해 줘, 취소해주세요, 취소해 주세요, 취소하세요, 취소합니다, 취소할게, 취소할게요, 거절, 거절해, 거절해요, 거절합니다, 거절할게, 거절할게요, 거부, 거부해, 거부해요, 거부합니다, 반대, 반대해, 반대해요, 반대합니다, 승인 안 해, 승인 안 해요, 승인하지 마, 승인하지 마세요, 승인하지 않아요, 승인하지 않습니다, 허락 안 해, 허락하지 않아, 허락하지 않아요, 허락하지 않습니다, 허용하지 마, 허용하지 마세요, 허용하지 않음, 동의하지 않아, 동의하지 않아요, 동의하지 않습니다, 동의 안 해, 동의 안 해요,
    필요 없어, 필요없어, 필요 없어요, 필요없어요, 필요 없습니다, 필요없습니다, 됐어, 됐어요, 됐습니다, 나중에, 나중에 해, 나중에 해줘, 나중에 할게, 나중에 할게요, 다음에, 아직, 아직 안 돼, 아직 하지 마, 진행하지 마, 진행하지 마세요, 실행하지 마, 실행하지 마세요, 보내지 마, 보내지 마세요, 적용하지 마, 적용하지 마세요, 틀렸어, 틀려, 틀렸어요, 건너뛰어, 건너뛰기, 스킵, 절대 안 돼, 절대 안돼, 절대 안 됩니다`,
  polite:
    "고마워, 고마워요, 고맙습니다, 감사, 감사해요, 감사합니다, 제발, 부디, 좀, 요, 지금, 이번에는, 이번엔, 그냥, 음, 아, 저기, 죄송, 죄송해요, 죄송합니다, 미안, 미안해, 미안해요",
  all: "모두, 전부, 다, 전부 다, 모두 다, 둘 다, 전체, 모든 것",
  always:
    "항상, 언제나, 항상 허용, 항상 허용해, 항상 허용해줘, 항상 허용해 주세요, 항상 허용합니다, 항상 승인, 항상 승인해, 늘 허용, 다시 묻지 마, 다시 묻지 마세요, 다시 묻지 말아줘, 다시 묻지 말아 주세요, 앞으로 묻지 마, 앞으로 묻지 마세요, 다음부터 묻지 마, 다음부터 묻지 마세요, 계속 허용, 계속 허용해",
  useValues: `그 값 사용, 그 값을 사용, 그 값도 사용, 그 값을 사용해, 그 값도 사용해, 그 값을 사용해줘, 그 값도 사용해줘, 그 값을 사용해 주세요, 그 값도 사용해 주세요, 그 값을 써, 그 값도 써, 그 값을 써줘, 그 값도 써줘, 이 메시지의 값을 사용해, 이 메시지의 값도 사용해, 이 메시지의 값을 사용해줘, 이 메시지의 값도 사용해줘, 이 메시지의 값을 사용해 주세요, 이 메시지의 값도 사용해 주세요, 그 메시지의 값을 사용해, 그 메시지의 값도 사용해, 이 결과의 값을 사용해, 이 결과의 값도 사용해, 이 결과의 값을 사용해 주세요, 이 결과의 값도 사용해 주세요`,
  continue:
    "계속, 계속해, 계속해요, 계속해줘, 계속해 줘, 계속해주세요, 계속해 주세요, 계속하세요, 계속하자, 이어서, 이어서 해줘, 다음",
  done: "완료, 완료했어, 완료했어요, 완료했습니다, 완료됐어요, 완료됐습니다, 완료되었습니다, 다 했어, 다 했어요, 다 했습니다, 했어, 했어요, 했습니다, 끝났어, 끝났어요, 끝났습니다, 승인했어, 승인했어요, 승인했습니다, 승인됐어요, 승인됐습니다, 승인되었습니다, 승인 완료, 이미 승인했어요, 이미 승인했습니다, 허용했어요, 허용했습니다, 허락했어요, 허락했습니다, 거절했어요, 거절했습니다, 답했어요, 답했습니다, 받은편지함에서, 받은 편지함에서, 콘솔에서, 링크로, 링크에서, 다른 곳에서, 거기서",
  preview:
    "미리보기, 미리 보기, 미리보기 보여줘, 미리보기 보여 줘, 미리보기 보여주세요, 미리 보여줘, 미리 보여 줘, 변경 사항, 변경사항, 변경 사항 보여줘, 변경사항 보여줘, 변경 내용, 변경 내용 보여줘, 차이, 차이 보여줘, 뭐가 바뀌어, 뭐가 바뀌나요, 뭐가 바뀌지",
  learnMore:
    "더 알아보기, 자세히, 더 자세히, 자세히 알려줘, 자세히 알려 줘, 자세히 알려주세요, 자세히 설명해줘, 자세한 정보, 설명, 설명해, 설명해줘, 설명해 줘, 설명해주세요, 설명해 주세요, 이게 뭐야, 이게 뭐예요, 이건 뭐야, 무엇인가요, 더 보기, 더보기, 도움말, 정보",
  edit: "편집, 편집해, 편집해줘, 수정, 수정해, 수정해줘, 변경, 변경해, 변경해줘, 바꿔, 바꿔줘",
  because: "왜냐하면, 왜냐면, 이유, 이유는",
  and: "그리고, 또, 또한, 및, 와, 과, 그리고 나서",
  but: "하지만, 그런데, 근데, 그러나, 다만, 단, 그렇지만",
  wait: "나중에, 나중에요, 이따가, 이따가요, 잠깐, 잠깐만, 잠깐만요, 잠깐 기다려, 잠깐 기다려줘, 잠깐만 기다려, 잠깐만 기다려줘, 잠깐만 기다려 주세요, 잠시, 잠시만, 잠시만요, 잠시만 기다려, 잠시만 기다려 주세요, 잠시만 기다려주세요, 기다려, 기다려요, 기다려줘, 기다려 줘, 기다려 주세요, 기다려주세요, 기다리세요, 생각 좀 해볼게, 생각 좀 해볼게요, 확인해 볼게, 확인해 볼게요",
  unclear: `괜찮아, 괜찮아요, 괜찮습니다, 멈추지 마, 멈추지 마세요, 취소하지 마, 취소하지 마세요, 중지하지 마, 중지하지 마세요, 중단하지 마, 중단하지 마세요, 거절하지 마, 거절하지 마세요, 거부하지 마, 거부하지 마세요, 그만두지 마, 그만두지 마세요, 반대하지 않아, 반대하지 않아요, 반대 안 해, 아닌가, 아닌가요, 아니지, 아니죠, 그래도, 네 다음, 글쎄, 글쎄요, 아마, 아마도, 몰라, 모르겠어, 모르겠어요`,
};

const es: Phrases = {
  yes: `suena bien, que sí, pues sí, venga va, eso mismo, ese mismo, se ve bien, pinta bien, sí, si, sip, sep, síp, sí sí, sí señor, claro, claro que sí, claro que si, por supuesto, por supuesto que sí, desde luego, cómo no, como no, vale, de acuerdo, está bien, esta bien, bueno, correcto, exacto, eso es, así es,
    adelante, sigue adelante, siga adelante, dale, venga, vamos, hazlo, hágalo, hagalo, haz eso, házlo, hacedlo, hágase, procede, proceda, proceder, acepto, aceptar, aceptado, aceptada, apruebo, aprobar, aprobado, aprobada, apruébalo, lo apruebo, confirmo, confirmar, confirmado, confirmada, lo confirmo, confírmalo, permito, permitir, permitido, permítelo, lo permito, autorizo, autorizar, autorizado, lo autorizo,
    conforme, estoy de acuerdo, okey, oki, okis, sin problema, no hay problema, ningún problema, envíalo, envíelo, mándalo, aplícalo, aplicar, aplica los cambios, aplicar cambios, aplicar los cambios, ejecútalo, ejecutar, ejecuta, actívalo, activar, créalo, crear, guárdalo, guardar, me parece bien, puedes, puedes hacerlo, puede hacerlo, sí puedes, sí hazlo, sí quiero, quiero, ya puedes, por qué no, con gusto,
    órale, ándale, de una, tal cual, obvio, hágale, métele, luz verde, vamos allá, así está bien, dale nomás`,
  praise: "bien, muy bien, perfecto, genial, estupendo, excelente",
  no: `quédatela, quédatelo, no, nop, nope, nel, no no, no señor, que no, para nada, de ninguna manera, de ningún modo, en absoluto, ni hablar, ni loco, jamás, nunca, claro que no, por supuesto que no, desde luego que no, no gracias, ahora no, todavía no, aún no, mejor no, no quiero, no lo hagas, no lo haga, no lo hagáis, no hagas eso, no hagas nada, no lo envíes, no lo envíe, no lo mandes, no lo apliques, no aplicar, no aplicar cambios,
    no procedas, no proceda, no proceder, no ejecutar, no lo ejecutes, cancela, cancelar, cancelado, cancélalo, cancele, cancelo, para, pare, detente, deténgase, detener, detenlo, alto, basta, rechazo, rechazar, rechazado, rechazada, lo rechazo, recházalo, deniego, denegar, denegado, denegada, niego, me niego, no acepto, no apruebo, no lo apruebo, no confirmo, no permito, no lo permito, no permitir, no autorizo, no lo autorizo, no estoy de acuerdo, no de acuerdo,
    déjalo, olvídalo, omitir, omite, sáltalo, no está bien, no vale, no puedes, no hace falta, no es necesario, incorrecto, está mal, negativo, no activar, no lo actives`,
  polite:
    "por favor, porfa, porfavor, porfis, favor, gracias, muchas gracias, mil gracias, muchísimas gracias, te lo agradezco, pues, entonces, ya, ahora, ahora mismo, esta vez, por ahora, por esta vez, hombre, tío, perdón, perdona, disculpa, ah, eh, eso, con ello, buenísimo",
  all: "todos, todas, a todo, a todos, a todas, todo ello, ambos, ambas, los dos, las dos, con todo",
  always:
    "siempre, permitir siempre, siempre permitir, permítelo siempre, siempre sí, sí siempre, aprobar siempre, no preguntes más, no preguntes otra vez, no vuelvas a preguntar, no me preguntes más, no vuelva a preguntar, sin preguntar",
  useValues: `usa sus valores, use sus valores, usar sus valores, usa también sus valores, usa los valores, use los valores, usar los valores, usa los demás valores, usa los valores de este mensaje, usa los valores de ese mensaje, use los valores de este mensaje, usar los valores de este mensaje, usa valores de este mensaje, usa valores de ese mensaje, usa los valores de este resultado, usa los valores de ese resultado, use los valores de este resultado, utiliza sus valores, utilice sus valores, utiliza los valores, utiliza los valores de este mensaje, utiliza los valores de ese mensaje, utiliza los valores de este resultado`,
  continue: "continúa, continua, continúe, continuar, sigue, siga, seguir, prosigue, siguiente",
  done: "hecho, ya hecho, está hecho, ya está hecho, listo, ya está, lo hice, ya lo hice, lo he hecho, ya lo he hecho, lo aprobé, ya lo aprobé, lo he aprobado, ya lo he aprobado, he aprobado, aprobé, ya aprobé, ya aprobado, ya está aprobado, está aprobado, lo confirmé, ya lo confirmé, lo he confirmado, ya lo he confirmado, lo autoricé, lo he autorizado, lo permití, lo rechacé, lo he rechazado, en la bandeja, en la bandeja de entrada, en el buzón, en la consola, con el enlace, por el enlace, en otro lugar, en otro sitio, allí",
  preview:
    "vista previa, previsualizar, previsualización, previsualiza, ver vista previa, ver la vista previa, muestra los cambios, mostrar cambios, muéstrame los cambios, ver cambios, ver los cambios, qué cambia, que cambia, qué cambiaría, diferencias",
  learnMore:
    "más, mas, más información, más info, saber más, quiero saber más, aprender más, ver más, detalles, más detalles, explica, explícame, explícalo, explicar, ayuda, qué es, qué es esto, que es esto, qué hace, que hace, cuéntame más, dime más, información",
  edit: "editar, edita, edito, modificar, modifica, cambiar, cambia",
  because: "porque, ya que, puesto que, razón, motivo, por",
  and: "y, e, también, además",
  but: "pero, sin embargo, aunque",
  wait: "luego, más tarde, espera, espere, esperad, espera un momento, espere un momento, espera un poco, espera un segundo, espera un minuto, espérate, esperate, espérame, un momento, un momentito, momento, un segundo, un minuto, dame un momento, deme un momento, dame un segundo, dame un minuto, déjame pensar, déjame ver, déjame revisar",
  unclear: `no pares, no pare, no canceles, no cancele, no cancelar, no te detengas, no detener, no rechaces, no rechazar, no deniegues, no denegar, nunca pares, sí y no, si y no, sí pero no, quizás, quizá, tal vez, a lo mejor, puede, puede ser, no sé, no se, no estoy seguro, no estoy segura, ni idea`,
};

const de: Phrases = {
  yes: `sicher doch, klingt gut, passts, passt's, jetzt passts, jetzt passt's, jetzt passt es, genau die, genau das, klingt richtig, hört sich gut an, sieht gut aus, sieht richtig aus, sieht passend aus, passt für mich, ja, j, jo, jap, jep, jepp, jup, jawohl, jawoll, ja ja, jaja, ja klar, ja sicher, ja gerne, ja gern, ja bitte, ja mach, ja mach das, ja tu das, klar, na klar, klaro, alles klar, sicher, sicherlich, selbstverständlich, natürlich, gewiss, freilich, gern, gerne, sehr gern, sehr gerne, einverstanden, bin einverstanden, ich bin einverstanden, in ordnung, ist in ordnung, geht in ordnung, das ist in ordnung, passt, das passt, passt so, passt schon, geht klar, ist gut, na gut, also gut, richtig, genau, korrekt, stimmt, stimmt so, okay, okey, oki, jut,
    mach, mach es, mach das, mach's, machs, mach ruhig, mach mal, mach schon, mache es, mache das, machen, machen sie, machen sie das, machen sie es, bitte machen, tu es, tu das, tun sie das, tun sie es, leg los, los, los geht's, los gehts, nur zu, nur los, dann los, fahr fort, fahre fort, fahren sie fort, ausführen, führ es aus, führ das aus, führe es aus, führen sie es aus, durchführen, anwenden, änderungen anwenden, wende es an, wenden sie es an, übernehmen, änderungen übernehmen, übernimm das, aktivieren, aktiviere es, aktivier es, freigeben, gib frei, freigegeben, genehmigen, genehmigt, ich genehmige, genehmige ich, bestätigen, bestätigt, ich bestätige, bestätige, akzeptieren, akzeptiert, ich akzeptiere, erlauben, erlaubt, ich erlaube es, erlaube ich, zulassen, zugelassen, zugestimmt, stimme zu, ich stimme zu, zustimmen, darfst du, du darfst, sie dürfen, dürfen sie, darf es, kein problem, kein thema, keine einwände, warum nicht, meinetwegen, von mir aus, senden, sende es, abschicken, schick es ab, speichern, speicher es, speichere es, anlegen, leg es an, erstellen, erstelle es,
    gebongt, geritzt, abgemacht, logisch, auf jeden, auf jeden fall, unbedingt, japp, mach ma, mach hin, ab dafür, feuer frei, freie fahrt, grünes licht, alles roger, gerne doch, ist ok, ist okay, so machen wir's, so machen wir das, machen wir so, genau so, passt scho, für mich ok, ok für mich, nichts dagegen, ich habe nichts dagegen, hab nichts dagegen, spricht nichts dagegen`,
  praise: "gut, sehr gut, schön, perfekt, super, top, prima, hervorragend, ausgezeichnet, tipptopp",
  no: `behalte sie, behalt sie, behalte ihn, behalt ihn, behalte es, behalt es, nein, ne, nee, nö, nöö, nope, nein nein, nein danke, ja nicht, nicht, bitte nicht, lieber nicht, besser nicht, auf keinen fall, keinesfalls, keineswegs, niemals, nie, nie im leben, natürlich nicht, sicher nicht, selbstverständlich nicht, gewiss nicht, ganz sicher nicht, gar nicht, überhaupt nicht, jetzt nicht, noch nicht, nicht jetzt, nicht machen, mach das nicht, mach es nicht, mach's nicht, machs nicht, mache das nicht, mache es nicht, machen sie das nicht, machen sie es nicht, tu das nicht, tu es nicht, tun sie das nicht, nicht tun, nicht ausführen, nicht durchführen, nicht senden, nicht abschicken, nicht anwenden, nicht übernehmen, nicht aktivieren, nicht speichern, nicht freigeben,
    nicht einverstanden, bin nicht einverstanden, ich bin nicht einverstanden, nicht in ordnung, passt nicht, nicht gut, nicht erlaubt, nicht erlauben, nicht genehmigt, nicht zulassen, nicht genehmigen, nicht bestätigen, ich stimme nicht zu, stimme nicht zu, das geht nicht, geht nicht, abbrechen, brich ab, abbruch, brechen sie ab, stopp, stop, halt, halt an, anhalten, aufhören, hör auf, hören sie auf, lass es, lass das, lass es sein, lassen sie es, lassen sie das, lass mal, vergiss es, vergessen sie es, ablehnen, abgelehnt, ich lehne ab, lehne ab, verweigern, verweigert, ich verweigere, verbieten, verboten, untersagt, stornieren, storniert, überspringen, falsch, kein bedarf, will ich nicht, ich will nicht, ich will das nicht, möchte ich nicht, ich möchte nicht, ich möchte das nicht, auf gar keinen fall`,
  polite:
    "bitte, bitte schön, bitteschön, bitte sehr, danke, danke schön, dankeschön, danke sehr, vielen dank, besten dank, merci, dann, also, jetzt, nun, mal, ruhig, schon, so, diesmal, für jetzt, es, das, sofort, ach, äh, hm, na, bitte um, spitze, klasse, wunderbar",
  all: "alle zwei, die beiden, die zwei, zu allen, alle, alles, allem, allen, beide, beides, beiden, zu allem, alle beide, sämtliche",
  always:
    "immer, immer erlauben, immer zulassen, immer genehmigen, immer ja, ja immer, erlaube immer, erlaub das immer, erlaube das immer, dauerhaft erlauben, nicht mehr fragen, frag nicht mehr, frage nicht mehr, frag nicht wieder, frag nicht nochmal, nicht noch einmal fragen, nicht wieder fragen, fragen sie nicht mehr, ohne nachfrage, ohne zu fragen",
  useValues: `nutze die werte, nutze seine werte, nutze ihre werte, nutze auch die werte, nutze werte dieser nachricht, nutze die werte dieser nachricht, nutze die werte aus dieser nachricht, nutze die werte dieses ergebnisses, verwende die werte, verwende seine werte, verwende ihre werte, verwende auch die werte, verwende werte dieser nachricht, verwende die werte dieser nachricht, verwende auch die werte dieser nachricht, verwende die werte aus dieser nachricht, verwende die werte dieses ergebnisses, verwenden sie die werte, verwenden sie die werte dieser nachricht, nutzen sie die werte dieser nachricht, benutze die werte, benutze die werte dieser nachricht, nimm die werte, nimm die werte dieser nachricht, nimm die werte aus dieser nachricht, werte verwenden, die werte verwenden, auch die werte verwenden, werte dieser nachricht verwenden, die werte dieser nachricht verwenden`,
  continue: "weiter, weitermachen, mach weiter, machen sie weiter, weiter so, fortfahren, fortsetzen, nächster",
  done: "erledigt, ist erledigt, hab ich erledigt, habe ich erledigt, fertig, getan, gemacht, hab ich gemacht, habe ich gemacht, ist gemacht, ich habe es, ich hab es, ich habe es genehmigt, ich hab es genehmigt, ich hab's genehmigt, ich habs genehmigt, habe es genehmigt, hab es genehmigt, ich habe genehmigt, habe ich genehmigt, hab ich genehmigt, habe genehmigt, schon genehmigt, bereits genehmigt, ist genehmigt, wurde genehmigt, ich habe es bestätigt, habe ich bestätigt, ist bestätigt, ich habe zugestimmt, habe zugestimmt, ich habe es erlaubt, habe ich erlaubt, ich habe es freigegeben, ich hab es freigegeben, habe ich freigegeben, hab ich freigegeben, ist freigegeben, schon freigegeben, ich habe es abgelehnt, habe ich abgelehnt, im posteingang, in der inbox, im eingang, in der konsole, mit dem link, über den link, woanders, anderswo, dort",
  preview:
    "vorschau, vorschau zeigen, vorschau anzeigen, zeig die vorschau, zeige die vorschau, zeig mir die vorschau, änderungen zeigen, änderungen anzeigen, zeig die änderungen, zeige die änderungen, zeig mir die änderungen, zeigen sie die änderungen, was ändert sich, was wird geändert, unterschiede",
  learnMore:
    "mehr, mehr erfahren, mehr dazu, mehr info, mehr infos, mehr informationen, details, mehr details, einzelheiten, erkläre, erklär, erklär mal, erkläre das, erklär das, erklären, erklärung, hilfe, was ist das, was macht das, was tut das, sag mir mehr, erzähl mehr",
  edit: "bearbeiten, bearbeite, ändern, ändere, editieren, editiere, anpassen",
  because: "weil, denn, da, grund, begründung",
  and: "und, und auch, sowie, außerdem",
  but: "aber, jedoch, allerdings",
  wait: "später, nachher, gleich, warte, wart, warte mal, wart mal, warte kurz, warte bitte, warte noch, warten, warten sie, warten sie bitte, bitte warten, warten sie kurz, warte einen moment, warte eine sekunde, warte eine minute, moment, moment mal, moment bitte, einen moment, einen moment bitte, ein moment, kleinen moment, momentchen, augenblick, einen augenblick, sekunde, eine sekunde, kurze pause, eine minute, gib mir einen moment, gib mir eine minute, lass mich überlegen, lass mich nachdenken, lass mich kurz nachsehen, ich überlege noch, nicht so schnell",
  unclear: `nicht abbrechen, brich nicht ab, brechen sie nicht ab, nicht aufhören, hör nicht auf, nicht stoppen, nicht anhalten, halt nicht an, nicht ablehnen, lehne nicht ab, nicht falsch, nicht verboten, nicht verweigern, nicht überspringen, jein, ja und nein, ja oder nein, vielleicht, eventuell, weiß nicht, ich weiß nicht, keine ahnung, nicht sicher, bin nicht sicher, ja ja ja nein, ja nein, lass es laufen, nicht dass`,
};

const fr: Phrases = {
  yes: `oui, bah oui, ben oui, carrément, ouais, ouaip, ouep, oui oui, mais oui, oui bien sûr, oui s'il te plaît, oui s'il vous plaît, ouais vas-y, oui vas-y, oui allez-y, vas-y, vas y, allez-y, allez y, allez, allons-y, allons y, go, d'accord, dac, d'acc, dacodac, je suis d'accord, ok d'accord, bien sûr, bien sûr que oui, bien entendu, évidemment, certainement, absolument, tout à fait, parfaitement, c'est bon, c'est ok, ça marche, ca marche, ça va, ca va, ça me va, ca me va, entendu, volontiers, avec plaisir, exact, exactement, c'est ça, c'est exact, correct, juste, soit, si,
    fais-le, fais le, fais ça, fais ca, faites-le, faites le, faites ça, faites, fais, procède, procédez, procéder, continue comme ça, exécute, exécutez, exécuter, exécute-le, lance, lancez, lance-le, lancez-le, applique, appliquez, appliquer, appliquer les modifications, appliquer les changements, applique-le, appliquez-le, active, activez, activer, active-le, activez-le, envoie, envoyez, envoyer, envoie-le, envoyez-le, enregistre, enregistrez, enregistrer, crée, créez, créer, crée-le, créez-le,
    accepter, accepté, acceptée, j'accepte, accepte, approuver, approuvé, approuvée, j'approuve, confirmer, confirmé, confirmée, je confirme, confirme, autoriser, autorisé, autorisée, j'autorise, autorise, permettre, permis, je permets, valider, validé, validée, je valide, valide, pas de problème, aucun problème, pas de souci, aucun souci, sans problème, pourquoi pas, tu peux, vous pouvez, tu peux y aller, vous pouvez y aller, affirmatif, okay,
    fonce, fonces-y, banco, adjugé, ça roule, ca roule, ça marche pour moi, ça me convient, ok pour moi, c'est bon pour moi, feu vert, c'est parti, on y va, allez hop, rien à redire, je n'ai rien contre`,
  praise: "parfait, très bien, c'est bien, nickel, nickel chrome, impec, impeccable, top, super, génial, excellent",
  no: `garde-la, garde-le, gardez-la, gardez-le, non, ben non, nan, nan nan, non non, nope, mais non, non merci, que non, ah non, jamais, jamais de la vie, surtout pas, pas du tout, absolument pas, certainement pas, bien sûr que non, bien entendu que non, évidemment que non, en aucun cas, hors de question, pas question, plutôt pas, plutôt non, pas maintenant, pas encore, pas d'accord, je ne suis pas d'accord, je suis pas d'accord, pas ok, pas bon, c'est pas bon, ce n'est pas bon, ne le fais pas, ne le faites pas, ne fais pas ça, ne faites pas ça, ne fais rien, ne faites rien, fais pas ça, faites pas ça, le fais pas, n'envoie pas, n'envoyez pas, ne l'envoie pas, ne l'envoyez pas, n'applique pas, n'appliquez pas, ne pas appliquer, ne pas exécuter, ne pas envoyer, ne pas activer,
    annule, annulez, annuler, annulé, annulée, annule ça, annule-le, annulez-le, j'annule, arrête, arrêtez, arrêter, arrête ça, arrêtez ça, arrête tout, stop, stoppe, stoppez, halte, refuser, refusé, refusée, je refuse, refuse, rejeter, rejeté, rejetée, je rejette, rejette, décline, je décline, décliner, interdire, interdit, j'interdis, n'accepte pas, je n'accepte pas, j'accepte pas, je n'approuve pas, j'approuve pas, je ne confirme pas, je n'autorise pas, j'autorise pas, non autorisé, laisse, laisse tomber, laissez tomber, laisse-le, oublie, oublie ça, oubliez, oubliez ça, abandonne, abandonner, abandonnez, ignorer, ignore, ignorez, pas la peine, c'est pas la peine, ce n'est pas la peine, pas besoin, inutile, je ne veux pas, je veux pas, j'en veux pas, faux, c'est faux, incorrect, négatif`,
  polite:
    "s'il te plaît, s'il vous plaît, s'il te plait, s'il vous plait, stp, svp, merci, merci bien, merci beaucoup, mille mercis, alors, donc, bon, bah, eh bien, et bien, maintenant, tout de suite, pour l'instant, cette fois, pour cette fois, je t'en prie, je vous en prie, de rien, pardon, désolé, désolée, hein, euh, ça, cela",
  all: "tous, toutes, à tout, à tous, à toutes, les deux, tous les deux, toutes les deux, pour tous, pour tout, l'ensemble",
  always:
    "toujours, toujours autoriser, autoriser toujours, autorise toujours, toujours oui, oui toujours, toujours accepter, toujours permettre, ne demande plus, ne demandez plus, ne plus demander, ne me demande plus, ne me demandez plus, demande plus, ne redemande pas, ne redemandez pas, sans demander",
  useValues: `utilise ses valeurs, utilisez ses valeurs, utiliser ses valeurs, utilise aussi ses valeurs, utilisez aussi ses valeurs, utilise les valeurs, utilisez les valeurs, utiliser les valeurs, utilise les valeurs de ce message, utilisez les valeurs de ce message, utiliser les valeurs de ce message, utilise des valeurs de ce message, utilise aussi les valeurs de ce message, utilise les valeurs de ce résultat, utilisez les valeurs de ce résultat, utiliser les valeurs de ce résultat, prends ses valeurs, prends les valeurs de ce message`,
  continue: "continue, continuez, continuer, poursuis, poursuivez, poursuivre, la suite, suite, suivant",
  done: "fait, c'est fait, voilà, voilà c'est fait, terminé, c'est terminé, fini, je l'ai fait, j'ai fait, je l'ai approuvé, je l'ai approuvée, j'ai approuvé, je l'ai déjà approuvé, déjà approuvé, c'est approuvé, c'est validé, je l'ai validé, j'ai validé, je l'ai accepté, j'ai accepté, je l'ai confirmé, j'ai confirmé, c'est confirmé, je l'ai autorisé, j'ai autorisé, je l'ai refusé, j'ai refusé, dans la boîte de réception, dans la boîte, dans ma boîte de réception, dans la console, avec le lien, par le lien, via le lien, ailleurs, là-bas",
  preview:
    "aperçu, l'aperçu, un aperçu, prévisualiser, prévisualisation, prévisualise, voir l'aperçu, montre l'aperçu, montrer l'aperçu, montre-moi l'aperçu, montre les modifications, montrez les modifications, voir les modifications, voir les changements, montre les changements, montre-moi les changements, qu'est-ce qui change, ce qui change, différences",
  learnMore:
    "plus, en savoir plus, plus d'infos, plus d'info, plus d'informations, savoir plus, dis-m'en plus, dites-m'en plus, détails, les détails, plus de détails, explique, expliquez, expliquer, explique-moi, expliquez-moi, explication, aide, c'est quoi, qu'est-ce que c'est, qu'est-ce que ça fait, ça fait quoi, informations",
  edit: "modifier, modifie, modifiez, éditer, édite, éditez, changer, change, changez",
  because: "parce que, parce qu, parceque, puisque, étant donné que, raison, motif",
  and: "et, puis, aussi, ainsi que",
  but: "mais, cependant, toutefois",
  wait: "plus tard, tout à l'heure, attends, attend, attendez, attends un peu, attends un moment, attendez un moment, attends une minute, attends une seconde, un moment, un moment s'il vous plaît, un instant, un instant s'il vous plaît, une minute, une seconde, minute, deux minutes, deux secondes, laisse-moi réfléchir, laissez-moi réfléchir, laisse-moi voir, laissez-moi voir, laisse-moi vérifier, patiente, patientez, pas si vite",
  unclear: `n'annule pas, n'annulez pas, ne pas annuler, n'arrête pas, n'arrêtez pas, ne t'arrête pas, ne vous arrêtez pas, ne pas arrêter, ne refuse pas, ne refusez pas, ne pas refuser, ne rejette pas, ne pas rejeter, n'abandonne pas, n'abandonnez pas, jamais refuser, oui et non, oui mais non, peut-être, peut être, je ne sais pas, je sais pas, sais pas, aucune idée, pas sûr, pas sûre, je ne suis pas sûr, bof, si si si non`,
};

export const languages: readonly Phrases[] = [en, zh, ja, ko, es, de, fr];
