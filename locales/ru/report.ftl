### What the Rust code writes in reports and on the page. The messages stand in the order of ../en/report.ftl.

## Lists

list = { $items }
list-colon = { $what }: { $why }
list-semicolon = { $first }; { $then }
list-sentences = { $first } { $then }

## Titles of parts

report-conclusions = Выводы
report-requirements = Требования
report-results = Результаты
report-what-each-trial-came-to = Результат каждого испытания
report-what-differs-and-by-how-much = Что различается и насколько
report-over-the-run = По ходу прогона
report-prices = Цены
report-where-it-was-measured = Где измерялось
report-the-data = Данные
report-what-changed = Что изменилось
report-what-differs-between-the-hosts = Чем различаются хосты
report-how-it-was-measured = Как измерялось
report-about-this-run = Об этом прогоне
report-error = Ошибка
report-findings = Замечания
report-message-sizes-pingpong = Размеры сообщений (pingpong)
report-bulk-tcp-stream = Потоковая передача TCP (stream)
report-request-and-response-request = Запрос и ответ (request)
report-path-mtu-mtu = MTU пути (mtu)
report-clock-title = Сдвиг и дрейф часов (clock)
report-clock-table = Часы принимающего узла минус часы подключающегося
report-clock-constant-drift = постоянный дрейф объясняет все отсчёты
report-clock-least-round-trip = наименьшее время оборота
report-clock-exchanges = обменов на отсчёт
report-clock-error-bound = граница ошибки
report-clock-not-constant = нет: часы переводили или меняли их ход
report-udp-datagrams-datagram = Датаграммы UDP (datagram)
report-latency-idle-latency = Задержка без нагрузки (latency)
report-latency-under-load-latency = Задержка под нагрузкой (latency)
report-one-server-many-clients-load = Один сервер, много клиентов (load)
report-files-file = Файлы (file)

## Titles of tables

report-ranks = Ранги
report-hosts = Хосты
report-factors = Факторы
report-what-was-read-back = Что прочитано обратно
report-what-the-hosts-are = Что представляют собой хосты
report-what-changed-on-the-hosts-between = Что изменилось на хостах между испытаниями
report-run = Прогон
report-settings = Настройки
report-socket-options-asked-and-obtained = Параметры сокетов: запрошено и получено
report-both-ends = Обе стороны
report-places = Места
report-agents = Агенты
report-counted-over-the-window = Подсчитано за окно
report-where-the-datagrams-went-whole-trial = Куда делись датаграммы (всё испытание)
report-each-direction-in-the-window = Каждое направление (за окно)
report-trials-of-the-search = Испытания поиска
report-copies-mb-s-of-payload-the = Копирование: MB/s полезных данных, медианы испытаний
report-operations = Операции
report-where-an-operation-s-time-goes = На что уходит время операции
report-drive-mark-mb-s-of-10 = Тест накопителя: MB/s по 10^6 байт
report-operations-a-second-and-the-time = Операций в секунду и время одной (медианы испытаний)
report-one-operation-at-a-time-fixed = По одной операции: постоянное время и скорость её байтов
report-what-the-copies-used = Что использовало копирование
report-cpu-over-the-window = CPU за окно
report-what-both-ends-are = Что представляют собой обе стороны
report-what-the-server-is = Что представляет собой сервер
report-latency-idle-and-under-load = Задержка без нагрузки и под нагрузкой
report-media = Среды передачи
report-load-mbit-s-each-way-and = Нагрузка: Mbit/s в каждую сторону и цена для сервера
report-clients = Клиенты
report-clients-over-all-points = Клиенты по всем точкам
report-where-more-gains-nothing = Где прибавка уже ничего не даёт
report-the-server-s-adapter = Адаптер сервера
report-path-mtu-whole-ip-packets = MTU пути, целые пакеты IP
report-header-sums = Арифметика заголовков
report-transactions = Транзакции
report-runs = Прогоны
report-each-direction = Каждое направление
report-message-sizes = Размеры сообщений
report-derived-from-the-sweep = Выведено из развёртки
report-what-both-runs-measured = Что измерили оба прогона
report-not-as-asked = Не так, как запрошено
report-what-each-factor-does-to-what = Как каждый фактор влияет на { $what }
report-where-what-holds-and-where-not = Где выполняется { $what }, а где нет
report-the-mix-name-at-at = Смесь { $name } при { $at }

## Titles of figures

report-throughput-over-message-size-way = Скорость в зависимости от размера сообщения, { $way }
report-half-round-trip-over-message-size = Половина времени оборота в зависимости от размера сообщения, { $way }
report-time-over-message-size-way = Время в зависимости от размера сообщения, { $way }
report-signature-throughput-over-transfer-time-way = Сигнатура: скорость от времени передачи, { $way }
report-saturation-message-size-over-transfer-time = Насыщение: размер сообщения от времени передачи, { $way }
report-latency-over-time-way = Задержка во времени, { $way }
report-latency-distribution-way = Распределение задержки, { $way }
report-goodput-over-time-way = Полезная скорость во времени, { $way }
report-goodput-mbit-s = полезная скорость (Mbit/s)
report-message-size = размер сообщения
report-each-step-is-the-mean-of = Каждая ступень — среднее за промежуток { $time }.

## Columns

report-n95-interval = 95 % дов. интервал
report-n95-interval-of-the-most = 95 % доверительный интервал наибольшего
report-n95-sure = с уверенностью 95 %
report-p-e = P/E
report-a-second = в секунду
report-accepted = принято
report-added-at-p50 = прибавка на p50
report-added-at-p99 = прибавка на p99
report-address = адрес
report-asked = запрошено
report-at = при
report-began-after = начало с опозданием
report-best = лучшее
report-blocks = блоки
report-cannot-be-told-from = неотличим от
report-cannot-tell = нельзя сказать
report-change = изменение
report-client = клиент
report-client-cpu = CPU клиента
report-clients-2 = клиенты
report-clock-known-to = точность часов
report-clock-offset = смещение часов
report-combination = сочетание
report-computed = вычислено
report-connections = соединения
report-connects-s = соединений/с
report-copy = копирование
report-count = число
report-curve = кривая
report-decided-at = решает
report-device = устройство
report-direction = направление
report-disk = диск
report-does-not-pay = не окупается
report-duplex = дуплекс
report-durable = надёжно записано
report-each-more-costs = цена каждого следующего
report-encrypted = шифрование
report-ended-before = конец раньше на
report-ends = стороны
report-explains = объясняет
report-fact = факт
report-factor = фактор
report-failed-as-expected = ожидаемые отказы
report-fails = не проходит
report-farthest-from-an-edge = дальше всего от края
report-farthest-row = самая далёкая строка
report-figure = показатель
report-file-system = файловая система
report-first-run = первый прогон
report-second-run = второй прогон
report-fixed = постоянная часть
report-goodput = полезная скорость
report-groups = группы
report-host = хост
report-hosts-2 = хосты
report-is = есть
report-kernel = ядро
report-known-to = известно с точностью
report-labels = метки
report-largest-tcp-segment = наибольший сегмент TCP
report-largest-request = наибольший запрос
report-least = наименьшее
report-least-at = наименьшее при
report-most-at = наибольшее при
report-least-of-an-equal-share = наименьшая доля от равной
report-most-of-an-equal-share = наибольшая доля от равной
report-level = уровень
report-levels = уровни
report-limit = предел
report-load = нагрузка
report-logical-cpus = логические CPU
report-lost = потеряно
report-measurement = измерение
report-median = медиана
report-medium = среда
report-mix = смесь
report-mount-options = параметры монтирования
report-name = имя
report-not-in-the-result = не вошло в результат
report-notes = примечания
report-of-limit = от предела
report-of-the-rate = от скорости
report-operation = операция
report-operations-s = операций/с
report-over-the-share = через сеть
report-own-interface = свой интерфейс
report-packets = пакеты
report-packets-a-second = пакетов в секунду
report-passes = проходит
report-payload = полезные данные
report-pays = окупается
report-place = место
report-players = участники
report-points = точки
report-price = цена
report-probe = проба
report-protocol = протокол
report-put-in-place-by = чем установлено
report-rank = ранг
report-rate = скорость
report-read-iops = IOPS чтения
report-write-iops = IOPS записи
report-read-back = прочитано обратно
report-read-best = чтение, лучшее
report-write-best = запись, лучшее
report-receive = приём
report-receive-mbit-s = приём, Mbit/s
report-transmit = передача
report-transmit-mbit-s = передача, Mbit/s
report-received = принято получателем
report-sent = отправлено
report-repeats = повторы
report-requests = запросы
report-requests-s = запросов/с
report-requirement = требование
report-resource = ресурс
report-result = результат
report-role = роль
report-round-trip = время оборота
report-row = строка
report-run-2 = прогон
report-saturated-from = насыщение с
report-server-cpu = CPU сервера
report-service = обслуживание
report-setting = настройка
report-signed = подпись
report-size = размер
report-skew = перекос
report-overlap = общая часть
report-overlap-rate = скорость в общей части
report-started = начало
report-state = состояние
report-sum = сумма
report-time = время
report-traffic = трафик
report-trial = испытание
report-trials = испытания
report-unexpected = неожиданные
report-user-bytes = байты данных
report-value = значение
report-values = значения
report-verdict = вердикт
report-version = версия
report-what-it-is = что это
report-whole = целиком
report-why-nothing-larger = почему не больше
report-window = окно
report-wire = линия
report-worked-on-by = кем обработано
report-worst = худшее

## Rows

report-user-data-in-the-window = данные за окно
report-with-warm-up-and-drain = вместе с прогревом и досылкой остатка
report-bytes-a-write = байт за запись
report-bytes-a-read = байт за чтение
report-segments-a-message = сегментов на сообщение
report-sent-again = отправлено повторно
report-round-trip-smoothed = время оборота, сглаженное
report-round-trip-least = время оборота, наименьшее
report-transfer-time-sender = Время передачи по часам отправителя
report-transfer-rate-sender = Скорость передачи по часам отправителя
report-held-back-by-receiver-s-window = ожидание окна получателя
report-held-back-by-send-buffer = ожидание буфера отправки
report-transfer-time-ratio = отношение времени передачи
report-tcp-efficiency = эффективность TCP
report-buffer-delay = задержка в буферах
report-busy = занятость
report-busiest-cpu = самый занятый CPU
report-user-sampled = пользователь, по выборке
report-system-sampled = система, по выборке
report-softirq-sampled = softirq, по выборке
report-unattributed = не отнесено
report-stolen-by-hypervisor = отнято гипервизором
report-waiting-for-disk = ожидание диска
report-measuring-threads-of-one-cpu = измеряющие потоки, от одного CPU
report-measuring-threads-of-host-of-one = измеряющие потоки { $host }, от одного CPU
report-command = команда
report-program = программа
report-seed = начальное число
report-result-form = форма результата
report-label-name = метка { $name }
report-message = сообщение
report-stops = остановка
report-warm-up-not-counted = прогрев, не учитывается
report-interval-of-samples = интервал между отсчётами
report-sent-by = способ отправки
report-received-by = способ приёма
report-connections-each-way = соединений в каждую сторону
report-added-cpu-time-sender = добавленное время CPU, отправитель
report-added-cpu-time-receiver = добавленное время CPU, получатель
report-congestion-control = управление перегрузкой
report-send-buffer = буфер отправки
report-receive-buffer = буфер приёма
report-segment-size-mss = размер сегмента (MSS)
report-tcp-timestamps = метки времени TCP
report-tcp-window-scaling = масштабирование окна TCP
report-tcp-selective-acks = выборочные подтверждения TCP
report-tcp-ecn = TCP ECN
report-host-name = имя хоста
report-option = параметр
report-host-connects = { $host } (подключается)
report-host-listens = { $host } (слушает)
report-both-ends-one-kernel = обе стороны, одно ядро
report-host-sends = { $host } передаёт
report-host-receives = { $host } принимает

