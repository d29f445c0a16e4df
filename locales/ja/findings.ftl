### Findings: titles, advice, sentences. The messages stand in the order of ../en/findings.ftl.

## Parts of sentences

try-report-it = goodput の不具合として、この実行を添えて報告してください
clause-way = { $from } から { $to } へ
clause-connecting-end = 接続側
clause-listening-end = 待ち受け側
clause-both-hosts = 両ホスト
clause-hosts-of-one-kernel = 同じカーネル上のホスト
clause-hosts-on-other-cpus = ほかの CPU を使うホスト
clause-kernel-of-both = 両ホストのカーネル
clause-kernel-of-many = { $count } ホストに共通のカーネル
clause-the-medium = 媒体
clause-servers-medium = サーバーの媒体
clause-both-directions = 両方向
clause-both-directions-together = 両方向の合計
clause-best-size = 最良のサイズ
clause-direction = 方向 { $direction }
clause-connections-of-server = サーバーの接続
clause-connections-of-clients = クライアントの接続
clause-and-more = { $names } ほか { $count } 件
clause-between = { $least }～{ $most }
clause-overlap = 全クライアントに共通する部分は計測窓の { $part } です
clause-overlap-rate = 全クライアントに共通する部分は計測窓の { $part } で、そこに収まる区間（{ $from }～{ $to }）の合計は { $rate } です
clause-lost-share = データグラム { $sent } 個のうち { $count } 個（{ $share }）
clause-lost-shares = データグラム { $sent } 個のうち { $count } 個（{ $least }～{ $most }）
clause-cpus-of = { $count } 個（{ $scope ->
        [own] サーバー専用
        [shared] クライアントと共有
       *[pinned] 固定
    }）
part-copies = ネットワークが複製を作ったため、ソケットでの破棄が損失とは限りません
part-events = カーネルがソケットで数える 1 回の破棄は、複数のデータグラムのことがあります
part-too-late = 到着が遅すぎて複製と区別できないものがあるか、ホスト内での破棄がほかの通信のものかもしれません
clause-check-copies = 複製と最初の到着の区別
clause-check-order = 順序の入れ替わり
clause-check-jitter = ジッター
clause-check-delay = 遅延のゆらぎ
clause-check-drops = 受信側ソケットでの破棄
clause-interface-counters = インターフェースのカウンター
clause-protocol-counters = プロトコルのカウンター
clause-kept-in-memory = エージェントがメモリーに保持しています
clause-lies-in-memory = ファイルシステム（{ $name }）がメモリー上にあります
clause-mtu-interface = { $from } の { $interface } が { $mtu } に設定されています
clause-mtu-router = 途中の { $by } が MTU { $passes } を通知しました
clause-mtu-vanishes = それより大きいパケットは ICMP の通知なしに途中で失われます
clause-mtu-known = それより大きいものが通るかどうかはわかりません
clause-mtu-own-interface = 自分のインターフェース
clause-mtu-bounds = { $passes } は通り、{ $fails } は通りません
clause-mtu-least = { $passes } は通ります
clause-mtu-nothing = 何も返ってきませんでした
clause-wire-other = または、媒体が指定したものと異なります
clause-wire-resident = ファイルの { $share } がこのホストのメモリーにありました
clause-wire-mount = マウント（{ $mount }）のキャッシュが応答しました

## Counts that must agree

rule-intervals-do-not-add-up = 区間の合計が一致しない
    .try = { try-report-it }
    .text = { $connection } の区間の合計は { $total } ですが、計測窓では { $window } です
rule-receiver-total-differs = 受信側の合計が食い違う
    .try = { try-report-it }
    .text = { $host } は { $connection } で { $ours } を受信しましたが、カーネルの計数は { $kernel } です
    .text-2 = { $host } はワーカー { $worker } の { $ours } を受信しましたが、カーネルの計数は { $kernel } です
rule-sender-total-differs = 送信側の合計が食い違う
    .try = { try-report-it }
    .text = { $host } は { $connection } で { $ours } を送信しましたが、カーネルの計数は { $kernel } です
