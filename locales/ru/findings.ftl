### Findings: titles, advice, sentences. The messages stand in the order of ../en/findings.ftl.

## Parts of sentences

try-report-it = сообщите об этом как об ошибке goodput и приложите прогон
clause-way = от { $clauseFrom } к { $clauseTo }
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
clause-receivers-window = окна получателя
clause-its-send-buffer = буфера отправки
clause-driver-dropped = по собственному счёту отбросил пакеты
clause-driver-errors = насчитал собственные ошибки
clause-driver-wait = получал просьбы подождать
clause-driver-allowance = сообщает, что квота машины превышена
clause-copies = сеть создала копии, поэтому отброшенное у сокета не обязательно потеряно
clause-events = одно отбрасывание, которое ядро считает у сокета, может означать несколько датаграмм
clause-too-late = часть пришла слишком поздно, чтобы отличить её от копий, или отброшенное ниже сокета относится к чужому трафику
clause-check-copies = отличие копий от первых поступлений
clause-check-order = нарушение порядка
clause-check-jitter = дрожание
clause-check-delay = колебания задержки
clause-check-drops = отброшенное у сокета получателя
clause-interface-counters = счётчики интерфейсов
clause-protocol-counters = счётчики протоколов
clause-kept-in-memory = агент держит данные в памяти
clause-lies-in-memory = файловая система ({ $name }) находится в памяти

## Counts that must agree

rule-intervals-do-not-add-up = Промежутки не складываются в целое
    .text = промежутки { $connection } дают в сумме { $total } B, в окне { $window } B
rule-receiver-total-differs = Итог получателя не сходится
    .text = { $host } принял { $ours } B по { $connection }, его ядро насчитало { $kernel } B
    .text-2 = { $host } принял { $ours } B от рабочего потока { $worker }, его ядро насчитало { $kernel } B
rule-sender-total-differs = Итог отправителя не сходится
    .text = { $host } отправил { $ours } B по { $connection }, его ядро насчитало { $kernel } B
rule-ends-disagree = Стороны расходятся
    .text = по { $connection } отправлено { $sent } B, принято { $received } B
    .text-2 = { $host } принял { $received } B от рабочего потока { $worker }, отправлено { $sent } B
rule-datagram-account-negative = Счёт датаграмм ушёл ниже нуля
    .text = { $count ->
        [one] счётчики направления { $direction } показывают на { $count } датаграмму больше, чем было
        [few] счётчики направления { $direction } показывают на { $count } датаграммы больше, чем было
       *[many] счётчики направления { $direction } показывают на { $count } датаграмм больше, чем было
    }
rule-datagram-totals-differ = Итоги датаграмм у сторон не сходятся
    .text = { $host } получил для потока { $flow } иные итоги, чем сообщил отправитель
    .text-2 = { $host } получил для потока { $flow } иные итоги, чем сообщил получатель
rule-latency-count-differs = Задержек и транзакций не поровну
    .text = завершено транзакций: { $operations }, учтено задержек: { $latencies }
rule-file-counts-differ = Число операций и байтов не сходится
    .text = операций по { $block } B: { $operations }, это { $bytes } B, а насчитано { $counted } B
    .text-2 = завершено операций ({ $class }): { $operations }, учтено задержек: { $latencies }

## Results that cannot be right

rule-above-limit = Больше, чем допускает среда
    .try = проверьте скорость и MTU названной среды передачи
    .text = { $clauseWhose }: достигнуто { $reached } Mbit/s, больше, чем допускает { $clauseMedium } ({ $limit } Mbit/s)
rule-file-data-differs = Данные вернулись изменёнными
    .try = не доверяйте этому месту файлы; ищите неисправности памяти, кабеля и диска (dmesg) на обеих сторонах
    .text = { $wrong ->
        [one] { $wrong } блок оказался не тем, что было записано, из { $bytes } B сравненных данных
        [few] { $wrong } блока оказались не тем, что было записано, из { $bytes } B сравненных данных
       *[many] { $wrong } блоков оказались не тем, что было записано, из { $bytes } B сравненных данных
    }