## Words in cells

report-not-available = недоступно
report-not-measured = не измерено
report-met = выполнено
report-not-met = не выполнено
report-failed = сбой
report-broke-off = прервано
report-better = лучше
report-worse = хуже
report-none-shown = не обнаружено
report-any-other = любого другого
report-yes = да
report-no = нет
report-in-part = отчасти
report-not-known = неизвестно

## Sentences

report-no-runs-yet = Прогонов пока нет.
report-way-nothing-was-measured-cause = { $way }: ничего не измерено: { $cause }.
report-way-broke-off-cause = { $way }: прервано: { $cause }.
report-way-nothing-was-counted = { $way }: ничего не подсчитано.
report-no-limit-known = Предел неизвестен.
report-cpu-no-figure = CPU: нет показателя.
report-in-per-cent-of-all-logical = В процентах от всех логических CPU, если не сказано иначе; отнятое и ожидание в занятость не входят.
report-of-each-end-s-first-connection = Для первого соединения каждой стороны. Буфер — то, что может заполнить приложение.
report-compared-within-blocks-mean-over-them = Сравнение внутри блоков, среднее по ним, тест с переменой знаков; p с поправкой Холма по ячейкам каждого показателя; различие действительно при { $alpha } и меньше.
report-over-all-combinations-of-the-other = По всем сочетаниям остальных факторов. Ранг на единицу больше числа заведомо лучших уровней; второе число — худший возможный ранг.
report-what-the-data-say-besides = Что ещё говорят данные:
report-to-be-known-of-the-measurement = Что надо знать об измерении:
report-all-count-requirements-are-met = Выполнены все требования ({ $count }).
report-one-value-nothing-is-known-of = Одно значение: о разбросе ничего не известно.
report-the-question-is-answered-saidanswer = Ответ на вопрос: { $answer }.
report-the-requirement-is-met = Требование выполнено.
report-how-sure-saidsure = Насколько уверенно: { $sure }.
report-unless-something-else-is-said-how = Насколько уверенно, если не сказано иное: { $sure }.
report-goodput-is-user-data-that-the = Полезная скорость — это данные, которые получатель подсчитал внутри окна, каждый байт один раз, делённые на длину окна. Половина времени оборота — не задержка в одну сторону. Скорости десятичные (1 Mbit/s = 1 000 000 bit/s), размеры двоичные (1 KiB = 1024 байта).

## Figures

report-latency-by-operation = Задержка по операциям
report-copies = Копирование
report-drive-mark = Тест накопителя
report-latency-of-the-drive-mark = Задержка теста накопителя
report-traffic-2 = Трафик
report-traffic-through-the-server = трафик через сервер
report-server-cpu-2 = CPU сервера
report-server-cpu-busy = занятость CPU сервера
report-p-e-index = индекс P/E
report-p-e-index-mbit-s-for = индекс P/E (Mbit/s на каждый процент CPU)
report-latency-p99 = Задержка (p99)
report-payload-2 = Полезные данные
report-median-latency = медиана задержки
report-n99-within = 99 % не дольше
report-least-to-most = от наименьшего до наибольшего
report-time-since-the-window-opened = время от начала окна
report-request-size = размер запроса
report-the-number-of-clients = число клиентов
report-until-accepted = до приёма
report-n95-interval-of-the-median = 95-процентный доверительный интервал медианы
report-name-mean-rate = { $name }, среднее { $rate }
report-each-step-joins-n-intervals-the = Каждая ступень объединяет промежутки ({ $n }); полоса показывает наименьший и наибольший из них.
report-latency-counts-from-the-intended-send = Задержка считается от намеченного времени отправки.
report-each-point-is-the-median-of = Каждая точка — медиана проб ({ $n }); полоса показывает наименьшее и наибольшее.
report-n-lost-probes-are-not-in = Потерянных проб ({ $n }) на графике нет.
report-netpipe-s-schedule-best-loop-of = Порядок NetPIPE: лучший цикл каждого размера.
report-one-way-only-timed-by-the = Только в одну сторону, время измеряет получатель.
report-both-ends-send-at-once-the = Обе стороны передают одновременно; время — весь обмен.
report-the-wire-allows-rate = Линия допускает { $rate }.
report-the-vertical-axis-does-not-begin = Вертикальная ось начинается не с нуля.
report-history = История
report-history-of-what = История: { $what }
report-each-run = каждый прогон
report-runs-without-a-figure = прогоны без показателя
report-median-between-changes = медиана между изменениями
report-runs-the-newest-first = Прогоны, сначала новые
report-it-has-not-been-measured-yet = Это ещё не измерялось.
report-the-only-run-has-no-figure = У единственного прогона нет показателя.

## Parts of a page

report-other-trials = Прочие испытания
report-this-run-holds-no-result = В этом прогоне нет результата.
report-trial-number-saidtitle = Испытание { $number }: { $title }
report-not-as-asked-line = Не так, как запрошено: { $line }.
report-comparison = Сравнение
report-nothing-to-compare = Нечего сравнивать
report-a-comparison-needs-two-runs = Для сравнения нужны два прогона.
report-to-be-known-of-the-runs = Что надо знать о прогонах
report-over-each-other = Друг на друге
report-what-differs-in-the-settings = Чем различаются настройки
report-settings-of-probe = Настройки { $probe }
report-of-several-trials-with-the-same = Из нескольких испытаний с одинаковыми настройками нарисовано первое в каждом прогоне.
report-the-machines = Машины
report-windows-and-clocks = Окна и часы
report-in-the-order-in-which-they = В порядке измерения: наклон или ступень — свойство самих машин.
report-it-did-not-end-within-its = не закончилось в отведённое время
report-no-measurement-has-the-same-settings = Ни одно измерение не имеет одинаковых настроек в обоих прогонах.
report-how-fine-the-set-up-measures = Разрешение этой установки
report-equal-trials = равных испытаний
report-deviation = отклонение
report-beside-a-neighbour = рядом с соседним
report-found-with-blocks = находится при { $blocks } блоках
report-blocks-for-a-change = блоков для { $share }
report-resolution-note = Изменение такой величины находят 95 из 100 экспериментов с таким числом блоков; в блоке обе стороны по разу, в случайном порядке. Найдено розыгрышем экспериментов по этим испытаниям (docs/methods/resolution.md).
report-settings-of-one-run = Настройки, с которыми измерял только один из двух прогонов и которые не сравниваются: в первом { $first }, во втором { $second }.
report-what-was-measured = Что измерялось
report-no-change-shown = изменение не обнаружено
report-half-round-trip = половина времени оборота
report-the-first-run = первый прогон
report-the-second-run = второй прогон
report-not-reported = не сообщено
report-nothing-differs = Различий нет.
report-one-of-the-runs-holds-no = В одном из прогонов нет записи об этой стороне.
report-interfaces = Интерфейсы
report-this-host = Этот хост
report-kernel-settings = Настройки ядра
report-interface-name = Интерфейс { $name }
report-probes = Пробы

## Settings

report-message-sizes-2 = размеры сообщений
report-stops-when = остановка, когда
report-seed-of-the-order = начальное число порядка
report-there-and-back-the-time-is = туда и обратно; время — половина оборота
report-one-way-timed-by-the-receiver = в одну сторону, время измеряет получатель
report-both-ways-at-once-the-time = в обе стороны сразу; время — весь обмен
report-new-connection-for-each-loop = новое соединение для каждого цикла
report-cold-caches = холодные кэши
report-every-byte-checked = проверяется каждый байт
report-the-connecting-end-sends = передаёт подключающаяся сторона
report-the-connecting-end-receives = принимает подключающаяся сторона
report-both-at-once-on-separate-connections = обе сразу, по отдельным соединениям
report-both-at-once-on-separate-sockets = обе сразу, по отдельным сокетам
report-as-many-as-the-kernel-takes = сколько примет ядро
report-request-and-response = запрос и ответ
report-ends-wait = как ждут стороны
report-asleep-in-the-kernel = сном в ядре, без занятия CPU
report-spinning-costs-a-cpu-at-each = активным ожиданием; занимает по CPU на каждой стороне
report-flows-each-way = потоков в каждую сторону
report-payload-of-a-datagram = полезные данные датаграммы
report-datagrams-and-calls = датаграммы и вызовы
report-one-system-call-a-datagram = один системный вызов на датаграмму
report-largest-tried = наибольшее испробованное
report-wait-for-an-answer = ожидание ответа
report-search-ends-after = поиск кончается через
report-no-delay = no-delay
report-requests-in-flight = запросов в пути
report-a-new-connection = новое соединение
report-request-sizes = размеры запросов
report-numbers-of-clients = числа клиентов
report-mixes-of-sizes = смеси размеров
report-other-end = другая сторона
report-under-way-at-once = одновременно в работе
report-disk-accesses = обращений к диску на каждый блок
report-one-after-another = одна за другой
report-queue-and-threads = очередь и потоки
report-asked-to-be-durable = запрос надёжной записи
report-once-after-the-last-write = один раз, после последней записи
report-after-every-write = после каждой записи
report-with-this-host-s-caches = с кэшами этого хоста
report-native-median-of-batch-medians-with = native: медиана медиан серий с её 95-процентным доверительным интервалом

## More rows

