### `goodput why`: what limits a transfer. The messages stand in the order of ../en/diagnosis.ftl. The name of a cause ends in a
### Japanese word, so that a particle can follow it without a space.

diagnosis-named = { $from } から { $to } へ: { $rate }。制限の原因は{ $cause }（{ $proof }）
diagnosis-tie = { $from } から { $to } へ: { $rate }。制限の原因は次のいずれかだが、ここではどれかを判定できない: { $causes }
    .try = 区別できるように、媒体（--medium）とバス（--bus）を指定してください
diagnosis-not-proven = { $from } から { $to } へ: { $rate }。何が制限しているかは証明されていない。可能性あり: { $possible }。除外: { $excluded }
    .try-longer = --budget を延ばして測定し直してください
    .try-idle = ほかに何もホストを使っていないときに測定し直してください。同じ設定の試行に { $percent } の差がありました
    .try-elsewhere = それぞれのホストと第 3 のホストの間で goodput why を実行してください。遅い経路どうしに共通する部分に上限があります
diagnosis-then = { $first }。{ $change }では { $rate }、その場合の制限の原因は{ $cause }
diagnosis-not-storage = { $from } から { $to } へ: { $rate }。ストレージは制限の原因ではない: メモリとのコピーも同じ速さ
    .try = ホスト名だけで goodput why を実行すると、ネットワークとホストを調べる
diagnosis-effect = { $change }では{ $quantity }が { $ratio } 倍
clause-no-cause = なし

## What an effect is measured by

quantity-goodput = グッドプット
quantity-queueing-delay = キューでの遅延
quantity-retransmissions = 再送の割合
quantity-sender-queue-drops = 送信ホストが破棄したパケットの割合
quantity-receiver-drops = 受信ホストが破棄したパケットの割合
quantity-receiver-cpu-time = 受信側の CPU 時間

## Interventions

intervention-scout = 最初の試行
intervention-baseline = 変更なしの設定
intervention-sham = 変更なしの設定（再度）
intervention-receive-buffer = 受信バッファー { $times } 倍
intervention-send-buffer = 送信バッファー { $times } 倍
intervention-rate = 速度を { $percent } に抑えた送出
intervention-unpaced = 送出速度の制限なし
intervention-connections = 接続数 { $times } 倍
intervention-message-size = メッセージサイズ { $times } 倍
intervention-segment-size = セグメント長 { $times } 倍
intervention-sender-cpu = 速度が { $percent } になる分の CPU 時間の追加（送信側）
intervention-receiver-cpu = 速度が { $percent } になる分の CPU 時間の追加（受信側）
intervention-receiver-copy = コピーなしの受信
intervention-receiver-away = 割り込みとは別の CPU で動く受信スレッド
intervention-receiver-beside = 割り込みと同じ CPU で動く受信スレッド
intervention-one-direction = 片方向のみ
intervention-amount = データ量 { $times } 倍
intervention-memory-target = ストレージの代わりにメモリ
intervention-storage = ストレージの処理量 { $times } 倍
intervention-receive-buffer-setting = ホストの最大受信バッファ (net.ipv4.tcp_rmem) { $times } 倍
intervention-send-buffer-setting = ホストの最大送信バッファ (net.ipv4.tcp_wmem) { $times } 倍
intervention-backlog-setting = 受信ホストのバックログ (net.core.netdev_max_backlog) { $times } 倍

## Causes

cause-medium = 媒体
    .sign = グッドプットは媒体の上限の { $percent } です
    .try = これが回線の限界です。さらに上げるには、より速い媒体が必要です
cause-receive-window = 受信ウィンドウ
    .sign = 未確認のデータがあった時間の { $percent } のあいだ、受信ウィンドウが一杯でした
    .try = 受信ホストの受信バッファー（--receive-buffer、または net.ipv4.tcp_rmem の最大値）を大きくするか、読み出しを速くしてください
cause-send-buffer = 送信バッファー
    .sign = 未確認のデータがあった時間の { $percent } のあいだ、送信バッファーが一杯でした
    .try = 送信ホストの送信バッファー（--send-buffer、または net.ipv4.tcp_wmem の最大値）を大きくしてください
cause-loss = 経路上のパケット損失
    .sign = セグメントの { $percent } が再送されました
    .try = 損失のあるリンクを探してください（インターフェースのエラー、ケーブル、無線）。それまでは接続を増やすか、--congestion bbr を使ってください
cause-shaper = 経路上のシェーパーまたは遅いリンク
    .sign = 負荷時に往復時間が { $min } から { $mean } に延びました
    .try = 速度を、経路上のリンクやシェーパーの速度と比べてください。リンクは goodput mtu とホストの記録でわかります
