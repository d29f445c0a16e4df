### The help of the commands: every paragraph, heading, value and word of it. Recognised by the English here: letter by letter
### what the documentation in crates/goodput/src/args says. locales/README.md.

## Words of every help; brackets stand behind options, as in [default: 10s]

help-usage = 使い方:
help-arguments = 引数:
help-options = オプション:
help-commands = コマンド
help-options-tag = [オプション]
help-examples = 例:
help-env = 環境変数
help-default = 既定値
help-possible-values = 選択肢
help-print-help = ヘルプを表示する
help-print-help-more = ヘルプを表示する（詳細は '--help'）
help-print-help-summary = ヘルプを表示する（要約は '-h'）
help-print-version = バージョンを表示する
help-print-help-of = この一覧、または指定したサブコマンドのヘルプを表示する
help-print-help-command = コマンドのヘルプを表示する
help-group-measure = 測定
help-group-hosts = ホスト
help-group-results = 結果
help-group-other = その他
help-more = 詳しくは：goodput COMMAND -h、goodput --help
help-units = サイズ：B kB MB GB KiB MiB GiB。速度：bit kbit Mbit Gbit。時間：ns us ms s min。
help-units-exit-codes = 終了コード：goodput help exit-codes
help-units-languages = 言語：--lang en|ja|ru、GOODPUT_LANG、またはロケール

## Headings of options

help-heading-hosts = ホストと認証情報
help-heading-trials = 試行と環境
help-heading-socket = ソケットオプション
help-heading-output = 出力と実行の保存
help-heading-permissions = 許可
help-heading-metrics = メトリクスと通知
help-heading-limits = ホストの制限

## Commands

help-goodput = 2 台のホスト間のスループット、遅延、CPU 時間を測定する
help-goodput-more = 一方のホストで `goodput agent` を、もう一方で `goodput stream HOST` を実行する。1 台のマシンで両方を試すには、`goodput lab up` と `goodput stream lab:b --from lab:a` を実行する。
help-agent = このホストで測定を行うエージェントを動かす
help-run = ファイルに書いた実験を実行する
help-icf = IOmeter の設定（.icf）を検査する、または書き出す
help-limits = 媒体とバスの理論上の最大速度を表示する
help-hosts = ローカルネットワークまたはルーターのエージェントを一覧する
help-router = 複数の拠点のエージェントとコーディネーターをつなぐルーターを動かす
help-serve = 画面と HTTP API を提供する Web サーバーを起動する
help-host = このマシンのアダプター、CPU、カーネルの設定を表示する
help-compare = 2 つの実行または 2 つの実験を比較する
help-lab = このマシンの名前空間に模擬ネットワークを作る
help-show = 記録した実行の表を表示する
help-list = 記録した実行を一覧する
help-export = 実行を JSON、CSV、Parquet、np.out（NetPIPE）、results.csv（IOmeter）で書き出す
help-store = 記録した実行の検索、タグ付け、整理、移動、バックアップ
help-report = 実行または実験の図入りレポートを書き出す
help-key = コーディネーターとエージェントが共有するラボ鍵を作る
help-demo = ラボですべてのプローブを実行してレポートを書き出す。1 分ほどかかる
help-demo-output = 実行とレポートのフォルダー
help-completions = シェルの補完を出力する
help-completions-more = 例：goodput completions bash > /etc/bash_completion.d/goodput
help-completions-shell = 補完を生成するシェル
help-man = マニュアルページを書き出す
help-man-folder = goodput.1 とサブコマンドごとのページのフォルダー。なければ作る
help-level-setter = 1 台のホストで実験の因子の水準を設定する（goodput run が起動）
help-exit-codes = 終了コードの表を表示する

## Options of several commands

help-json = JSON 文書を 1 つ出力する
help-listen = 待ち受けるアドレス
help-json-tables = 表の代わりに JSON 文書を 1 つ出力する
help-runs = 保存した実行のフォルダー
help-lab-name = ラボの名前
help-result-run = 実行：名前、名前の先頭部分、フォルダー、または last

## Credentials

help-credentials-key-file = ラボ鍵のファイル
help-credentials-ca = 認証局の証明書ファイル。ラボ鍵の代わりに使う
help-credentials-certificate = このホストの証明書ファイル
help-credentials-private-key = 証明書の秘密鍵ファイル

## Options of every measurement

help-measure-time = 測定時間
help-measure-direction = データの方向（--from のホストから見て）
help-measure-spin = 両端でスリープせずにポーリングする。各ホストで CPU 1 個を占有する
help-measure-time-each = 各測定点の測定時間
help-measure-warm-up-each = 各測定前のウォームアップ。集計しない
help-measure-host = 測定先のホスト：アドレス、名前、または lab:NAME。エージェントが動いている必要がある
help-measure-host-more = 名前はまず DNS で解決し、できなければエージェントの中から探す。
help-measure-from = 経路のもう一方の端のホスト
help-measure-from-more = そこでエージェントが動いているか、lab:NAME であること。
help-measure-port = エージェントの制御接続のポート
help-measure-router = 名前でエージェントに到達するためのルーター。データはホスト間を直接流れる
help-measure-always-save = 実行を保存する [既定]
help-measure-save = 実行を保存しない
help-measure-repeat = 試行回数
help-measure-cpus = 両ホストの測定スレッドを固定する CPU。例：0,2-3
help-measure-deadline = 接続など、ネットワークでの個々の待ちのタイムアウト
help-measure-shared = エージェントがほかの試行で使用中でも測定する。結果にその旨を記す
help-measure-medium = 経路の媒体。結果をその上限と比べる：1000base-t、1000base-t:9000、ethernet:RATE …
help-measure-bus = ホストの I/O バス。結果をその上限と比べる：pci-32-33、pcie3-x4、usb2 …
help-measure-seed = 実行の乱数のシード
help-measure-bytes = 各方向でこのデータ量に達したら終了
help-measure-count = 各方向でこの数のメッセージまたはデータグラムに達したら終了
help-measure-warm-up = 測定前のウォームアップ。集計しない
help-measure-label = 実行に付けるラベル（KEY=VALUE）。繰り返し指定可

