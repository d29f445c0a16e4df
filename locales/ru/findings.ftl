### Findings: titles, advice, sentences. The messages stand in the order of ../en/findings.ftl.

## Parts of sentences

try-report-it = сообщите об этом как об ошибке goodput и приложите прогон
clause-way = от { $from } к { $to }
clause-connecting-end = подключающаяся сторона
clause-listening-end = слушающая сторона
clause-both-hosts = оба хоста
clause-hosts-of-one-kernel = хосты одного ядра
clause-hosts-on-other-cpus = хосты на остальных CPU
clause-kernel-of-both = ядро обоих хостов
clause-kernel-of-many = общее ядро хостов ({ $count })
clause-the-medium = среда передачи
clause-servers-medium = среда передачи сервера
clause-both-directions = оба направления
clause-both-directions-together = оба направления вместе
clause-best-size = лучший размер
clause-direction = направление { $direction }
clause-connections-of-server = соединения сервера
clause-connections-of-clients = соединения клиентов
clause-and-more = { $names } и ещё { $count }
clause-between = от { $least } до { $most }
clause-overlap = общая для всех клиентов часть окна — { $part }
clause-overlap-rate = общая для всех клиентов часть окна — { $part }; суммарная скорость в её целых интервалах, с { $from } до { $to }, — { $rate }
clause-lost-share = { $count } из { $sent } датаграмм ({ $share })
clause-lost-shares = { $count } из { $sent } датаграмм (от { $least } до { $most })
clause-cpus-of = { $count } ({ $scope ->
        [own] только сервера
        [shared] общие с клиентами
       *[pinned] закреплённые
    })
part-copies = сеть создала копии, поэтому отброшенное у сокета не обязательно потеряно
part-events = одно отбрасывание, которое ядро считает у сокета, может означать несколько датаграмм
part-too-late = часть пришла слишком поздно, чтобы отличить её от копий, или отброшенное в хостах относится к чужому трафику
clause-check-copies = отличие копий от первых поступлений
clause-check-order = нарушение порядка
clause-check-jitter = джиттер
clause-check-delay = колебания задержки
clause-check-drops = отброшенное у сокета получателя
clause-interface-counters = счётчики интерфейсов
clause-protocol-counters = счётчики протоколов
clause-kept-in-memory = агент держит данные в памяти
clause-lies-in-memory = файловая система ({ $name }) находится в памяти
clause-mtu-interface = у { $from } на { $interface } стоит { $mtu }
clause-mtu-router = { $by } на пути сообщил MTU { $passes }
clause-mtu-vanishes = пакеты крупнее теряются в пути без сообщения ICMP
clause-mtu-known = проходит ли больше, неизвестно
clause-mtu-own-interface = своём интерфейсе
clause-mtu-bounds = { $passes } проходит, { $fails } нет
clause-mtu-least = { $passes } проходит
clause-mtu-nothing = ничего не вернулось
clause-wire-other = или среда не та, что была названа
clause-wire-resident = { $share } файла находилось в памяти этого хоста
clause-wire-mount = ответил кэш монтирования ({ $mount })

## Counts that must agree

rule-intervals-do-not-add-up = Промежутки не складываются в целое
    .try = { try-report-it }
    .text = промежутки { $connection } дают в сумме { $total }, в окне { $window }
rule-receiver-total-differs = Итог получателя не сходится
    .try = { try-report-it }
    .text = { $host } принял { $ours } по { $connection }, его ядро насчитало { $kernel }
    .text-2 = { $host } принял { $ours } от рабочего потока { $worker }, его ядро насчитало { $kernel }
rule-sender-total-differs = Итог отправителя не сходится
    .try = { try-report-it }
    .text = { $host } отправил { $ours } по { $connection }, его ядро насчитало { $kernel }
rule-ends-disagree = Стороны расходятся
    .try = { try-report-it }
    .text = по { $connection } отправлено { $sent }, принято { $received }
    .text-2 = { $host } принял { $received } от рабочего потока { $worker }, отправлено { $sent }
rule-datagram-account-negative = Счёт датаграмм ушёл ниже нуля
    .try = { try-report-it }
    .text = { $count ->
        [one] счётчики направления { $direction } показывают на { $count } датаграмму больше, чем было
        [few] счётчики направления { $direction } показывают на { $count } датаграммы больше, чем было
       *[many] счётчики направления { $direction } показывают на { $count } датаграмм больше, чем было
    }
