### Words of the web page. The messages stand in the order of ../en/page.ftl.

## The frame

nav-now = 実行中
nav-runs = 実行の一覧
nav-hosts = ホスト
nav-new = 新しい測定
nav-schedule = スケジュール
nav-label = ページ
skip-to-content = 本文へ移動
language-label = 言語
theme-label = 配色
theme-system = システムに合わせる
theme-light = ライト
theme-dark = ダーク
log-out = ログアウト
loading = 読み込み中…
again = もう一度試す
cancel = キャンセル
save = 保存
delete = 削除
edit = 編集
remove = 取り除く
page-not-found = そのようなページはありません。
connection-lost = サーバーとの接続が切れました。再接続しています。
problem-error = エラー
problem-cause = 原因
problem-hint = ヒント
server-no-answer = サーバーが応答しません
severity-error = エラー
severity-warning = 警告
severity-note = 注記
finding-try = 対処
finding-evidence = 根拠

## Log in

login-title = ログイン
login-password = パスワード
login-submit = ログイン
login-why = このサーバーはパスワードを求めています。設定した人に尋ねてください。

## Runs

runs-title = 実行の一覧
runs-none = 当てはまる実行はありません。
runs-none-yet = まだ実行がありません。新しい測定か、コマンドラインの goodput demo から始めてください。
runs-search = 検索
runs-filter = 絞り込み
runs-filter-clear = 絞り込みをすべて解除
runs-since = 開始日（から）
runs-until = 終了日（まで）
runs-compare = { $count } 件の実行を比較
runs-compare-most = 一度に比較できる実行は { $most } 件までです。
runs-count = { $count } 件の実行
runs-more = さらに表示
runs-any = すべて
runs-changed = 新しい実行があります。表示する
runs-choose-another = 比較する実行をもう 1 件選んでください。
runs-choose-none = 選択を解除
runs-trials-count = { $count } 回の試行
runs-probe = プローブ
runs-hosts = ホスト
runs-labels = ラベル
runs-tags = タグ
runs-experiment = 実験
runs-factors = 実験の因子
runs-factors-show = { $count } 個の因子を表示
runs-outcome = 状態
runs-select = この実行を比較に選ぶ
outcome-complete = 完了
outcome-partial = 一部のみ
outcome-failed = 失敗
outcome-running = 実行中
outcome-invalid = 無効

## One run

run-title = 実行
run-downloads = ダウンロード
download-csv = 観測値（1 行に 1 件）
download-csv-table = 結果の表の 1 つ
download-html = スクリプトなしの報告書（どのブラウザーでも可）
download-iometer = IOmeter 1.1 形式の results.csv
download-iometer-1999 = 2008 年までの IOmeter 形式の results.csv
download-json = プログラム向けの結果
download-markdown = GitHub の表を使った報告書
download-netpipe = NetPIPE 形式の np.out
download-page = この実行を含むこのページ（プログラムを持たない人向け）
download-parquet-figures = Apache Parquet（1 行に 1 つの値）
download-parquet-samples = Apache Parquet（1 行に 1 つのサンプル）
download-run-tar-zst = 記録されたままの実行（すべてのイベントとサンプル）
download-text = 端末と同じ表
run-tags-edit = タグを変更
run-contents = 目次
run-print = 印刷
run-repeat = スケジュールで繰り返す
run-resume = 残りを測定
compare-title = 比較
compare-against = { $name } を基準に比較
compare-too-few = 比較には少なくとも 2 件の実行が必要です。実行の一覧で選んでください。
statement-sure = 確からしさ：
statement-more = ほか { $count } 件
tags-field = タグ（コンマで区切る）
table-all-columns = すべての列

## Charts and tables

chart-table = 表で表示
chart-picture = 図で表示
chart-zoom-out = 全範囲
chart-zoom-in = 拡大
chart-zoom-less = 縮小
chart-log-of = 対数目盛：{ $axis }
chart-band = 帯：{ $band }
chart-read = 軸に沿って値を読む
chart-read-hint = 動かすと値が読めます
chart-legend = 凡例
chart-minimum = 最小
table-rows = { $count } 行

## Now