## Socket options

help-socket-send-buffer = 両ホストのソケット送信バッファーのサイズ
help-socket-receive-buffer = 両ホストのソケット受信バッファーのサイズ
help-socket-no-delay = TCP_NODELAY のオン・オフ（on は Nagle アルゴリズムを無効にする）
help-socket-congestion = 両ホストの輻輳制御アルゴリズム。例：cubic
help-socket-segment-size = TCP セグメントの最大サイズ（バイト、TCP_MAXSEG）

## goodput agent

help-agent-port = 制御接続のポート
help-agent-data-port = 測定データの TCP・UDP ポート
help-agent-name = このエージェントの名前
help-agent-spool = 結果を受け渡すまで保管するフォルダー、または memory
help-agent-groups = このエージェントのグループ。ほかのコマンドから --group G または @G で選べる
help-agent-routers = ほかの拠点からこのエージェントに到達するためのルーター
help-agent-data-addresses = ルーター経由で設定するデータ接続のアドレス
help-agent-hidden = `goodput hosts` の出力に現れないようにする
help-agent-policy = ポリシーのファイル、または none
help-agent-folders = ファイルの測定を許可するフォルダー
help-agent-folders-more = 複数のフォルダーには繰り返し指定する。ポリシーのファイルにあるものに加えられる。
help-agent-smb-accounts = このホストの SMB パスワードを使ってよいユーザーとサーバー
help-agent-smb-accounts-more = 複数のアカウントには繰り返し指定する。ポリシーのファイルにあるものに加えられる。ドメインと 445 以外のポートはアカウントの一部である：'LAB;bench@nas:1445'。エージェントはパスワードを GOODPUT_SMB_PASSWORD またはファイル GOODPUT_SMB_PASSWORD_FILE から読む。
help-agent-knobs = コーディネーターが変更してよい、このホストの設定項目
help-agent-knobs-more = 複数の設定項目には繰り返し指定する。ポリシーのファイルにあるものに加えられる。例：mtu、offload、'sysctl net.ipv4.tcp_rmem'、namespace、any。エージェントは後で元の値に戻す。
help-agent-commands = コーディネーターが実行してよいコマンド（先頭の数語で指定）、または any
help-agent-commands-more = 複数のコマンドには繰り返し指定する。ポリシーのファイルにあるものに加えられる。
help-agent-knob-journal = 元の設定を記録するファイル、または memory
help-agent-check = 実際に適用されるポリシーを表示して終了する
help-agent-label = このエージェントのラベル。例：site=tokyo。繰り返し指定可

## goodput check

help-check = 経路を 30 秒以内で調べる：MTU、遅延、TCP、UDP、CPU 使用率、設定
help-check-require = 結果が満たすべき要件。例："tcp_send_bps >= 900Mbit"。繰り返し指定可
help-check-require-more = 満たさないとき終了コードは 1 です。名前は JSON ドキュメントの "check" のメンバーです。

## goodput clock

help-clock = 2 台のホストの時計のずれとドリフト
help-clock-interval = サンプルの間隔
help-clock-exchanges = 1 サンプルの交換回数。往復時間が最小のものを使う

## goodput compare

help-compare-first = 基準の実行：名前、名前の先頭部分、フォルダー、または last。または公表された値の TOML ファイル
help-compare-second = 基準と比べる実行。書き方は同じ。実験と比べられるのは、実験または公表された値だけ
help-compare-require = 変化が満たすべき条件。例："goodput_bps change >= -2 %"。繰り返し指定可

## goodput datagram

help-datagram = UDP の損失、ジッター、速度、または損失のない最高速度
help-datagram-flows = 方向ごとのフロー数。それぞれソケットとポートを持つ
help-datagram-size = 1 データグラムのペイロード
help-datagram-rate = 各方向の送信速度。例：100Mbit、10000/s、10kpps
help-datagram-rate-more = 単位は毎秒のペイロードのビット数、または毎秒のデータグラム数。
help-datagram-burst = 1 バーストで送るデータグラム数
help-datagram-search = データグラムの損失のない最高速度を探す
help-datagram-search-more = 探索は --rate を超えない。見つけた速度は、長さ --time の最後の試行で確認する。--lossless も同じオプションである。
help-datagram-loss = --search で許す最大の損失。例：0.1%
help-datagram-plain = データグラムごとに 1 回のシステムコールで送り、UDP_SEGMENT と UDP_GRO を使わない。損失の計数が正確になる
help-datagram-no-offload = 1 回の呼び出しで複数の独立したデータグラムを送る（sendmmsg、recvmmsg）。UDP_SEGMENT と UDP_GRO は使わない
help-datagram-warm-up = 測定前のウォームアップ。合計には入るが速度には入らない

