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
part-copies = сеть создала копии, поэтому отброшенное у сокета не обязательно потеряно
part-events = одно отбрасывание, которое ядро считает у сокета, может означать несколько датаграмм
part-too-late = часть пришла слишком поздно, чтобы отличить её от копий, или отброшенное ниже сокета относится к чужому трафику
clause-check-copies = отличие копий от первых поступлений
clause-check-order = нарушение порядка
clause-check-jitter = джиттер
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
    .text-2 = { $n } из { $all } показателей { $clauseWhat } выше того, что допускает среда: { $figure } при { $clausePlace }, где предел { $limit }
    .try-2 = проверьте названные среду и MTU и то, считает ли показатель только данные пользователя
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
    .text = ничего не измерено: { $saidCause }

## How the trial went

rule-partial-result = Испытание прервалось
    .try = устраните причину и измерьте снова
    .text = испытание прервалось: { $saidCause }
rule-file-trials-left-out = Часть испытаний не учтена
    .text = { $count ->
        [one] { $count } испытание прервалось и не входит ни в один показатель прогона: { $saidCause }
        [few] { $count } испытания прервались и не входят ни в один показатель прогона: { $saidCause }
       *[many] { $count } испытаний прервались и не входят ни в один показатель прогона: { $saidCause }
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
    .text = измерено с объединением приёма: после коротких чтений получатель ждал { $figureTime }
rule-measurement-note = Примечание к измерению
rule-not-available = Недоступно
    .text = в направлении { $direction } недоступно: { $clauseCheck }: { $saidWhy }

## Loads

rule-client-excluded = Не все клиенты вошли в результат
    .try = goodput hosts покажет, доступны ли они сейчас; уберите их из --clients или измерьте снова
    .text = не вошли в результат { $count } из { $all } клиентов: { $clauseNames } ({ $saidCause })
    .text-2 = не вошли в результат { $count } из { $all } клиентов: { $clauseNames } ({ $saidCause }); до того они участвовали, что в результат не входит, но нагружало сервер
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

rule-held-back-at-sender = Сдержано у отправителя
    .try = просите не больше этого, берите датаграммы крупнее или больше --flows; посмотрите на интерфейс отправителя: tc -s qdisc
    .text = направление { $direction } сдержано у отправителя: запрошено { $asked } датаграмм в секунду, отправлено { $sent }
rule-datagrams-refused = Система отправителя отвергла датаграммы
    .try = просите меньшую скорость; ENOBUFS — это полная очередь на выходе отправителя, см. tc -s qdisc
    .text = система отправителя отвергла { $refused } из { $offered } датаграмм направления { $direction }: { $saidReasons }
    .text-2 = система отправителя отвергла { $refused } из { $offered } датаграмм направления { $direction }
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
    .text-5 = из { $sent } датаграмм направления { $direction } потеряно в пути, в сокете получателя или в принимающем хосте ниже сокетов, которые не считались: { $clauseCount } ({ $percent } %)
    .text-6 = из { $sent } датаграмм направления { $direction } потеряно в пути или в сокете получателя, который не считался: { $clauseCount } (от { $least } до { $most } %)
    .text-7 = из { $sent } датаграмм направления { $direction } потеряно в пути или в принимающем хосте ниже сокетов, который не считался: { $clauseCount } (от { $least } до { $most } %)
    .text-8 = из { $sent } датаграмм направления { $direction } потеряно в пути, в сокете получателя или в принимающем хосте ниже сокетов, которые не считались: { $clauseCount } (от { $least } до { $most } %)
rule-loss-unresolved = Потери, которые нельзя различить
    .try = для счёта с точностью до одной датаграммы измерьте с --plain и с выключенными аппаратными ускорениями
    .text = { $count ->
        [one] не разрешено: { $count } датаграмма направления { $direction }: { $saidWhy }
        [few] не разрешено: { $count } датаграммы направления { $direction }: { $saidWhy }
       *[many] не разрешено: { $count } датаграмм направления { $direction }: { $saidWhy }
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
    .text = направление { $direction }: { $saidWhy }

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
    .text = MTU пути { $clauseWay } не установлен: { $saidWhy }; { $passes } B проходит, { $fails } B нет
    .text-2 = MTU пути { $clauseWay } не установлен: { $saidWhy }; { $passes } B проходит
    .text-3 = MTU пути { $clauseWay } не установлен: { $saidWhy }; ничего не вернулось
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
rule-cpu-not-of-window = CPU прочитаны не на границах окна
    .try = измеряйте по времени и дольше; на занятых хостах дайте агентам работать раньше других программ: от root или с LimitNICE=-20 в их службе
    .text = CPU хоста { $host } прочитаны на { $opened } ms в стороне от начала окна и на { $closed } ms от его конца: { $percent } % их показателя могут относиться к другому времени
    .text-2 = CPU хоста { $host } прочитаны на { $opened } ms в стороне от начала окна и на { $closed } ms от его конца: их показателя нет
rule-no-cpu-figure = Нет показателя CPU
    .try = измеряйте не меньше 1 s
    .text = окно в { $seconds } s слишком коротко для показателя CPU
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
    .text = { $host }: { $clauseWhat } недоступны: { $saidReason }
rule-relayed = Среду имитировал ретранслятор
    .text = ретранслятор имитировал { $link }: { $mustCarried }; опоздание ретранслятора: p50 { $figureHalf }, p99 { $figureHigh }, наибольшее { $figureMost }
    .text-2 = ретранслятор имитировал { $link }: { $mustCarried }; опоздание ретранслятора: p50 { $figureHalf }, p99 { $figureHigh }, наибольшее { $figureMost }; он занял { $figureShare } одного CPU

## Experiments

rule-experiment-host_changed = Хост изменился во время эксперимента
    .try = выясните, кто это изменил, верните как было и проведите эксперимент заново; или объявите это фактором
    .text = между ячейками { $earlier } и { $later } изменились свойства хоста, и ни один фактор этого не объясняет: на { $host } { $facts }
rule-experiment-drift = Дрейф за время эксперимента
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
clause-times = { $factor ->
    [one] в { $factor } раз
    [few] в { $factor } раза
    [many] в { $factor } раз
   *[other] в { $factor } раза
}
clause-times-span = { $high ->
    [few] от { $low } до { $high } раз
    [many] от { $low } до { $high } раз
   *[other] от { $low } до { $high } раза
}
clause-ahead-all = впереди { $clauseIn }: { $clauseTimes }
clause-level-all = наравне { $clauseIn }
clause-behind-all = позади { $clauseIn }: { $clauseTimes }
clause-open-all = неразличимы { $clauseIn }: { $clauseTimes }
clause-ahead-level = впереди в { $n1 } из { $all } ({ $clauseD1 }), наравне в { $n2 } из { $all } ({ $clauseD2 })
clause-ahead-behind = впереди в { $n1 } из { $all } ({ $clauseD1 }), позади в { $n2 } из { $all } ({ $clauseD2 })
clause-ahead-open = впереди в { $n1 } из { $all } ({ $clauseD1 }), неразличимы в { $n2 } из { $all } ({ $clauseD2 })
clause-level-behind = наравне в { $n1 } из { $all } ({ $clauseD1 }), позади в { $n2 } из { $all } ({ $clauseD2 })
clause-level-open = наравне в { $n1 } из { $all } ({ $clauseD1 }), неразличимы в { $n2 } из { $all } ({ $clauseD2 })
clause-behind-open = позади в { $n1 } из { $all } ({ $clauseD1 }), неразличимы в { $n2 } из { $all } ({ $clauseD2 })
clause-ahead-level-behind = впереди в { $n1 } из { $all } ({ $clauseD1 }), наравне в { $n2 } из { $all } ({ $clauseD2 }), позади в { $n3 } из { $all } ({ $clauseD3 })
clause-ahead-level-open = впереди в { $n1 } из { $all } ({ $clauseD1 }), наравне в { $n2 } из { $all } ({ $clauseD2 }), неразличимы в { $n3 } из { $all } ({ $clauseD3 })
clause-ahead-behind-open = впереди в { $n1 } из { $all } ({ $clauseD1 }), позади в { $n2 } из { $all } ({ $clauseD2 }), неразличимы в { $n3 } из { $all } ({ $clauseD3 })
clause-level-behind-open = наравне в { $n1 } из { $all } ({ $clauseD1 }), позади в { $n2 } из { $all } ({ $clauseD2 }), неразличимы в { $n3 } из { $all } ({ $clauseD3 })
clause-ahead-level-behind-open = впереди в { $n1 } из { $all } ({ $clauseD1 }), наравне в { $n2 } из { $all } ({ $clauseD2 }), позади в { $n3 } из { $all } ({ $clauseD3 }), неразличимы в { $n4 } из { $all } ({ $clauseD4 })

## Conclusions of experiments: how sure they are

sure-repeats = не менее { $n } повторов на сочетание; различия по доверительным интервалам, одновременно верным с вероятностью 95 %, по { $m } сравнениям
sure-repeats-one = не менее { $n } повторов на сочетание; различия по доверительным интервалам, одновременно верным с вероятностью 95 %, по { $m } сравнению
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
    .text-11 = лучше ли { $one }, чем { $other }, по этим повторам сказать нельзя: { $clauseTally }
    .text-12 = лучше ли { $one }, чем { $other }, сказать нельзя: они нигде не измерены при прочих равных
    .text-13 = { $one } и { $other } нельзя сопоставить: у их показателей разные единицы
    .text-14 = { $one } лучше, чем { $other }, при { $place } во всех { $n } из { $n } сочетаний: { $clauseTimes }
    .try-6 = берите { $bareOther }
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
    .text-14 = { $clauseWhat } зависит от { $factor } в { $n } из { $all } сочетаний, между уровнями { $clauseTimes } ({ $clausePlaces }); в { $flat } ({ $clauseElsewhere }) не зависит: там не более { $share }
    .text-15 = { $clauseWhat } зависят от { $factor } в { $n } из { $all } сочетаний, между уровнями { $clauseTimes } ({ $clausePlaces }); в { $flat } ({ $clauseElsewhere }) не зависят: там не более { $share }
    .try = выбирайте { $factor } не по { $clauseWhat }: здесь это ничего не даёт
    .try-2 = выбирайте { $factor } внимательно: разница доходит { $clauseTimes }
    .try-3 = выбирайте { $factor } внимательно там, где это важно, и не трогайте в остальных случаях
    .try-4 = измерьте второй уровень { $factor }
    .text-16 = { $clauseWhat } зависит от { $factor } в { $n } из { $all } сочетаний, между уровнями { $clauseTimes } ({ $clausePlaces })
    .text-17 = зависит ли { $clauseWhat } от { $factor }, сказать нельзя: никакие два уровня не измерены при прочих равных
    .text-18 = зависят ли { $clauseWhat } от { $factor }, сказать нельзя: никакие два уровня не измерены при прочих равных
    .text-19 = зависит ли { $clauseWhat } от { $factor }, сказать нельзя { $clauseIn }: медианы уровней различаются { $clauseTimes }, но и повторы разбросаны так же
    .text-20 = { $clauseWhat } при { $place } растут с { $factor } во всех { $n } из { $n } сочетаний: { $high } отличается от { $low } { $clauseTimes }
    .text-21 = { $clauseWhat } при { $place } растёт с { $factor } во всех { $n } из { $n } сочетаний: { $high } отличается от { $low } { $clauseTimes }
    .text-22 = { $clauseWhat } при { $place } не зависят от { $factor }: начиная с { $level } показатели расходятся не более чем на { $share } { $clauseIn } ({ $span })
    .text-23 = { $clauseWhat } при { $place } не зависит от { $factor }: начиная с { $level } показатели расходятся не более чем на { $share } { $clauseIn } ({ $span })
rule-matters-most = Что важнее всего
    .text = для { $clauseWhat } важнее всего { $factor }: при прочих равных лучший уровень по медиане отличается от худшего { $clauseTimes }; затем { $clauseOthers }
    .try = сначала выбирайте { $factor }
rule-best-level = Лучший уровень
    .text = { $name } — лучший { $factor } для { $clauseWhat } во всех { $n } из { $n } сочетаний, по медиане отличается от следующего { $clauseTimes }
    .text-2 = { $name } — лучший { $factor } для { $clauseWhat } в единственном измеренном сочетании, по медиане отличается от следующего { $clauseTimes }
    .text-4 = { $name } — лучший { $factor } для { $clauseWhat } в { $n } из { $all } сочетаний, по медиане отличается от следующего { $clauseTimes }; в { $even } ({ $clausePlaces }) никто не лучше более чем на { $share }
    .text-5 = { $name } — лучший { $factor } для { $clauseWhat } в { $n } из { $all } сочетаний, по медиане отличается от следующего { $clauseTimes }; { $second } лучше в { $m } ({ $clausePlaces })
    .text-3 = ни один { $factor } не лучше остальных для { $clauseWhat } более чем на { $share } { $clauseIn }
    .try = берите { $name }, если ничто другое не против
    .try-2 = пусть о { $factor } решит что-то другое
    .text-6 = { $name } — лучший { $factor } для { $clauseWhat } в { $n } из { $all } сочетаний, по медиане отличается от следующего { $clauseTimes }; { $second } лучше в { $m } ({ $clausePlaces }); в { $even } ({ $clauseEven }) никто не лучше более чем на { $share }
rule-ceiling = Насколько близко к пределу
    .text = { $clauseWhat } доходит до { $share } предела ({ $figure } из { $limit }, лучшее из { $n })
    .try = при { $place } решает не среда, а что-то другое: смотрите сначала туда
    .text-2 = { $clauseWhat } доходит до { $clauseShares }
rule-not-measured = Не измерено
    .text = не измерено { $n } из { $all } сочетаний: { $clausePlaces }
    .text-2 = не измерено { $n } из { $all } сочетаний: { $clausePlaces }
    .try = о них ничего не сказано; измерьте их там, где это важно
rule-failed = Сочетания, которые не удались
    .text = не удались { $n } из { $all } сочетаний, всего { $times } раз ({ $clausePlaces }): { $reasons }
    .text-2 = не удались { $n } из { $all } сочетаний, всего { $times } раз ({ $clausePlaces }): { $reasons }
    .try = сбой — тоже результат: прочитайте причину, прежде чем мерить снова
rule-crossing = Кривые пересекаются
    .try = выбирайте между { $one } и { $other } по { $way }
    .text = для { $clauseWhat }, вдоль { $way }: { $clauseSaid }
rule-collapse = Обвал по размерам
    .try = посмотрите, что заполняет длинная серия: память адаптера, шину, очередь коммутатора; может помочь более медленный режим линии
    .try-2 = посмотрите, чего ждёт каждое сообщение: объединение прерываний, опрос
    .text = { $clauseWhat } обрушивается выше некоторого размера { $clauseIn }: { $clauseSaid }
    .text-2 = { $clauseWhat } обрушивается ниже некоторого размера { $clauseIn }: { $clauseSaid }
rule-fall = Спад по размерам
    .try = посмотрите на кэши, копирования и буферы при этом размере
    .text = { $clauseWhat } падает выше некоторого размера { $clauseIn }: { $clauseSaid }
rule-dip = Провал по размерам
    .try = измерьте больше размеров вокруг; посмотрите на пределы сегментов и отложенные подтверждения
    .text = { $clauseWhat } проваливается { $clauseIn }: { $clauseSaid }
rule-no-collapse = По размерам обвалов нет
    .text = { $clauseWhat } по размерам не проваливается и не обрушивается { $clauseIn }; потеря в { $share } была бы видна
rule-saturates = Где наступает насыщение
    .try = большие размеры ничего не дают; там ограничивает не цена сообщения
    .text = { $clauseWhat } насыщается { $clauseIn } начиная с { $clauseFrom }: { $clauseSaid }
rule-reaches = Кто достигает цели
    .try = для { $goal } ищите другой { $factor }
    .try-2 = для { $goal } выбирайте { $clauseNames }, а остальное — так, чтобы это было возможно
    .try-3 = для { $goal } выбирайте { $clauseNames }
    .text = { $clauseNames } достигают { $goal } для { $clauseWhat }: { $clauseSaid }
    .text-2 = только { $name } достигает { $goal } для { $clauseWhat }: { $clauseSaid }
    .text-3 = ни один { $factor } не достигает { $goal } для { $clauseWhat }; { $clauseSaid }
    .text-4 = { $clauseNames } не превышают { $goal } для { $clauseWhat }: { $clauseSaid }
    .text-5 = только { $name } не превышает { $goal } для { $clauseWhat }: { $clauseSaid }
    .text-6 = ни один { $factor } не остаётся в пределах { $goal } для { $clauseWhat }; { $clauseSaid }
    .text-7 = какой { $factor } достаточно быстр, сказать нельзя: { $what } ни с одним не измерено
    .try-4 = измерьте какой-нибудь уровень { $factor }
rule-pays = Что окупается
    .text = какой { $factor } окупается для { $clauseWhat }, сказать нельзя: меньший показатель лучше, поэтому цены единицы нет
    .text-2 = какой { $factor } окупается для { $clauseWhat }, сказать нельзя: нужны два уровня с ценой и показателем
    .try = покупайте более дорогой
    .try-2 = сопоставьте запрошенную цену с показателем вашего сочетания
    .try-4 = покупайте { $base }, если за другое не говорит что-то помимо { $clauseWhat }
    .try-3 = укажите цену каждого уровня в [[price]]
    .text-3 = { $clauseNames } не окупаются по сравнению с { $base } для { $clauseWhat }; { $clauseSaid }
    .text-4 = { $name } не окупается по сравнению с { $base } для { $clauseWhat }; { $clauseSaid }
    .text-5 = { $name } окупается по сравнению с { $base } для { $clauseWhat }; { $clauseSaid }
    .text-6 = { $clauseNames } окупаются по сравнению с { $base } для { $clauseWhat }; { $clauseSaid }
    .text-7 = окупаются ли { $clauseNames } по сравнению с { $base } для { $clauseWhat }, зависит от обстоятельств; { $clauseSaid }
    .text-8 = окупается ли { $name } по сравнению с { $base } для { $clauseWhat }, зависит от обстоятельств; { $clauseSaid }
    .text-9 = какой { $factor } окупается для { $clauseWhat }, сказать нельзя: цены в разных валютах
    .text-10 = какой { $factor } окупается для { $clauseWhat }, сказать нельзя: { $base } нигде не измерен рядом с более дорогим при прочих равных
    .try-5 = измерьте оба в одном сочетании
rule-group = Группа против одного
    .try = выбирайте по изделию и сочетанию, а не по виду
    .text = для { $clauseWhat }: { $clauseNames } против { $than }: каждый лучше, чем { $than }; { $clauseSaid }
    .text-2 = для { $clauseWhat }: { $clauseNames } против { $than }: ни один не лучше, чем { $than }; { $clauseSaid }
    .text-3 = для { $clauseWhat }: { $clauseNames } против { $than }: не каждый и не везде лучше, чем { $than }; { $clauseSaid }
    .text-4 = для { $clauseWhat }: { $clauseNames } против { $than }: сказать нельзя ничего, они нигде не измерены при прочих равных
    .try-2 = любой из { $clauseNames } будет лучше, чем { $than }
    .try-3 = измерьте их в одном сочетании с { $than }
rule-sum = Целое и его части
    .try = где сумма не достигнута, ищите общее для обоих: полудуплексную среду, шину, один CPU
    .text = { $whole } даёт столько же, сколько { $clauseNames } вместе, для { $clauseWhat } { $clauseIn }: { $share }, самое меньшее { $least } из { $sum }
    .text-2 = { $whole } даёт меньше, чем { $clauseNames } вместе, для { $clauseWhat } { $clauseIn }: { $share }, самое меньшее { $least } из { $sum }
    .text-3 = { $whole } даёт столько же, сколько { $clauseNames } вместе, лишь в { $n } из { $all } сочетаний ({ $clausePlaces }) для { $clauseWhat }: { $share }, самое меньшее { $least } из { $sum }
    .text-4 = даёт ли { $whole } столько же, сколько { $clauseNames } вместе, для { $clauseWhat }, по этим повторам сказать нельзя: { $clauseSums }: { $share }, самое меньшее { $least } из { $sum }
    .text-5 = { $whole } даёт столько же, сколько { $clauseNames } вместе, лишь в { $n } из { $all } сочетаний ({ $clausePlaces }) для { $clauseWhat }, { $clauseSums }: { $share }, самое меньшее { $least } из { $sum }
    .try-2 = измерьте их все в одном сочетании

## Conclusions of experiments: more parts of their sentences

clause-places-and-times = { $clausePlaces }: { $clauseTimes }
clause-in-none = ни в одном из { $n } сочетаний
clause-in-none-one = ни в одном из { $n } сочетания
clause-sum-open-all = неотличимо от суммы { $clauseIn }
clause-sum-open = неотличимо от суммы в { $n2 } из { $all } ({ $clauseD2 })
clause-sum-less-open = меньше в { $n1 } из { $all } ({ $clauseD1 }), неотличимо от суммы в { $n2 } из { $all } ({ $clauseD2 })
clause-sum-full-open = вся сумма в { $n1 } из { $all } ({ $clauseD1 }), неотличимо от суммы в { $n2 } из { $all } ({ $clauseD2 })
clause-in-all-of = во всех { $n } из { $all } ({ $clausePlaces })
clause-in-some-places = в { $n } из { $all } сочетаний ({ $clausePlaces })
clause-in-the-one-places = в единственном измеренном сочетании ({ $clausePlaces })
clause-and-so-many-more = { $clauseMore }; ещё { $figureCount }
clause-any-number-of-times = в любое число раз
clause-factor-times = { $figureTimes ->
    [one] { $factor } в { $figureTimes } раз
    [few] { $factor } в { $figureTimes } раза
    [many] { $factor } в { $figureTimes } раз
   *[other] { $factor } в { $figureTimes } раза
}
clause-factors-times = { $figureTimes ->
    [one] { $factor } в { $figureTimes } раз, { $clauseMore }
    [few] { $factor } в { $figureTimes } раза, { $clauseMore }
    [many] { $factor } в { $figureTimes } раз, { $clauseMore }
   *[other] { $factor } в { $figureTimes } раза, { $clauseMore }
}
clause-ahead-some = впереди в { $n } из { $all } ({ $clauseD1 })
clause-name-is-tally = { $clauseName } { $clauseTally }
clause-name-is-tally-more = { $clauseName } { $clauseTally }; { $clauseMore }
clause-one-against-other = { $one } против { $other }
clause-agree-within = { $one } и { $other } расходятся не более чем на { $share }
clause-agree-within-more = { $one } и { $other } расходятся не более чем на { $share }; { $clauseMore }
clause-share-of-limit = { $share } предела ({ $figure } из { $limit }, лучшее из { $n })
clause-share-of-limit-with = { $share } предела при { $place } ({ $figure } из { $limit }, лучшее из { $n })
clause-share-of-limit-and = { $share } предела при { $place } ({ $figure } из { $limit }, лучшее из { $n }) и { $clauseMore }
clause-share-of-limit-more = { $share } предела при { $place } ({ $figure } из { $limit }, лучшее из { $n }), { $clauseMore }
clause-reaches-how-far = { $name } в { $n } из { $all } сочетаний, в лучшем случае { $best }
clause-reaches-how-far-more = { $name } в { $n } из { $all } сочетаний, в лучшем случае { $best }, { $clauseMore }
clause-reaches-all = { $name } во всех { $n } из { $n } сочетаний, в лучшем случае { $best }
clause-reaches-all-more = { $name } во всех { $n } из { $n } сочетаний, в лучшем случае { $best }, { $clauseMore }
clause-reaches-the-one = { $name } в единственном измеренном сочетании, в лучшем случае { $best }
clause-reaches-the-one-more = { $name } в единственном измеренном сочетании, в лучшем случае { $best }, { $clauseMore }
clause-at-best = в { $n } из { $all } сочетаний, в лучшем случае { $best }
clause-at-best-all = во всех { $n } из { $n } сочетаний, в лучшем случае { $best }
clause-at-best-one = в единственном измеренном сочетании, в лучшем случае { $best }
clause-never-does = { $name } никогда не достигает { $clauseWith }
clause-with-best = при { $clauseNames } (лучшее { $best })
clause-do-not-the-best-being = { $clauseNames } не достигают, лучшее — { $best } ({ $clausePlace })
clause-does-not-the-best-being = { $name } не достигает, лучшее — { $best } ({ $clausePlace })
clause-the-best-is = лучшее — { $best } ({ $clausePlace })
clause-semicolon = { $clauseOne }; { $clauseThen }
clause-costs-at = { $name } — от { $low } до { $high } { $currency }
clause-costs-at-more = { $name } — от { $low } до { $high } { $currency }, { $clauseMore }
clause-a-unit-costs = { $unit } стоит: { $clauseCosts }
clause-costs-as-much-ahead = { $name } дороже { $clauseTimes } и впереди в { $n } из { $all }, самое большее { $clauseLead }
clause-costs-as-much-nowhere = { $name } дороже { $clauseTimes } и не впереди ни в одном из { $all }
clause-breach-between = { $place } между { $from } и { $to } (до { $rate } при { $size }, потеря { $share })
clause-breach-from-to = { $place } от { $from } до { $to } (до { $rate } при { $size }, потеря { $share })
clause-breach-up-to = { $place } до { $size } (до { $rate } при { $deepest }, потеря { $share }), хорошо с { $good }
clause-breach-bare-between = между { $from } и { $to } (до { $rate } при { $size }, потеря { $share })
clause-breach-bare-from-to = от { $from } до { $to } (до { $rate } при { $size }, потеря { $share })
clause-breach-bare-up-to = до { $size } (до { $rate } при { $deepest }, потеря { $share }), хорошо с { $good }
clause-in-all-these = всего: { $clausePlaces }
clause-saturates-surely = { $place }: { $size }, наверняка между { $least } и { $most }
clause-saturates-surely-bare = { $size }, наверняка между { $least } и { $most }
clause-and-so-many = и ещё { $n }

## Conclusions of experiments: what they rest on

report-at-place-from = { $place }: { $figure } ({ $source })
report-at-place-median-of = { $place }: { $figure } (медиана { $n }: { $source } и ещё { $more })
report-median-of-comparisons = { $factor }: медиана сравнений ({ $n }) { $clauseTimes }
report-dearer-a-unit = { $n } из { $all } сравнений дороже за единицу при любой из цен, { $cheaper } дешевле при любой, { $open } не решено
report-lost-at-size = { $place }: { $rate } при { $size }, потеря { $share } (от { $least } до { $most })
report-trial-number = испытание { $figureNumber }
sure-beyond-the-noise = сверх шума каждой точки по её повторам, с поправкой на все пары размеров
sure-beyond-the-noise-neighbours = сверх шума каждой точки по соседним точкам (повторов нет), с поправкой на все пары размеров
sure-no-later-size = ни один следующий размер не даёт более чем на 5 % больше; между какими размерами — по 95 % повторных выборок
report-mann-kendall = Манн — Кендалл: p = { $p } по { $n } значениям
report-standard-deviations-away = { $n ->
    [one] { $what }: { $n } стандартное отклонение от соседних
    [few] { $what }: { $n } стандартных отклонения от соседних
    [many] { $what }: { $n } стандартных отклонений от соседних
   *[other] { $what }: { $n } стандартного отклонения от соседних
}
report-robust-standard-deviation = робастное стандартное отклонение между блоками ({ $n }) по { $cells } ячеек

## Experiments: headings, notes, tables

report-experiment-extent = { $mustExtent }.
part-factor-count = { $figureCount } фактор
part-factors-count = { $figureCount ->
    [one] { $figureCount } фактор
    [few] { $figureCount } фактора
   *[many] { $figureCount } факторов
}
part-cell-count = { $figureCount } ячейка
part-cells-count = { $figureCount ->
    [one] { $figureCount } ячейка
    [few] { $figureCount } ячейки
   *[many] { $figureCount } ячеек
}
part-figure-count = { $figureCount } показатель
part-figures-count = { $figureCount ->
    [one] { $figureCount } показатель
    [few] { $figureCount } показателя
   *[many] { $figureCount } показателей
}
part-attempt-without = { $figureCount } попытка без результата
part-attempts-without = { $figureCount ->
    [one] { $figureCount } попытка без результата
    [few] { $figureCount } попытки без результата
   *[many] { $figureCount } попыток без результата
}
report-questions-answered = Вопросов { $figureCount }, ответы: { $mustAnswers }.
part-so-many-yes = да — { $figureCount }
part-so-many-no = нет — { $figureCount }
part-so-many-in-part = отчасти — { $figureCount }
part-so-many-not-known = неизвестно — { $figureCount }
report-experiment = Эксперимент
report-against-the-mean = Относительно { $mustMean }, каждый фактор отдельно; наблюдений { $figureCount }; { $mustNoise }. Член объясняет свою долю суммы квадратов всех членов.
report-against-the-mean-blocks = Относительно { $mustMean }, каждый фактор отдельно; наблюдений { $figureCount }, влияние блоков ({ $figureBlocks }) вычтено; { $mustNoise }. Член объясняет свою долю суммы квадратов всех членов.
part-the-geometric-mean = геометрического среднего всех уровней
part-the-mean = среднего всех уровней
report-against-the-geometric-mean = относительно геометрического среднего всех уровней
report-points-against-the-mean = пункты относительно среднего всех уровней
report-against-the-mean-of-levels = относительно среднего всех уровней
report-against-the-mean-of-levels-unit = относительно среднего всех уровней ({ $unit })
part-noise-from-repeats = шум по повторам, степеней свободы { $figureDegrees }
part-noise-from-the-rest = шум по тому, чего не объясняют эффекты двух факторов: повторов нет
part-noise-from-nothing = шум взять не из чего, поэтому нет ни интервала, ни p
report-looks-the-same = В этом плане { $term } неотличим от { $others }.
report-without-these-levels = Без { $levels }: они измерены слишком редко, чтобы разделить факторы.
report-weaker-terms = Более слабые члены ({ $figureCount }) опущены.
report-weaker-levels = Остальные уровни ({ $figureCount }) — в таблице.
report-what-each-level-does = Как каждый уровень влияет на { $what }
report-units-cannot-show = { $figureUnits } единиц не могут показать различия среди { $figurePairs } пар; нужно не менее { $figureLeast }.
report-one-figure-each = По одному показателю: насколько надёжен их порядок, неизвестно.
report-order-not-random = Порядок внутри блоков не был случайным: { $one } и { $other } всегда шли в одном порядке. То, что меняется внутри блока, засчитывается как различие; чтобы этого избежать, перемешайте порядок.
report-in-so-many-trials = в { $figureCount } из { $figureAll } испытаний, впервые в испытании { $figureFirst }: { $saidWhat }
report-cells-of-one-alone = Ячейки, которые есть только у одной из сторон и не сравниваются: { $first } — { $figureFirst }, { $second } — { $figureSecond }.
report-measured-one-after-the-other = Их измеряли одно за другим, а не поочерёдно: всё, что изменилось за это время, вошло в разницу.
report-what-costs-with-each = Сколько стоит { $what } при каждом { $factor }
report-a-level-does-not-pay = Уровень не окупается там, где другой заведомо дешевле и заведомо не хуже. Подсчитано по сочетаниям остальных факторов.
report-level-is-left-out = { $level } не учтён: { $saidWhy }.
report-the-run-lies-in = Прогон со всеми отсчётами лежит в { $folder }; целиком его запишет goodput export { $run } --format json.
report-some-of-all-sizes = Размеров { $figureKept } из { $figureAll }; в данных — все.
report-more-combinations-not-drawn = Остальные сочетания ({ $figureCount }) не нарисованы; они есть в таблице и данных.
report-a-line-for-each = Линия на каждое: { $names }.
report-reason-of-cell = [{ $number }] { $saidReason }
part-timed-out-after = истекло время: { $figureTime }
report-most = наибольшее
report-difference-in-points = { $figureDifference } п. п.
part-points = { $figureDifference } п. п.
part-between-points = от { $mustLeast } до { $mustMost }
report-every-host-the-same = Во всех испытаниях каждый хост был одной и той же машиной с теми же настройками.
report-factor-not-put-back = { $factor } не возвращён: { $cause }
report-the-probes-own-line = собственная строка пробы
report-the-lab-does = стенд: { $paths }
report-a-command-on = команда на { $host }: { $command }
report-by-hand = вручную: { $ask }
report-does-not-pay-than = не окупается: { $levels }
report-cannot-tell-why = нельзя сказать: { $saidReasons }
report-over-the-run-of = По ходу прогона: { $what }
report-place-in-the-run = место в прогоне
report-difference-from-the-median = отличие от медианы своей ячейки
report-interval-of-the-median-words = интервал медианы
report-no-figure-was-measured = Ни один показатель не измерен.
report-goodput-of-probe = полезная скорость { $bareProbe }
report-cpu-busy-of-probe = занятость CPU { $bareProbe }
report-cpu-busy-words = занятость CPU
clause-overtakes = { $winner } обгоняет { $loser } между { $before } ({ $loser } впереди { $clauseLead }) и { $after } ({ $winner } впереди { $clauseBy }) { $clauseIn }

## Parts of findings' sentences

part-relay-frames = кадров { $figureFrames }
part-relay-collisions = кадров { $figureFrames }, отложено { $figureDeferred }, коллизий { $figureCollisions } (кадров после одной { $figureOne }, после нескольких { $figureMore }, брошено { $figureUp })
part-relay-turns = кадров { $figureFrames }, отложено { $figureDeferred }, коллизий нет: станции чередовались
part-refused-by = { $figureCount } из-за { $mustWhy }
part-refused-by-more = { $figureCount } из-за { $mustWhy }, { $mustMore }
part-errno-untold = причины, которой sendmmsg не сообщает
part-errno-eperm = EPERM (фильтр пакетов этого хоста)
part-errno-emsgsize = EMSGSIZE (слишком длинна для пути)
part-errno-enetunreach = ENETUNREACH
part-errno-ehostunreach = EHOSTUNREACH
part-errno-enobufs = ENOBUFS (полная очередь на выходе)
part-errno-econnrefused = ECONNREFUSED (никто не слушал)
part-errno-other = errno { $figureErrno }
part-relay-frames-carried = кадров { $figureFrames }, в линии { $figureRate } из { $figureAsked }
part-relay-frames-together = кадров { $figureFrames }, в линиях всех хостов вместе { $figureRate }
part-relay-collisions-carried = кадров { $figureFrames }, отложено { $figureDeferred }, коллизий { $figureCollisions } (кадров после одной { $figureOne }, после нескольких { $figureMore }, брошено { $figureUp }), в линии { $figureRate } из { $figureAsked }
part-relay-collisions-together = кадров { $figureFrames }, отложено { $figureDeferred }, коллизий { $figureCollisions } (кадров после одной { $figureOne }, после нескольких { $figureMore }, брошено { $figureUp }), в линиях всех хостов вместе { $figureRate }
part-relay-turns-carried = кадров { $figureFrames }, отложено { $figureDeferred }, коллизий нет: станции чередовались, в линии { $figureRate } из { $figureAsked }
part-relay-turns-together = кадров { $figureFrames }, отложено { $figureDeferred }, коллизий нет: станции чередовались, в линиях всех хостов вместе { $figureRate }