rule-faster-than-wire = Быстрее линии
    .try = используйте --direct, файл больше памяти этого хоста или место smb://, перед которым нет кэша этого хоста
    .text = { $rate } MB/s больше, чем { $limit } MB/s, которые способна нести { $clauseMedium }: это не результат сети, или среда не та, что была названа
    .text-2 = { $rate } MB/s больше, чем { $limit } MB/s, которые способна нести { $clauseMedium }: это не результат сети, { $percent } % файла находилось в памяти этого хоста
    .text-3 = { $rate } MB/s больше, чем { $limit } MB/s, которые способна нести { $clauseMedium }: это не результат сети, за неё ответил кэш монтирования ({ $mount })
rule-window-too-short = Окно слишком короткое
    .try = остановите после большего числа байтов или сообщений, либо по --time
    .text = { $elapsed } ns — меньше 100-кратной погрешности часов ({ $error } ns), поэтому полезной скорости нет
rule-mtu-not-expected = MTU не такой, как ожидалось
    .try = прочитайте MTU на обеих сторонах (ip link) и на каждом коммутаторе между ними: каждый должен его пропускать
    .text = { $clauseWay } ожидалось { $expected } B, проходит { $passes } B: у { $from } на { $interface } стоит { $mtu } B
    .text-2 = { $clauseWay } ожидалось { $expected } B, проходит { $passes } B: { $by } на пути принимает { $passes } B
    .text-3 = { $clauseWay } ожидалось { $expected } B, проходит { $passes } B: то, что больше { $passes } B, пропадает в пути
    .text-4 = { $clauseWay } ожидалось { $expected } B, известно, что проходит { $passes } B
    .text-5 = у { $from } на { $interface } стоит { $mtu } B, а ожидалось { $expected } B
rule-relay-late = Ретранслятор опоздал
    .try = измеряйте, когда машина свободна, с меньшим числом хостов или с более медленной средой
    .text = результат не принадлежит среде ({ $link }): её ретранслятор выпустил сотую часть кадров с опозданием { $late } ms и более, допускается { $bound } ms
    .text-2 = результат не принадлежит среде ({ $link }): её ретранслятор не успевал и потерял кадры ({ $count })
rule-point-failed = Здесь ничего не измерено
    .text = ничего не измерено: { $cause }

## How the trial went

rule-partial-result = Испытание прервалось
    .try = устраните причину и измерьте снова
    .text = испытание прервалось: { $cause }
rule-file-trials-left-out = Часть испытаний не учтена
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
rule-measurement-note = Примечание к измерению
rule-not-available = Недоступно
    .text = в направлении { $direction } недоступно: { $clauseCheck }: { $why }

## Loads

rule-client-excluded = Не все клиенты вошли в результат
    .try = goodput hosts покажет, доступны ли они сейчас; уберите их из --clients или измерьте снова
    .text = не вошли в результат { $count } из { $all } клиентов: { $clauseNames } ({ $cause })
    .text-2 = не вошли в результат { $count } из { $all } клиентов: { $clauseNames } ({ $cause }); до того они участвовали, что в результат не входит, но нагружало сервер
rule-client-idle = Клиенты ничего не передали
    .try = посмотрите на путь между ними и сервером
    .text = ничего не передали за окно: { $clauseNames }
rule-window-skew = Клиенты плохо выдержали окно
    .try = проверьте, есть ли у CPU клиентов запас; при большем --time края значат меньше
    .text = { $count } из { $all } клиентов начали или закончили на { $distance } ms от краёв окна, это больше { $share } % от его { $window } s: { $clauseNames }
rule-client-slow = Клиенты намного медленнее остальных
    .try = посмотрите на линии и CPU этих клиентов или измерьте их по отдельности: goodput stream
    .text = { $count } из { $all } клиентов получили меньше половины от медианы в { $rate } Mbit/s: { $clauseNames }; равномерность (индекс Джайна) { $fairness }
rule-connection-errors = Соединения не удались
    .try = посмотрите на очередь приёма соединений сервера (net.core.somaxconn) и на свободные порты клиентов
    .text = { $count ->
        [one] { $count } соединение не открылось или оборвалось
        [few] { $count } соединения не открылись или оборвались
       *[many] { $count } соединений не открылись или оборвались
    }