## goodput export

help-export-format = ファイルの形式。iometer は IOmeter 1.1 の results.csv、iometer-1999 は 2008 年までの版のもの
help-export-trial = この試行だけを書き出す
help-export-table = CSV または Parquet で書き出す表
help-export-table-more = CSV の表：trials、metrics、またはプローブの表（points、intervals、latency、datagrams、…）。Parquet の表：samples、figures。
help-export-output = 出力ファイル
help-export-json = 書いたファイルのパス、またはエラーを JSON で出力する

## goodput file

help-file = フォルダー、共有、エージェント上のファイルの読み書きの速度
help-file-copy = 大きなファイル 1 つの書き込みと読み出しの時間
help-file-disk = CrystalDiskMark と同じ方法で測る順次・ランダムアクセス
help-file-replay = ファイルサーバーの負荷の再現：dbench または内蔵プロファイル
help-file-clean = 強制終了したファイルの測定が残したフォルダーを削除する
help-file-size = テストファイルのサイズ
help-file-order = 各周の書き込みと読み出しの試行の順序。write または read ならその種類だけを行う
help-file-target = 測定対象：フォルダー、smb://user@host/share、nfs://host/export、HOST:disk …
help-file-target-more = フォルダーは、マウントしたディスクや共有の上にあってもよい。HOST:null、HOST:memory、HOST:disk[=PATH] は、ファイルサーバーなしでエージェントとの間を測定する。
help-file-from = クライアントとなるホスト。それぞれにエージェントが必要
help-file-from-more = TARGET がフォルダーなら、これらのホスト上のパスである。
help-file-server = ファイルサーバー上のエージェント。その CPU 使用率を測る
help-file-server-more = サーバーのディスクと、ファイルを使わないネットワーク単独の性能も測定する。
help-file-server-folder = 共有フォルダーのサーバー上のパス。そのディスクを示し、読み出し前にキャッシュを空にする
help-file-password-file = smb:// のパスワードの入ったファイル
help-file-direct = O_DIRECT でクライアントのページキャッシュを通さない、または各試行の前にキャッシュを空にする [replay 以外の既定]
help-file-cached = クライアントのページキャッシュを使う [replay の既定]
help-file-flush = 書いたデータをディスクへフラッシュする時点
help-file-verify = 測定時間外に読み戻して照合するデータの量

## goodput file clean

help-file-clean-target = 掃除するフォルダーまたは共有：パス、smb://user@host/share/folder、nfs://host/export/folder
help-file-clean-from = TARGET にアクセスできるラボのホスト
help-file-clean-list = フォルダーを一覧し、削除はしない
help-file-clean-workspace = コマンドがまだ動いている可能性があっても、この goodput のフォルダーを削除する

## goodput file copy

help-file-copy-local = コピー元・コピー先となるクライアントのフォルダー
help-file-copy-local-more = このフォルダーのあるディスクの速度も測定する。
help-file-copy-block = コピーの 1 操作のブロックサイズ
help-file-copy-depth = 同時に進めるコピー操作数

## goodput file disk

help-file-disk-profile = 実行するテストの CrystalDiskMark のバージョン
help-file-disk-row = プロファイルのこのテストだけを行う。例："RND4K Q1T1"。繰り返し指定可
help-file-disk-time = 各テストの測定時間

## goodput file replay

help-file-replay-load = 再現する dbench の負荷ファイル、または内蔵プロファイル office
help-file-replay-load-more = ファイルはすべてのクライアントに必要。gzip で圧縮されていてもよい。
help-file-replay-clients = 測定するクライアント数。それぞれ 1 回ずつ測定する。例：1,2,4,8
help-file-replay-clients-more = クライアントは --from のホストに均等に割り振る。
help-file-replay-max-errors = 結果の状態が負荷ファイルと異なる操作がこの数に達したら、そのクライアントを打ち切る
help-file-replay-rate = 各クライアントの最大データ速度
help-file-replay-local = クライアントのこのローカルフォルダーでも負荷を再現する
help-file-replay-local-more = 結果のうちディスクによる分が分かる。サーバーと同様のディスクを使うこと。
help-file-replay-net-only = ファイルを使わず、同じデータをネットワークで転送する（tbench と同じ方法）
help-file-replay-net-only-more = このオプションでは、TARGET はエージェントのあるホスト、または共有である。共有の場合は、そのサーバーのエージェントを --server で指定する。

## goodput hosts

help-hosts-watch = 動き続け、エージェントの出現、離脱、測定をその都度知らせる。Ctrl-C で終了
help-hosts-group = このグループのエージェントだけを一覧する
help-hosts-router = ローカルネットワークではなく、このルーターのエージェントを一覧する
help-hosts-json = JSON 文書を 1 つ出力する。--watch では変化ごとに 1 行
help-hosts-label = このラベルのエージェントだけを一覧する。繰り返し指定可

## goodput icf

help-icf-check = goodput load が .icf ファイルについて測定する内容を、無視される設定への警告とともに表示する
help-icf-from-plan = 負荷を .icf ファイルとして書く。オプションは goodput load と同じ
help-icf-from-plan-file = 書き込む .icf

## goodput icf check