report-dropped-on-receiving = отброшено при приёме
report-missed-by-the-adapter = пропущено адаптером
report-dropped-on-sending = отброшено при передаче
report-errors-on-receiving = ошибки приёма
report-errors-on-sending = ошибки передачи
report-dropped-by-the-queue = отброшено очередью
report-pause-frames-received = принято кадров PAUSE
report-pause-frames-sent = отправлено кадров PAUSE
report-tcp-segments-sent-again = сегментов TCP отправлено повторно
report-tcp-timeouts = тайм-ауты TCP
report-udp-datagrams-not-delivered = недоставленных датаграмм UDP
report-udp-receive-buffer-full = буфер приёма UDP полон
report-udp-send-buffer-full = буфер отправки UDP полон
report-listening-queue-full = очередь ожидания полна
report-interface-packets-received = { $interface }: принято пакетов
report-interface-packets-sent = { $interface }: отправлено пакетов
report-cpu-backlog-dropped = очередь CPU: отброшено
report-cpu-backlog-budget-used-up = очередь CPU: бюджет исчерпан
report-task-switches = переключений задач
report-kernel-messages = сообщения ядра
report-refused-at-the-sender = отвергнуто у отправителя
report-received-each-once = принято, каждая один раз
report-received-copies-among-them = принято, включая копии
report-lost-at-the-receiver-s-socket = потеряно у сокета получателя
report-lost-in-the-receiving-host-below = потеряно в принимающем хосте ниже сокета
report-lost-on-the-path-the-remainder = потеряно в пути (остаток)
report-sent-and-not-received = отправлено и не принято
report-out-of-order = не по порядку
report-of-another-form = иного вида
report-user-data = полезные данные пользователя
report-jitter-rfc-3550 = джиттер (RFC 3550)
report-delay-variation-median = колебание задержки, медиана
report-delay-variation-99-within = колебание задержки, 99 % не больше
report-delay-variation-most = колебание задержки, наибольшее
report-datagrams-a-sending-call = датаграмм на вызов отправки
report-datagrams-a-receiving-call = датаграмм на вызов приёма
report-sent-more-than-1-ms-late = отправлено с опозданием более 1 ms
report-rates-are-payload-in-each-direction = Скорости — полезные данные в каждом направлении.
report-drops-at-the-receiver-s-socket = Отброшенное у сокета получателя не считалось: оно входит в показатель пути.
report-transactions-a-second = транзакций в секунду
report-latency-worst = задержка, худшая
report-latency-share-within = задержка, { $share } не дольше
report-of-its-quota = от своей квоты
report-transfer-time-ratio-2 = Отношение времени передачи
report-buffer-delay-2 = Задержка в буферах
report-what-is-not-available-why = { $what }: недоступно: { $why }.
report-latency-time-of-the-smallest-message = задержка: время наименьшего сообщения
report-best-goodput-of-any-size = лучшая полезная скорость среди всех размеров
report-half-of-the-best-is-reached = половина лучшего достигается при (n½)
report-larger-messages-gain-little-from-saturation = больше этого прибавки почти нет (насыщение)
report-cap-reached = достигнут предел времени
report-largest-payload-of-icmp-echo = наибольшие данные эха ICMP
report-largest-udp-payload = наибольшие данные UDP
report-boot-id = идентификатор загрузки
report-cpus-online = включённые CPU
report-clock-source = источник времени
report-frequency-governor = регулятор частоты
report-frequency-driver = драйвер частоты
report-isolated-cpus = изолированные CPU
report-network-namespace = сетевое пространство имён
report-hash-of-this-record = хеш этой записи
report-flow-control = управление потоком
report-offloads-on = включённые ускорения
report-offloads-off = выключенные ускорения
report-transmit-queue-length = длина очереди передачи
report-kernel-build = сборка ядра

## Parts that are put together: lists, figures, whole results. A part named must… has to be found itself

part-figure = { $figure }
part-from-to = от { $least } до { $most }
part-figure-in-brackets = { $count } ({ $share })
report-from-to = от { $least } до { $most }
report-way-result = { $way }: { $result }.
report-way-broke-off-until-then = { $way }: прервано: { $cause }; до того: { $result }.
part-way-figure = { $way } { $figure }
part-with-parts = { $what } ({ $parts })
part-on-connections = { $what }, соединений в каждую сторону: { $count }
part-with-interval = { $what } (с уверенностью 95 % от { $low } до { $high })
part-smallest-size = { $what } (наименьший измеренный размер)
part-smallest-number = { $what } (наименьшее измеренное число)
part-receive-coalescing = объединение приёма: ожидание { $time } после короткого чтения, вернувшегося сразу
report-short-aborted = { $result } (прервано)
part-rate-over = { $rate } полезных данных за { $time }
part-rate-over-requests = { $rate } полезных данных за { $time } запросами по { $size }
part-rate-over-mix = { $rate } полезных данных за { $time } смесью { $name }
part-rate-over-on-sender = { $rate } полезных данных за { $time } по часам отправителя
part-moved-in = { $volume } полезных данных за { $time }
part-gives-no-rate = скорости из этого не получить
part-share-of-what-allows = { $share } от того, что допускает { $medium }
part-share-of-the-limit = { $share } от предела
part-transmit = { $rate } на передачу
part-receive = { $rate } на приём
part-requests-a-second = запросов в секунду: { $rate }
part-answered-within = 99 % ответов не позже { $time }
part-shared-window = общая для всех клиентов часть окна { $share }
part-shared-window-rate = общая для всех клиентов часть окна { $share }, { $rate } с { $from } до { $to }
part-sent-by = отправка: { $how }
part-sent-and-received-by = отправка: { $how }, приём: { $other }
part-received-by = приём: { $how }
part-one-write-a-message = одна запись на сообщение
part-writev-of = { $count ->
    [one] writev по { $count } сообщению
    [few] writev по { $count } сообщения
   *[many] writev по { $count } сообщений
}
part-sendfile = sendfile
part-zero-copy = без копирования (MSG_ZEROCOPY)
part-one-call-each = один вызов на датаграмму
part-one-system-call-each = по одному системному вызову на каждую
part-sendmmsg = sendmmsg
part-recvmmsg = recvmmsg
part-udp-segment = UDP_SEGMENT
part-udp-gro = UDP_GRO
part-datagrams-a-second = датаграмм в секунду: { $rate } по { $size }
part-none-lost = из { $all } ни одной не потеряно
part-so-many-lost = потеряно { $count } из { $all }
part-so-many-lost-where = потеряно { $count } из { $all }: { $places }
part-sent-and-not-received = отправлено и не принято: { $count } из { $all }
part-more-received-than-sent = принято на { $count } больше, чем { $all } отправленных
part-losses-not-known = потери неизвестны
part-at-place-path = в пути: { $count }
part-at-place-path-or-host = в пути или в принимающем хосте: { $count }
part-at-place-path-or-receiver = в пути или у получателя: { $count }
part-at-place-socket = у сокета получателя: { $count }
part-at-place-host = в принимающем хосте: { $count }
part-refused-at-the-sender = отвергнуто у отправителя: { $count }
part-copies-count = копий: { $count }
part-out-of-order = не по порядку: { $count }
part-tcp-transactions = транзакций TCP в секунду: { $rate }
part-udp-transactions = транзакций UDP в секунду: { $rate }
part-new-connection-each = каждая в новом соединении
part-one-at-a-time = по одной
part-many-at-a-time = по { $count } сразу
part-asked-on-schedule = по расписанию запрошено { $rate }
part-over-time = за { $time }
part-median = медиана { $time }
part-within-99 = 99 % не дольше { $time }
part-worst = худшее { $time }
part-half-round-trip-of = { $time } — половина времени оборота { $size }
part-time-of-a-message-of = { $time } на сообщение { $size }
part-time-of-an-exchange-of = { $time } на обмен { $size } в обе стороны
part-best-at = лучшее { $rate } при { $size }
part-half-of-the-best-from = половина лучшего начиная с { $size }
part-no-probe-answered = ни на одну пробу не ответили
part-none-of-probes-lost = { $all ->
    [one] из { $all } пробы ни одна не потеряна
   *[many] из { $all } проб ни одна не потеряна
    }
part-so-many-probes-lost = потеряно проб: { $count } из { $all } ({ $share })
part-packets-pass-both-ways = пакеты { $size } проходят в обе стороны ({ $why })
part-largest-packet-by-echo = наибольший пакет { $size } ({ $why }), по эху ICMP
part-told-too-big = { $by } сообщил «слишком велик», пропускает { $size }
part-told-too-big-without-size = { $by } сообщил «слишком велик» без размера
part-black-hole-silence = чёрная дыра: выше этого размера тишина
part-own-interface = свой интерфейс, { $size }
part-nothing-larger-tried = больше не пробовали
part-not-settled = не установлено: { $why }
part-written-accepted-durable = записано { $length }, принято через { $after } ({ $accepted }), надёжно записано через { $whole } ({ $durable })
part-written-in = записано { $length } за { $time }: { $rate }
part-read-in = прочитано { $length } за { $time }: { $rate }
part-row-writes = запись { $name }: { $rate }
part-row-reads = чтение { $name }: { $rate }
part-iops-over = { $rate } IOPS за { $time }
part-mix-by = смесь { $name }, { $players }: { $rate }
part-operations-a-second-over = операций в секунду: { $rate } за { $time }
part-clients-between = клиентов от { $least } до { $most }
part-made-the-workspace = создана рабочая папка { $name }
part-made-the-workspace-with = создана рабочая папка { $name } и в ней файл { $length }
part-removed-the-workspace = удалена рабочая папка { $name }

## The limit and the CPU in a sentence

report-limit-on = Предел: { $rate } на { $medium }: { $reason }.
report-limit-bare = Предел: { $rate }: { $reason }.
report-no-limit-known-why = Предел неизвестен: { $reason }.
part-bytes-are-user-data = { $user } из { $wire } байт на линии — данные пользователя
part-no-real-medium = между этими хостами не известна настоящая среда
part-latency-not-a-rate = транзакцию ограничивает задержка, а не скорость
part-a-size-is-no-rate = размер — не скорость
part-nothing-but-probes-was-sent = кроме проб, ничего не отправлялось
report-cpu = CPU: { $cpu }.
report-cpu-no-figure-of-the-server = CPU: нет показателя сервера.
part-cpus-busy = занято { $busy } от { $count } CPU
part-cpu-busy = занято { $busy } от 1 CPU
part-host-cpus-busy = { $host }: занято { $busy } от { $count } CPU
part-host-cpu-busy = { $host }: занято { $busy } от 1 CPU
part-host-cpus-busy-pinned = { $host }: занято { $busy } от { $count } CPU (привязан)
part-host-cpu-busy-pinned = { $host }: занято { $busy } от 1 CPU (привязан)
part-work-of-all-hosts = работа всех хостов его ядра
part-both-ends-one-kernel = обе стороны на одном ядре: один показатель CPU на двоих
part-cpu-per-kib-both = { $time } CPU на KiB (обе стороны)
part-cpu-per-kib-at = { $time } CPU на KiB у { $host }
part-cpu-per-kib = { $time } CPU на KiB
part-cpu-per-request = { $time } CPU на запрос
part-cpu-per-datagram-both = { $time } CPU на датаграмму (обе стороны)
part-cpu-per-datagram-at = { $time } CPU на датаграмму у { $host }
part-cpu-per-transaction-both = { $time } CPU на транзакцию (обе стороны)
part-cpu-per-transaction-at = { $time } CPU на транзакцию у { $host }
part-pe-index = индекс P/E { $index }
part-pe-index-both = индекс P/E { $index } (обе стороны)
part-pe-index-at = индекс P/E { $index } у { $host }
part-no-pe-index = ниже 2 % занятости индекса P/E нет
part-clients-busy = занятость клиентов от { $least } до { $most }

## What a writer of pages says itself