rule-datagram-totals-differ = Итоги датаграмм у сторон не сходятся
    .try = { try-report-it }
    .text = { $host } получил для потока { $flow } иные итоги, чем сообщил отправитель
    .text-2 = { $host } получил для потока { $flow } иные итоги, чем сообщил получатель
rule-latency-count-differs = Задержек и транзакций не поровну
    .try = { try-report-it }
    .text = завершено транзакций: { $operations }, учтено задержек: { $latencies }
rule-file-counts-differ = Число операций и байтов не сходится
    .try = { try-report-it }
    .text = операций по { $block }: { $operations }, это { $bytes }, а насчитано { $counted }
    .text-2 = завершено операций ({ $class }): { $operations }, учтено задержек: { $latencies }

## Results that cannot be right

rule-above-limit = Больше, чем допускает среда
    .try = проверьте скорость и MTU названной среды передачи
    .text = { $whose }: достигнуто { $reached }, больше, чем допускает { $medium } ({ $limit })
rule-file-data-differs = Данные вернулись изменёнными
    .try = не доверяйте этому месту файлы; ищите неисправности памяти, кабеля и диска (dmesg) на обеих сторонах
    .text = { $wrong ->
        [one] { $wrong } блок оказался не тем, что было записано, из { $bytes } сравненных данных
        [few] { $wrong } блока оказались не тем, что было записано, из { $bytes } сравненных данных
       *[many] { $wrong } блоков оказались не тем, что было записано, из { $bytes } сравненных данных
    }
rule-faster-than-wire = Быстрее линии
    .try = используйте --direct, файл больше памяти этого хоста или место smb://, перед которым нет кэша этого хоста
    .text = { $rate } больше, чем { $limit }, которые способна нести { $medium }: это не результат сети: { $why }
rule-window-too-short = Окно слишком короткое
    .try = остановите после большего числа байтов или сообщений, либо по --time
    .text = { $elapsed } — меньше 100-кратной погрешности часов ({ $error }), поэтому полезной скорости нет
rule-mtu-not-expected = MTU не такой, как ожидалось
    .try = прочитайте MTU на обеих сторонах (ip link) и на каждом коммутаторе между ними: каждый должен его пропускать
    .text = { $way } проходит { $passes }, а ожидалось { $expected }: { $why }
    .text-2 = у { $from } на { $interface } стоит { $mtu }, а ожидалось { $expected }
rule-relay-late = Ретранслятор опоздал
    .try = измеряйте, когда машина свободна, с меньшим числом хостов или с более медленной средой
    .text = результат не принадлежит среде ({ $link }): её ретранслятор выпустил сотую часть кадров с опозданием { $late } и более, допускается { $bound }
    .text-2 = результат не принадлежит среде ({ $link }): её ретранслятор не успевал и потерял кадры ({ $count })
rule-point-failed = Здесь ничего не измерено
    .text = ничего не измерено: { $cause }

## How the trial went

rule-partial-result = Испытание прервалось
    .try = устраните причину и измерьте снова
    .text = испытание прервалось: { $cause }
rule-file-trials-left-out = Часть испытаний не учтена
    .try = { rule-partial-result.try }
    .text = { $count ->
        [one] { $count } испытание прервалось и не входит ни в один показатель прогона: { $cause }
        [few] { $count } испытания прервались и не входят ни в один показатель прогона: { $cause }
       *[many] { $count } испытаний прервались и не входят ни в один показатель прогона: { $cause }
    }
rule-shared-run = Одновременно шли другие испытания
    .try = измерьте без --shared
    .text = на этих хостах в то же время шли другие испытания
rule-cap-reached = Достигнут предел времени
    .try = дайте каждому размеру больше времени или согласитесь на более широкий интервал
    .text = предел времени оборвал { $count } из { $all } размеров раньше, чем их интервал стал таким узким, как просили
rule-zero-copy-copied = Данные всё же копировались
    .try = измеряйте через настоящий адаптер; loopback и veth копируют всегда
    .text = ядро скопировало данные в { $copied } из { $all } отправок, просивших обойтись без копирования