help-icf-check-file = IOmeter の設定ファイル（.icf）
help-icf-check-map = ファイル内のマネージャーに割り当てるホスト。MANAGER=HOST、同名が複数あれば NAME#ID=HOST。繰り返し指定可
help-icf-check-network-only = ディスクワーカーを無視する
help-icf-check-allow-disk = ディスクワーカーのテストファイルを置くフォルダー。.icf ファイルのディスクは決して開かない
help-icf-check-time = 各測定の時間
help-icf-check-warm-up = 各測定前のウォームアップ

## goodput key

help-key-new = 無作為なラボ鍵を作る。ファイルは安全な経路で各ホストにコピーすること
help-key-new-output = 書き込むファイル

## goodput lab

help-lab-up = ラボを起動する：1 本のリンクでつないだホスト a と b、または構成ファイルの内容
help-lab-up-file = 構成ファイル（TOML）
help-lab-up-pin = このホストに専用の CPU を 1 個割り当て、ほかのホストには残りを割り当てる。root と CPU 2 個が必要
help-lab-exec = ラボのホストの中でコマンドを実行する
help-lab-exec-host = ホスト：NAME または NAME@LAB。前に lab: を付けてもよい
help-lab-exec-command = コマンドとその引数
help-lab-down = ラボを、すべてのホストとリンクとともに削除する
help-lab-list = このマシンで動いているラボを一覧する
help-lab-keeper = ラボを動かし続けるプロセス（`lab up` が起動）
help-lab-keeper-words = lab クレートへの引数

## goodput lab up

help-lab-up-clients = ホスト a と b の代わりに、1 台のスイッチにつないだサーバーと、この数のクライアントを作る
help-lab-up-clients-more = ホストは server、c1、c2 …、および指示を出す desk である。
help-lab-up-rate = リンク、または各クライアントのリンクの速度。例：100Mbit
help-lab-up-server-rate = サーバーのリンクの速度
help-lab-up-mtu = リンクの MTU（バイト）
help-lab-up-disk = /srv に置く、ホストのメモリー上のディスク。速度も指定可：server=2GiB@40MB。繰り返し指定可、root が必要
help-lab-up-cpu-share = ホストの CPU の上限（CPU 1 個に対する %）：server=30%。繰り返し指定可、root が必要
help-lab-up-packet-cost = ホストのパケットごとに追加する CPU の負担。何もしないパケットフィルター規則の数で指定：server=1000。繰り返し指定可
help-lab-up-bus = ホストの全トラフィックが共有する模擬バス：goodput limits にある名前、または速度。繰り返し指定可
help-lab-up-bus-more = 例：server=pci-32-33、server=800Mbit。
help-lab-up-medium = リンクの媒体。--rate の代わりに指定する。例：10base-t
help-lab-up-medium-more = 名前の一覧は `goodput limits` で表示できる。
help-lab-up-no-collisions = 半二重の媒体の各局を順番に送信させ、衝突をなくす
help-lab-up-delay = 各方向での各フレームの遅延。例：5ms
help-lab-up-jitter = 各フレームに加わる無作為な遅延の最大値。例：1ms
help-lab-up-loss = 各方向でのフレームの損失。例：0.1%
help-lab-up-silent-mtu = スイッチが転送する IP パケットの最大サイズ（バイト）。それより大きいものは ICMP の通知なしに破棄する
help-lab-up-lab-seed = 模擬リンクの遅延、損失、衝突の乱数のシード

## goodput latency

help-latency = 経路の遅延：無負荷時と TCP 負荷時
help-latency-load = 遅延の測定中にかける TCP 負荷。負荷ごとに 1 試行
help-latency-connections = 方向ごとの負荷の TCP 接続数
help-latency-interval = 遅延プローブの間隔
help-latency-size = 遅延プローブとその応答のペイロード
help-latency-time = 各試行の測定時間
help-latency-warm-up = 各測定前の、キューが満ちるまでのウォームアップ。集計しない

## goodput level setter

help-level-setter-host = 因子の水準を設定するホスト
help-level-setter-port = HOST のエージェントの制御ポート
help-level-setter-towards = そこへの経路からネットワークインターフェースを決める相手ホスト。繰り返し指定可
help-level-setter-client = これらの変更についてエージェントが記録するクライアントの名前
help-level-setter-journal = 元の設定を記録する、このマシンのファイル
help-router-by-name = 名前でエージェントに到達するためのルーター

## goodput limits

help-limits-medium = 計算する媒体。例：1000base-t、atm155-lane、ethernet:RATE、disk:SIZE。繰り返し指定可
help-limits-bus = 計算するバス。例：pci-32-33、pcie3-x4。繰り返し指定可
help-limits-mtu = IP の MTU（バイト）
help-limits-ip = IP のバージョン。4 または 6
help-limits-vlan = 各フレームの VLAN タグの数
help-limits-no-timestamps = タイムスタンプオプションなしの TCP のグッドプットを計算する
help-limits-duplex = 媒体の全二重・半二重のモード
help-limits-datagram = 各 UDP データグラムのペイロード
help-limits-rtt = 経路の往復時間。必要な TCP ウィンドウ（帯域遅延積）を計算する
help-limits-window = 1 接続の受信ウィンドウ。--rtt での最大速度を計算する

## goodput list

help-list-json = 表の代わりに JSON 文書を 1 つ出力する

## goodput load