rule-ends-disagree = 両端の値が食い違う
    .try = { try-report-it }
    .text = { $connection } で { $sent } が送信され、{ $received } が受信されました
    .text-2 = { $host } はワーカー { $worker } の { $received } を受信しましたが、送信されたのは { $sent } です
rule-datagram-account-negative = データグラムの収支がマイナス
    .try = { try-report-it }
    .text = 方向 { $direction } の計数は、実際より { $count } 個多いデータグラムを示しています
rule-datagram-totals-differ = 両端のデータグラム合計が食い違う
    .try = { try-report-it }
    .text = { $host } に伝えられたフロー { $flow } の合計は、送信側が報告した値と異なります
    .text-2 = { $host } に伝えられたフロー { $flow } の合計は、受信側が報告した値と異なります
rule-latency-count-differs = 遅延とトランザクションの数が食い違う
    .try = { try-report-it }
    .text = { $operations } 件のトランザクションが完了しましたが、遅延の計数は { $latencies } 件です
rule-file-counts-differ = 操作数とバイト数が食い違う
    .try = { try-report-it }
    .text = { $block } の操作 { $operations } 回は { $bytes } になりますが、計数は { $counted } です
    .text-2 = { $operations } 回の操作（{ $class }）が完了しましたが、遅延の計数は { $latencies } 件です

## Results that cannot be right

rule-above-limit = 媒体の上限を超えている
    .try = 指定した媒体の速度と MTU を確かめてください
    .text = { $whose } が { $reached } に達し、{ $medium } の上限 { $limit } を超えています
rule-file-data-differs = データが変わって返ってきた
    .try = この場所にファイルを置かないでください。両端でメモリー、ケーブル、ディスクの故障を調べてください（dmesg）
    .text = 比較した { $bytes } のうち { $wrong } ブロックが、書き込んだ内容と異なっていました
rule-faster-than-wire = 回線より速い
    .try = --direct、このホストのメモリーより大きいファイル、または手前にこのホストのキャッシュがない smb:// の場所を使ってください
    .text = { $rate } は { $medium } が運べる { $limit } を超えているため、ネットワークの結果ではありません：{ $why }
rule-window-too-short = 計測窓が短すぎる
    .try = バイト数かメッセージ数を増やすか、--time で終了させてください
    .text = { $elapsed } は時計の誤差 { $error } の 100 倍に満たないため、グッドプットは求められません
rule-mtu-not-expected = MTU が想定と異なる
    .try = 両端（ip link）と途中のすべてのスイッチで MTU を確認してください。すべてがその大きさを通す必要があります
    .text = { $way } は { $expected } を想定しましたが、通るのは { $passes } です：{ $why }
    .text-2 = { $expected } を想定しましたが、{ $from } の { $interface } は { $mtu } に設定されています
rule-relay-late = 中継が遅れた
    .try = マシンが空いているときに、ホストを減らすか媒体を遅くして測定してください
    .text = この結果は媒体（{ $link }）のものではありません。中継がフレームの 1 % を { $late } 以上遅れて送り出しました（許容は { $bound }）
    .text-2 = この結果は媒体（{ $link }）のものではありません。中継が追いつかず { $count } フレームを失いました
rule-point-failed = ここでは測定できなかった
    .text = 測定できませんでした：{ $cause }

## How the trial went

rule-partial-result = 試行が中断した
    .try = 原因を取り除いて測定し直してください
    .text = 試行が中断しました：{ $cause }
rule-file-trials-left-out = 除外した試行がある
    .try = { rule-partial-result.try }
    .text = { $count } 回の試行が中断し、この実行のどの値にも含まれていません：{ $cause }
rule-shared-run = ほかの試行が同時に実行された
    .try = --shared を付けずに測定してください
    .text = これらのホストで、ほかの試行が同時に実行されていました
rule-cap-reached = 時間の上限に達した
    .try = サイズごとの時間を延ばすか、より広い区間を認めてください
    .text = { $all } サイズのうち { $count } サイズは、区間が求めた狭さになる前に時間の上限で終わりました
rule-zero-copy-copied = ゼロコピーが実際にはコピーされた
    .try = 実際のアダプターを通して測定してください。ループバックと veth は必ずコピーします
    .text = ゼロコピーを求めた { $all } 回の送信のうち { $copied } 回を、カーネルがコピーしました
