### Conclusions of experiments: messages with typed arguments.

## Parts of the conclusions

clause-what-where = { $place } での { $what }
clause-list-and = { $more } と { $last }
clause-list-or = { $more } または { $last }
clause-semicolon = { $one }；{ $then }
clause-span = { $low }～{ $high }
clause-name-and-value = { $name } { $value }
clause-at-place = { $place }：{ $details }
clause-place-range = { $place } は { $range }
clause-in-places = { $combinations }（{ $places }）
clause-so-many-more = ほか { $n } 件
clause-in-the-one = 測定した唯一の組み合わせで
clause-in-none = { $n } 通りの組み合わせのどれでもない
clause-in-all = { $n } 通りの組み合わせすべてで
clause-in-some = { $all } 通りの組み合わせのうち { $n } 通りで
clause-infinitely-many = 無限
clause-times = { $factor } 倍
clause-infinitely-many-times = 無限倍
clause-times-span = { $low }～{ $high } 倍

## Comparison of two alternatives, counted over the combinations

clause-result-in =
    { $result ->
        [better] { $combinations }勝る
        [equivalent] { $combinations }同等
        [worse] { $combinations }劣る
       *[open] { $combinations }有意差なし
    }
clause-result-in-some =
    { $all } 通り中 { $n } 通りで{ $result ->
        [better] 勝る
        [equivalent] 同等
        [worse] 劣る
       *[open] 有意差なし
    }（{ $details }）
clause-result-of = { $name } の結果：{ $tally }
clause-relative-to = { $other } に対する { $one }
clause-differ-at-most = { $one } と { $other } の差は { $share } 以内

## Is one alternative better than another?

rule-better = どちらが良いか
    .better = { $what } では{ $combinations }{ $one } が { $other } より良い：{ $times }
    .not-better = { $what } では{ $one } は { $other } より良くない：{ $tally }
    .not-always = { $what } では{ $one } が { $other } より良いとは限らない：{ $tally }
    .undetermined = { $what } で { $one } が { $other } より良いかどうかは、この反復からは判断できない：{ $tally }
    .no-pairs = { $what } で { $one } が { $other } より良いかどうかは判断できない：ほかの条件が等しい測定がない
    .better-alone = { $combinations }{ $one } が { $other } より良い：{ $times }
    .not-better-alone = { $one } は { $other } より良くない：{ $tally }
    .not-always-alone = { $one } が { $other } より良いとは限らない：{ $tally }
    .undetermined-alone = { $one } が { $other } より良いかどうかは、この反復からは判断できない：{ $tally }
    .no-pairs-alone = { $one } が { $other } より良いかどうかは判断できない：ほかの条件が等しい測定がない
    .units-differ = { $one } と { $other } は比べられない：値の単位が異なる
    .try = { $other } を選ぶ別の理由がなければ { $one } を選んでください
    .try-other = { $other } を選んでください
    .try-criterion = { $one } と { $other } は別の基準で選んでください
    .try-combination = 手元の組み合わせに応じて { $one } と { $other } から選んでください
    .try-repeats = 反復を増やすか、計測窓を長くしてください
    .try-measure = { $one } と { $other } を同じ組み合わせで測定してください
rule-beats = どちらのプローブが勝るか
    .try = 同じ種類の値を持つ 2 つのプローブを比べてください

## Does the value depend on a factor?

rule-depends = 因子に左右されるか
    .flat = { $what } は { $factor } に左右されない：{ $combinations }値の差は { $share } 以内（{ $span }）
    .flat-from = { $what } は { $factor } に左右されない：{ $level } 以上では{ $combinations }値の差は { $share } 以内（{ $span }）
    .varies = { $what } は{ $combinations } { $factor } に左右される：最良の水準は最悪の水準の { $times }
    .rises = { $what } は{ $combinations } { $factor } とともに上がる：{ $high } は { $low } の { $times }
    .falls = { $what } は{ $combinations } { $factor } とともに下がる：{ $high } は { $low } の { $times }
    .in-some = { $what } は{ $combinations } { $factor } に左右され、水準間の差は { $times }（{ $places }）
    .elsewhere-flat = { $n } 通り（{ $places }）では差は最大 { $share }
    .elsewhere-unclear = { $n } 通りでは反復のばらつきが大きく判断できない（{ $places }）
    .remaining-change = { $level } 以上での変化は最大 { $share }
    .unclear = { $what } が { $factor } に左右されるかどうかは{ $combinations }判断できない：水準の中央値の差は { $times }だが、反復も同じだけばらつく
    .no-pairs = { $what } が { $factor } に左右されるかどうかは判断できない：ほかの条件が等しい 2 つの水準の測定がない
    .the-values = 値
    .highest = 最高の水準
    .lowest = 最低の水準
    .try = { $factor } は { $what } 以外の基準で選んでください。ここでは差が出ません
    .try-carefully = { $factor } は慎重に選んでください。最大 { $times }の差が出ます
    .try-where = { $factor } は差が出るところで慎重に選び、ほかではそのままにしてください
    .try-measure = { $factor } の 2 つ目の水準を測定してください