rule-clients-cpu-saturated = CPU клиентов загружены полностью
    .try = возьмите больше клиентов или меньше рабочих потоков на клиента
    .text = у единственного общего CPU клиентов не было запаса, занятость до { $percent } %: возможно, нагрузку ограничивают они
    .text-2 = не было запаса у { $count } из { $all } общих CPU клиентов, занятость до { $percent } %: возможно, нагрузку ограничивают они
    .text-3 = у { $count } из { $all } клиентов был CPU без запаса, поэтому нагрузку, возможно, ограничивают они: { $clauseNames }
rule-server-cpu-saturated = CPU сервера загружен полностью
    .text = у CPU сервера { $host } не было запаса (занятость { $percent } %): предел — он
    .text-2 = не было запаса у { $count } из { $all } CPU сервера { $host }, занятость до { $percent } %: возможно, предел — его CPU
rule-medium-reached = Среда передачи заполнена
    .text = { $clauseDirection }: { $percent } % от того, что { $clauseMedium } допускает в одну сторону: предел — среда
rule-adapter-differs = Адаптер насчитал другое
    .try = посмотрите, кто ещё пользуется интерфейсом сервера, например с помощью tcpdump
    .text = { $interface } насчитал { $counted } B отправленных, { $percent } % относительно { $expected } B данных и заголовков
    .text-2 = { $interface } насчитал { $counted } B принятых, { $percent } % относительно { $expected } B данных и заголовков
rule-pe-not-comparable = Индексы P/E несравнимы
    .try = измерьте все точки с одними и теми же включёнными CPU и одинаковой привязкой
    .text = показатель CPU сервера в разных точках относится к разным CPU: { $kinds }; их индексы P/E несравнимы

## Files

rule-accepted-by-cache = Записи принял кэш
    .text = записи принимались со скоростью { $rate } MB/s, большей, чем способна нести { $clauseMedium }: их принимал кэш этого хоста и отправлял позже; сети принадлежит только скорость надёжной записи
rule-read-from-cache = Файл взят из кэша этого хоста
    .try = возьмите файл больше памяти этого хоста или файловую систему с прямым вводом-выводом
    .text = { $percent } % файла находилось в страничном кэше этого хоста до чтения: это не холодное чтение
rule-server-cache-warm = Файл находился в памяти сервера
    .try = пусть агент на сервере вытеснит файл из своего кэша: --server HOST --server-folder PATH
    .text = { $percent } % файла находилось в памяти сервера до чтения: его диск не измерен
rule-server-cache-unknown = Состояние кэша сервера неизвестно
    .try = это может выяснить агент на сервере: --server HOST --server-folder PATH
    .text = состояние кэша сервера неизвестно: прочитанное могло прийти из его памяти, а не с диска
rule-cache-took-part = Участвовал кэш
    .text = участвовал страничный кэш этого хоста
    .text-2 = участвовал страничный кэш этого хоста; до того в нём находилось { $percent } % файла
rule-no-disk = Диск не измерен
    .text = { $clauseWhat }: диск не измерен
rule-direct-not-obtained = Нет прямого ввода-вывода
    .text = { $name } не умеет прямой ввод-вывод (O_DIRECT): участвовал страничный кэш этого хоста
    .text-2 = { $name } не умеет прямой ввод-вывод (O_DIRECT): участвовал страничный кэш этого хоста; вместо этого: { $how }
rule-unexpected-operations = Операции закончились не так, как ожидалось
    .try = посмотрите на названные строки файла нагрузки; сетевая папка может запрещать то, что позволяет обычная
    .text = { $count } из { $all } операций закончились не так, как ожидалось
    .text-2 = { $count } из { $all } операций закончились не так, как ожидалось, например { $example }
rule-stamping-cost = Подготовка данных заняла CPU
    .text = подготовка данных заняла { $percent } % одного CPU, это входит в показатель клиента
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

rule-held-back-at-sender = Задержано у отправителя
    .try = просите не больше этого, берите датаграммы крупнее или больше --flows; посмотрите на интерфейс отправителя: tc -s qdisc
    .text = направление { $direction } сдержано у отправителя: запрошено { $asked } датаграмм в секунду, отправлено { $sent }
rule-datagrams-refused = Система отправителя отвергла датаграммы
    .try = просите меньшую скорость; ENOBUFS — это полная очередь на выходе отправителя, см. tc -s qdisc
    .text = система отправителя отвергла { $refused } из { $offered } датаграмм направления { $direction }: { $reasons }