rule-receive-coalescing = 受信の集約を使用した
    .try = 通常のアプリケーションの性能を測定するには、--receive-coalescing を指定しないでください
    .text = 受信の集約を使用して測定しました。受信側は短い読み出しの後に { $time } 待ちました
rule-measurement-note = 測定についての注記
rule-not-available = 取得できない値
    .text = 方向 { $direction } では取得できません：{ $check }：{ $why }

## Loads

rule-client-excluded = 結果に含まれないクライアントがある
    .try = 今つながるかどうかは goodput hosts でわかります。--clients から外すか、測定し直してください
    .text = { $all } 台のクライアントのうち { $count } 台は結果に含まれません：{ $names }（{ $cause }）
    .text-2 = { $all } 台のクライアントのうち { $count } 台は結果に含まれません：{ $names }（{ $cause }）。それまでは参加しており、その分は結果に入りませんがサーバーの負荷にはなりました
rule-client-idle = 何も転送しなかったクライアントがある
    .try = そのクライアントとサーバーの間の経路を調べてください
    .text = { $names } は計測窓の中で何も転送しませんでした
rule-window-skew = 計測窓を守れなかったクライアントがある
    .try = クライアントの CPU に余裕があるか確かめてください。--time を長くすると端の影響は小さくなります
    .text = { $all } 台のクライアントのうち { $count } 台の開始または終了が、計測窓の端から最大 { $distance } ずれました（{ $window } の { $share } を超過）：{ $names }
rule-client-slow = ほかより大幅に遅いクライアントがある
    .try = そのクライアントのリンクと CPU を調べるか、goodput stream で単独に測定してください
    .text = { $all } 台のクライアントのうち { $count } 台は、中央値 { $rate } の半分に届きませんでした：{ $names }。公平性（Jain の指数）は { $fairness }
rule-connection-errors = 接続に失敗した
    .try = サーバーの待ち受けキュー（net.core.somaxconn）とクライアントの空きポートを調べてください
    .text = { $count } 件の接続が、開けなかったか切れました
rule-clients-cpu-saturated = クライアントの CPU に余裕がない
    .try = クライアントを増やすか、クライアントあたりのワーカーを減らしてください
    .text = クライアントが共有する唯一の CPU に余裕がなく（使用率最大 { $percent }）、負荷がそこで頭打ちになっている可能性があります
    .text-2 = クライアントが共有する { $all } 個の CPU のうち { $count } 個に余裕がなく（使用率最大 { $percent }）、負荷がそこで頭打ちになっている可能性があります
    .text-3 = { $all } 台のクライアントのうち { $count } 台に余裕のない CPU があり、負荷がそこで頭打ちになっている可能性があります：{ $names }
rule-server-cpu-saturated = サーバーの CPU に余裕がない
    .text = サーバー { $host } の CPU に余裕がありません（使用率 { $percent }）。これが上限です
    .text-2 = サーバー { $host } の { $all } 個の CPU のうち { $count } 個に余裕がなく（使用率最大 { $percent }）、CPU が上限になっている可能性があります
rule-medium-reached = 媒体が飽和した
    .text = { $whose } が { $medium } の片方向の上限の { $percent } に達しました。媒体が上限です
rule-adapter-differs = アダプターの計数が異なる
    .try = サーバーのインターフェースをほかに何が使っているか、tcpdump などで調べてください
    .text = { $interface } の送信の計数は { $counted } で、ユーザーデータとヘッダーの { $expected } に対して { $percent } の差があります
    .text-2 = { $interface } の受信の計数は { $counted } で、ユーザーデータとヘッダーの { $expected } に対して { $percent } の差があります
rule-pe-not-comparable = P/E 指数を比較できない
    .try = すべての測定点を、同じオンライン CPU と同じ割り当てで測定してください
    .text = サーバーの CPU の値が、測定点によって異なる CPU のものです：{ $kinds }。P/E 指数は比較できません

## Files

rule-accepted-by-cache = 書き込みをキャッシュが受け取った
    .text = 書き込みは { $rate } で受け付けられ、{ $medium } が運べる量を超えています。このホストのキャッシュが受け取り、後から送りました。ネットワークの値と言えるのは永続化の速度だけです
