### `goodput why`: what limits a transfer. The messages stand in the order of ../en/diagnosis.ftl. Names of causes, quantities and
### interventions are in the nominative; every quantity is feminine, as diagnosis-effect needs.

diagnosis-named = { $from } → { $to }: { $rate }, ограничивает { $cause }: { $proof }
diagnosis-tie = { $from } → { $to }: { $rate }; ограничивает одна из этих причин, и никакое испытание здесь не покажет, какая: { $causes }
    .try = укажите среду передачи (--medium) и шину (--bus), чтобы их можно было различить
diagnosis-not-proven = { $from } → { $to }: { $rate }; что ограничивает, не доказано; возможно: { $possible }; исключено: { $excluded }
    .try-longer = повторите с большим --budget
    .try-idle = повторите, когда хосты ничем другим не заняты: одинаковые испытания разошлись на { $percent }
    .try-elsewhere = запустите goodput why между каждым из этих хостов и третьим: предел находится в общей части медленных путей
diagnosis-then = { $first }; при изменении «{ $change }» — { $rate }, затем ограничивает { $cause }
diagnosis-not-storage = { $from } → { $to }: { $rate }; накопитель не ограничивает: копирование в память так же быстро
    .try = выполните goodput why только с именем хоста: проверяются сеть и хосты
diagnosis-effect = при изменении «{ $change }» { $quantity } составила { $ratio } от исходной
clause-no-cause = нет

## What an effect is measured by

quantity-goodput = полезная скорость
quantity-queueing-delay = задержка в очереди
quantity-retransmissions = доля повторных отправок
quantity-sender-queue-drops = доля отброшенных отправителем пакетов
quantity-receiver-drops = доля отброшенных получателем пакетов
quantity-receiver-cpu-time = затрата процессорного времени получателя

## Interventions

intervention-scout = первое испытание
intervention-baseline = исходные настройки
intervention-sham = снова исходные настройки
intervention-receive-buffer = буфер приёма × { $times }
intervention-send-buffer = буфер отправки × { $times }
intervention-rate = выдача на { $percent } исходной скорости
intervention-unpaced = без ограничения выдачи
intervention-connections = число соединений × { $times }
intervention-message-size = размер сообщения × { $times }
intervention-segment-size = размер сегмента × { $times }
intervention-sender-cpu = добавленное время CPU у отправителя (на { $percent } скорости)
intervention-receiver-cpu = добавленное время CPU у получателя (на { $percent } скорости)
intervention-receiver-copy = приём без копирования
intervention-receiver-away = принимающий поток отдельно от CPU прерываний
intervention-receiver-beside = принимающий поток на CPU прерываний
intervention-one-direction = только одно направление
intervention-amount = объём данных × { $times }
intervention-memory-target = память вместо накопителя
intervention-storage = работа накопителя больше в { $times } раза
intervention-receive-buffer-setting = наибольший буфер приёма хоста (net.ipv4.tcp_rmem) × { $times }
intervention-send-buffer-setting = наибольший буфер передачи хоста (net.ipv4.tcp_wmem) × { $times }
intervention-backlog-setting = очередь принимающего хоста (net.core.netdev_max_backlog) × { $times }

## Causes

cause-medium = среда передачи
    .sign = полезная скорость — { $percent } от предела среды
    .try = больше линия не даёт; нужна более быстрая среда
cause-receive-window = окно приёма
    .sign = окно приёма было заполнено { $percent } времени, когда данные были в пути
    .try = увеличьте буфер приёма (--receive-buffer или наибольшее значение net.ipv4.tcp_rmem) на принимающем хосте или читайте быстрее
cause-send-buffer = буфер отправки
    .sign = буфер отправки был заполнен { $percent } времени, когда данные были в пути
    .try = увеличьте буфер отправки (--send-buffer или наибольшее значение net.ipv4.tcp_wmem) на отправляющем хосте
cause-loss = потеря пакетов в пути
    .sign = повторно отправлено { $percent } сегментов
    .try = найдите линию с потерями (ошибки её интерфейсов, кабель, радиоканал); до тех пор возьмите больше соединений или --congestion bbr
cause-shaper = шейпер или более медленная линия на пути
    .sign = время оборота под нагрузкой выросло с { $min } до { $mean }
    .try = сравните скорость с линиями и шейперами на пути; линии покажут goodput mtu и записи о хостах
cause-policer = полисер на пути
    .sign = повторно отправлено { $percent } сегментов, а время оборота выросло лишь на { $delay }
    .try = выдавайте данные медленнее, чем пропускает полисер (--rate), или попросите поднять его скорость либо размер пачки