help-load = 1 台のサーバーと多数のクライアントでのスループットと CPU
help-load-server = サーバー：アドレス、名前、または lab:NAME。エージェントが動いている必要がある
help-load-clients = クライアント。それぞれにエージェントが必要：a,b または c[1-20]
help-load-group = このグループまたはラベルのエージェントをクライアントにする
help-load-size = 要求のサイズ
help-load-direction = 測定する方向（サーバーから見て）
help-load-direction-more = 選べる方向：transmit、receive、duplex、mixed。
help-load-client-counts = 測定するクライアント数。それぞれ 1 回ずつ測定する。例：1,4,8
help-load-workers = 方向ごとの、クライアント 1 台の負荷生成器の数
help-load-one-connection = duplex で、方向ごとの生成器ではなく 1 本の接続を両方向に使う
help-load-reads = サーバーが受け取る要求の割合（%）。direction mixed のみ
help-load-mix = --size の代わりに使う要求サイズの混合。SIZE:SHARE:READS（%）の形で指定。例：4KiB:70:67,64KiB:30:100
help-load-mix-more = 各項目は SIZE:SHARE:READS[:REPLY]。SHARE の合計は 100 でなければならない。
help-load-reply = 各要求への応答のサイズ
help-load-outstanding = 1 接続で同時に進める要求の最大数（--reply を指定した場合）
help-load-burst = 1 バーストのトランザクション数
help-load-delay = 各バーストの前の休止時間
help-load-transactions-per-connection = この数のトランザクションごとに新しい接続を開く（接続レートのモード）
help-load-icf = 負荷を IOmeter の設定ファイル（.icf）から読む
help-load-icf-more = ファイルは `goodput icf check` で検査できる。
help-load-map = .icf ファイルのマネージャーに割り当てるホスト（MANAGER=HOST）。繰り返し指定可
help-load-network-only = .icf ファイルのディスクワーカーを無視する
help-load-write-icf = 負荷を IOmeter 用の .icf ファイルとして書き、測定はしない

## goodput mtu

help-mtu = 各方向で通る最大のパケット
help-mtu-expect = 想定する経路 MTU（バイト）。異なればエラー（終了コード 1）
help-mtu-largest = 試す最大のパケットサイズ（バイト）
help-mtu-tries = ほかが届く中で失われるとそのサイズを大きすぎると判断する、同じサイズのパケットの数（3～5）
help-mtu-timer = 応答を待つ最短時間。往復時間の 4 倍のほうが長ければそちら
help-mtu-time = MTU の探索の制限時間
help-mtu-icmp = HOST のエージェントなしに、ICMP エコーで測定する
help-mtu-icmp-more = ICMP で測れるのは HOST への経路だけで、このマシンで ICMP ソケットの権限が必要である。

## goodput pingpong

help-pingpong = メッセージサイズごとの遅延とスループット
help-pingpong-mode = 測定モード：native（適応的、中央値と信頼区間）または compat（NetPIPE 3.7.2 の手順）
help-pingpong-compat = --mode compat と同じ
help-pingpong-smallest = スイープの最小のメッセージサイズ
help-pingpong-largest = スイープの最大のメッセージサイズ
help-pingpong-largest-more = 既定値では NetPIPE の 103 通りのサイズになる。
help-pingpong-perturbation = 各サイズの前後にこのバイト数ずらしたサイズも測る。0 で無効
help-pingpong-streaming = 片方向だけに送り、受信側で計時する
help-pingpong-two-way = 両方向に同時に送る
help-pingpong-cold = 毎回、どの CPU のキャッシュにもないメモリーからメッセージを送る
help-pingpong-integrity = 両端で全メッセージの全バイトを確認する
help-pingpong-buffer = ソケットの送受信バッファーのサイズ
help-pingpong-congestion = 両ホストの輻輳制御アルゴリズム
help-pingpong-width = native モード：目標とする 95 % 信頼区間の幅（中央値に対する %）
help-pingpong-cap = native モード：サイズごとの制限時間
help-pingpong-reset = compat モード：計時するループごとに新しい接続を開く（NetPIPE の -r）
help-pingpong-repeats = compat モード：決まった繰り返し回数（NetPIPE の -n）
help-pingpong-sample-cap = 保存する往復時間サンプルの最大数
help-pingpong-np-out = 結果を NetPIPE の np.out 形式でこのファイルにも書く

## goodput report

help-report-format = レポートの形式（コンマ区切り）：html、page、markdown、text、svg、png、csv、json
help-report-output = 出力フォルダー
help-report-json = 書いたファイルのパスを JSON で出力する
help-report-run = 実行：名前、名前の先頭部分、フォルダー、または last。または公表された値の TOML ファイル

## goodput request

help-request = 要求と応答の遅延と、毎秒のトランザクション数
help-request-kind = トランザクションの種類。tcp_crr はトランザクションごとに新しい接続を開く
help-request-size = 要求と応答のサイズ。例：128（両方）または 64,8KiB
help-request-outstanding = 同時に進めるトランザクション数
help-request-rate = 毎秒開始するトランザクション数（開ループ）
help-request-rate-more = トランザクションは応答を待たずに予定どおり開始する。遅延は予定の開始時刻から測る。
help-request-count = この数のトランザクションで終了

## goodput router

help-router-port = 待ち受けるポート
help-router-connect = 接続する、ほかの拠点のルーター。繰り返し指定可

## goodput run

help-run-check = 実験の計画を表示し、測定はしない
help-run-quick = ファイルの [quick] にある短縮形を実行する
help-run-yes = 因子の水準を手作業で設定するよう求めず、設定されていることの確認だけを行う
help-run-seed = 実行順序など、すべての無作為な選択の乱数のシード
help-run-file = 実験のファイル（TOML）、または experiment.toml のあるフォルダー
help-run-resume = このファイルの最新の未完了の実行、または指定した実行を再開する