rule-read-from-cache = このホストのキャッシュから読み出した
    .try = このホストのメモリーより大きいファイルか、ダイレクト I/O のできるファイルシステムを使ってください
    .text = 読み出す前に、ファイルの { $percent } がこのホストのページキャッシュにありました。キャッシュなしの読み出しではありません
rule-server-cache-warm = ファイルがサーバーのメモリーにあった
    .try = サーバー上のエージェントにファイルをキャッシュから外させてください：--server HOST --server-folder PATH
    .text = 読み出す前に、ファイルの { $percent } がサーバーのメモリーにありました。サーバーのディスクは測定されていません
rule-server-cache-unknown = サーバーのキャッシュの状態が不明
    .try = サーバー上のエージェントなら調べられます：--server HOST --server-folder PATH
    .text = サーバーのキャッシュの状態は不明です。読み出したデータはディスクではなくメモリーから来たのかもしれません
rule-cache-took-part = キャッシュが関わった
    .text = このホストのページキャッシュが関わりました
    .text-2 = このホストのページキャッシュが関わりました。事前にファイルの { $percent } がその中にありました
rule-no-disk = ディスクは測定されていない
    .text = ディスクは測定されていません：{ $why }
rule-direct-not-obtained = ダイレクト I/O が使えない
    .text = { $name } ではダイレクト I/O（O_DIRECT）が使えず、このホストのページキャッシュが関わりました
    .text-2 = { $name } ではダイレクト I/O（O_DIRECT）が使えず、このホストのページキャッシュが関わりました。代わりの方法：{ $how }
rule-unexpected-operations = 操作が想定と異なる終わり方をした
    .try = 挙げられた負荷ファイルの行を調べてください。フォルダーで許されることが共有では禁じられている場合があります
    .text = { $all } 回の操作のうち { $count } 回が想定と異なる終わり方をしました
    .text-2 = { $all } 回の操作のうち { $count } 回が想定と異なる終わり方をしました。たとえば { $example }
rule-stamping-cost = データの生成に CPU 時間がかかった
    .text = データの生成に CPU 1 個の { $percent } を使いました。これはクライアントの値に含まれています
rule-file-cpu-saturated = CPU に余裕がない
rule-not-durable = 永続化を求めていない
    .try = --flush end を付けて測定してください
    .text = 書き込んだデータの永続化は求められていません。ディスクがどれだけ速く受け取るかは、この速度からはわかりません
rule-share-encrypted = 共有が暗号化されている
    .text = すべてのメッセージが暗号化され、両端で CPU 時間がかかります
rule-share-signed = 共有が署名されている
    .text = すべてのメッセージに署名が付き、両端で CPU 時間がかかります
rule-file-system-compresses = ファイルシステムが圧縮する
    .text = { $name } はマウントオプションにより圧縮します。データは圧縮できませんが、試みるだけで CPU 時間がかかります
    .text-2 = { $name } は圧縮する可能性があります。データは圧縮できませんが、試みるだけで CPU 時間がかかります

## Datagrams

rule-held-back-at-sender = 送信側で抑えられた
    .try = それを超えない速度を求めるか、データグラムを大きくするか、--flows を増やしてください。送信側のインターフェースは tc -s qdisc で調べられます
    .text = 方向 { $direction } は送信側で抑えられました：毎秒 { $asked } 個を求め、送信は { $sent } 個
rule-datagrams-refused = 送信側のシステムがデータグラムを拒んだ
    .try = より低い速度を求めてください。ENOBUFS は送信側の出口のキューが一杯という意味です（tc -s qdisc を参照）
    .text = 送信側のシステムが、方向 { $direction } のデータグラム { $offered } 個のうち { $refused } 個を拒みました：{ $reasons }
    .text-2 = 送信側のシステムが方向 { $direction } のデータグラム { $offered } 個のうち { $refused } 個を拒否しました
rule-lost-at-receiver-socket = 受信側のソケットで失われた
    .try = 受信側で net.core.rmem_max と --receive-buffer を大きくするか、プログラムにもっと CPU を割り当ててください
    .text = 方向 { $direction } では { $lost } が受信側のソケットで失われました
    .text-2 = 方向 { $direction } では { $lost } が受信側のソケットで失われました（カーネルがそこで { $events } パケットを破棄）