report-word-note = примечание
report-word-warning = предупреждение
report-word-error = ошибка
report-what-it-rests-on = На чём это основано
report-and-more = и ещё { $count }
report-when-program-run = { $when }, goodput { $version }, прогон { $run }
report-side-when-command = { $side }: { $when }, { $command } (прогон { $run })
report-source = Источник: { $source }
report-side-against = { $second } против { $first }
report-title-side-against = { $title }, { $second } против { $first }
report-program-format = goodput { $version }, формат прогона { $format }

## Places beside what they speak of

report-more-trials-have-no-section = У остальных испытаний ({ $count }) нет своего раздела: их показатели — в таблице выше, их отсчёты — в прогоне.

## Sentences of a search, a load, files

report-highest-rate-confirmed = Наибольшая скорость { $allowed }: { $rate } полезных данных, { $datagrams }, подтверждено за { $time }; { $tooMuch } — уже слишком много.
report-highest-rate-none-higher = Наибольшая скорость { $allowed }: { $rate } полезных данных, { $datagrams }, подтверждено за { $time }; большей скорости не просили.
report-search-held-back = Сдержано у отправителя: он отправил { $rate } полезных данных, { $datagrams }, и путь принял это { $allowed } за { $time }; сколько путь примет сверх того, неизвестно.
report-search-held-back-refused = Сдержано у отправителя, чья система отвергла датаграмм: { $count }; он отправил { $rate } полезных данных, { $datagrams }, и путь принял это { $allowed } за { $time }; сколько путь примет сверх того, неизвестно.
report-search-not-confirmed = Ни одна скорость { $allowed } не подтверждена: { $rate } полезных данных, { $datagrams } прошли короткое испытание; последнее испытание потеряло { $lost }.
report-search-loss-everywhere = Скорость { $allowed } не найдена: { $lost } потеряно даже при { $rate } полезных данных, { $datagrams }.
report-search-no-answer = { $trials ->
    [one] Поиск наибольшей скорости { $allowed } закончился без ответа после { $trials } испытания.
   *[other] Поиск наибольшей скорости { $allowed } закончился без ответа после { $trials } испытаний.
}
part-without-loss = без потерь
part-with-at-most-lost = с потерей не более { $lost }
report-server-with-clients = { $server }, { $clients }: { $points }.
part-points-best = { $count ->
    [one] { $count } точка, лучшее { $rate } ({ $point })
    [few] { $count } точки, лучшее { $rate } ({ $point })
   *[many] { $count } точек, лучшее { $rate } ({ $point })
}
part-points-nothing = { $count ->
    [one] { $count } точка, ничего не подсчитано
    [few] { $count } точки, ничего не подсчитано
   *[many] { $count } точек, ничего не подсчитано
}
report-curve-best-at-saturation = { $curve }: лучшее { $rate } при { $at }; { $saturation }.
report-curve-best-with-saturation = { $curve }: лучшее { $rate } ({ $whom }); { $saturation }.
report-curve-best-with = { $curve }: лучшее { $rate } ({ $whom }).
part-larger-requests-gain-nothing = начиная с { $from } большие запросы ничего существенного не дают (не более 5 %)
part-more-clients-gain-nothing = начиная с точки «{ $from }» больше клиентов ничего существенного не дают (не более 5 %)
part-more-players-gain-nothing = начиная с точки «{ $from }» большее число ничего существенного не даёт (не более 5 %)
part-not-saturated-requests = не насыщено: самые большие запросы всё ещё дают более 5 %
part-not-saturated-clients = не насыщено: последние клиенты всё ещё дают более 5 %
part-not-saturated-players = не насыщено: последние участники всё ещё дают более 5 %
part-saturation-cannot-be-told = где наступает насыщение, сказать нельзя: { $reason }
part-fewer-than-two-points = точек меньше двух
part-nothing-passed = ничего не прошло
part-fewer-than-ten-samples = у одной из точек меньше 10 отсчётов по промежуткам
report-write-at-a-time = Одна запись за другой в { $place } стоит { $fixed } ({ $parts }) и свои байты со скоростью { $rate }; подобрано по: { $fit }.
report-read-at-a-time = Одно чтение за другим из { $place } стоит { $fixed } ({ $parts }) и свои байты со скоростью { $rate }; подобрано по: { $fit }.
part-round-trip = время оборота { $time }
part-service = обслуживание { $time }
part-round-trip-and-service = время оборота и обслуживание вместе
part-two-block-sizes = двум размерам блока
part-block-sizes-within = размерам блока ({ $count }) с точностью { $share }
report-split-of-an-operation = { $load }, { $players }, { $place }: { $time } на операцию, из них { $parts }.
report-split-cannot = { $load }, { $players }, { $place }: { $time } на операцию, разделить нельзя: один диск ({ $disk }) и одна линия ({ $wire }) занимают столько же.
part-disk-time = диск { $time } ({ $share })
part-wire-time = линия { $time } ({ $share })
part-protocol-time = протокол { $time } ({ $share })
part-the-wire = линия
part-the-clients-disk = диск клиента
part-the-servers-disk = диск сервера
part-the-clients-cpu = CPU клиента
part-the-servers-cpu = CPU сервера
part-clients-disk = диск клиента
part-servers-disk = диск сервера
part-clients-cpu = CPU клиента
part-servers-cpu = CPU сервера
part-of-what-the-network-carried = { $share } от { $rate }, которые сеть несла сама по себе
part-of-what-the-network-carried-allows = { $share } от { $rate }, которые сеть несла сама по себе ({ $medium } допускает { $limit })
part-of-what-medium-allows = { $share } от { $rate }, которые допускает { $medium }
part-of-what-it-does-alone = { $share } от { $rate }, которые он даёт один
part-busy-of-the-time = занят { $share } времени
part-went-into-the-flush = { $share } времени ушло на сброс на диск
part-list-and = { $more } и { $last }

## More columns, rows and cells

report-latency = задержка
report-payload-mb = полезные данные (MB/s)
report-share-of-probes-within = доля проб не дольше
report-share-of-transactions-within = доля транзакций не дольше
report-measured = измерено
report-probes-curve = пробы
report-observations = наблюдения
report-no-difference = без разницы
report-with-its-flush-where-there-is-one = вместе со сбросом на диск, где он есть
report-read = чтение
report-write = запись
report-copy-write-to = запись в { $place }
report-copy-read-from = чтение из { $place }
report-copy-write-alone = запись, только { $place }
report-copy-read-alone = чтение, только { $place }
report-copy-write-network-alone = запись, только сеть ({ $place })
report-copy-read-network-alone = чтение, только сеть ({ $place })
report-place-net-only = { $server }, только сеть
report-end = сторона
report-of-it = из него
report-first = первое
report-second = второе
report-began = начало
report-answered = с ответом
report-offered = предложено
report-transactions-row = транзакции
report-copies-row = копии
report-unresolved = не разрешено
report-collisions = коллизии
report-interrupts = прерывания
report-ip-fragments-sent = отправлено фрагментов IP
report-ip-fragments-not-put-together = фрагментов IP не собрано
report-sent-late-50 = отправлено с опозданием, 50 % не больше
report-sent-late-worst = отправлено с опозданием, худшее
report-from-sent-to-answered = от отправки до ответа, 50 % не дольше
report-sending-calls = вызовы отправки, всё испытание
report-receiving-calls = вызовы приёма, всё испытание
report-latest = самое большое опоздание
report-server = сервер
report-mib-block = блок
report-caches = кэши
report-compared = сверено
report-expected = ожидалось
report-loop = цикл
report-method = метод
report-pattern = схема
report-offered-together = предлагается разом
report-no-delay-asked = запрошено no-delay
report-pacing = выдача с постоянной скоростью
report-places-row = места
report-players-on-each-client = участников на клиента
report-a-player-gives-up-after = участник сдаётся после
report-payload-of-a-player-at-most = полезные данные участника, не более
report-search = поиск
report-seed-of-the-profile = начальное число профиля
report-seed-of-what-workers-draw = начальное число выбора рабочих потоков
report-sha-256-of-the-load-file = SHA-256 файла нагрузки
report-transport = транспорт
report-tries-a-size = попыток на размер среди известных
report-work = работа
report-workers = рабочие потоки
report-workspace = рабочая папка
report-offsets = смещения
report-random = случайные
report-file-row = файл
report-lines-of-the-mixes = строки смесей
report-memory = память
report-never = никогда
report-nothing = ничего
report-agent = агент
report-all-it-can = сколько может
report-the-limit-cell = предел
report-to-spare = запас есть
report-nearly-used-up = почти исчерпано
report-used-up = исчерпано
report-unknown = неизвестно
report-not-reached = не достигнуто
report-machine = машина
report-firmware = прошивка
report-hypervisor = гипервизор
report-microcode = микрокод
report-packages = процессоры
report-cores = ядра CPU
report-smt = одновременная многопоточность
report-boost = ускорение частоты
report-idling = простой
report-weaknesses = уязвимости
report-interfaces-row = интерфейсы
report-kind = вид
report-driver = драйвер
report-link = линия связи
report-modes-asked-for = запрошенные режимы
report-modes-of-the-other-end = режимы другой стороны
report-queues = очереди
report-channels = каналы
report-rings = кольца
report-coalescing = объединение прерываний
report-largest-packet-to-segment = наибольший пакет для разбиения
report-largest-packet-to-build = наибольший собираемый пакет
report-queueing = дисциплины очередей
report-steering = распределение (маски CPU)
report-below-it = под ним
report-above-it = над ним
report-none = нет
report-not-affected-by-any = известные не затрагивают
report-receive-and-transmit-queues = приём { $receive }, передача { $transmit }
report-largest-mtu = { $mtu } (наибольший { $largest })
report-busy-on-cpu = { $share } (CPU { $number })
report-so-many-segments = { $count } из { $all } сегментов
report-so-many-of = { $count } из { $all }
report-between-packets = { $count } (пакетов: { $packets })
report-figure-at-size = { $rate } при { $size }
report-within-seconds = { $interval } (внутри)
report-not-as-asked-cell = { $value } (не так, как запрошено)
report-sum-passes-does-not = { $sum } проходит, { $fails } нет
report-not-in-the-result-cause = не вошло в результат: { $cause }
report-not-available-cause = недоступно: { $cause }
report-used-of-quota = { $used } от { $quota } CPU, пришлось ждать в { $share } периодов
report-sizes-from-to = размеров: { $count }, от { $least } до { $most }
report-size-and-size = { $one } и { $other }
report-interval-is-so-wide = 95 % интервал не шире { $width } % (проходов не менее { $passes }, серий не менее { $batches }), или через { $time } на размер
report-netpipe-best-of = NetPIPE 3.7.2: лучший из { $trials } циклов, один общий буфер
report-about-time = около { $time }
report-so-many-repeats = повторов: { $count }
report-read-into-a-buffer-up-to = чтение в буфер, до { $size } за вызов
report-discarded-up-to = отбрасывается ядром (MSG_TRUNC), до { $size } за вызов
report-tcp-rr = TCP, одно соединение (TCP_RR)
report-udp-rr = UDP (UDP_RR)
report-tcp-crr = TCP, новое соединение на каждую транзакцию (TCP_CRR)
report-open-loop = открытый: { $rate } по расписанию, задержка от намеченного времени
report-closed-loop = закрытый: незавершённых { $count }
report-rate-in-each-direction = { $rate } в каждом направлении
report-payload-rate-in-each-direction = { $rate } полезных данных в каждом направлении
report-segmentation-auto = UDP_SEGMENT и UDP_GRO, где ядро их принимает
report-several-datagrams-a-call = несколько датаграмм за вызов (sendmmsg, recvmmsg)
report-search-highest-rate = наибольшая скорость с потерей не более { $share }
report-search-highest-rate-up-to = наибольшая скорость с потерей не более { $share }, до { $rate }
report-mtu-icmp = эхо ICMP, фрагментация запрещена, только путь туда
report-mtu-udp = UDP, фрагментация запрещена, оба направления сразу
report-nothing-in-particular = ничего особенного
report-one-above-the-senders-interface = на единицу больше интерфейса отправителя
report-four-round-trips = четыре оборота, не менее { $time }
report-path-is-idle = нет: путь свободен
report-tcp-load-sends = TCP, передаёт подключающаяся сторона, соединений в каждую сторону: { $count }
report-tcp-load-receives = TCP, принимает подключающаяся сторона, соединений в каждую сторону: { $count }
report-tcp-load-both = TCP, в обе стороны сразу, соединений в каждую сторону: { $count }
report-udp-probes = UDP, { $size } туда и обратно, по одной каждые { $time }
report-stop-after = через { $what }
report-stop-after-in-each-direction = после { $what } в каждом направлении
report-makes-the-workspace = создаёт рабочую папку
report-removes-the-workspace = удаляет рабочую папку
report-once-in-the-measured-time = один раз, после последней записи, в измеряемое время
report-past-the-caches = мимо кэшей этого хоста (O_DIRECT) или после их очистки
report-sampled-blocks-after = { $count ->
    [one] { $count } блок, после окна
    [few] { $count } блока, после окна
   *[many] { $count } блоков, после окна
}
report-everything-after = всё, после окна
report-so-many-surprises = неожиданностей: { $count }
report-read-and-write-sizes = чтение { $read }, запись { $write }
part-write-one-file = запись одного файла { $length }, один раз
part-read-one-file = чтение одного файла { $length }, один раз
part-mix-of = смесь { $name }
report-each-with-one-connection = { $count }, у каждого одно соединение
report-a-connection = { $count } на соединение
report-after-transactions = { $count ->
    [one] после { $count } транзакции
   *[other] после { $count } транзакций
}