rule-receive-coalescing = Было включено объединение приёма
    .try = чтобы измерить то, чего достигает обычное приложение, не указывайте --receive-coalescing
    .text = измерено с объединением приёма: после коротких чтений получатель ждал { $time }
rule-measurement-note = Примечание к измерению
rule-not-available = Недоступно
    .text = в направлении { $direction } недоступно: { $check }: { $why }

## Loads

rule-client-excluded = Не все клиенты вошли в результат
    .try = goodput hosts покажет, доступны ли они сейчас; уберите их из --clients или измерьте снова
    .text = не вошли в результат { $count } из { $all } клиентов: { $names } ({ $cause })
    .text-2 = не вошли в результат { $count } из { $all } клиентов: { $names } ({ $cause }); до того они участвовали, что в результат не входит, но нагружало сервер
rule-client-idle = Клиенты ничего не передали
    .try = посмотрите на путь между ними и сервером
    .text = ничего не передали за окно: { $names }
rule-window-skew = Клиенты плохо выдержали окно
    .try = проверьте, есть ли у CPU клиентов запас; при большем --time края значат меньше
    .text = { $count } из { $all } клиентов начали или закончили на { $distance } от краёв окна, это больше { $share } от его { $window }: { $names }
rule-client-slow = Клиенты намного медленнее остальных
    .try = посмотрите на линии и CPU этих клиентов или измерьте их по отдельности: goodput stream
    .text = { $count } из { $all } клиентов получили меньше половины от медианы в { $rate }: { $names }; равномерность (индекс Джайна) { $fairness }
rule-connection-errors = Соединения не удались
    .try = посмотрите на очередь приёма соединений сервера (net.core.somaxconn) и на свободные порты клиентов
    .text = { $count ->
        [one] { $count } соединение не открылось или оборвалось
        [few] { $count } соединения не открылись или оборвались
       *[many] { $count } соединений не открылись или оборвались
    }
rule-clients-cpu-saturated = CPU клиентов загружены полностью
    .try = возьмите больше клиентов или меньше рабочих потоков на клиента
    .text = у единственного общего CPU клиентов не было запаса, занятость до { $percent }: возможно, нагрузку ограничивают они
    .text-2 = не было запаса у { $count } из { $all } общих CPU клиентов, занятость до { $percent }: возможно, нагрузку ограничивают они
    .text-3 = у { $count } из { $all } клиентов был CPU без запаса, поэтому нагрузку, возможно, ограничивают они: { $names }
rule-server-cpu-saturated = CPU сервера загружен полностью
    .text = у CPU сервера { $host } не было запаса (занятость { $percent }): предел — он
    .text-2 = не было запаса у { $count } из { $all } CPU сервера { $host }, занятость до { $percent }: возможно, предел — его CPU
rule-medium-reached = Среда передачи заполнена
    .text = { $whose }: достигнуто { $percent } от того, что { $medium } допускает в одну сторону: предел — среда
rule-adapter-differs = Адаптер насчитал другое
    .try = посмотрите, кто ещё пользуется интерфейсом сервера, например с помощью tcpdump
    .text = { $interface } насчитал { $counted } отправленных, { $percent } относительно { $expected } данных и заголовков
    .text-2 = { $interface } насчитал { $counted } принятых, { $percent } относительно { $expected } данных и заголовков
rule-pe-not-comparable = Индексы P/E несравнимы
    .try = измерьте все точки с одними и теми же включёнными CPU и одинаковой привязкой
    .text = показатель CPU сервера в разных точках относится к разным CPU: { $kinds }; их индексы P/E несравнимы

## Files

rule-accepted-by-cache = Записи принял кэш
    .text = записи принимались со скоростью { $rate }, большей, чем способна нести { $medium }: их принимал кэш этого хоста и отправлял позже; сети принадлежит только скорость надёжной записи
rule-read-from-cache = Файл взят из кэша этого хоста
    .try = возьмите файл больше памяти этого хоста или файловую систему с прямым вводом-выводом
    .text = { $percent } файла находилось в страничном кэше этого хоста до чтения: это не холодное чтение