rule-lost-in-receiving-host = 受信ホストの中で失われた
    .try = 受信側のファイアウォール、/proc/net/softnet_stat、アダプターのリングの大きさ（ethtool -g）を調べてください
    .text = 方向 { $direction } では { $lost } が受信ホストのソケットより下で失われました
rule-lost-in-sender-queue = 送信側のキューで失われた
    .try = --rate を下げるか、--plain で送信してください。送信側のインターフェースは tc -s qdisc で調べられます
    .text = 方向 { $direction } では { $lost } が送信側のインターフェースのキューで失われました
rule-lost-on-path = 経路上で失われた
    .try = goodput datagram HOST --search で、損失のない最高速度がわかります
    .text = 方向 { $direction } では { $lost } が経路上で失われました
    .text-2 = 方向 { $direction } では { $lost } が、経路上か、計数されていない受信側のソケットで失われました
    .text-3 = 方向 { $direction } では { $lost } が、経路上か、計数されていない受信ホストのソケットより下で失われました
    .text-4 = 方向 { $direction } では { $lost } が、経路上か、受信側のソケットか、その下で失われました。後の 2 つは計数されていません
rule-loss-unresolved = 区別できない損失
    .try = データグラム 1 個まで正確な収支には、--plain を付け、オフロードを切って測定してください
    .text = 未解決：方向 { $direction } のデータグラム { $count } 個：{ $why }
rule-datagrams-copied = ネットワークが複製を作った
    .text = ネットワークが方向 { $direction } のデータグラムの複製を { $count } 個届けました
rule-datagrams-sent-late = 送信が遅れた
    .try = 速度を下げるか、--burst を大きくするか、送信側に --spin を使わせてください
    .text = 方向 { $direction } のデータグラム { $offered } 個のうち { $late } 個が、予定時刻より 1 ms を超えて遅れて送られました（最大 { $most }）
rule-datagrams-malformed = 無関係のデータグラム
    .try = 受信側のデータポートに、ほかに誰が送っているか調べてください
    .text = 別の形式のデータグラム { $count } 個が、方向 { $direction } のソケットに届きました
rule-datagrams-reordered = ネットワークで順序が入れ替わった
    .text = 方向 { $direction } のデータグラム { $count } 個が後のものより遅れて届きました（最大 { $behind } 個の遅れ）
rule-offload-not-used = オフロードを使わなかった
    .text = 方向 { $direction }：{ $why }

## Path MTU

rule-mtu-black-hole = ブラックホール
    .try = ICMP の「fragmentation needed」（ICMPv6 の「packet too big」）を通すか、両端を通る大きさの MTU に合わせてください。それまでは net.ipv4.tcp_mtu_probing=1 が TCP の助けになります
    .text = ブラックホール（{ $way }）：{ $passes } を超えるパケットは何の知らせもなく消え、{ $passes } は届きます
    .text-2 = ブラックホール（{ $way }）：{ $passes } を超えるパケット、またはその応答が何の知らせもなく消え、{ $passes } は届きます
rule-mtu-below-least = MTU が許される最小より小さい
    .try = MTU の小さすぎるトンネルやアダプターを探してください
    .text = { $way } 通るのは { $passes } だけで、どのリンクも運ばなければならない { $least } に足りません
rule-mtu-interfaces-differ = 両端の MTU が異なる
    .try = 両端の MTU をそろえてください
    .text = 両端のインターフェースの MTU が異なります：{ $one } は { $mtu_one }、{ $other } は { $mtu_other }
rule-mtu-asymmetric = 方向によって通る大きさが異なる
    .try = 行きと帰りの経路の違い、または両端の MTU が異なるリンクを探してください
    .text = 方向によって異なります：{ $there } は { $forward }、{ $back } は { $reverse } が通ります
rule-mtu-undecided = 経路 MTU が定まらない
    .try = 経路が空いているときに測定し直すか、--time で時間を延ばしてください
    .text = { $way } の経路 MTU は定まりません：{ $why }。{ $bounds }