## More titles and legends

report-the-connecting-end-title = Подключающаяся сторона
report-the-listening-end-title = Слушающая сторона
report-title-of-trial = { $title }, испытание { $number }
report-title-of-trials = { $title }, испытания { $numbers }
report-operations-of-at = Операции { $load } в { $place }, { $players }
report-latency-over-time-title = Задержка во времени
report-latency-distribution-title = Распределение задержки
report-p99-over-players = Задержка (p99) в зависимости от числа участников
report-payload-over-players = Полезные данные в зависимости от числа участников
report-over-the-number-of-clients = { $what } в зависимости от числа клиентов
report-over-the-number-of-clients-of = { $what } в зависимости от числа клиентов, { $of }
report-over-request-size = { $what } в зависимости от размера запроса
report-over-request-size-of = { $what } в зависимости от размера запроса, { $clients }
report-curve-over-the-number-of-clients = { $curve }, по числу клиентов
report-curve-over-the-request-size = { $curve }, { $clients }, по размеру запроса
report-of-each-trial = { $what } в каждом испытании, { $probe }
part-limit-of = предел { $medium }: { $rate }
part-limit-of-each-way = предел { $medium } в каждую сторону: { $rate }
part-limit-of-both-ways = предел { $medium }, обе стороны вместе: { $rate }
part-limit-of-whom = предел { $medium } ({ $names }): { $rate }
report-limit-lies-above = Предел { $medium } ({ $rate }) лежит выше графика.
report-limit-both-ways-lies-above = Предел { $medium } для обоих направлений вместе ({ $rate }) лежит выше графика.
report-limit-each-way-lies-above = Предел { $medium } в каждую сторону ({ $rate }) лежит выше графика.
report-the-limit-of-whom-lies-above = Предел { $medium } ({ $names }), { $rate }, лежит выше графика.
part-p99-mark = p99 { $time }
part-latency-mark = задержка { $time }
part-half-of-it-from = половина — с { $size }
part-saturation-from = насыщение с { $size }
part-saturated-from = насыщение с точки «{ $from }»
report-side-of-mark = { $side }: { $mark }
report-points-have-none = У точек ({ $count }) его нет: CPU был занят менее 2 % или не имеет показателя.
report-message-sizes-from-to = Размеров сообщений: { $count }, от { $least } до { $most }.
report-no-message-size-was-measured-full = Ни один размер сообщения не измерен.
report-the-worst-is = Худшее — { $time } ({ $class }).
report-at-most-time = Самое большее { $time }.
report-copy-told = { $copy }: { $rate }.
report-trials-of-the-same-settings = Испытаний с одинаковыми настройками: { $count }, от { $least } до { $most }.

## Notes below tables

report-requests-on-the-wire = Запросов на линии на операцию: { $count }.
report-median-by-order-statistics = 95 %: доверительный интервал медианы по порядковым статистикам; при менее чем шести испытаниях — их размах, что менее надёжно.
report-as-dbench-prints-it = Как печатает dbench (участник — один из его клиентов):
report-cpu-is-the-pinned-one = CPU — тот единственный, к которому привязан сервер.
report-cpu-of-all-hosts = CPU и P/E относятся ко всем хостам ядра сервера, включая клиентов; сравнивать их больше не с чем.
report-charged-for-late = Задержка считается от намеченного времени отправки, поэтому опоздание пробы входит в неё.
report-adapter-computed = За окно, с заголовками Ethernet, без контрольных сумм кадров. Вычислено: данные, заголовки сегментов ядра, подтверждения, в процентах от подсчитанного.
report-saturated-note = Насыщение: ни одна следующая точка не даёт более чем на 5 % больше. В этом уверены 95 % повторных выборок из собственных промежутков точек.
report-user-data-of-the-bytes-counted = Данные вместе с вычисленными заголовками и подтверждениями составляют { $share } байтов, подсчитанных { $interface }.
report-too-few-probes = Слишком мало проб для { $shares }.
report-too-few-transactions = Слишком мало транзакций для { $shares }.
report-packets-answered-settled = { $way }: пакетов { $packets }, с ответом { $answered }, установлено через { $time }
report-accepted-and-durable = принято: до ответа на последнюю запись; надёжно записано: вместе со сбросом на диск после неё.
report-cap-reached-note = достигнут предел времени: время на размер кончилось раньше, чем его интервал стал достаточно узким ({ $count } из { $all }).
report-disk-and-wire = диск: те же операции в { $place }, где должен быть диск общей папки; линия: те же размеры туда и обратно, без сохранения.
report-network-alone = только сеть: те же блоки к агенту и от агента, который ничего не хранит.
report-p50-kernel-took = p50 и p99: время, пока ядро не примет запрос (ответов нет), а это не его доставка.
report-p50-request-to-reply = p50 и p99: время от запроса до ответа.
report-p50-both = p50 и p99: время от запроса до ответа, а без ответов — пока ядро не примет запрос.
report-transmit-receive-note = передача: отправляет сервер, считают клиенты; приём: отправляют клиенты, считает сервер.
report-skew-note = перекос: между краями окна и первыми и последними байтами клиентов лежит более { $share } окна.
report-overlap-note = общая часть: часть окна, общая для всех клиентов; скорость в общей части: суммарная скорость её целых интервалов.
report-no-room-for = Нет места для { $names }: возьмите терминал шире, --json или goodput report.
report-jains-index = Индекс равномерности Джайна: { $index } (1 — у всех клиентов поровну).
report-in-per-cent-of-these-cpus = В процентах от всех этих CPU; отнятое и ожидание в занятость не входят.
report-drops-below-not-counted = Отброшенное в принимающем хосте ниже сокетов не считалось: оно входит в показатель пути.
report-rfc-6349-no-idle = Отношение времени передачи, эффективность TCP и задержка в буферах — по RFC 6349. Время оборота без нагрузки не измерялось: задержка взята относительно наименьшего у самих соединений, то есть она не меньше этой.
report-counters-whose = Интерфейсы и протоколы — из сетевого пространства имён агента, остальное — всего ядра. Чтение заняло { $time }.
report-drivers-counters-moved = Собственных счётчиков драйверов изменилось: { $count }; по именам они в --json.
report-kernel-messages-not-available = Сообщения ядра недоступны: { $why }.
report-best-of-as-crystaldiskmark = лучшее из { $trials }, как печатает CrystalDiskMark; сравнивать следует медиану. { $intervals }
report-mean-and-shift-note = Под каждым прогоном стоит среднее его испытаний. Изменение — не отношение этих двух чисел, а медиана всех отношений испытания одного прогона к испытанию другого; одно нарушенное испытание её не сдвигает (Ходжес — Леман).
report-within-note = (внутри): по секундам одного испытания с каждой стороны; изменений от испытания к испытанию в нём нет. Чтобы они были, измерьте с --repeat 5.
report-record-changed = { $run }: запись менялась между испытаниями; показана первая.
report-no-cell-on-both-sides = Ни одна ячейка не измерена с обеих сторон.
report-more-cells-in-json = Ещё ячеек в JSON: { $count }.
report-compared-apart = Сравнение раздельных измерений, сдвиг Ходжеса — Лемана, критерий Манна — Уитни; p с поправкой Холма по ячейкам каждого показателя; различие действительно при { $alpha } и меньше.

## Comparisons of runs

report-no-measurement-of-the-same-settings = У { $second } и { $first } нет измерений с одинаковыми настройками.
part-so-many-better = лучше: { $count }
part-so-many-worse = хуже: { $count }
part-so-many-without-a-change = без обнаруженного изменения: { $count }
part-so-many-cannot-be-told = нельзя сказать: { $count }
report-cells-compared = Ячеек { $count }: значимо лучше { $better }, значимо хуже { $worse }, без обнаруженной разницы { $same }, нельзя сказать { $open }.
report-experiment-with-a-run = Эксперимент нельзя сравнить с отдельным прогоном: { $names } — эксперимент, остальные нет.
report-experiments-with-a-run = Эксперимент нельзя сравнить с отдельным прогоном: { $names } — эксперименты, остальные нет.
report-met-not-surely = выполнено, но не наверняка
report-not-met-not-surely = не выполнено, но не наверняка
report-what-both-measure-goodput-p50 = задержка p50
report-latency-p99-word = задержка p99

## Lists

report-unfinished = (не закончено)
report-takes-no-orders = не принимает отсюда распоряжений
report-idle = свободен
report-mixed = смешанный
report-both-ways = в обе стороны

## Why a limit is what it is