rule-server-cache-warm = Файл находился в памяти сервера
    .try = пусть агент на сервере вытеснит файл из своего кэша: --server HOST --server-folder PATH
    .text = { $percent } файла находилось в памяти сервера до чтения: его диск не измерен
rule-server-cache-unknown = Состояние кэша сервера неизвестно
    .try = это может выяснить агент на сервере: --server HOST --server-folder PATH
    .text = состояние кэша сервера неизвестно: прочитанное могло прийти из его памяти, а не с диска
rule-cache-took-part = Участвовал кэш
    .text = участвовал страничный кэш этого хоста
    .text-2 = участвовал страничный кэш этого хоста; до того в нём находилось { $percent } файла
rule-no-disk = Диск не измерен
    .text = диск не измерен: { $why }
rule-direct-not-obtained = Нет прямого ввода-вывода
    .text = { $name } не умеет прямой ввод-вывод (O_DIRECT): участвовал страничный кэш этого хоста
    .text-2 = { $name } не умеет прямой ввод-вывод (O_DIRECT): участвовал страничный кэш этого хоста; вместо этого: { $how }
rule-unexpected-operations = Операции закончились не так, как ожидалось
    .try = посмотрите на названные строки файла нагрузки; сетевая папка может запрещать то, что позволяет обычная
    .text = { $count } из { $all } операций закончились не так, как ожидалось
    .text-2 = { $count } из { $all } операций закончились не так, как ожидалось, например { $example }
rule-stamping-cost = Подготовка данных заняла CPU
    .text = подготовка данных заняла { $percent } одного CPU, это входит в показатель клиента
rule-file-cpu-saturated = CPU загружен полностью
rule-not-durable = Надёжная запись не запрашивалась
    .try = измерьте с --flush end
    .text = надёжность записанного не запрашивалась: как быстро данные принимает диск, из этой скорости не видно
rule-share-encrypted = Обмен с папкой шифруется
    .text = каждое сообщение шифруется, что стоит времени CPU обеим сторонам
rule-share-signed = Обмен с папкой подписывается
    .text = каждое сообщение подписывается, что стоит времени CPU обеим сторонам
rule-file-system-compresses = Файловая система сжимает
    .text = { $name } сжимает по параметрам монтирования: данные несжимаемы, но попытка стоит времени CPU
    .text-2 = { $name } может сжимать: данные несжимаемы, но попытка стоит времени CPU

## Datagrams

rule-held-back-at-sender = Сдержано у отправителя
    .try = просите не больше этого, берите датаграммы крупнее или больше --flows; посмотрите на интерфейс отправителя: tc -s qdisc
    .text = направление { $direction } сдержано у отправителя: запрошено { $asked } датаграмм в секунду, отправлено { $sent }
rule-datagrams-refused = Система отправителя отвергла датаграммы
    .try = просите меньшую скорость; ENOBUFS — это полная очередь на выходе отправителя, см. tc -s qdisc
    .text = система отправителя отвергла { $refused } из { $offered } датаграмм направления { $direction }: { $reasons }
    .text-2 = система отправителя отвергла { $refused } из { $offered } датаграмм направления { $direction }
rule-lost-at-receiver-socket = Потеряно у сокета получателя
    .try = увеличьте net.core.rmem_max и --receive-buffer у получателя или оставьте его программе больше CPU
    .text = в направлении { $direction } у сокета получателя потеряно { $lost }
    .text-2 = в направлении { $direction } у сокета получателя потеряно { $lost }; ядро отбросило там пакетов: { $events }
rule-lost-in-receiving-host = Потеряно внутри принимающего хоста
    .try = посмотрите межсетевой экран получателя, /proc/net/softnet_stat и размеры колец его адаптера (ethtool -g)
    .text = в направлении { $direction } в принимающем хосте ниже сокетов потеряно { $lost }
rule-lost-in-sender-queue = Потеряно в очереди отправителя
    .try = задайте меньшую --rate или отправляйте с --plain; интерфейс отправителя покажет tc -s qdisc
    .text = в направлении { $direction } в очереди интерфейса отправителя потеряно { $lost }