cause-policer = 経路上のポリサー
    .sign = セグメントの { $percent } が再送されましたが、往復時間の延びは { $delay } だけでした
    .try = ポリサーの速度より遅く送出するか（--rate）、ポリサーの速度かバーストを上げてもらってください
cause-per-flow-cap = 接続ごとの上限
    .sign = 1 接続の速度は、バッファーでも CPU でも説明できません
    .try = 複数の接続を使ってください（--connections）
cause-cpu-sign = { $host } の測定スレッドは、時間の { $running } のあいだ動き、{ $waiting } のあいだ CPU を待っていました。CPU の割り当ては期間の { $throttled } で使い切られました
cause-sender-cpu = 送信側の CPU 時間
    .try = 送信ホストの CPU を空けるか、割り当てを増やすか、より大きいセグメントとオフロードを使ってください（goodput host NAME でわかります）
cause-receiver-cpu = 受信側の CPU 時間
    .try = 受信ホストの CPU を空けるか、割り当てを増やすか、より大きいセグメントとオフロードを使ってください（goodput host NAME でわかります）
cause-softirq = 受信アプリケーションの CPU での割り込み処理
    .sign = { $host } の CPU 1 個の時間の { $softirq } を割り込みが使い、計測スレッドは時間の { $busy } を実行または CPU 待ちで過ごした
    .try = 割り込みかアプリケーションを別の CPU に移してください（RPS、irqbalance、--cpus）
cause-application-limited = 送信アプリケーション
    .sign = アプリケーション自身の送出速度は { $rate } です
    .sign-2 = アプリケーションは 1 回に { $size } ずつ書き込みます
    .try = 1 回に書き込む量を増やすか（--size）、速度を上げてください（--rate）
cause-per-packet-cost = 経路上のパケットごとの負担
    .sign = 速度は、ホストのバッファーでも CPU でも説明できません
    .try = より大きいパケット（ジャンボフレーム、オフロード）を使うか、ルーターのルールを減らしてください
cause-sender-queue-drops = 送信ホストのキューでの破棄
    .sign = { $host } は自分のキューでパケットの { $percent } を破棄しました
    .try = 送信側のインターフェースのキューを長くするか、その速度より遅く送出してください（--rate）
cause-receiver-drops = 受信ホストでの破棄
    .sign = { $host } は受信したパケットの { $percent } を破棄しました
    .try = 受信側のインターフェースのリングと net.core.netdev_max_backlog を大きくするか、割り込みを複数の CPU に分散してください
cause-shared-capacity-sign = データが両方向に流れています
cause-shared-bus = 両方向が共有するバス
    .try = アダプターをより広いスロットか専用のスロットに移してください
cause-half-duplex = 半二重の媒体
    .try = リンクの両端を全二重にするか、片方向ずつ測定してください
cause-reordering = 経路上での順序の入れ替わり
    .sign = セグメントの { $share } が順序どおりに届かず、再送されたもののうち { $needless } は失われていませんでした
    .try = 各接続を 1 つの経路に保ってください（パケットごとではなくフローごとの振り分け）
cause-mtu-black-hole = 経路上の MTU ブラックホール
    .sign = データがほとんど届きませんでした
    .try = 通る大きさを goodput mtu で調べてください。MTU を下げるか、net.ipv4.tcp_mtu_probing=1 を設定してください
cause-storage = ストレージ
    .sign = 時間の割合: { $host } のディスクの使用中 { $busy }、ディスクとネットワークの待ち時間 { $waited }
    .try = より速いディスクか、複数のディスクを使う（アクセスの種類ごとの速度は goodput file disk で測れる）
cause-options-stripped = 経路上での TCP オプションの除去
    .sign = 接続にウィンドウスケーリングがありません
    .try = 経路上で TCP オプションを取り除くファイアウォールかプロキシを探してください。両ホストの net.ipv4.tcp_window_scaling も確かめてください
cause-start-up = 短い転送の立ち上がり
    .sign = 転送は往復時間（{ $round_trip }）のわずか { $trips } 倍で終わりました
    .try = 接続を開いたままにして再利用するか、1 回に転送する量を増やしてください

## The path as a row of elements. path-ID is the name, path-figure-… how it is used

path-title = データの経路
path-sender-cpu = 送信側 CPU
path-send-buffer = 送信バッファー
path-link = リンク
path-receive-buffer = 受信バッファー
path-receiver-cpu = 受信側 CPU
path-storage = ストレージ
path-figure-cpu = 使用中 { $percent }
path-figure-buffer = 満杯 { $percent }
path-figure-storage = 使用中 { $percent }
path-figure-link = { $rate }、媒体の上限の { $percent }
path-figure-rate = { $rate }
path-figure-unknown = 不明
path-headroom = 余裕 { $percent }
path-limit = 制限
path-possible-limit = 制限の可能性