rule-lost-at-receiver-socket = Потеряно у сокета получателя
    .try = увеличьте net.core.rmem_max и --receive-buffer у получателя или оставьте его программе больше CPU
    .text = { $clauseCount } из { $sent } датаграмм направления { $direction } ({ $percent } %) потеряно у сокета получателя
    .text-2 = { $clauseCount } из { $sent } датаграмм направления { $direction } (от { $least } до { $most } %) потеряно у сокета получателя (его ядро отбросило там пакетов: { $events })
rule-lost-in-receiving-host = Потеряно внутри принимающего хоста
    .try = посмотрите /proc/net/softnet_stat и размеры колец адаптера получателя (ethtool -g)
    .text = { $clauseCount } из { $sent } датаграмм направления { $direction } ({ $percent } %) потеряно в принимающем хосте ниже сокетов
    .text-2 = { $clauseCount } из { $sent } датаграмм направления { $direction } (от { $least } до { $most } %) потеряно в принимающем хосте ниже сокетов
rule-lost-on-path = Потеряно в пути
    .try = goodput datagram HOST --search найдёт наибольшую скорость без потерь
    .text = { $clauseCount } из { $sent } датаграмм направления { $direction } ({ $percent } %) потеряно в пути
    .text-2 = { $clauseCount } из { $sent } датаграмм направления { $direction } (от { $least } до { $most } %) потеряно в пути
    .text-3 = { $clauseCount } из { $sent } датаграмм направления { $direction } ({ $percent } %) потеряно в пути или у сокета получателя, где не считали
    .text-4 = { $clauseCount } из { $sent } датаграмм направления { $direction } ({ $percent } %) потеряно в пути или в принимающем хосте ниже сокетов, где не считали
rule-loss-unresolved = Потери, которые нельзя различить
    .try = для счёта с точностью до одной датаграммы измерьте с --plain и с выключенными аппаратными ускорениями
    .text = { $count ->
        [one] не разрешено: { $count } датаграмма направления { $direction }: { $clauseWhy }
        [few] не разрешено: { $count } датаграммы направления { $direction }: { $clauseWhy }
       *[many] не разрешено: { $count } датаграмм направления { $direction }: { $clauseWhy }
    }
rule-datagrams-copied = Сеть создала копии
    .text = { $count ->
        [one] сеть доставила { $count } копию датаграмм направления { $direction }
        [few] сеть доставила { $count } копии датаграмм направления { $direction }
       *[many] сеть доставила { $count } копий датаграмм направления { $direction }
    }
rule-datagrams-sent-late = Отправлено с опозданием
    .try = просите меньшую скорость или больший --burst, либо пусть отправитель использует --spin
    .text = { $late } из { $offered } датаграмм направления { $direction } отправлены более чем на 1 ms позже своего момента, самое большее на { $most } ms
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
    .text = чёрная дыра { $clauseWay }: пакеты больше { $passes } B пропадают молча, { $passes } B доходят
    .text-2 = чёрная дыра { $clauseWay }: пакеты больше { $passes } B или ответы на них пропадают молча, { $passes } B доходят
rule-mtu-below-least = MTU меньше допустимого
    .try = ищите туннель или адаптер со слишком маленьким MTU
    .text = { $clauseWay } проходит только { $passes } B, меньше, чем { $least } B, которые обязана нести любая линия
rule-mtu-interfaces-differ = MTU сторон различаются
    .try = задайте обеим сторонам одинаковый MTU
    .text = MTU интерфейсов сторон различаются: { $one } { $mtuOne } B, { $other } { $mtuOther } B
rule-mtu-asymmetric = Направления пропускают разные размеры
    .try = ищите разные пути туда и обратно или линию, у концов которой разный MTU
    .text = направления различаются: { $clauseThere } проходит { $forward } B, { $clauseBack } { $reverse } B
rule-mtu-undecided = MTU пути не установлен
    .try = измерьте снова, когда путь свободен, или дайте больше времени: --time
    .text = MTU пути { $clauseWay } не установлен: { $why }; { $passes } B проходит, { $fails } B нет
    .text-2 = MTU пути { $clauseWay } не установлен: { $why }; { $passes } B проходит
    .text-3 = MTU пути { $clauseWay } не установлен: { $why }; ничего не вернулось