rule-lost-on-path = Потеряно в пути
    .try = goodput datagram HOST --search найдёт наибольшую скорость без потерь
    .text = в направлении { $direction } в пути потеряно { $lost }
    .text-2 = в направлении { $direction } в пути или у сокета получателя, где не считали, потеряно { $lost }
    .text-3 = в направлении { $direction } в пути или в принимающем хосте ниже сокетов, где не считали, потеряно { $lost }
    .text-4 = в направлении { $direction } в пути, у сокета получателя или ниже него потеряно { $lost }; в двух последних местах не считали
rule-loss-unresolved = Потери, которые нельзя различить
    .try = для счёта с точностью до одной датаграммы измерьте с --plain и с выключенными аппаратными ускорениями
    .text = { $count ->
        [one] не разрешено: { $count } датаграмма направления { $direction }: { $why }
        [few] не разрешено: { $count } датаграммы направления { $direction }: { $why }
       *[many] не разрешено: { $count } датаграмм направления { $direction }: { $why }
    }
rule-datagrams-copied = Сеть создала копии
    .text = { $count ->
        [one] сеть доставила { $count } копию датаграмм направления { $direction }
        [few] сеть доставила { $count } копии датаграмм направления { $direction }
       *[many] сеть доставила { $count } копий датаграмм направления { $direction }
    }
rule-datagrams-sent-late = Отправлено с опозданием
    .try = просите меньшую скорость или больший --burst, либо пусть отправитель использует --spin
    .text = { $late } из { $offered } датаграмм направления { $direction } отправлены более чем на 1 ms позже своего момента, самое большее на { $most }
rule-datagrams-malformed = Чужие датаграммы
    .try = посмотрите, кто ещё шлёт на порт данных получателя
    .text = { $count ->
        [one] { $count } датаграмма иного вида пришла на сокеты направления { $direction }
        [few] { $count } датаграммы иного вида пришли на сокеты направления { $direction }
       *[many] { $count } датаграмм иного вида пришло на сокеты направления { $direction }
    }
rule-datagrams-reordered = Сеть изменила порядок
    .text = { $count ->
        [one] { $count } датаграмма направления { $direction } пришла после более поздних, с отставанием до { $behind }
        [few] { $count } датаграммы направления { $direction } пришли после более поздних, с отставанием до { $behind }
       *[many] { $count } датаграмм направления { $direction } пришло после более поздних, с отставанием до { $behind }
    }
rule-offload-not-used = Аппаратное ускорение не использовалось
    .text = направление { $direction }: { $why }

## Path MTU

rule-mtu-black-hole = Чёрная дыра
    .try = пропускайте ICMP «fragmentation needed» (ICMPv6 «packet too big») или задайте обеим сторонам MTU, который проходит; до тех пор TCP помогает net.ipv4.tcp_mtu_probing=1
    .text = чёрная дыра { $way }: пакеты больше { $passes } пропадают молча, { $passes } доходят
    .text-2 = чёрная дыра { $way }: пакеты больше { $passes } или ответы на них пропадают молча, { $passes } доходят
rule-mtu-below-least = MTU меньше допустимого
    .try = ищите туннель или адаптер со слишком маленьким MTU
    .text = { $way } проходит только { $passes }, меньше, чем { $least }, которые обязана нести любая линия
rule-mtu-interfaces-differ = MTU сторон различаются
    .try = задайте обеим сторонам одинаковый MTU
    .text = MTU интерфейсов сторон различаются: { $one } { $mtu_one }, { $other } { $mtu_other }
rule-mtu-asymmetric = Направления пропускают разные размеры
    .try = ищите разные пути туда и обратно или линию, у концов которой разный MTU
    .text = направления различаются: { $there } проходит { $forward }, { $back } { $reverse }
rule-mtu-undecided = MTU пути не установлен
    .try = измерьте снова, когда путь свободен, или дайте больше времени: --time
    .text = MTU пути { $way } не установлен: { $why }; { $bounds }
rule-mtu-route-differs = Ядро рассчитывает на другой MTU
    .try = ip route get покажет, что в кэше; ip route flush cache его забудет
    .text = ядро { $host } рассчитывает на { $route } { $way }
rule-mtu-smaller-link = На пути есть линия меньшего размера
    .text = { $by } на пути { $way } сообщает, что пакеты больше { $passes } слишком велики

## Settings and set-up of the hosts