## Which factor has the most influence, and which level is best?

rule-matters-most = 最も影響する因子
    .text = { $what } には { $factor } が最も影響する：ほかの条件が等しければ、最良の水準は中央値で最悪の水準の { $times }。次いで { $others }
    .try = まず { $factor } を選んでください
rule-best-level = 最良の水準
    .text = { $what } では{ $combinations } { $name } が最良の { $factor }（中央値で次点の { $times }）
    .other = { $name } は { $n } 通り（{ $places }）で最良
    .even = { $n } 通り（{ $places }）では { $share } を超える差がない
    .similar = { $names } との有意差はない
    .none = { $what } では、{ $share } を超える差で最良と言える { $factor } はない（{ $combinations }）
    .try = ほかに不都合がなければ { $name } を選んでください
    .try-criterion = { $factor } は別の基準で決めてください

## How near is the value to the limit of the medium?

rule-ceiling = 上限にどれだけ近いか
    .text = { $what } は{ $shares }に達した
    .share = 上限の { $share }（{ $limit } に対し { $figure }、{ $n } 回中の最良）
    .share-with = { $place } で上限の { $share }（{ $limit } に対し { $figure }、{ $n } 回中の最良）
    .try = { $place } では媒体はボトルネックではありません。まず実際のボトルネックを調べてください
values-above-limit = { $what } の { $all } 個の値のうち { $n } 個が媒体の上限を超えている：{ $place } で { $figure }（上限 { $limit }）
    .try = 指定した媒体と MTU を確かめ、値がユーザーデータだけを数えているか確かめてください

## Combinations without a value

rule-not-measured = 測定されていない組み合わせ
    .text = { $all } 通りのうち { $n } 通りの組み合わせが測定されていない：{ $places }
    .try = 結論はこれらの組み合わせを対象としません。必要なところは測定してください
rule-failed = 失敗した組み合わせ
    .text = { $all } 通りのうち { $n } 通りの組み合わせが計 { $times } 回失敗した（{ $places }）：{ $reasons }
    .reason = { $reason }（{ $n }）
    .try = 測定し直す前に失敗の原因を調べてください

## Where does one curve overtake another?

rule-crossing = 曲線が交わる
    .text = { $what } の 2 つの曲線が { $way } に沿って交わる：{ $details }
    .overtakes = { $before }（{ $loser } が { $lead }先行）と { $after }（{ $winner } が { $by }先行）の間で { $winner } が { $loser } を追い越す（{ $combinations }）
    .try = { $way } に応じて { $one } と { $other } から選んでください

## Dips, collapses and saturation over the message size

rule-collapse = サイズによる急落
    .above = { $what } は{ $combinations }あるサイズより上で急落する：{ $details }
    .below = { $what } は{ $combinations }あるサイズより下で急落する：{ $details }
    .try = 長いバーストで一杯になるものを調べてください：アダプターのメモリー、バス、スイッチのキュー。リンクを遅いモードにすると治ることがあります
    .try-below = 各メッセージを遅らせるものを調べてください：割り込み調停、ポーリング
rule-fall = サイズによる低下
    .text = { $what } は{ $combinations }あるサイズより上で低下する：{ $details }
    .try = その大きさでのキャッシュ、コピー、バッファーを調べてください
rule-dip = サイズによる落ち込み
    .text = { $what } は{ $combinations }一部のサイズで落ち込む：{ $details }
    .try = その前後のサイズを増やして測定し、セグメントの上限と遅延 ACK を調べてください
clause-breach-between = { $from } と { $to } の間（{ $size } で { $rate } まで低下、{ $share } 減）
clause-breach-from-to = { $from } から { $to } まで（{ $size } で { $rate } まで低下、{ $share } 減）
clause-breach-up-to = { $to } まで（{ $size } で { $rate } まで低下、{ $share } 減）、{ $good } からは正常
clause-in-all-these = 該当：{ $places }
rule-no-collapse = サイズによる急落はない
    .text = { $what } は{ $combinations }サイズによる落ち込みも急落もない（{ $share } の低下があれば検出される）
rule-saturates = 飽和する点
    .text = { $what } は{ $combinations }、{ $from }から飽和する：{ $details }
    .interval = { $size }（95 % 信頼区間 { $least }～{ $most }）
    .try = これより大きくしても速くなりません。そこで上限になっているのはメッセージごとの負担ではありません

## Which levels reach a value?