now-title = 実行中
now-nothing = いま測定しているものはありません。
now-stop = 停止
now-said = 最後の出力
now-run = この実行
now-again = もう一度測定（変更も可）
now-experiment = 実験のセル
now-waiting = 順番待ち
now-ended = 最近終わったもの
now-terminal = 端末で始められたもの
now-terminal-note = 端末で始められたもので、停止もその端末で行います。試行は終わるたびにここに 1 件ずつ現れます。
now-terminal-cpu = この図のためにホストへ CPU を問い合わせることはありません。CPU は結果にあります。
now-terminal-silent = 実行中の試行の途中経過は届きません。1 Gbit/s 未満のリンク、実験、プログラムが文書を読む場合（--json）、別のマシンや別のユーザーで実行されている場合がこれに当たります。
now-trial-progress = この試行の進み具合
now-trials = これまでに { $count } 回の試行
job-waiting = 待機中
job-running = 実行中
job-stopping = 停止処理中
job-done = 完了
job-failed = 失敗
job-by-page = このページから開始
job-since = { $time } から
job-ended = { $time } に終了
job-exit = 終了コード { $code }
prompt-title = 手作業が必要です
prompt-must-show = 作業の後、次の点を確認します：
prompt-wrong = まだです：{ $found }
prompt-done = 完了
prompt-skip = この水準を飛ばす
prompt-sent = 送信しました。状態を確認しています。
prompt-operator = 答えられるのはオペレーターです。
prompt-at-terminal = 実験を始めた端末で答えてください。

## What is measured at this moment

live-goodput = グッドプット
live-goodput-picture = 直近の { $flows } フローのグッドプット。数値は下の表にあります。
live-goodput-axis = グッドプット
live-time-axis = 最初のサンプルからの時間（s）
live-flow = フロー
live-goodput-now = 現在
live-bytes = 計測窓内
live-cpu = CPU 使用率
live-cpu-picture = 直近の { $hosts } ホストの CPU 使用率。数値は下の表にあります。
live-cpu-axis = 全 CPU に対する使用率（%）
live-host = ホスト
live-busy-now = 現在
live-operations = 現在の操作数：{ $rate }
live-shared = これらのホストは 1 つのカーネルで動いています。各値は全ホストを合わせたものです。
live-shortened = 直近の 2 分間を表示しています。
live-glimpse = これは途中経過です。結果は、両端が記録したサンプルから計算されます。
live-none = 試行の途中経過はまだ届いていません。1 Gbit/s 未満のリンクでは測定の妨げになるため、終わるまで送られません。
live-progress = 進み具合
live-seconds = { $count } 秒
live-minutes = { $count } 分
live-hours = { $hours } 時間 { $minutes } 分

## Hosts

hosts-title = ホスト
hosts-agents = エージェント
hosts-none = エージェントが見つかりません。ほかのホストで goodput agent を起動してください。
hosts-state = 状態
hosts-idle = 待機中
hosts-held-by = { $client } が使用中
hosts-until = { $time } ごろまで
hosts-others-wait = { $count } 件が待機中
hosts-address = アドレス
hosts-hostname = ホスト名
hosts-kernel = カーネル
hosts-cpu = CPU
hosts-cpus = { $count } × { $model }
hosts-pinned = （CPU { $cpu } に固定）
hosts-program = goodput
hosts-groups = グループ
hosts-labels = ラベル
hosts-matrix = ホスト間の最新の測定値
hosts-matrix-none = ホスト間の測定はまだありません。
hosts-matrix-goodput = グッドプット
hosts-matrix-latency = 遅延
hosts-matrix-corner = 送信元 ↓ 宛先 →
hosts-matrix-never = 未測定
hosts-reach = 現在の応答
hosts-reach-note = 各欄は両端のうち悪い方を示し、その間で最後に測定した時を添えます。ラボのホストにエージェントはありません。
hosts-agent-answers = 応答あり
hosts-agent-refuses = ここからの指示を受け付けません
hosts-agent-absent = 応答するエージェントなし
hosts-agent-unknown = 判断できません
hosts-agent-heard = 最後の連絡：{ $when }
hosts-agent-gone = 離脱：{ $when }
hosts-measured = 測定：{ $when }
hosts-memory = メモリー
hosts-congestion = 輻輳制御
hosts-adapters = アダプター
hosts-speed-unknown = 速度不明
hosts-duplex-full = 全二重
hosts-duplex-half = 半二重
hosts-mtu = MTU { $bytes }
hosts-offloads = 有効なオフロード { $count } 件
hosts-record = 最新の記録
hosts-record-none = このホストの記録を持つ実行はありません。これ以上の情報は、測定したときに記録されます。
hosts-figure-goodput-bps = グッドプット
hosts-figure-latency-ns-p50 = 往復時間（中央値）
hosts-figure-half-rtt-ns-p50 = 往復時間の半分（中央値）
hosts-differences = 2 つのホストの違い
hosts-first = 一方のホスト
hosts-second = もう一方のホスト
hosts-compare = 比較
hosts-fact = 項目
hosts-recorded = { $when } に記録
hosts-same = 記録された項目に、{ $first } と { $second } の違いはありません。