## goodput serve

help-serve-listen-more = ループバック以外のアドレスには、TLS と、パスワードまたはトークンが必要である。
help-serve-index = 実行の索引のデータベース：sqlite:FILE、または共用には postgres://…
help-serve-tls-cert = 中間証明書を含む、PEM 形式の TLS 証明書ファイル
help-serve-tls-key = TLS 証明書の秘密鍵ファイル
help-serve-tls-self = 自己署名の TLS 証明書を作って使う
help-serve-names = ブラウザーがページを開くときの追加のホスト名。繰り返し指定可
help-serve-allow = Web ページから始めた測定に追加で許すこと：write、folders、files、knobs、commands
help-serve-allow-more = write：このマシンのファイルに書く、または実行を別のフォルダーに保存する。folders：このマシンのフォルダーで測定する。files：鍵や設定など、このマシンのファイルを読む。knobs：実験でこのマシンの設定を、why --allow-knob でホストの設定を変更する。commands：水準をコマンドで設定する実験で、ホスト上でコマンドを実行する。
help-serve-webhook-loopback = 通知の webhook がこのマシンのアドレスへ送ることを許す
help-serve-otlp = スケジュールとエージェントのメトリクスを受け取る OpenTelemetry コレクターの URL（OTLP/HTTP、JSON）
help-serve-otlp-interval = メトリクスを送る間隔
help-serve-router = ホストの一覧と、ページから始める測定に使うルーター
help-serve-passwords = パスワードのハッシュのファイル
help-serve-tokens = トークンのハッシュのファイル
help-serve-password = Web ページのユーザーの役割にパスワードを設定する
help-serve-password-more = パスワードは端末での入力、または標準入力の 1 行から読む。
help-serve-role = reader はすべてを閲覧でき、何も変更できない。operator は開始、停止、スケジュール、タグ付けもできる
help-serve-token = プログラム用の API トークンを作り、一度だけ表示する
help-serve-token-name = トークンの名前。同じ名前の古いものは新しいものに置き換わる

## goodput show

help-show-resolution = 表の代わりに、繰り返した試行で検出できる最小の変化を表示する
help-show-resolution-more = 実行には、同じ設定の試行が 16 回以上必要である。=3% を付けると、3 % の変化を検出するのに実験に必要なブロック数も表示する。

## goodput store

help-store-index = 実行の索引のデータベース：sqlite:FILE または postgres://USER@HOST/DATABASE
help-store-list = 保存した実行を検索し、新しい順に一覧する
help-store-list-limit = 実行の最大件数
help-store-list-after = この実行（前回の一覧の最後）の次から続ける
help-store-tag = 実行のタグを追加または削除する。タグ付きの実行は --tagged を付けないと prune で削除されない
help-store-tag-run = 実行：名前、その先頭または末尾の部分、または last
help-store-tag-tags = タグ
help-store-tag-remove = タグを削除する
help-store-rebuild = 保存した実行から索引を作り直す
help-store-prune = 実行を削除する。--yes がなければ一覧するだけ
help-store-prune-tagged = タグ付きの実行も対象にする
help-store-prune-yes = 削除する
help-store-move = 実行を別のフォルダーまたはデータベースへ移す
help-store-move-more = 各実行は、移動先で読み戻してから移動元で削除する。
help-store-move-to = 移動先：実行のフォルダー、または postgres://USER@HOST/DATABASE
help-store-move-keep = 移さずにコピーする
help-store-backup = すべての実行とスケジュールを 1 つのファイル（.tar.zst）に書く
help-store-file = ファイル
help-store-restore = バックアップから実行を復元する、または 1 つの実行のアーカイブを取り込む

## goodput store: which runs

help-store-filter-words = 実行の名前、コマンド、ホスト、ラベルから探す語
help-store-filter-words-more = プローブ、タグ、実験の名前も検索する。
help-store-filter-probe = このプローブの実行だけ。繰り返し指定可
help-store-filter-host = このホストが参加した実行だけ。繰り返し指定可
help-store-filter-label = このラベルの実行だけ。繰り返し指定可
help-store-filter-factor = 実験の因子がこの水準の実行だけ。繰り返し指定可
help-store-filter-tag = このタグの実行だけ。繰り返し指定可
help-store-filter-experiment = この実験の実行だけ
help-store-filter-since = この日付以降、またはこの期間内に始めた実行だけ：2026-11-01、36h、90d、8w
help-store-filter-since-more = 日付は UTC。時刻は 2026-11-01T08:00:00Z のように書く。
help-store-filter-until = この日付または時刻より前に始めた実行だけ
help-store-filter-outcome = この状態の実行だけ。繰り返し指定可

## goodput stream

help-stream = 受信側で数えた TCP のスループット
help-stream-connections = 方向ごとの TCP 接続数
help-stream-size = 1 回の書き込みで送る 1 メッセージのサイズ
help-stream-read-size = 1 回の読み出しの最大バイト数
help-stream-sender = 送信方法：write、batch:N（1 回の writev で N メッセージ）、sendfile、zerocopy
help-stream-receiver = 受信方法：read、または discard（MSG_TRUNC、データをコピーしない）
help-stream-receive-coalescing = 受信の集約：off、または次の読み出しの前に続くデータを待つ時間
help-stream-receive-coalescing-more = すぐに返った短い読み出しの後に受信側がこの時間待つことで、1 回の読み出しで返るデータが増える。
help-stream-rate = 各接続の最大速度
help-stream-rate-more = カーネルが送出間隔の調整（SO_MAX_PACING_RATE）により速度を抑える。