rule-mtu-route-differs = Ядро рассчитывает на другой MTU
    .try = ip route get покажет, что в кэше; ip route flush cache его забудет
    .text = ядро { $host } рассчитывает на { $route } B { $clauseWay }
rule-mtu-smaller-link = На пути есть линия меньшего размера
    .text = { $clauseWay }: { $by } на пути сообщает, что больше { $passes } B слишком много

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
    .text = { $interface } на { $host } работает на { $obtained } Mbit/s, а запрашивал до { $asked }
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
    .text = гипервизор забрал { $percent } % времени CPU: { $clauseWhose }
rule-cpu-saturated = CPU загружен полностью
    .try = возьмите сообщения крупнее или больше соединений, либо дайте измеряющим потокам собственные CPU: --cpus
    .text = { $clauseWhose }: не было запаса у { $count } из { $all } CPU, занятость до { $percent } %
rule-receiver-window-limited = Ограничивает окно получателя
    .try = увеличьте буфер приёма (net.ipv4.tcp_rmem) или выясните, почему получатель читает медленно
    .text = в направлении { $direction } отправитель { $percent } % занятого времени ждал { $clauseBy }
rule-send-buffer-limited = Ограничивает буфер отправки
    .try = увеличьте буфер отправки (net.ipv4.tcp_wmem)
rule-shared-cpu = Стороны делят один CPU
    .try = измерьте между двумя машинами, чтобы увидеть цену каждой стороны
    .text = оба хоста работают на одном ядре: занятость { $percent } % и каждый показатель по CPU — работа обеих сторон
    .text-2 = хосты работают на одном ядре: занятость { $percent } % и каждый показатель по CPU — работа их всех
rule-no-cpu-figure = Нет показателя CPU
    .try = измеряйте не меньше 1 s
    .text = окно в { $seconds } s слишком коротко для показателя CPU
rule-interface-errors = Повреждённые пакеты
    .try = смените кабель, порт или модуль; вид ошибки назван в свидетельствах
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
    .text = { $clauseWhose }: отброшено пакетов из-за полной очереди CPU: { $dropped }
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
    .text = в направлении { $direction } повторно отправлено { $percent } % сегментов ({ $again } из { $all })
    .text-2 = { $clauseWhose } повторно отправили { $percent } % своих сегментов ({ $again } из { $all })
rule-told-to-wait = Другая сторона просила подождать
    .try = выясните, что медленно за коммутатором, или выключите управление потоком (ethtool -A) и измерьте снова
    .text = { $frames ->
        [one] { $host }: { $interface } получил { $frames } кадр PAUSE с просьбой подождать
        [few] { $host }: { $interface } получил { $frames } кадра PAUSE с просьбой подождать
       *[many] { $host }: { $interface } получил { $frames } кадров PAUSE с просьбой подождать
    }
rule-driver-losses = Драйвер насчитал потери
    .try = что значит каждое имя, сказано в документации драйвера; от переполнения помогают кольца побольше (ethtool -G)
    .text = { $host }: драйвер { $interface } { $clauseWhat }: { $counters }
rule-allowance-exceeded = Превышена квота виртуальной машины
    .try = отправляйте меньше или попросите у поставщика виртуальную машину с большей квотой
rule-kernel-warnings = Предупреждение ядра
    .try = прочитайте журнал ядра за это время
    .text = { $clauseWhose } сообщает во время испытания: «{ $message }»
    .text-2 = { $clauseWhose } сообщает во время испытания: «{ $message }», и ещё { $count }
rule-kernel-messages = Сообщение ядра
rule-counter-note = Примечание к счётчикам
    .text = { $host }: { $clauseWhat } недоступны: { $why }
rule-relayed = Среду изображал ретранслятор

## Experiments

rule-experiment-host_changed = Хост изменился во время эксперимента
    .try = выясните, кто это изменил, верните как было и проведите эксперимент заново; или объявите это фактором
    .text = между ячейками { $earlier } и { $later } изменились свойства хоста, и ни один фактор этого не объясняет: на { $host } { $facts }