part-bytes-ack = из { $wire } байт на линии { $user } — данные пользователя, с подтверждением { $count } сегментов
part-bytes-of-cells = из { $wire } байт в ячейках ({ $cells } шт., { $name }) { $user } — данные пользователя
part-traffic-tcp = MTU { $mtu }, { $ip }, TCP { $options }
part-traffic-tcp-packets = пакеты по { $packet }, как их посылало соединение, MTU среды { $mtu }, { $ip }, TCP { $options }
part-with-timestamps = с метками времени
part-without-timestamps = без меток времени
part-timestamps-assumed = с предполагаемыми метками времени
part-traffic-udp = датаграммы по { $size }, MTU { $mtu }, { $ip }, UDP
part-traffic-udp-pieces = датаграммы по { $size }, фрагментов: { $count }, MTU { $mtu }, { $ip }, UDP
part-limit-both-ways-full = { $share }, оба направления полного дуплекса
part-limit-both-ways-half = { $share }, полудуплекс: оба направления делят его
part-limit-before-file-headers = { $share }, без учёта заголовков файлового протокола (SMB, NFS)
part-limit-times-the-other-way = { $share }, и в { $factor } раза больше за счёт того, что смесь шлёт в обратную сторону
part-limit-bus-allows-more = { $share }; шина { $bus } допускает больше: { $peak }
part-limit-medium-allows-more = { $peak }; { $medium } допускает больше: { $rate }
part-limit-of-the-medium-why = { $peak }; о среде: { $why }
part-peak = пик { $rate }
part-peak-shared = пик { $rate }, общий для обоих направлений
part-peak-each-way = пик { $rate } в каждую сторону
part-mtu-leaves-no-room = MTU { $mtu } не оставляет места для данных пользователя
part-mtu-takes-no-datagrams = MTU { $mtu } не пропускает датаграммы по { $size }
part-no-arithmetic-for-medium = для среды { $name } нет расчёта
part-inside-a-host = { $name } переносит данные внутри хоста, а не между двумя
part-this-is-no-measurement = это не измерение
part-no-network-lies-between = между клиентом и местом нет сети

## What a medium allows (goodput limits)

part-tcp-over = TCP поверх { $ip } { $options }
part-udp-over = UDP поверх { $ip }
part-udp-over-datagrams = UDP поверх { $ip }, датаграммы по { $size }
part-ip-headers-counted = IP, заголовки считаются данными
part-one-connection-with-window = одно соединение TCP с этим окном
part-data-in-packets = данные в пакетах по { $size }
part-peak-row = пик
part-as-it-was-measured = как было измерено
part-the-measurement = измерение
report-limits-half-duplex = Полудуплекс: оба направления делят среду. TCP платит одним подтверждением за каждые два сегмента; коллизии отнимают ещё больше.
report-limits-bytes-around-serial = Вокруг каждого пакета { $bytes } байт.
report-limits-mtu-above = MTU больше 1500 байт выходит за рамки IEEE 802.3; его должны поддерживать обе стороны и всё между ними.
report-limits-cells = { $bytes } байт в AAL5 ({ $name }) — это { $cells } ячеек с заполнением { $padding } байт; линия { $rate } переносит { $second } ячеек в секунду.
report-limits-window = При времени оборота { $time } путь вмещает { $volume } Mbit: его заполняет окно { $window }.
report-limits-everything-shares = Шину делят все её устройства, в обоих направлениях.
report-limits-device-shares = Её делят оба направления устройства.
report-limits-each-way = У каждого направления она своя.
report-limits-a-peak = Это пик: арбитраж, адреса и дескрипторы отнимают от него.
report-limits-disk = Скорость диска никогда не предполагается: это заданное значение.

## What limits a copy, and why

part-resource-why = { $resource } ({ $why })
part-cause-may-be = возможно, это { $told }
part-cause-each-enough = { $told }: хватило бы и одного
part-cause-nothing = ничто из наблюдавшегося не было исчерпано
part-cause-nearest = ничто не было исчерпано наверняка; ближе всего к этому: { $near }
part-cause-impossible = скорость { $rate } больше, чем { $allowed }, которые переносит { $medium }: ответил кэш на стороне клиента
part-not-measured = не измерялось
part-of-its-cpus-busiest = { $busy } от { $count } CPU, самый занятый { $busiest }
part-of-its-cpu = { $busy } CPU
part-which-is-the-work-of-both = { $used }, это работа обеих сторон
part-somebody-waited-for-a-disk = { $share } окна на сервере ждали диска, и через него прошло { $moved } полезных данных
part-copy-hardly-waited = { $used }, хотя копирование его почти не ждало
report-try-faster-link = ускорит такие копии только более быстрая линия; goodput stream HOST покажет, даёт ли линия то, что должна
report-try-clients-cpu = пакеты больше (jumbo-кадры), аппаратные ускорения (ethtool -k) либо отключить шифрование и подпись там, где это безопасно; goodput stream HOST покажет затраты CPU без файлов
report-try-larger-blocks = блоки больше (--block) и прямой ввод-вывод там, где он есть у файловой системы (--direct)
report-try-servers-cpu = на сервере: пакеты больше (jumbo-кадры), аппаратные ускорения (ethtool -k) либо отключить шифрование и подпись там, где это безопасно
report-try-copy-from-faster-disk = копировать с более быстрого диска или без --local, чтобы увидеть возможности остального
report-try-copy-to-faster-disk = копировать на более быстрый диск или без --local, чтобы увидеть возможности остального
report-try-faster-disk = более быстрый диск; тест накопителя (goodput file disk) покажет, на каких обращениях он медлен
report-try-faster-disk-in-the-server = более быстрый диск на сервере; больше памяти там ускорит повторное чтение и запись, пока она не заполнится
report-try-larger-size = --size больше, чтобы каждая копия длилась несколько секунд, и больше --repeat
report-try-agent-on-the-server = goodput agent на сервере и --server HOST покажут его CPU и диск (--server-folder PATH); --medium называет линию
report-try-why-disk = выполните goodput why { $command }: проверяется, ограничивает ли диск

## Experiments held against each other

report-compared-better = { $what }: { $differs }; это значимо, и это лучше ({ $chance })
report-compared-worse = { $what }: { $differs }; это значимо, и это хуже ({ $chance })
report-compared-not-shown = { $what }: разница между { $second } и { $first } не обнаружена ({ $chance })
report-compared-not-shown-lies = { $what }: разница между { $second } и { $first } не обнаружена; она лежит между { $low } и { $high } ({ $chance })
report-compared-cannot-tell = { $what }: { $measured }, но значимо ли это, сказать нельзя: { $why }
report-compared-nothing = { $what }: сравнивать нечего: { $one }, { $other }
part-is-lower = { $second } ниже, чем { $first }, на { $by }
part-is-higher = { $second } выше, чем { $first }, на { $by }
part-measured-lower = у { $second } измерено на { $by } меньше, чем у { $first }
part-measured-higher = у { $second } измерено на { $by } больше, чем у { $first }
part-drifted-by-itself = одно из двух само сместилось на { $by } за время измерения
part-too-few-blocks = { $blocks } с обоими, а { $comparisons } требуют не менее { $least }
part-too-few-values = значений { $one } и { $other }
part-too-few-values-need = значений { $one } и { $other }, а { $comparisons } требуют не менее { $least } у каждого
part-no-p-value = без p-значения
part-p-below = p меньше 0,001
part-p-is = p = { $p }
part-p-after-holm = { $count ->
    [one] { $p } с поправкой Холма на { $count } сравнение
    [few] { $p } с поправкой Холма на { $count } сравнения
   *[many] { $p } с поправкой Холма на { $count } сравнений
}
part-was-not-measured = { $name } не измерялось
part-failed-all-times = { $name }: неудач { $count } из { $count }

## What a run compared was

part-versus-request = request { $kind }, { $there } и { $back }
part-versus-latency-idle = latency, без нагрузки
part-versus-latency-under = latency под нагрузкой { $way }
part-versus-load = load { $traffic }, { $size }, клиентов: { $count }

## The history of an experiment

report-history-none-has-a-figure = Ни у одного из { $count } прогонов нет показателя.
report-history-cannot-be-told = Изменилось ли оно, сказать нельзя: { $reason }.
report-history-lead = { $what }: { $value } на { $when }; { $runs }.
part-history-no-change = { $runs }, изменений не обнаружено
part-history-one-change = { $runs } и одно изменение
part-history-changes = { $runs }, изменений: { $changes }
report-history-changed = Изменение { $how } с прогона { $when }: до него прогонов { $before }, начиная с него { $after }, p = { $p }.
part-from-to-figure = с { $before } до { $after }
part-from-to-figure-change = с { $before } до { $after } ({ $change })
part-changed-how = изменение { $how }
report-time-since = время с { $day }
report-run-by-run = { $what } по прогонам: { $name }
report-least-and-greatest = { $lead } Наименьшее { $least }, наибольшее { $most }.
part-runs-are-too-few = { $count ->
    [one] { $count } прогона слишком мало, нужно не менее { $least }
   *[other] { $count } прогонов слишком мало, нужно не менее { $least }
}
part-a-run-has-no-figure = у одного из прогонов нет показателя

## Why something is not known

part-nothing-delivered-gives-a-rate = не доставлено ничего, что дало бы скорость
part-too-little-was-delivered = доставлено слишком мало
part-kernel-does-not-tell-sent = ядро отправителя не сообщает, сколько оно отправило
part-kernel-counts-segments-not-bytes = ядро отправителя считает повторно посланные сегменты, но не их байты
part-nothing-was-sent = ничего не отправлено
part-no-round-trip-inside = ядро отправителя не сообщило времени оборота внутри окна
part-no-least-round-trip = ядро отправителя не сообщает наименьшего времени оборота
part-it-broke-off = он прервался до конца окна
part-it-has-not-reported = он не отчитался
part-not-set-why = не задано: { $cause }
part-timed-out-no-result = время вышло: нет результата за { $time }

## Conclusions of experiments: how sure they are

sure-repeats = не менее { $n } повторов на сочетание; различия по доверительным интервалам, одновременно верным с вероятностью 95 %, по { $m } сравнениям
sure-repeats-one = не менее { $n } повторов на сочетание; различия по доверительным интервалам, одновременно верным с вероятностью 95 %, по { $m } сравнению
sure-one = подсчитано, по одному показателю на сочетание: сколько в этом случайности, сказать нельзя
sure-counted = подсчитано
sure-none = нет показателей, на которые можно опереться

## Conclusions of experiments: what they rest on

report-at-place-from = { $place }: { $figure } ({ $source })
report-at-place-median-of = { $place }: { $figure } (медиана { $n }: { $source } и ещё { $more })
report-median-of-comparisons = { $factor }: отношение лучшего уровня к худшему равно { $times } (медиана, n = { $n })
report-dearer-a-unit = { $n } из { $all } сравнений дороже за единицу при любой из цен, { $cheaper } дешевле при любой, { $open } не решено
report-lost-at-size = { $place }: { $rate } при { $size }, потеря { $share } (от { $least } до { $most })
report-trial-number = испытание { $number }
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