## goodput why

help-why = TCP のスループットを制限しているものを突き止め、介入によって証明する
help-why-budget = 制限時間。原因が証明されればそれより早く終わる
help-why-allow-knob = ホストの設定（バッファーの上限とバックログの長さ）も変更する。それぞれ試行の後で元に戻す
help-why-block = コピー 1 操作のブロックサイズ（HOST:disk の場合）
help-why-block-default = 最大 1MiB
help-why-size = 各メッセージのサイズ。HOST:disk の場合はファイルのサイズで、省略するとその速さで決める

## Behind the options: what the examples do, and notes

help-agent-example = 測定先のホストで
help-agent-example-2 = このフォルダーでのファイルの測定を許可
help-check-example = このマシンから nas までの経路
help-clock-example = 10 s の間のずれとドリフト
help-clock-example-2 = ほかの 2 台のホストの間
help-datagram-example = ペイロード 100 Mbit/s での損失とジッター
help-datagram-example-2 = 損失 0.1 % 以下での最高速度
help-file-example = コピーとドライブ性能、1 つの結論
help-file-note = ファイルはすべて TARGET の中の新しいフォルダーに置かれ、フォルダーは最後に削除される。
help-file-copy-example = マウントしたフォルダーとの間で 600 MB
help-file-copy-example-2 = nas 上のエージェントがファイルを保管
help-file-disk-example = CrystalDiskMark 8 と同じ
help-file-disk-note = --repeat がなければ、CrystalDiskMark と同じく、集計しない 1 周の後に 5 周を行う。
help-compare-example = 最後の実行を別の実行と比較
help-compare-example-2 = 実行のフォルダー
help-compare-note = 2 つの実験はセルごとに比較する。それ以外の 2 つの実行は、設定が同じ試行どうしを比較する。各変化には区間と判定が付き、判定は、この実行からは判断できない、となることもある。2 つの実行は続けて測定されたものなので、その間に変わった、一覧にないものが原因かもしれない。
help-compare-note-2 = 実験の比較では、値の名前をプローブの行の後に書く："tcp.goodput_bps change >= -2 %"。
help-compare-note-3 = 終了コード：0 比較し、すべての要件を満たした；1 満たさない要件がある、または要件の値が両方に共通していない；2 そのような実行がない、または 2 つのうち一方だけが実験である。
help-hosts-note = このネットワークにマルチキャストの要求を約 1 秒間送り、次に応答した各エージェントに相互 TLS で問い合わせる。--router を付けると、代わりにルーターにエージェントを問い合わせる。鍵またはバージョンの異なるエージェントは、理由とともに一覧に載る。隠れたエージェント、ネットワークのルーターの先のエージェント、ほかのマシンの鍵のないエージェントは見つからない。アドレスで指定すること。
help-hosts-note-2 = 測定の HOST に書いた名前は、まずシステムのリゾルバーで調べる。リゾルバーが知らなければ、このネットワークで見つかった、まったく同じ名前のエージェントを指す。--router を付けると、そのルーターにいるその名前のエージェントだけを指す。同じ名前のエージェントが 2 つあれば、エラーに一覧が出る。
help-lab-up-example = 1 本のリンクでつないだホスト a と b
help-latency-example = 無負荷時の遅延、続いて各方向の TCP 負荷時の遅延
help-limits-example = すべての媒体とバスの名前
help-load-example = 13 通りの要求のサイズを 3 方向で
help-mtu-example = 両方向の経路 MTU
help-mtu-example-2 = 9000 でなければ終了コード 1
help-mtu-example-3 = エージェントのないホストまで
help-pingpong-example = 1 MiB までの 103 通りのメッセージサイズ
help-pingpong-example-2 = NetPIPE 3.7.2 の手順
help-request-example = TCP の要求と応答の遅延、各方向 1 バイト
help-request-example-2 = 毎秒 10,000 要求の開ループでの遅延
help-export-example = 最新の実行の最も詳しい表
help-report-example = 最新の実行の report.html と図
help-report-example-2 = Markdown で標準出力へ
help-report-example-3 = page.html：拡大できる図を含む 1 つのファイル
help-router-note = エージェントは `goodput agent --router HOST` で参加する。参加したエージェントには名前で到達できる：`goodput hosts --router HOST`、`goodput stream NAME --router HOST`。ルーターを通るのは指示と結果だけで、データはホストからホストへ流れる。メッセージングエンジン自身のルータープログラム zenohd も使える：docs/fleet.md
help-run-example = 計画と所要時間を表示
help-run-example-2 = 実行する。Ctrl-C で止めても再開できる
help-run-example-3 = 再開する
help-serve-example = 起動したユーザーのための、このマシン自身のページ
help-serve-example-2 = パスワードを設定し、続いて：
help-serve-example-3 = ラボ向け
help-serve-note = プログラムにはトークンが必要である：goodput serve token reader prometheus。詳しくは：docs/serve.md
help-store-prune-example = 90 日より古い実行を一覧
help-store-prune-example-2 = それらを削除
help-stream-example = このマシンから nas への TCP のスループット
help-why-example = このマシンから nas への転送を制限しているもの
help-why-example-disk = nas のディスクがそこへのコピーを制限しているか