rule-experiment-drift = Эксперимент уплывал
    .try = сравнениям внутри блоков это не вредит; не сравнивайте ранние повторы с поздними
    .text = { $name }: к концу эксперимента меньше на { $amount }, что бы ни менялось
    .text-2 = { $name }: к концу эксперимента больше на { $amount }, что бы ни менялось
rule-experiment-outliers = Некоторые измерения далеко в стороне
    .try = посмотрите, что в этих испытаниях сказано об отнятом времени CPU, повторных отправках и сообщениях ядра
    .text = { $name }: { $count } из { $all } измерений лежат далеко от соседних; они сохранены
rule-experiment-blocks-shifted = Сдвинуты целые блоки
    .try = сама машина временами была быстрее; сравнивайте внутри блоков и добавляйте блоки, а не время
    .text = целые блоки { $name } были сдвинуты друг относительно друга на { $percent } %, одинаково во всех ячейках

## Conclusions of experiments: parts of their sentences

clause-what-where = { $clauseProbes } при { $place }
clause-list-and = { $clauseMore } и { $last }
clause-list-or = { $clauseMore } или { $last }
clause-in-the-one = в единственном измеренном сочетании
clause-in-all = во всех { $n } из { $n } сочетаний
clause-in-some = в { $n } из { $all } сочетаний
clause-times = в { $factor } раза
clause-times-span = от { $low } до { $high } раза
clause-ahead-all = впереди { $clauseIn }: { $clauseTimes }
clause-level-all = наравне { $clauseIn }
clause-behind-all = позади { $clauseIn }: { $clauseTimes }
clause-open-all = неразличимы { $clauseIn }: { $clauseTimes }
clause-ahead-level = впереди в { $n1 } из { $all } ({ $d1 }), наравне в { $n2 } из { $all } ({ $d2 })
clause-ahead-behind = впереди в { $n1 } из { $all } ({ $d1 }), позади в { $n2 } из { $all } ({ $d2 })
clause-ahead-open = впереди в { $n1 } из { $all } ({ $d1 }), неразличимы в { $n2 } из { $all } ({ $d2 })
clause-level-behind = наравне в { $n1 } из { $all } ({ $d1 }), позади в { $n2 } из { $all } ({ $d2 })
clause-level-open = наравне в { $n1 } из { $all } ({ $d1 }), неразличимы в { $n2 } из { $all } ({ $d2 })
clause-behind-open = позади в { $n1 } из { $all } ({ $d1 }), неразличимы в { $n2 } из { $all } ({ $d2 })
clause-ahead-level-behind = впереди в { $n1 } из { $all } ({ $d1 }), наравне в { $n2 } из { $all } ({ $d2 }), позади в { $n3 } из { $all } ({ $d3 })
clause-ahead-level-open = впереди в { $n1 } из { $all } ({ $d1 }), наравне в { $n2 } из { $all } ({ $d2 }), неразличимы в { $n3 } из { $all } ({ $d3 })
clause-ahead-behind-open = впереди в { $n1 } из { $all } ({ $d1 }), позади в { $n2 } из { $all } ({ $d2 }), неразличимы в { $n3 } из { $all } ({ $d3 })
clause-level-behind-open = наравне в { $n1 } из { $all } ({ $d1 }), позади в { $n2 } из { $all } ({ $d2 }), неразличимы в { $n3 } из { $all } ({ $d3 })
clause-ahead-level-behind-open = впереди в { $n1 } из { $all } ({ $d1 }), наравне в { $n2 } из { $all } ({ $d2 }), позади в { $n3 } из { $all } ({ $d3 }), неразличимы в { $n4 } из { $all } ({ $d4 })

## Conclusions of experiments: how sure they are

sure-repeats = не менее { $n } повторов на сочетание; различия по интервалам, которые все верны с вероятностью 95 %, по { $m } сравнениям
sure-repeats-one = не менее { $n } повторов на сочетание; различия по интервалам, которые все верны с вероятностью 95 %, по { $m } сравнению
sure-one = подсчитано, по одному показателю на сочетание: сколько в этом случайности, сказать нельзя
sure-counted = подсчитано
sure-none = нет показателей, на которые можно опереться

## Conclusions of experiments