rule-mtu-route-differs = カーネルが別の MTU を想定している
    .try = キャッシュの内容は ip route get で見え、ip route flush cache で消えます
    .text = { $host } のカーネルは { $way } { $route } を想定しています
rule-mtu-smaller-link = 途中に小さいリンクがある
    .text = { $way } の途中の { $by } が、{ $passes } を超えるパケットは大きすぎると通知しました

## Settings and set-up of the hosts

rule-congestion-differs = 輻輳制御が要求と異なる
    .try = カーネルのモジュールを読み込み、net.ipv4.tcp_allowed_congestion_control で許可してください
    .text = { $host } に輻輳制御 { $asked } を求めましたが、実際は { $obtained } です
rule-setting-differs = 設定が要求どおりでない
    .try = カーネルの上限（net.core.wmem_max、net.core.rmem_max）を上げるか、許される値を求めてください
    .text = { $host } に送信バッファー { $asked } を求めましたが、実際は { $obtained } です
    .text-2 = { $host } に受信バッファー { $asked } を求めましたが、実際は { $obtained } です
    .text-3 = { $host } に no-delay { $asked } を求めましたが、実際は { $obtained } です
    .text-4 = { $host } に送出速度 { $asked } を求めましたが、実際は { $obtained } です
rule-half-duplex = 半二重
    .try = 両端を自動交渉にするか、同じモードに固定してください
    .text = { $host } の { $interface } は半二重で動いています
rule-slow-link = リンクが本来より遅い
    .try = ケーブルと、相手側が提示しているモード（link.partner）を調べてください
    .text = { $host } の { $interface } は { $obtained } で動いていますが、求めたのは最大 { $asked } です
rule-narrow-slot = スロットがカードより狭い
    .try = カードをより広い、または速いスロットに挿してください
    .text = { $host } の { $interface } の PCI リンクは { $now } ですが、{ $most } まで使えます
rule-slow-governor = CPU が低速に保たれている
    .try = ほかのガバナーにしてください：cpupower frequency-set -g performance
    .text = { $host } の CPU は最低の周波数に保たれています（{ $governor }）
rule-feature-refused = オフロードの設定が受け付けられなかった
    .try = 各オフロードに必要なものは ethtool -k でわかります
    .text = { $host } の { $interface } は { $names } の設定を受け付けませんでした

## CPUs, buffers, counters

rule-steal = ハイパーバイザーが CPU 時間を取った
    .try = 下のマシンが空いているときか、専用の CPU で測定してください
    .text = ハイパーバイザーが { $whose } の CPU 時間の { $percent } を取りました
rule-cpu-saturated = CPU に余裕がない
    .try = メッセージを大きくするか接続を増やす、または --cpus で測定スレッドに専用の CPU を割り当ててください
    .text = { $whose } の { $all } 個の CPU のうち { $count } 個に余裕がありませんでした（使用率最大 { $percent }）
    .text-2 = { $whose } の { $all } 個の CPU のうち { $count } 個に余裕がありませんでした（使用率最大 { $percent }）。{ $host } の測定スレッドは、計測窓の { $waited } のあいだ CPU を待っていました
    .text-3 = { $whose } の { $all } 個の CPU のうち { $count } 個に余裕がありませんでした（使用率最大 { $percent }）。{ $host } の測定スレッドは、計測窓のあいだ動き続けていました
rule-receiver-window-limited = 受信ウィンドウが上限になっている
    .try = 受信バッファー（net.ipv4.tcp_rmem）を大きくするか、受信側の読み出しが遅い理由を調べてください
    .text = 方向 { $direction } の送信側は、稼働時間の { $percent } を受信ウィンドウに制限されていました
rule-unread-at-edges = 受信バッファーにデータが残っている
    .try = より長く測定してください。受信スレッドが CPU を待っている場合は、--cpus で専用の CPU を割り当ててください
    .text = 方向 { $direction } の受信側は、計測窓の中で { $read } を読みましたが、届いたのは { $arrived } です。受信バッファー内のデータ量が、計測窓の始めと終わりで異なります