## goodput help exit-codes

help-exit = 終了コード:
help-exit-done = 完了
help-exit-requirement-failed = 測定したが、満たさない要件がある（重大度「エラー」の所見）
help-exit-usage = 引数が解釈できない、または互いに矛盾する
help-exit-unreachable = ホストに到達できない（名前、ポート、鍵、プロトコル）
help-exit-cannot-measure = ここでは測定できない（権限、カーネル機能の不足、ディスクの満杯）
help-exit-broke-off = 試行が中断した。それまでの測定は保存済み
help-exit-interrupted = 中断された（Ctrl-C など）。それまでの測定は保存済み

## Names of values

help-value-address = ADDRESS
help-value-address-port = ADDRESS[:PORT]
help-value-bus = BUS
help-value-bytes = BYTES
help-value-change = CHANGE
help-value-command = COMMAND
help-value-dir = DIR
help-value-dir-memory = DIR|memory
help-value-duplex = DUPLEX
help-value-factor-level = FACTOR=LEVEL
help-value-file = FILE
help-value-file-folder = FILE|FOLDER
help-value-file-memory = FILE|memory
help-value-file-none = FILE|none
help-value-format = FORMAT
help-value-group = GROUP
help-value-host = HOST
help-value-host-bus = HOST=BUS
help-value-host-percent = HOST=PERCENT
help-value-host-rules = HOST=RULES
help-value-host-size-rate = HOST=SIZE[@RATE]
help-value-host-port = HOST[:PORT]
help-value-how = HOW
help-value-key-value = KEY=VALUE
help-value-kind = KIND
help-value-knob = KNOB
help-value-lines = LINES
help-value-list = LIST
help-value-loadfile-office = LOADFILE|office
help-value-medium = MEDIUM
help-value-mode = MODE
help-value-name = NAME
help-value-name-host = NAME=HOST
help-value-number = NUMBER
help-value-order = ORDER
help-value-outcome = OUTCOME
help-value-percent = PERCENT
help-value-per-second = PER_SECOND
help-value-place = PLACE
help-value-port = PORT
help-value-probe = PROBE
help-value-rate = RATE
help-value-requirement = REQUIREMENT
help-value-role = ROLE
help-value-run = RUN
help-value-run-file = RUN|FILE
help-value-server = SERVER
help-value-shell = SHELL
help-value-size = SIZE
help-value-size-size = SIZE[,SIZE]
help-value-table = TABLE
help-value-tag = TAG
help-value-target = TARGET
help-value-text = TEXT
help-value-time = TIME
help-value-url = URL
help-value-user-host = USER@HOST
help-value-version = VERSION
help-value-way = WAY
help-value-what = WHAT
help-value-when = WHEN
help-value-word = WORD
help-value-words = WORDS
help-value-lab-name = lab:NAME
help-value-off-time = off|TIME

## What stands in [default: …]

help-default-all-addresses-lab = ラボ鍵があればすべてのアドレス、なければループバック
help-default-host-name = ホスト名
help-default-host-addresses = このホストのアドレス
help-default-none = なし
help-default-knobs-journal-spool = スプールフォルダー内の knobs.journal
help-default-maximum = 最大
help-default-those-due-within = 0.5 ms 以内に送るべき分
help-default-search-ms = 1s；--search では 300ms
help-default-set-kernel = カーネルが決める
help-default-large-buffer-chosen = goodput が選ぶ大きなバッファー
help-default-mb-disk-gib = 600MB；disk では 1GiB
help-default-memory = メモリー
help-default-fifth-time-as = --time の 5 分の 1（dbench と同じ）
help-default-no-limit = 制限なし
help-default-machine = このマシン
help-default-prompt = 端末で尋ねる
help-default-end-drive-benchmarks = end；ドライブ性能では CrystalDiskMark と同じ；replay では none
help-default-run-time-file = ファイルにある測定時間
help-default-ramp-up-time = ファイルにあるランプアップ時間
help-default-rate-client-link = クライアントのリンクの速度
help-default-list-all-names = すべての名前を一覧
help-default-mtu-medium = 媒体の MTU
help-default-if-option-has = 0；値なしで指定すれば 1
help-default-mode-medium = 媒体のモード
help-default-fills-mtu = MTU を満たすサイズ
help-default-all-clients = すべてのクライアント
help-default-file-measurements = 1；ファイルの測定では 5
help-default-name-resolution-connect = 名前解決 5s、接続 3s、最初のバイト 3s、進行なし 10s
help-default-new-seed-each = 実行ごとに新しいシード
help-default-interface-mtu = インターフェースの MTU + 1
help-default-native = native
help-default-kernel-autotuning = カーネルの自動調整
help-default-path-mtu = 経路 MTU から決まる
help-default-all-np-out = すべて；np.out では最初のスイープ
help-default-csv-most-detailed = CSV では最も詳しい表、Parquet では samples
help-default-standard-output = 標準出力
help-default-run-folder-markdown = 実行のフォルダー；markdown、text、csv、json は標準出力へ
help-default-seed-file = ファイルにあるシード
help-default-index-sqlite-run = 実行のフォルダー内の index.sqlite
help-default-config-goodput-passwords = ~/.config/goodput/passwords（あれば）
help-default-config-goodput-tokens = ~/.config/goodput/tokens（あれば）