## Experiment

experiment-title = 実験
experiment-progress = { $of } セルのうち { $done } セルが終わりました
experiment-progress-label = 終わったセル
experiment-left = 残り約 { $time }
experiment-report = レポート
experiment-cells = セル
experiment-tally = 状態ごとのセルの数
experiment-matrix = { $probe } のセル
experiment-warm-up = ウォームアップ
experiment-repeat = 反復 { $number }
experiment-now = 現在
experiment-factors = 因子
experiment-by-hand = 手作業
cell-number = セル { $number }
cell-trials = 試行 { $trials }
cell-waiting = 待機中
cell-running = 実行中
cell-done = 完了
cell-failed = 失敗
cell-timed-out = 時間切れ
cell-not-set = 設定できず
cell-spared = 不要

## New test

new-title = 新しい測定
new-command = 測定の種類
new-operator = 測定を始められるのはオペレーターだけです。ここではコマンドの書き方を確かめられます。
new-group-hosts = 測定するホスト
new-group-measurement = 測定の内容
new-group-common = すべての測定に共通
new-default = 既定値：{ $value }
new-required = 必須
new-line = コマンドラインでは次のとおりです
new-good = このコマンドは受け付けられます。
new-unread = この行にはフォームに欄のない指定があるため、何も入力されていません。端末では次のとおりです：
new-start = 開始

## Schedule

schedule-title = スケジュール
schedule-title-of = スケジュール { $name }
schedule-all = すべてのスケジュール
schedule-none = 予定はありません。
schedule-unknown = そのようなスケジュールはありません。
schedule-new = 新しいスケジュール
schedule-edit = { $name } を変更
schedule-name = 名前
schedule-line = 測定の内容（コマンドラインと同じ書き方）
schedule-when = 時期
schedule-every = 一定の間隔で
schedule-calendar = 曜日と時刻で
schedule-interval = 間隔
schedule-span = 単位
schedule-unit-seconds = 秒
schedule-unit-minutes = 分
schedule-unit-hours = 時間
schedule-unit-days = 日
schedule-days = 曜日
schedule-days-none = 曜日を選ばなければ毎日です。
schedule-day-monday = 月曜日
schedule-day-tuesday = 火曜日
schedule-day-wednesday = 水曜日
schedule-day-thursday = 木曜日
schedule-day-friday = 金曜日
schedule-day-saturday = 土曜日
schedule-day-sunday = 日曜日
schedule-times = 時刻（例：03:00, 15:30）
schedule-zone = タイムゾーン
schedule-jitter = 開始を無作為に遅らせる最大の秒数（空欄：サーバーが決める）
schedule-enabled = 有効
schedule-alerts = 通知の宛先と条件
schedule-alert = 条件 { $number }
schedule-alert-kind = 通知する場合
schedule-alert-bound = 単位付きの境界値（例：800 Mbit/s、2 ms）
schedule-alert-times = 連続して失敗した回数
schedule-alert-add = 条件を追加
schedule-alert-short = 条件
schedule-alert-holds = { $since } から成立
schedule-rule-below = 代表値が下回ったとき
schedule-rule-above = 代表値が上回ったとき
schedule-rule-changed = 履歴に変化があったとき
schedule-rule-failed = 実行が失敗したとき
schedule-webhook = 通知先の URL（webhook）
schedule-rests = 休止中
schedule-next = 次回
schedule-last = 前回
schedule-runs = 実行
schedule-failed = { $count } 回失敗
schedule-missed = { $count } 回実行できず
schedule-no-exit = 強制終了、またはサーバーが先に終了
schedule-history = 履歴
schedule-changes = 変化した時点
schedule-delete-sure = { $name } を削除しますか。実行の記録は残ります。
schedule-delete-yes = 削除する
schedule-wrong-name = 名前に使えるのは英数字、ドット、ハイフン、下線で、64 文字まで、先頭は英数字です。
schedule-wrong-line = 測定するコマンドを入力してください。引用符は対にしてください。
schedule-wrong-every = 0 より大きい整数を入力してください。
schedule-wrong-times = 03:00 のような時刻を 1 つ以上入力してください。
schedule-wrong-jitter = 秒数を整数で入力するか、空欄にしてください。
schedule-wrong-webhook = URL は http:// または https:// で始まります。
schedule-wrong-alert = 単位付きの数を入力してください：800 Mbit/s、2 ms、45000 /s。K、M、G だけでは 2 通りに読めます。