rule-better = Что лучше
    .text = { $one } лучше, чем { $other }, для { $clauseWhat } во всех { $n } из { $n } сочетаний: { $clauseTimes }
    .text-2 = { $one } лучше, чем { $other }, для { $clauseWhat } в единственном измеренном сочетании: { $clauseTimes }
    .text-3 = { $one } лучше, чем { $other }, во всех { $n } из { $n } сочетаний: { $clauseTimes }
    .text-4 = { $one } лучше, чем { $other }, в единственном измеренном сочетании: { $clauseTimes }
    .text-5 = { $one } не лучше, чем { $other }, для { $clauseWhat }: { $clauseTally }
    .text-6 = { $one } не лучше, чем { $other }: { $clauseTally }
    .text-7 = { $one } не всегда лучше, чем { $other }, для { $clauseWhat }: { $clauseTally }
    .text-8 = { $one } не всегда лучше, чем { $other }: { $clauseTally }
    .text-9 = лучше ли { $one }, чем { $other }, для { $clauseWhat }, по этим повторам сказать нельзя: { $clauseTally }
    .text-10 = лучше ли { $one }, чем { $other }, для { $clauseWhat }, сказать нельзя: они нигде не измерены при прочих равных
    .try = берите { $one }, если ничто другое не говорит за { $other }
    .try-2 = пусть выбор между { $one } и { $other } решит что-то другое
    .try-3 = измерьте больше повторов или более длинные окна
    .try-4 = выбирайте между { $one } и { $other } по своему сочетанию
    .try-5 = измерьте { $one } и { $other } в одном сочетании
rule-beats = Какая проба впереди
    .try = спрашивайте о двух пробах с одним показателем
rule-depends = Зависит ли от фактора
    .text = { $clauseWhat } не зависит от { $factor }: показатели расходятся не более чем на { $share } { $clauseIn } ({ $span })
    .text-2 = { $clauseWhat } не зависит от { $factor }: начиная с { $level } показатели расходятся не более чем на { $share } { $clauseIn } ({ $span })
    .text-3 = { $clauseWhat } не зависят от { $factor }: показатели расходятся не более чем на { $share } { $clauseIn } ({ $span })
    .text-4 = { $clauseWhat } зависит от { $factor } во всех { $n } из { $n } сочетаний: лучший уровень отличается от худшего { $clauseTimes }
    .text-5 = { $clauseWhat } зависит от { $factor } в единственном измеренном сочетании: лучший уровень отличается от худшего { $clauseTimes }
    .text-6 = { $clauseWhat } растёт с { $factor } во всех { $n } из { $n } сочетаний: { $high } отличается от { $low } { $clauseTimes }
    .text-7 = { $clauseWhat } растёт с { $factor } в единственном измеренном сочетании: { $high } отличается от { $low } { $clauseTimes }
    .text-8 = { $clauseWhat } падает с { $factor } во всех { $n } из { $n } сочетаний: { $high } отличается от { $low } { $clauseTimes }
    .text-9 = { $clauseWhat } падает с { $factor } в единственном измеренном сочетании: { $high } отличается от { $low } { $clauseTimes }
    .text-10 = { $clauseWhat } не зависят от { $factor }: начиная с { $level } показатели расходятся не более чем на { $share } { $clauseIn } ({ $span })
    .text-11 = { $clauseWhat } зависят от { $factor } во всех { $n } из { $n } сочетаний: лучший уровень отличается от худшего { $clauseTimes }
    .text-12 = { $clauseWhat } растут с { $factor } во всех { $n } из { $n } сочетаний: { $high } отличается от { $low } { $clauseTimes }
    .text-13 = { $clauseWhat } падают с { $factor } во всех { $n } из { $n } сочетаний: { $high } отличается от { $low } { $clauseTimes }
    .text-14 = { $clauseWhat } зависит от { $factor } в { $n } из { $all } сочетаний, между уровнями { $clauseTimes } ({ $places }); в { $flat } ({ $elsewhere }) не зависит: там не более { $share }
    .text-15 = { $clauseWhat } зависят от { $factor } в { $n } из { $all } сочетаний, между уровнями { $clauseTimes } ({ $places }); в { $flat } ({ $elsewhere }) не зависят: там не более { $share }
    .try = выбирайте { $factor } не по { $clauseWhat }: здесь это ничего не даёт
    .try-2 = выбирайте { $factor } внимательно: разница доходит { $clauseTimes }
    .try-3 = выбирайте { $factor } внимательно там, где это важно, и не трогайте в остальных случаях
    .try-4 = измерьте второй уровень { $factor }
