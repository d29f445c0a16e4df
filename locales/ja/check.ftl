### `goodput check`: the messages stand in the order of ../en/check.ftl.

check-measured = { $figures }
check-medium-reached = { $figures }。媒体が上限です
check-medium-reached-one = { $figures }。{ $from } から { $to } へは媒体が上限です
check-nothing = { $from } と { $to } の間では何も測定できませんでした
clause-check-tcp = TCP { $from } から { $to } へ { $rate }
clause-check-tcp-share = TCP { $from } から { $to } へ { $rate }（媒体の上限の { $percent }）
clause-check-udp = 損失のない UDP { $rate }
clause-check-round-trip = 往復時間 { $idle }
clause-check-round-trip-loaded = 往復時間は無負荷で { $idle }、負荷時に { $loaded }

## The command to run next

check-next-why = 何が制限しているかを調べるには: { $command }
check-next-watch = これを下回ったときに気づくには: { $command }
check-next-repeat = 上の原因を取り除いてから: { $command }

## Settings to look at

check-negotiation-off = { $host } の { $interface } は自動ネゴシエーションなしで { $speed } で動作しています
check-offloads-off = { $host } の { $interface } では次のオフロードがオフです: { $names }
check-interrupts-on-one-cpu = { $host } の { $interface } にはキューが { $queues } 個ありますが、割り込みはすべて CPU { $cpu } に届きます
check-small-buffer = { $host } の { $setting } の最大値は { $most } です。往復時間 { $round_trip } で { $rate } を出すには { $needed } が必要です

## Steps without a result

check-not-measured = 測定していません: { $step }: { $cause }
check-not-begun = この段階の前に終了しました
check-round-trip-too-long = 往復時間 { $round_trip } は短時間の測定には長すぎます
check-lost-at-every-rate = 試したどの速度でもデータグラムが失われました
check-more-notes = ほか { $count } 件: goodput report

## Requirements

check-requirement-met = 要件を満たしています: { $requirement }: 測定値 { $measured }
check-requirement-not-met = 要件を満たしていません: { $requirement }: 測定値 { $measured }、要件 { $required }
check-requirement-not-measured = 要件を満たしていません: { $requirement }: 測定していません