rule-send-buffer-limited = 送信バッファーが上限になっている
    .try = 送信バッファー（net.ipv4.tcp_wmem）を大きくしてください
    .text = 方向 { $direction } の送信側は、稼働時間の { $percent } を送信バッファーに制限されていました
rule-shared-cpu = 両端が CPU を共有している
    .try = 両端それぞれの負担を見るには、2 台のマシンの間で測定してください
    .text = 両ホストは 1 つのカーネルで動いています。使用率 { $percent } と CPU ごとの値はすべて、両端を合わせた仕事です
    .text-2 = 各ホストは 1 つのカーネルで動いています。使用率 { $percent } と CPU ごとの値はすべて、全ホストを合わせた仕事です
rule-cpu-not-of-window = 計測窓の境界で CPU を読めなかった
    .try = 終わりを時間で決め、より長く測定してください。忙しいホストでは、エージェントを他のプログラムより先に動かしてください（root で、またはサービスに LimitNICE=-20 を付けて）
    .text = { $host } の CPU は、計測窓の開始から { $opened }、終了から { $closed } ずれて読まれました。値の { $percent } は別の時間のものかもしれません
    .text-2 = { $host } の CPU は、計測窓の開始から { $opened }、終了から { $closed } ずれて読まれました。CPU の値はありません
rule-no-cpu-figure = CPU の値がない
    .try = 1 s 以上測定してください
    .text = { $time } の計測窓は、CPU の値を求めるには短すぎます
rule-interface-errors = 壊れたパケット
    .try = ケーブル、ポート、モジュールを替えてください。エラーの種類は根拠の欄にあります
    .text = { $host }：{ $interface } は、通過した { $packets } パケットのほかに { $errors } 件のエラーを数えました
rule-interface-drops = インターフェースがパケットを破棄した
    .try = リングを大きくするか（ethtool -G）、受信をより多くの CPU に分散してください（ethtool -L、RPS）
    .text = { $host }：{ $interface } は、通過した { $packets } パケットのほかに { $dropped } パケットを破棄しました
rule-queue-drops = 送信側のキューがパケットを破棄した
    .try = 送信を遅くするか、tc -s qdisc でキューの上限を調べてください
    .text = { $host }：{ $interface } の手前のキューが { $dropped } パケットを破棄しました
rule-softnet-drops = カーネルのバックログが一杯になった
    .try = net.core.netdev_max_backlog を大きくするか、受信をより多くの CPU に分散してください（RPS）
    .text = CPU のバックログが一杯になり、{ $whose } が { $dropped } パケットを破棄しました
rule-protocol-losses = プロトコル処理で失われたものがある
    .try = 受信側の読み出しが遅い理由と、バッファーの上限（net.core.rmem_max、net.ipv4.tcp_mem）を調べてください
    .text = { $host }：{ $count } 個のデータグラムが届いたとき、受信バッファーが一杯でした
    .text-2 = { $host }：{ $count } 個の IPv6 データグラムが届いたとき、受信バッファーが一杯でした
    .text-3 = { $host }：{ $count } 個のデータグラムのチェックサムが誤っていました
    .text-4 = { $host }：{ $count } 個の TCP セグメントのチェックサムが誤っていました
    .text-5 = { $host }：{ $count } 個の TCP セグメントが届いたとき、ソケットのバックログが一杯でした
    .text-6 = { $host }：{ $count } 個の TCP セグメントが届いたとき、受信キューが一杯でした
    .text-7 = { $host }：{ $count } 件の接続が届いたとき、待ち受けキューが一杯でした
    .text-8 = { $host }：TCP のメモリーが { $count } 回不足しました
rule-retransmits = 再送が多い
    .try = 途中での破棄を探してください。場所は goodput datagram HOST でわかります
    .text = 方向 { $direction } では、セグメントの { $percent } が再送されました（{ $all } 個のうち { $again } 個）
    .text-2 = { $whose } では、セグメントの { $percent } が再送されました（{ $all } 個のうち { $again } 個）
rule-told-to-wait = 相手側が休止を求めた
    .try = スイッチの先で何が遅いか調べるか、フロー制御を切って（ethtool -A）測定し直してください
    .text = { $host }：{ $interface } は { $frames } 個の PAUSE フレームで待つよう求められました