rule-congestion-differs = Управление перегрузкой не то, что запрошено
    .try = загрузите для него модуль ядра и разрешите его в net.ipv4.tcp_allowed_congestion_control
    .text = у { $host } запрошено управление перегрузкой { $asked }, получено { $obtained }
rule-setting-differs = Настройка не такая, как запрошено
    .try = поднимите предел ядра (net.core.wmem_max, net.core.rmem_max) или просите то, что разрешено
    .text = у { $host } запрошен буфер отправки { $asked }, получен { $obtained }
    .text-2 = у { $host } запрошен буфер приёма { $asked }, получен { $obtained }
    .text-3 = у { $host } запрошено no-delay { $asked }, получено { $obtained }
    .text-4 = у { $host } запрошена скорость выдачи { $asked }, получена { $obtained }
rule-half-duplex = Полудуплекс
    .try = пусть обе стороны договариваются автоматически, или задайте обеим один режим
    .text = { $interface } на { $host } работает в полудуплексе
rule-slow-link = Линия медленнее возможного
    .try = посмотрите на кабель и на то, что предлагает другая сторона (link.partner)
    .text = { $interface } на { $host } работает на { $obtained }, а запрашивал до { $asked }
rule-narrow-slot = Слот уже, чем карта
    .try = переставьте карту в более широкий или быстрый слот
    .text = у { $interface } на { $host } линия PCI { $now }, а мог бы использовать { $most }
rule-slow-governor = CPU удерживаются медленными
    .try = задайте другой регулятор: cpupower frequency-set -g performance
    .text = CPU { $host } удерживаются на наименьшей частоте ({ $governor })
rule-feature-refused = Аппаратное ускорение не принято
    .try = ethtool -k покажет, что нужно каждому ускорению
    .text = { $interface } на { $host } не принял настройку { $names }

## CPUs, buffers, counters

rule-steal = Гипервизор забирал время CPU
    .try = измеряйте, когда машина под вами свободна, или на выделенных CPU
    .text = гипервизор забрал { $percent } времени CPU: { $whose }
rule-cpu-saturated = CPU загружен полностью
    .try = возьмите сообщения крупнее или больше соединений, либо дайте измеряющим потокам собственные CPU: --cpus
    .text = { $whose }: не было запаса у { $count } из { $all } CPU, занятость до { $percent }
    .text-2 = { $whose }: не было запаса у { $count } из { $all } CPU, занятость до { $percent }; измеряющие потоки { $host } ждали CPU { $waited } окна
    .text-3 = { $whose }: не было запаса у { $count } из { $all } CPU, занятость до { $percent }; измеряющие потоки { $host } работали всё окно
rule-receiver-window-limited = Ограничивает окно получателя
    .try = увеличьте буфер приёма (net.ipv4.tcp_rmem) или выясните, почему получатель читает медленно
    .text = отправитель направления { $direction } был ограничен окном приёма { $percent } занятого времени
rule-unread-at-edges = Данные остались в буфере приёма
    .try = измеряйте дольше; если принимающие потоки ждут CPU, дайте им собственный: --cpus
    .text = получатель направления { $direction } прочёл за окно { $read }, а пришло { $arrived }: в начале и в конце окна в его буфере было разное количество данных
rule-send-buffer-limited = Ограничивает буфер отправки
    .try = увеличьте буфер отправки (net.ipv4.tcp_wmem)
    .text = отправитель направления { $direction } был ограничен буфером отправки { $percent } занятого времени
rule-shared-cpu = Стороны делят один CPU
    .try = измерьте между двумя машинами, чтобы увидеть цену каждой стороны
    .text = оба хоста работают на одном ядре: занятость { $percent } и каждый показатель по CPU — работа обеих сторон
    .text-2 = хосты работают на одном ядре: занятость { $percent } и каждый показатель по CPU — работа их всех
rule-cpu-not-of-window = CPU прочитаны не на границах окна
    .try = измеряйте по времени и дольше; на занятых хостах дайте агентам работать раньше других программ: от root или с LimitNICE=-20 в их службе
    .text = CPU хоста { $host } прочитаны на { $opened } в стороне от начала окна и на { $closed } от его конца: { $percent } их показателя могут относиться к другому времени
    .text-2 = CPU хоста { $host } прочитаны на { $opened } в стороне от начала окна и на { $closed } от его конца: их показателя нет
