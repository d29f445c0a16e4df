### `goodput check`: the messages stand in the order of ../en/check.ftl.

check-measured = { $figures }
check-medium-reached = { $figures }: предел — среда передачи
check-medium-reached-one = { $figures }: от { $from } к { $to } предел — среда передачи
check-nothing = между { $from } и { $to } ничего не удалось измерить
clause-check-tcp = TCP от { $from } к { $to } { $rate }
clause-check-tcp-share = TCP от { $from } к { $to } { $rate } ({ $percent } от предела среды)
clause-check-udp = UDP без потерь { $rate }
clause-check-round-trip = время оборота { $idle }
clause-check-round-trip-loaded = время оборота без нагрузки { $idle } и под нагрузкой { $loaded }

## The command to run next

check-next-why = чтобы узнать, что ограничивает: { $command }
check-next-watch = чтобы заметить, если станет меньше: { $command }
check-next-repeat = когда причины выше устранены: { $command }

## Settings to look at

check-negotiation-off = { $interface } на { $host } работает на { $speed } без автосогласования
check-offloads-off = на { $host } у { $interface } выключены: { $names }
check-interrupts-on-one-cpu = все прерывания { $interface } на { $host } приходят на CPU { $cpu }, хотя очередей { $queues }
check-small-buffer = { $setting } на { $host } разрешает не больше { $most }; для { $rate } при времени оборота { $round_trip } нужно { $needed }

## Steps without a result

check-not-measured = не измерено: { $step }: { $cause }
check-not-begun = проверка завершилась раньше
check-round-trip-too-long = время оборота { $round_trip } слишком велико для короткого измерения
check-lost-at-every-rate = датаграммы терялись на каждой испытанной скорости
check-more-notes = и ещё { $count }: goodput report

## Requirements

check-requirement-met = требование выполнено: { $requirement }: измерено { $measured }
check-requirement-not-met = требование не выполнено: { $requirement }: измерено { $measured }, требуется { $required }
check-requirement-not-measured = требование не выполнено: { $requirement }: не измерено