rule-reaches = 目標に届くもの
    .several = { $what } で { $goal }に届くのは { $names }：{ $details }
    .only = { $what } で { $goal }に届くのは { $name } だけ：{ $details }
    .none = { $what } で { $goal }に届く { $factor } はない
    .several-within = { $what } で { $goal } 以内に収まるのは { $names }：{ $details }
    .only-within = { $what } で { $goal } 以内に収まるのは { $name } だけ：{ $details }
    .none-within = { $what } で { $goal } 以内に収まる { $factor } はない
    .count = { $combinations }、最良 { $best }
    .never = { $name } は{ $with }では届かない
    .with-best = { $names }（最良 { $best }）
    .short = { $names } は届かず、最良は { $best }（{ $place }）
    .best = 最良は { $best }（{ $place }）
    .no-value = どの { $factor } が十分に速いかは判断できない：{ $what } の値がある水準がない
    .this-metric = この値
    .try = { $goal } には { $names } を選んでください
    .try-together = { $goal } には { $names } を選び、ほかの因子も目標に届く水準にしてください
    .try-another = { $goal } に届く水準はありません。別の { $factor } を測定してください
    .try-measure = { $factor } の水準を 1 つ測定してください

## Is a more expensive level cost-effective?

rule-pays = 見合うもの
    .no = { $what } では { $names } は { $base } より費用対効果が高くない
    .yes = { $what } では { $names } は { $base } より費用対効果が高い
    .mixed = { $what } で { $names } が { $base } より費用対効果が高いかは条件による
    .lower-is-better = { $what } でどの { $factor } の費用対効果が高いかは判断できない：値は小さいほど良く、単位あたりの価格がない
    .currencies = { $what } でどの { $factor } の費用対効果が高いかは判断できない：価格の通貨が異なる
    .too-few = { $what } でどの { $factor } の費用対効果が高いかは判断できない：価格と値のある水準が 2 つ以上必要
    .no-pairs = { $what } でどの { $factor } の費用対効果が高いかは判断できない：{ $base } と、より高いものとを、ほかの条件が等しいところで測定していない
    .unit-costs = 1 { $unit } あたりの価格：{ $costs }
    .level-cost = { $name } は { $cost } { $currency }
    .gain = { $name } は価格が { $times }で、{ $all } 件の比較のうち { $n } 件で勝る（最大 { $lead }）
    .gain-one = { $name } は価格が { $times }で、唯一の比較で勝る（{ $lead }）
    .gain-none = { $name } は価格が { $times }で、{ $all } 件の比較のどれでも勝らない
    .gain-not-one = { $name } は価格が { $times }で、唯一の比較で勝らない
    .try = 高いほうを買ってください
    .try-offer = 提示された価格を、手元の組み合わせの測定値と比べてください
    .try-base = { $what } 以外に別のものを選ぶ理由がなければ { $base } を買ってください
    .try-prices = 各水準の価格を [[price]] に書いてください
    .try-measure = 両方を同じ組み合わせで測定してください

## Is each of a group better than one alternative?

rule-group = グループと 1 つの比較
    .all = { $what } で { $names } と { $than } を比べると、どれも { $than } より良い
    .none = { $what } で { $names } と { $than } を比べると、どれも { $than } より良くない
    .some = { $what } で { $names } と { $than } を比べると、すべての組み合わせでどれもが { $than } より良いわけではない
    .no-pairs = { $what } で { $names } と { $than } の結果はない：ほかの条件が等しい測定がない
    .try = 種類ではなく、製品と組み合わせで選んでください
    .try-any = { $names } のどれかを選んでください。どれも { $than } より良いからです
    .try-than = { $than } を選んでください
    .try-measure = グループと { $than } を同じ組み合わせで測定してください

## Does one level reach the sum of others?

rule-sum = 全体と部分
    .reaches = { $what } では{ $combinations }、{ $whole } は { $names } の合計に届く：{ $share }、最小は { $sum } に対し { $least }
    .below = { $what } では{ $combinations }、{ $whole } は { $names } の合計に届かない：{ $share }、最小は { $sum } に対し { $least }
    .in-some = { $what } では { $all } 通り中 { $n } 通り（{ $places }）でのみ、{ $whole } は { $names } の合計に届く：{ $share }、最小は { $sum } に対し { $least }
    .in-some-open = { $what } では { $all } 通り中 { $n } 通り（{ $places }）でのみ、{ $whole } は { $names } の合計に届く（{ $open }）：{ $share }、最小は { $sum } に対し { $least }
    .undetermined = { $what } で { $whole } が { $names } の合計に届くかどうかは、この反復からは判断できない：{ $results }：{ $share }、最小は { $sum } に対し { $least }
    .no-pairs = { $what } で { $whole } が { $names } の合計に届くかどうかは判断できない：ほかの条件が等しい測定がない
    .full-in = { $all } 通り中 { $n } 通り（{ $places }）で合計に届く
    .less-in = { $all } 通り中 { $n } 通り（{ $places }）で合計に届かない
    .open-in = { $all } 通り中 { $n } 通り（{ $places }）で合計との有意差がない
    .open = { $combinations }合計との有意差がない
    .try = 合計に届かないところでは、両者が共有するものを調べてください：半二重の媒体、バス、1 つの CPU
    .try-measure = すべてを同じ組み合わせで測定してください
