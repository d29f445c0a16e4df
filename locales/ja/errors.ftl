### Errors of the command line. The messages stand in the order of ../en/errors.ftl.

## Lines of the terminal: the words before what is said

line-error = エラー：{ $said }
line-cause = 原因：{ $said }
line-hint = ヒント：{ $said }
line-warning = 警告：{ $said }
line-note = 注記：{ $said }
line-how-sure = 確からしさ：{ $said }
line-try = 対処：{ $said }

## A host that cannot be reached

error-unresolved = 名前 { $host } を解決できません
error-resolve-deadline = { $host } の名前解決に { $seconds } s 以内の応答がありません
error-refused-connection = { $address } に接続を拒否されました
error-no-answer = { $address } から { $seconds } s 以内に応答がありません
error-unreachable = { $address } に到達できません
error-wrong-key = { $address } のラボ鍵が異なります
error-tls-version = { $address } の TLS には、このプログラムが受け入れる版も暗号もありません
error-stranger = { $address } は goodput のエージェントではありません：{ $who }
error-agent-without-key = { $address } のエージェントはラボ鍵なしで動いています
error-key-missing = { $address } のエージェントはラボ鍵を求めていますが、ここにはありません
error-key-needed = { $address } は別のマシンですが、ここにはラボ鍵がありません
error-unproved = { $host } は身元を証明していません
error-no-data-port = { $host } はデータ接続を受け付けません
error-no-way = { $from } から { $to } へデータを送る経路がありません
error-measure-unreached = 測定できません：{ $said }
error-interrupted = 中断されました
error-interrupted-before = 試行が始まる前に中断されました
error-no-key-no-listen = ラボ鍵のないエージェントは { $address } で待ち受けません
error-cannot-read-key = 鍵ファイル { $path } を読めません
error-key-open = 鍵ファイル { $path } を他人が読み書きできます（モード { $mode }）
error-key-text = { $place } の内容はラボ鍵ではありません：{ $why }
error-no-random = システムから乱数を得られません
cause-name-server = ネームサーバーが応答しません
cause-nothing-listens = ホストはありますが、このポートで待ち受けているものがありません
cause-off-or-firewall = ホストが止まっているか、アドレスが違うか、ファイアウォールがパケットを破棄しています
cause-speaks-plainly = こちらが TLS を期待しているのに、相手は平文で話しています
cause-speaks-tls = 相手は TLS で話していますが、こちらに証明書がありません
cause-own-machine-only = 鍵のないエージェントは自分のマシンにしか応答しません
cause-older-there = エージェント側のプログラムのほうが古い版です
cause-older-here = こちらのプログラムのほうが古い版です
cause-must-hold-key = エージェントは言われたとおりに動くので、指示する側は鍵を持っていなければなりません
cause-in-between = 示されたものはラボ鍵で、またはこのホストの証明書で作られていません。誰かが間に入っている可能性があります
hint-getent = `getent hosts { $host }` で綴りを確かめるか、アドレスを入力してください
hint-start-agent = { $host } で `goodput agent` を起動するか、ポートを HOST:PORT の形で指定してください
hint-start-agent-only = { $host } で `goodput agent` を起動してください
hint-ping = `ping { $ip }` を試し、{ $ip } のファイアウォールで TCP { $port } を開けてください
hint-copy-key = 鍵ファイルを一方のホストからもう一方へコピーしてください。場所は `--key-file` で指定します
hint-same-version = 両方のホストに同じ版を入れてください
hint-same-goodput = 両方のホストに同じ版の goodput を入れてください
hint-other-port = そこではポート { $port } を別のものが使っています。エージェントのポートを HOST:PORT の形で指定してください
hint-restart-with-key = 鍵ファイルを付けて（`--key-file`）エージェントを起動し直してください
hint-copy-or-make-key = 相手ホストの鍵ファイルをここにコピーしてください。まだなければ `goodput key new` で作れます（証明書を使う場合：--ca、--certificate、--private-key）
hint-new-key = goodput key new を実行し、できたファイルをほかのホストにコピーしてください
hint-copy-key-again = `goodput key new` で作ったファイルをもう一度コピーしてください。両方のホストで同じものです
hint-agents-known = 見つかったエージェント：{ $names }。ほかにはアドレスで届きます
hint-agents-unknown = そこで `goodput agent` を起動してください。見つかるエージェントは `goodput hosts` で一覧でき、ほかにはアドレスで届きます
hint-port-taken = 別のエージェントがポートを使っていないか `ss -ltnp` で調べてください。別のポートは --port と --data-port で指定します
hint-agent-still-runs = { $host } で `goodput agent` がまだ動いているか確かめて、もう一度試してください
hint-firewall-data = { $host } のファイアウォールでデータポートを開けるか、そこでデータの宛先を指定してください：`goodput agent --data-address ADDRESS`

## What was typed

error-refused-option = { $option } { $value } は受け付けられません
error-refused-configuration = 設定ファイル { $file } は受け付けられません
error-refused-experiment = 実験 { $file } は受け付けられません
error-refused-load-file = 負荷ファイル { $file } は受け付けられません
error-subcommand-missing = サブコマンドがありません
error-unexpected-argument = 想定外の引数 '{ $argument }' があります
error-unrecognized-subcommand = サブコマンド '{ $command }' はありません
error-both-ends-same = 両端が同じホストです
cause-out-of-bounds = 範囲外です
cause-not-whole = 整数ではありません
cause-not-decimal = 小数ではありません
cause-no-such-choice = そのような選択肢はありません
cause-no-unit = 単位がありません
cause-not-a-number = 数字で始まっていません
cause-two-readings = { $unit } は 2 通りに読めます
cause-not-a-unit = { $unit } は { $what } の単位ではありません
hint-subcommands = 一覧は goodput --help、出てくる結果は goodput demo で見られます
hint-value-from = { $from } から { $to } までの値を入力してください
hint-number-without-unit = { $from } から { $to } までの数を、単位なしで入力してください
hint-two-readings = { $one } または { $other } と入力してください（{ $from } から { $to } まで）
hint-form-and-help = 書き方：{ $usage }；詳しくは goodput --help
hint-leave-one-out = どちらか一方を外してください
hint-list-runs = goodput list で名前がわかります。実行のフォルダーでも指定できます
hint-lab-up = goodput lab up
hint-other-runs-folder = --runs で別のフォルダーを指定するか、--no-save で測定してください
hint-runs-folder = --runs でフォルダーを指定するか、--no-save で測定してください

## Work on files

hint-allow-dir = そのエージェントを --allow-dir DIR で起動するか、ポリシー（folders.allowed）にフォルダーを書いてください
hint-logon = ユーザー、ドメイン、パスワードを確かめてください：smb://[domain;]user@host/share、--password-file FILE
hint-share-name = サーバー上での共有の名前を確かめてください
hint-writable = 書き込めるフォルダーまたは共有を指定してください
hint-make-room = --size を小さくするか、空きを作ってください
hint-permission = このユーザーがフォルダーを作れる場所を指定するか、作れるユーザーでログオンしてください
hint-not-made = そこにフォルダーがあるか確かめてください。自動では作られません
hint-after-the-cause = 原因に挙げられたことを解決して、測定し直してください