rule-no-cpu-figure = Нет показателя CPU
    .try = измеряйте не меньше 1 s
    .text = окно в { $time } слишком коротко для показателя CPU
rule-interface-errors = Повреждённые пакеты
    .try = смените кабель, порт или модуль; вид ошибки назван среди свидетельств
    .text = { $host }: { $interface } насчитал ошибок: { $errors }, при этом прошло пакетов: { $packets }
rule-interface-drops = Интерфейс отбрасывал пакеты
    .try = увеличьте кольца (ethtool -G) или распределите приём по большему числу CPU (ethtool -L, RPS)
    .text = { $host }: { $interface } отбросил пакетов: { $dropped }, при этом прошло: { $packets }
rule-queue-drops = Очередь отправителя отбрасывала пакеты
    .try = отправляйте медленнее или посмотрите предел очереди: tc -s qdisc
    .text = { $dropped ->
        [one] { $host }: очередь перед { $interface } отбросила { $dropped } пакет
        [few] { $host }: очередь перед { $interface } отбросила { $dropped } пакета
       *[many] { $host }: очередь перед { $interface } отбросила { $dropped } пакетов
    }
rule-softnet-drops = Очередь ядра была полна
    .try = увеличьте net.core.netdev_max_backlog или распределите приём по большему числу CPU (RPS)
    .text = { $whose }: отброшено пакетов из-за полной очереди CPU: { $dropped }
rule-protocol-losses = Протоколы что-то потеряли
    .try = выясните, почему получатель читает медленно, и посмотрите пределы буферов (net.core.rmem_max, net.ipv4.tcp_mem)
    .text = { $count ->
        [one] { $host }: { $count } датаграмма застала буфер приёма полным
        [few] { $host }: { $count } датаграммы застали буфер приёма полным
       *[many] { $host }: { $count } датаграмм застали буфер приёма полным
    }
    .text-2 = { $count ->
        [one] { $host }: { $count } датаграмма IPv6 застала буфер приёма полным
        [few] { $host }: { $count } датаграммы IPv6 застали буфер приёма полным
       *[many] { $host }: { $count } датаграмм IPv6 застали буфер приёма полным
    }
    .text-3 = { $count ->
        [one] { $host }: у { $count } датаграммы была неверная контрольная сумма
       *[many] { $host }: у { $count } датаграмм была неверная контрольная сумма
    }
    .text-4 = { $count ->
        [one] { $host }: у { $count } сегмента TCP была неверная контрольная сумма
       *[many] { $host }: у { $count } сегментов TCP была неверная контрольная сумма
    }
    .text-5 = { $count ->
        [one] { $host }: { $count } сегмент TCP застал очередь сокета полной
        [few] { $host }: { $count } сегмента TCP застали очередь сокета полной
       *[many] { $host }: { $count } сегментов TCP застали очередь сокета полной
    }
    .text-6 = { $count ->
        [one] { $host }: { $count } сегмент TCP застал очередь приёма полной
        [few] { $host }: { $count } сегмента TCP застали очередь приёма полной
       *[many] { $host }: { $count } сегментов TCP застали очередь приёма полной
    }
    .text-7 = { $count ->
        [one] { $host }: { $count } соединение застало очередь ожидания полной
        [few] { $host }: { $count } соединения застали очередь ожидания полной
       *[many] { $host }: { $count } соединений застали очередь ожидания полной
    }
    .text-8 = { $count ->
        [one] { $host }: { $count } раз TCP не хватило памяти
        [few] { $host }: { $count } раза TCP не хватило памяти
       *[many] { $host }: { $count } раз TCP не хватило памяти
    }
rule-retransmits = Многое отправлено повторно
    .try = ищите потери на пути: goodput datagram HOST покажет, где
    .text = в направлении { $direction } повторно отправлено { $percent } сегментов ({ $again } из { $all })
    .text-2 = { $whose } повторно отправили { $percent } своих сегментов ({ $again } из { $all })
rule-told-to-wait = Другая сторона просила подождать
    .try = выясните, что медленно за коммутатором, или выключите управление потоком (ethtool -A) и измерьте снова
    .text = { $frames ->
        [one] { $host }: { $interface } получил { $frames } кадр PAUSE с просьбой подождать
        [few] { $host }: { $interface } получил { $frames } кадра PAUSE с просьбой подождать
       *[many] { $host }: { $interface } получил { $frames } кадров PAUSE с просьбой подождать
    }