rule-driver-losses = ドライバーが損失を数えた
    .try = 各名前の意味はドライバーの文書にあります。一杯になったリングには、リングの拡大（ethtool -G）が効きます
    .text = { $host }：{ $interface } のドライバーがパケットの破棄を数えました：{ $counters }
    .text-2 = { $host }：{ $interface } のドライバーがエラーを数えました：{ $counters }
    .text-3 = { $host }：{ $interface } のドライバーが PAUSE フレームを数えました：{ $counters }
rule-allowance-exceeded = 仮想マシンの割り当てを超えた
    .try = 送信を減らすか、割り当ての大きい仮想マシンを提供元に求めてください
    .text = { $host }：{ $interface } のドライバーが、ネットワークの割り当ての超過を報告しています：{ $counters }
rule-kernel-warnings = カーネルの警告
    .try = その時刻のカーネルのログを読んでください
    .text = 試行中に { $whose } が出した記録：「{ $message }」
    .text-2 = 試行中に { $whose } が出した記録：「{ $message }」ほか { $count } 件
rule-kernel-messages = カーネルメッセージ
rule-counter-note = カウンターについての注記
    .text = { $host }：{ $what }は取得できません：{ $why }
rule-relayed = 中継が媒体を模擬した
    .text = 中継が { $link } を模擬しました：{ $facts }。中継の遅れは p50 { $half }、p99 { $high }、最大 { $most }
relay-frames = { $count } フレーム
relay-deferred = 延期 { $count } 回
relay-collisions = 衝突 { $count } 回（1 回の後 { $one } フレーム、複数回の後 { $more } フレーム、断念 { $up }）
relay-turns = 各局が順番に送ったため衝突なし
relay-carried = 回線上で { $asked } のうち { $rate }
relay-together = 全ホストの回線の合計で { $rate }
relay-cpu = CPU 1 個の { $share }
refused-by = { $why ->
        [0] sendmmsg が知らせない理由
        [1] EPERM（このホストのパケットフィルター）
        [90] EMSGSIZE（経路には長すぎる）
        [101] ENETUNREACH
        [105] ENOBUFS（送信側のキューが一杯）
        [111] ECONNREFUSED（待ち受けなし）
        [113] EHOSTUNREACH
       *[other] errno { $why }
    } が { $count } 個

## Experiments

finding-in-trials = 試行 { $all } 回中 { $count } 回、最初は試行 { $first }：{ $finding }
finding-at-points = { $all } 点のうち { $count } 点（{ $names }）：{ $finding }
finding-at-trials = { $all } 種類の試行のうち { $count } 種類（{ $names }）：{ $finding }
finding-of-side = { $side }：{ $finding }
finding-for-example = たとえば { $side }：{ $finding }
finding-also-on = { $finding }（{ $places } でも同様）
finding-and = { $finding }；{ $next }
finding-and-more = { $finding } ほか { $count } 件
names-and-more = { $names } ほか { $count } 件
rule-experiment-host_changed = 実験中にホストが変わった
    .try = 誰が変えたのかを突き止めて元に戻し、実験をやり直してください。または因子として宣言してください
    .text = セル { $earlier } と { $later } の間で { $host } の状態が変わりましたが、どの因子にもありません：{ $facts }
rule-experiment-drift = 実験が時間とともにずれた
    .try = ブロック内の比較には影響しません。初めの反復と後の反復を比べないでください
    .text = 何を変えたかにかかわらず、{ $name } は実験の初めから終わりまでに { $amount } 下がりました
    .text-2 = 何を変えたかにかかわらず、{ $name } は実験の初めから終わりまでに { $amount } 上がりました
rule-experiment-outliers = 大きく外れた測定がある
    .try = その試行の CPU のスティール時間、再送、カーネルメッセージを調べてください
    .text = { $name } の { $all } 回の測定のうち { $count } 回が、前後から大きく外れています（除外はしていません）
rule-experiment-blocks-shifted = ブロック全体がずれた
    .try = マシン自体の速さが時によって変わっています。ブロック内で比較し、時間ではなくブロックを増やしてください
    .text = { $name } はブロック全体が、すべてのセルで同じように { $share } ずつずれていました