report-experiment-extent = { $extent }.
report-questions-answered = Вопросов { $count }, ответы: { $answers }.
part-so-many-yes = да — { $count }
part-so-many-no = нет — { $count }
part-so-many-in-part = отчасти — { $count }
part-so-many-not-known = неизвестно — { $count }
report-experiment = Эксперимент
report-against-the-mean = Относительно { $mean }, каждый фактор отдельно; наблюдений { $count }; { $noise }. Член объясняет свою долю суммы квадратов всех членов.
report-against-the-mean-blocks = Относительно { $mean }, каждый фактор отдельно; наблюдений { $count }, влияние блоков ({ $blocks }) вычтено; { $noise }. Член объясняет свою долю суммы квадратов всех членов.
part-the-geometric-mean = геометрического среднего всех уровней
part-the-mean = среднего всех уровней
report-against-the-geometric-mean = относительно геометрического среднего всех уровней
report-points-against-the-mean = пункты относительно среднего всех уровней
report-against-the-mean-of-levels = относительно среднего всех уровней
report-against-the-mean-of-levels-unit = относительно среднего всех уровней ({ $unit })
part-noise-from-repeats = шум по повторам, степеней свободы { $degrees }
part-noise-from-the-rest = шум по тому, чего не объясняют эффекты двух факторов: повторов нет
part-noise-from-nothing = шум взять не из чего, поэтому нет ни интервала, ни p
report-looks-the-same = В этом плане { $term } неотличим от { $others }.
report-without-these-levels = Без { $levels }: они измерены слишком редко, чтобы разделить факторы.
report-weaker-terms = Более слабые члены ({ $count }) опущены.
report-weaker-levels = Остальные уровни ({ $count }) — в таблице.
report-what-each-level-does = Как каждый уровень влияет на { $what }
report-units-cannot-show = { $units ->
    [one] { $units } единица не может показать различия среди пар ({ $pairs }); нужно не менее { $least }.
    [few] { $units } единицы не могут показать различия среди пар ({ $pairs }); нужно не менее { $least }.
   *[many] { $units } единиц не могут показать различия среди пар ({ $pairs }); нужно не менее { $least }.
    }
report-one-figure-each = По одному показателю: насколько надёжен их порядок, неизвестно.
report-order-not-random = Порядок внутри блоков не был случайным: { $one } и { $other } всегда шли в одном порядке. То, что меняется внутри блока, засчитывается как различие; чтобы этого избежать, перемешайте порядок.
report-cells-of-one-alone = Ячейки, которые есть только у одной из сторон и не сравниваются: { $first } — { $firstCount }, { $second } — { $secondCount }.
report-measured-one-after-the-other = Их измеряли одно за другим, а не поочерёдно: всё, что изменилось за это время, вошло в разницу.
report-what-costs-with-each = Сколько стоит { $what } при каждом { $factor }
report-a-level-does-not-pay = Уровень не окупается там, где другой заведомо дешевле и заведомо не хуже. Подсчитано по сочетаниям остальных факторов.
report-level-is-left-out = { $level } не учтён: { $why }.
report-the-run-lies-in = Прогон со всеми отсчётами лежит в { $folder }; целиком его запишет goodput export { $run } --format json.
report-some-of-all-sizes = Размеров { $kept } из { $all }; в данных — все.
report-more-combinations-not-drawn = Остальные сочетания ({ $count }) не нарисованы; они есть в таблице и данных.
report-a-line-for-each = Линия на каждое: { $names }.
report-reason-of-cell = [{ $number }] { $reason }
report-difference-in-points = { $difference } п. п.
report-every-host-the-same = Во всех испытаниях каждый хост был одной и той же машиной с теми же настройками.
report-factor-not-put-back = { $factor } не возвращён: { $cause }
report-the-probes-own-line = собственная строка пробы
report-the-lab-does = стенд: { $paths }
report-a-command-on = команда на { $host }: { $command }
report-by-hand = вручную: { $ask }
report-does-not-pay-than = не окупается: { $levels }
report-cannot-tell-why = нельзя сказать: { $reasons }
report-over-the-run-of = По ходу прогона: { $what }
report-place-in-the-run = место в прогоне
report-difference-from-the-median = отличие от медианы своей ячейки
report-interval-of-the-median-words = интервал медианы
report-no-figure-was-measured = Ни один показатель не измерен.
report-cpu-busy-words = занятость CPU

## What limits a transfer (goodput why)

report-suspected-causes = Предполагаемые причины
report-suspected-causes-next = Подозреваемые причины при изменении «{ $change }»
report-cause = причина
report-effect-on = на что влияет
report-predicted = предсказано
report-agrees = согласуется
report-cause-proven = доказана
report-cause-excluded = исключена
report-cause-possible = возможна
report-agrees-cannot-tell = нельзя сказать
report-effect-interval = { $ratio } (от { $low } до { $high })
report-effects-are-ratios = Влияние — отношение к исходным настройкам. Доверительные интервалы goodput (95 %) верны для всех сразу; прочие — размах по блокам. Причина названа, если измерение подтвердило каждое предсказанное влияние.

## What a check of a path found (goodput check)

report-path-figures = Показатели пути
report-check-path-mtu = MTU пути
report-check-idle = время оборота без нагрузки, медиана
report-check-loaded = время оборота при нагрузке TCP, медиана
report-check-tcp = полезная скорость TCP
report-check-share = доля предела
report-check-both = TCP, оба направления
report-check-udp = скорость UDP без потерь
report-check-half-size = размер для половины скорости
report-check-cpu-busy = занятость CPU, отправитель
report-check-busiest-cpu = самый занятый CPU, отправитель
report-check-medium-unknown = среда неизвестна (её называет --medium)
report-check-short-trial = только в коротком испытании
report-check-limit = предел { $rate } ({ $medium })
report-check-linear-from = с { $size } время растёт линейно
report-path-rates = Скорости пути, { $way }
report-one-direction = по одному направлению
report-both-at-once = оба направления одновременно

## Datagrams, requests, clocks and path MTU

part-datagrams-none-lost = без потерь
part-datagrams-nothing-lost = ничего не потеряно
part-datagrams-lost = потеряно { $lost }
part-datagrams-sent-delivered = отправлено { $sent }, доставлено { $delivered }, { $lost }
part-datagrams-both-ways = { $first } / { $then }
report-latency-minimum = задержка, наименьшая
report-latency-mean = задержка, средняя
report-clock-offset-over-time = Сдвиг часов во времени, { $way }
part-clock-agrees = часы { $host } совпадают
part-clock-ahead = часы { $host } спешат на { $time }
part-clock-behind = часы { $host } отстают на { $time }
part-clock-drift = дрейф { $drift }
part-clock-drift-not-constant = дрейф не был постоянным
part-clock-offset = { $offset } ± { $error }
part-clock-ppm = { $drift } ± { $error } ppm
part-mtu-largest-packets = наибольшие пакеты { $packets }
part-mtu-there = { $size } туда
part-mtu-back = { $size } обратно
part-mtu-sum = { $packet } − { $headers } = { $payload }
report-mtu-sum-passes = { $sum } проходит

## Tables of hosts, latency and ping-pong

part-latency-idle = без нагрузки
part-latency-send = передача
part-under-tcp-load = под TCP { $way }
part-under-tcp-load-at = под TCP { $way } { $rate }
part-latency-result = { $load }: { $more }
part-latency-p50 = { $load } p50 { $time }
part-latency-lost = потеряно: { $count }
part-pingpong-smallest = наименьшего сообщения
part-pingpong-time-of = { $time } при { $size }
report-pingpong-short = { $time }, лучшее { $rate }
report-host-connects-pinned = { $host } (подключается, закреплён за CPU)
report-host-listens-pinned = { $host } (слушает, закреплён за CPU)
report-interface-counter = { $interface }: { $what }
report-socket-option-unmet = { $label }: { $option } — запрошено { $asked }, получено { $obtained }
report-agent-protocol = протокол { $number }
report-agent-trouble = { $host } ({ $address }): { $trouble }
report-agent-busy = занят { $time }: { $client }
part-agent-unnamed = хост
part-agent-time-left = осталось { $time }
part-agent-waiting = в очереди: { $count }
report-inventory-kernel = { $kernel } { $architecture }
report-flow-control-states = приём { $receive }, передача { $transmit }, согласование { $negotiated }
report-interrupt-on-cpu = { $interrupt } на CPU { $cpu } (разрешены { $allowed })
part-flow-control-on = вкл.
part-flow-control-off = выкл.
part-driver-firmware = прошивка { $version }
part-driver-bus = шина { $address }
part-pci-unknown-speed = скорость неизвестна x{ $lanes }
part-pci-no-link = нет линии (виртуальное устройство)
part-pci-could-use = { $now } (возможно { $most })
part-pci-numa-node = узел NUMA { $number }
part-link-speed-unknown = скорость неизвестна
part-link-duplex = { $duplex ->
        [full] полный дуплекс
        [half] полудуплекс
       *[other] { $duplex } duplex
    }
part-link-duplex-unknown = дуплекс неизвестен
part-link-autonegotiation-on = автосогласование включено
part-link-autonegotiation-off = автосогласование выключено
part-link-autonegotiation-unknown = автосогласование неизвестно
part-qdisc-at = { $qdisc }, { $rate }
part-qdisc-overhead = накладные расходы { $size }
report-limits-title-full-duplex = { $medium }: { $rate }, MTU { $mtu }, полный дуплекс, в каждую сторону
report-limits-title-half-duplex = { $medium }: { $rate }, MTU { $mtu }, полудуплекс
report-limits-source = Источник: { $source }. Формулы: docs/methods/limits.md.
report-limits-bound = Передачу через все ограничивает { $medium }: { $rate }.
report-runs-search = поиск из { $count ->
        [one] { $count } испытания
       *[other] { $count } испытаний
    }: { $result }
report-runs-more = и ещё { $count }
report-run-comparison = { $second } против { $first }, показателей { $count }: { $tally }.

## Loads

part-load-clients = { $count ->
    [one] { $count } клиент
    [few] { $count } клиента
   *[many] { $count } клиентов
    }
part-load-clients-excluded = без клиентов: { $count }
part-load-only-server-pinned = привязан: только сервер
part-load-host-pinned = { $host } (привязан)
part-load-all-hosts-one-kernel = все хосты, одно ядро
part-load-no-requests = нет запросов
part-load-one-point = 1 точка
part-load-point-with = { $point }, { $clients }
part-load-mark-of-curve = { $curve }: { $mark }
part-load-skew = перекос
part-load-cannot-be-determined = определить нельзя: { $reason }
part-load-last-steps-undecided = неясно, дают ли последние шаги больше 5 %
part-load-names = { $count }: { $names }
part-load-mixes = { $first } | { $then }
part-load-mix-line = { $share }: { $parts }
part-load-reads = { $share } на приём
part-load-reply = ответ { $size }
part-load-burst-after = через { $time } по { $count } сразу
part-load-on-one-connection = { $what } по одному соединению
part-load-with-replies = { $what } с ответами
part-load-connection-for = новое соединение на каждые { $count }
part-load-one-worker-a-client = рабочих потоков на клиента: 1
part-load-workers-a-client = рабочих потоков на клиента: { $count }
part-load-outstanding = незавершённых: { $count }
part-load-cpus-of-trials = CPU { $count }, { $scope ->
    [own] только сервера
    [shared] общие с клиентами
   *[pinned] закреплённые
    }: испытания { $trials }