rule-driver-losses = Драйвер насчитал потери
    .try = что значит каждое имя, сказано в документации драйвера; от переполнения помогают кольца побольше (ethtool -G)
    .text = { $host }: драйвер { $interface } насчитал отброшенные пакеты: { $counters }
    .text-2 = { $host }: драйвер { $interface } насчитал ошибки: { $counters }
    .text-3 = { $host }: драйвер { $interface } насчитал кадры PAUSE: { $counters }
rule-allowance-exceeded = Превышена квота виртуальной машины
    .try = отправляйте меньше или попросите у поставщика виртуальную машину с большей квотой
    .text = { $host }: драйвер { $interface } сообщает о превышении сетевой квоты: { $counters }
rule-kernel-warnings = Предупреждение ядра
    .try = прочитайте журнал ядра за это время
    .text = { $whose } сообщает во время испытания: «{ $message }»
    .text-2 = { $whose } сообщает во время испытания: «{ $message }», и ещё { $count }
rule-kernel-messages = Сообщение ядра
rule-counter-note = Примечание к счётчикам
    .text = { $host }: { $what } недоступны: { $why }
rule-relayed = Среду имитировал ретранслятор
    .text = ретранслятор имитировал { $link }: { $facts }; опоздание ретранслятора: p50 { $half }, p99 { $high }, наибольшее { $most }
relay-frames = кадров: { $count }
relay-deferred = отложено: { $count }
relay-collisions = столкновений: { $count } (после одного кадров { $one }, после нескольких { $more }, брошено { $up })
relay-turns = без столкновений, так как станции передавали по очереди
relay-carried = { $rate } из { $asked } на линии
relay-together = { $rate } на линиях всех хостов вместе
relay-cpu = { $share } одного CPU
refused-by = { $count } из-за { $why ->
        [0] причины, которую sendmmsg не сообщает
        [1] EPERM (фильтр пакетов этого хоста)
        [90] EMSGSIZE (слишком длинно для пути)
        [101] ENETUNREACH
        [105] ENOBUFS (полная очередь у отправителя)
        [111] ECONNREFUSED (никто не слушал)
        [113] EHOSTUNREACH
       *[other] errno { $why }
    }

## Experiments

finding-in-trials = в { $count } из { $all } испытаний, впервые в испытании { $first }: { $finding }
finding-at-points = в точках { $count } из { $all } ({ $names }): { $finding }
finding-at-trials = в испытаниях { $count } видов из { $all } ({ $names }): { $finding }
finding-of-side = { $side }: { $finding }
finding-for-example = например, { $side }: { $finding }
finding-also-on = { $finding } (также: { $places })
finding-and = { $finding }; { $next }
finding-and-more = { $finding } и ещё { $count }
names-and-more = { $names } и ещё { $count }
rule-experiment-host_changed = Хост изменился во время эксперимента
    .try = выясните, кто это изменил, верните как было и проведите эксперимент заново; или объявите это фактором
    .text = между ячейками { $earlier } и { $later } изменились свойства { $host }, и ни один фактор этого не объявляет: { $facts }
rule-experiment-drift = Дрейф за время эксперимента
    .try = сравнениям внутри блоков это не вредит; не сравнивайте ранние повторы с поздними
    .text = { $name }: к концу эксперимента меньше на { $amount }, что бы ни менялось
    .text-2 = { $name }: к концу эксперимента больше на { $amount }, что бы ни менялось
rule-experiment-outliers = Некоторые измерения далеко в стороне
    .try = посмотрите, что в этих испытаниях сказано об отнятом времени CPU, повторных отправках и сообщениях ядра
    .text = { $name }: { $count } из { $all } измерений лежат далеко от соседних; они сохранены
rule-experiment-blocks-shifted = Сдвинуты целые блоки
    .try = сама машина временами была быстрее; сравнивайте внутри блоков и добавляйте блоки, а не время
    .text = целые блоки { $name } были сдвинуты друг относительно друга на { $share }, одинаково во всех ячейках