rule-matters-most = Что важнее всего
    .text = для { $clauseWhat } важнее всего { $factor }: при прочих равных лучший уровень по медиане отличается от худшего { $clauseTimes }; затем { $others }
    .try = сначала выбирайте { $factor }
rule-best-level = Лучший уровень
    .text = { $name } — лучший { $factor } для { $clauseWhat } во всех { $n } из { $n } сочетаний, по медиане отличается от следующего { $clauseTimes }
    .text-2 = { $name } — лучший { $factor } для { $clauseWhat } в единственном измеренном сочетании, по медиане отличается от следующего { $clauseTimes }
    .text-4 = { $name } — лучший { $factor } для { $clauseWhat } в { $n } из { $all } сочетаний, по медиане отличается от следующего { $clauseTimes }; в { $even } ({ $places }) никто не лучше более чем на { $share }
    .text-5 = { $name } — лучший { $factor } для { $clauseWhat } в { $n } из { $all } сочетаний, по медиане отличается от следующего { $clauseTimes }; { $second } лучше в { $m } ({ $places })
    .text-3 = ни один { $factor } не лучше остальных для { $clauseWhat } более чем на { $share } { $clauseIn }
    .try = берите { $name }, если ничто другое не против
    .try-2 = пусть о { $factor } решит что-то другое
rule-ceiling = Насколько близко к пределу
    .text = { $clauseWhat } доходит до { $share } предела ({ $figure } из { $limit }, лучшее из { $n })
    .try = при { $place } решает не среда, а что-то другое: смотрите сначала туда
rule-not-measured = Не измерено
    .text = не измерено { $n } из { $all } сочетаний: { $places }
    .text-2 = не измерено { $n } из { $all } сочетаний: { $places }
    .try = о них ничего не сказано; измерьте их там, где это важно
rule-failed = Сочетания, которые не удались
    .text = не удались { $n } из { $all } сочетаний, всего { $times } раз ({ $places }): { $reasons }
    .text-2 = не удались { $n } из { $all } сочетаний, всего { $times } раз ({ $places }): { $reasons }
    .try = сбой — тоже результат: прочитайте причину, прежде чем мерить снова
rule-crossing = Кривые пересекаются
    .try = выбирайте между { $one } и { $other } по { $way }
rule-collapse = Обвал по размерам
    .try = посмотрите, что заполняет длинная серия: память адаптера, шину, очередь коммутатора; может помочь более медленный режим линии
    .try-2 = посмотрите, чего ждёт каждое сообщение: сглаживание прерываний, опрос
rule-fall = Спад по размерам
    .try = посмотрите на кэши, копирования и буферы при этом размере
rule-dip = Провал по размерам
    .try = измерьте больше размеров вокруг; посмотрите на пределы сегментов и отложенные подтверждения
rule-no-collapse = По размерам обвалов нет
    .text = { $clauseWhat } по размерам не проваливается и не обрушивается { $clauseIn }; потеря в { $share } была бы видна
rule-saturates = Где наступает насыщение
    .try = большие размеры ничего не дают; там ограничивает не цена сообщения
rule-reaches = Кто достигает цели
    .try = для { $goal } ищите другой { $factor }
    .try-2 = для { $goal } выбирайте { $clauseNames }, а остальное — так, чтобы это было возможно
    .try-3 = для { $goal } выбирайте { $clauseNames }
rule-pays = Что окупается
    .text = какой { $factor } окупается для { $clauseWhat }, сказать нельзя: меньший показатель лучше, поэтому цены единицы нет
    .text-2 = какой { $factor } окупается для { $clauseWhat }, сказать нельзя: нужны два уровня с ценой и показателем
    .try = покупайте более дорогой
    .try-2 = сопоставьте запрошенную цену с показателем вашего сочетания
    .try-4 = покупайте { $base }, если за другое не говорит что-то помимо { $clauseWhat }
    .try-3 = укажите цену каждого уровня в [[price]]
rule-group = Группа против одного
    .try = выбирайте по изделию и сочетанию, а не по виду
rule-sum = Целое и его части
    .try = где сумма не достигнута, ищите общее для обоих: полудуплексную среду, шину, один CPU