## File work

part-file-simulated-clients = { $count ->
    [one] { $count } участник
    [few] { $count } участника
   *[many] { $count } участников
    }
part-file-mix-at = { $load } в { $place }
part-file-write-copy = копирование, запись
part-file-read-copy = копирование, чтение
part-file-write-row = запись { $name }
part-file-read-row = чтение { $name }
part-file-prepare = подготовка
part-file-remove = удаление
part-file-read-accepted-durable = прочитано { $length }, принято через { $after } ({ $accepted }), надёжно записано через { $whole } ({ $durable })
part-file-workspace-made = рабочая папка создана
part-file-workspace-removed = рабочая папка удалена
part-file-rows-best = { $count ->
    [one] { $count } строка, лучшее { $rate }
    [few] { $count } строки, лучшее { $rate }
   *[many] { $count } строк, лучшее { $rate }
    }
part-file-row-task = { $way }: { $name }
part-file-queue-and-threads = { $queue } × { $threads }
report-file-try = попробуйте: { $advice }
report-file-network-link = линия
part-file-limited-by = { $what }: { $rate }. Ограничивает { $whose }: { $why }.
part-file-limit-unknown = { $what }: { $rate }; чем ограничена скорость, сказать нельзя: { $why }.
part-file-writing-to = Запись в { $place }
part-file-reading-from = Чтение из { $place }
part-file-including-flush = { $rate } вместе со сбросом на диск
part-file-disk-of-this-host = диск этого хоста
part-file-or-near = { $told } или { $near }
part-file-but-no-data = { $why }, но неизвестно: { $unknown }
part-file-and-no-data = { $why }; неизвестно: { $unknown }
part-file-quota-waited = квота { $cpus } CPU, в { $throttled } периодов работе пришлось ждать
part-file-quota-used = { $used } квоты { $cpus } CPU (в { $throttled } периодов работе пришлось ждать)

## Experiments

part-experiment-factors = { $count ->
    [one] { $count } фактор
    [few] { $count } фактора
   *[many] { $count } факторов
    }
part-experiment-cells = { $count ->
    [one] { $count } ячейка
    [few] { $count } ячейки
   *[many] { $count } ячеек
    }
part-experiment-values = { $count ->
    [one] { $count } показатель
    [few] { $count } показателя
   *[many] { $count } показателей
    }
part-experiment-attempts = { $count ->
    [one] { $count } попытка без результата
    [few] { $count } попытки без результата
   *[many] { $count } попыток без результата
    }
part-experiment-trials = { $count ->
    [one] { $count } испытание
    [few] { $count } испытания
   *[many] { $count } испытаний
    }
part-experiment-more = и ещё { $count }
part-experiment-pair = { $first } { $then }
part-experiment-of-probe = { $metric } { $probe }
part-experiment-span = { $least }–{ $most }
part-experiment-of-so-many = { $what } n { $count }
part-experiment-footnote = { $what } [{ $number }]
part-experiment-knob = { $knob } на { $hosts }
part-experiment-for-sum = за { $sum }
part-experiment-unit-for-sum = { $unit } за { $sum }
part-experiment-more-than = на { $price } дороже, чем { $level }
part-experiment-interval = 95-процентный доверительный интервал медианы по порядковым статистикам
part-experiment-interval-confidence = доверительный интервал медианы по порядковым статистикам, уровень доверия не ниже { $confidence }
part-experiment-limit = предел: { $limit } ({ $reason })
report-experiment-limit = Предел: { $limit } ({ $reason }).
report-experiment-numbered-title = { $name }. { $title }
report-experiment-file-too-large = { $what }; слишком велики, чтобы поместить их в страницу
report-experiment-range-of-values = От { $least } ({ $here }) до { $most } ({ $there }).
report-experiment-deviations = Наблюдений { $count }, от { $least } до { $most } от медианы своей ячейки.
report-experiment-cells-are-medians = В каждой ячейке: медиана n = { $count } ({ $interval }).
report-experiment-cells-are-medians-of-n = В каждой ячейке: медиана n показателей ({ $interval }).
report-experiment-interval = Интервал: { $interval }.
report-experiment-each-is-a-median = Каждое значение — медиана n = { $count }.
report-experiment-few-values = Показателей { $count }: для интервала мало, нужно { $least }.
report-experiment-interval-is-range = Интервал { $count } показателей — их размах, уровень доверия { $share }.
report-experiment-largest-changes = Наибольшие изменения: { $count } из { $all }.
report-experiment-requirements-not-met = Не выполнено требований: { $count } из { $all }.
report-experiment-interval-word = интервал
report-experiment-order-caption = Отличие каждого наблюдения от медианы своей ячейки, в порядке прогона: наклон или ступень — дело хостов, а не факторов.
report-experiment-csv-file = все наблюдения, по одному на строку, в основных единицах
report-experiment-json-file = те же данные с факторами, единицами и вопросами, в формате, который читает goodput
part-experiment-not-a-number = показатель не является числом

## Views

report-view-notes-beside = { $count ->
    [one] { $count } примечание стоит рядом с тем, о чём оно.
    [few] { $count } примечания стоят рядом с тем, о чём они.
   *[many] { $count } примечаний стоят рядом с тем, о чём они.
    }
report-view-warnings-beside = { $count ->
    [one] { $count } предупреждение стоит рядом с тем, о чём оно.
    [few] { $count } предупреждения стоят рядом с тем, о чём они.
   *[many] { $count } предупреждений стоят рядом с тем, о чём они.
    }
report-view-stand-beside = { $what } стоят рядом с тем, о чём они.
part-view-warnings = { $count ->
    [one] { $count } предупреждение
    [few] { $count } предупреждения
   *[many] { $count } предупреждений
    }
part-view-notes = { $count ->
    [one] { $count } примечание
    [few] { $count } примечания
   *[many] { $count } примечаний
    }
report-view-side-against-summary = { $second } против { $first }: { $summary }
report-view-limit-lies-above = Предел ({ $rate }) лежит выше графика.
report-view-limit-both-ways-lies-above = Предел для обоих направлений вместе ({ $rate }) лежит выше графика.
report-view-limit-each-way-lies-above = Предел в каждую сторону ({ $rate }) лежит выше графика.
report-view-limit-of-whom-lies-above = Предел ({ $names }), { $rate }, лежит выше графика.
part-view-limit-rate = предел: { $rate }
part-view-limit-both-ways = предел, обе стороны вместе: { $rate }
part-view-limit-each-way = предел в каждую сторону: { $rate }
part-view-limit-of-whom = предел ({ $names }): { $rate }
part-view-above = больше { $least }
report-view-runs-not-shown = { $count ->
    [one] Ещё { $count } прогон не показан: старые и те, у которых другой показатель.
   *[other] Не показано прогонов: { $count } — старые и те, у которых другой показатель.
    }
part-view-runs = { $count ->
    [one] { $count } прогон
    [few] { $count } прогона
   *[many] { $count } прогонов
    }
report-view-throughput-over-message-size = Скорость в зависимости от размера сообщения
report-view-half-round-trip-over-message-size = Половина времени оборота в зависимости от размера сообщения
report-view-time-over-message-size = Время в зависимости от размера сообщения
report-view-signature = Сигнатура: скорость от времени передачи
report-view-saturation = Насыщение: размер сообщения от времени передачи
report-view-goodput-over-time = Полезная скорость во времени
report-view-clock-offset-over-time = Сдвиг часов во времени
report-view-runs-newest-first = { $count ->
    [one] { $count } прогон, сначала новые
    [few] { $count } прогона, сначала новые
   *[many] { $count } прогонов, сначала новые
    }
report-view-idle-runs-left-out = { $count ->
    [one] Пропущен { $count } прогон, в котором никому нечего делать.
    [few] Пропущены { $count } прогона, в которых никому нечего делать.
   *[many] Пропущено { $count } прогонов, в которых никому нечего делать.
    }
part-view-tcp-with = TCP с { $name }
part-view-more-than = больше { $count }

## Analysis

part-limit-bound = { $reason }: { $rate }
part-limit-bound-on = { $medium }: { $reason }: { $rate }
report-limits-ethernet-overhead = { $tags ->
    [0] Вокруг каждого пакета { $bytes } байт: заголовок, FCS, преамбула, межкадровый интервал.
    [1] Вокруг каждого пакета { $bytes } байт: заголовок, FCS, преамбула, межкадровый интервал, метка VLAN.
   *[other] Вокруг каждого пакета { $bytes } байт: заголовок, FCS, преамбула, межкадровый интервал, меток VLAN: { $tags }.
    }
part-no-way-back-without-agent = недоступно без агента на { $host }
part-slot-unknown-speed = скорость неизвестна
part-slot-unknown-speed-lanes = скорость неизвестна, x{ $lanes }
part-compared-stream = { $count ->
    [one] stream { $way }, { $size }, { $count } соединение
   *[other] stream { $way }, { $size }, соединений: { $count }
    }
part-compared-write = запись { $what } на { $place }
part-compared-read = чтение { $what } с { $place }
part-compared-from-local-disk = { $copy }, с локального диска
part-compared-to-local-disk = { $copy }, на локальный диск
part-compared-mix = смесь { $name }, { $players }, { $place }
part-compared-at = { $what } при { $place }
part-compared-with-interval = { $what } (95 % доверительный интервал от { $low } до { $high })
part-compared-blocks = { $count ->
    [one] { $count } блок
    [few] { $count } блока
   *[many] { $count } блоков
    }
part-compared-blocks-left-out = { $count ->
    [one] { $count } блок без одной из сторон не учтён
   *[other] блоков без одной из сторон не учтено: { $count }
    }
part-compared-comparisons = { $count ->
    [one] { $count } сравнение
    [few] { $count } сравнения
   *[many] { $count } сравнений
    }
part-compared-has-values = { $name }: значений { $count }
part-evidence-cell = ячейка { $number }
part-evidence-trials = испытания { $numbers }
part-evidence-values = { $trials }: { $values }
part-no-trial-reached-the-disk = завершилось, но ни одно испытание не записано на диск
part-was-aborted-why = прервано: { $cause }
part-result-has-no = в результате нет { $name }
part-trials-have-different-settings = у испытаний разные настройки, поэтому общего { $name } нет; назовите одно по значениям в скобках, как в file_run.rows[name=SEQ1M,way=read].rate_bps.median
part-price-no-value = нет показателя
part-price-missing = нет цены
part-price-other-currency = цена указана в { $currency }
part-price-no-range = цена — не диапазон сумм
part-price-dearer-not-better = дороже, чем { $level }, а лучше ли — не показано
part-price-worse-may-cost = хуже, чем { $level }, а стоить может и больше, и меньше
part-conclusion-values = { $count ->
    [one] { $count } показатель
    [few] { $count } показателя
   *[many] { $count } показателей
    }
part-conclusion-at-place = { $place }: { $figure }
part-conclusion-metric = { $metric } у { $probe }