cause-per-flow-cap = предел на каждое соединение
    .sign = скорость одного соединения не объясняется ни буферами, ни CPU
    .try = используйте несколько соединений (--connections)
cause-cpu-sign = измеряющий поток { $host } работал { $running } времени и ждал CPU { $waiting }; его квота CPU была исчерпана в { $throttled } периодов
cause-sender-cpu = CPU отправителя
    .try = освободите CPU отправляющего хоста, увеличьте его квоту или используйте более крупные сегменты и аппаратное ускорение (их покажет goodput host NAME)
cause-receiver-cpu = CPU получателя
    .try = освободите CPU принимающего хоста, увеличьте его квоту или используйте более крупные сегменты и аппаратное ускорение (их покажет goodput host NAME)
cause-softirq = обработка прерываний на CPU принимающего приложения
    .sign = прерывания заняли { $softirq } времени одного CPU хоста { $host }, а измеряющий поток работал или ждал CPU { $busy } времени
    .try = перенесите прерывания или приложение на другой CPU (RPS, irqbalance, --cpus)
cause-application-limited = отправляющее приложение
    .sign = его собственная скорость выдачи — { $rate }
    .sign-2 = оно записывает по { $size } за раз
    .try = записывайте больше за раз (--size) или поднимите скорость приложения (--rate)
cause-per-packet-cost = цена каждого пакета на пути
    .sign = скорость не объясняется ни буферами, ни CPU хостов
    .try = возьмите пакеты крупнее (jumbo-кадры, аппаратное ускорение) или сократите число правил на маршрутизаторах
cause-sender-queue-drops = отбрасывание пакетов в очереди отправляющего хоста
    .sign = { $host } отбросил { $percent } пакетов в собственной очереди
    .try = увеличьте очередь отправляющего интерфейса или выдавайте данные медленнее его скорости (--rate)
cause-receiver-drops = отбрасывание пакетов в принимающем хосте
    .sign = { $host } отбросил { $percent } принятых пакетов
    .try = увеличьте кольцо принимающего интерфейса и net.core.netdev_max_backlog или распределите прерывания по CPU
cause-shared-capacity-sign = данные идут в обоих направлениях
cause-shared-bus = шина, общая для обоих направлений
    .try = переставьте адаптер в более широкий или отдельный слот
cause-half-duplex = полудуплексная среда
    .try = включите полный дуплекс на обоих концах линии или измеряйте направления по одному
cause-reordering = нарушение порядка пакетов в пути
    .sign = { $share } сегментов пришло не по порядку, а { $needless } отправленных повторно не были потеряны
    .try = пусть каждое соединение идёт одним путём (распределение по потокам, а не по пакетам)
cause-mtu-black-hole = чёрная дыра MTU на пути
    .sign = данные почти не доходили
    .try = запустите goodput mtu, чтобы узнать, какой размер проходит; уменьшите MTU или задайте net.ipv4.tcp_mtu_probing=1
cause-storage = накопитель
    .sign = доля времени: диск хоста { $host } занят { $busy }, ожидание диска и сети { $waited }
    .try = возьмите более быстрый диск или несколько (goodput file disk покажет скорость каждого вида доступа)
cause-options-stripped = удаление опций TCP в пути
    .sign = у соединения нет масштабирования окна
    .try = найдите на пути межсетевой экран или прокси, удаляющий опции TCP; проверьте net.ipv4.tcp_window_scaling на обоих хостах
cause-start-up = начало короткой передачи
    .sign = { $trips ->
        [one] передача заняла всего { $trips } оборот по { $round_trip }
        [few] передача заняла всего { $trips } оборота по { $round_trip }
        [many] передача заняла всего { $trips } оборотов по { $round_trip }
       *[other] передача заняла всего { $trips } оборота по { $round_trip }
    }
    .try = держите соединения открытыми и используйте их повторно или передавайте больше за раз

## The path as a row of elements. path-ID is the name, path-figure-… how it is used

path-title = Путь данных
path-sender-cpu = CPU отправителя
path-send-buffer = буфер отправки
path-link = линия
path-receive-buffer = буфер приёма
path-receiver-cpu = CPU получателя
path-storage = накопитель
path-figure-cpu = занят { $percent }
path-figure-buffer = заполнен { $percent }
path-figure-storage = занят { $percent }
path-figure-link = { $rate }, { $percent } от предела среды
path-figure-rate = { $rate }
path-figure-unknown = неизвестно
path-headroom = запас { $percent }
path-limit = предел
path-possible-limit = возможный предел
