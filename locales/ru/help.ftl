### The help of the commands. The messages stand in the order of ../en/help.ftl. Names of values stay as they are.

## Words of every help; brackets stand behind options, as in [default: 10s]

help-usage = Использование:
help-arguments = Аргументы:
help-options = Параметры:
help-commands = Команды
help-options-tag = [ПАРАМЕТРЫ]
help-examples = Примеры:
help-env = переменная
help-default = по умолчанию
help-possible-values = возможные значения
help-print-help = Показать справку
help-print-help-more = Показать справку (подробнее: '--help')
help-print-help-summary = Показать справку (кратко: '-h')
help-print-version = Показать версию
help-print-help-of = Показать это сообщение или справку указанных подкоманд
help-print-help-command = Показать справку команды
help-group-measure = Измерение
help-group-hosts = Хосты
help-group-results = Результаты
help-group-other = Прочее
help-more = Подробнее: goodput COMMAND -h, goodput --help
help-units = Размеры: B kB MB GB KiB MiB GiB. Скорости: bit kbit Mbit Gbit. Время: ns us ms s min.
help-units-exit-codes = Коды завершения: goodput help exit-codes
help-units-languages = Языки: --lang en|ja|ru, GOODPUT_LANG или язык системы

## Headings of options

help-heading-hosts = Хосты и учётные данные
help-heading-trials = Испытания и окружение
help-heading-socket = Параметры сокетов
help-heading-output = Вывод и сохранённые прогоны
help-heading-permissions = Разрешения
help-heading-metrics = Метрики и оповещения
help-heading-limits = Ограничения хостов

## Commands

help-goodput = Измеряет скорость, задержку и время CPU между двумя хостами
help-goodput-more = Запустите `goodput agent` на одном хосте и `goodput stream HOST` на другом. Чтобы попробовать и то и другое на одной машине, выполните `goodput lab up` и `goodput stream lab:b --from lab:a`.
help-agent = Запустить агент, который выполняет измерения на этом хосте
help-run = Выполнить эксперимент из файла
help-icf = Проверить или записать конфигурацию IOmeter (.icf)
help-limits = Вывести теоретические пределы скорости сред передачи и шин
help-hosts = Перечислить агентов в локальной сети или у маршрутизатора
help-router = Запустить маршрутизатор, связывающий агентов и координаторов нескольких площадок
help-serve = Запустить веб-сервер с интерфейсом пользователя и HTTP API
help-host = Показать адаптеры, CPU и настройки ядра этой машины
help-compare = Сравнить два прогона или два эксперимента
help-lab = Создать эмулируемую сеть в пространствах имён этой машины
help-show = Вывести таблицы записанного прогона
help-list = Перечислить записанные прогоны
help-export = Экспортировать прогон как JSON, CSV, Parquet, np.out (NetPIPE) или results.csv (IOmeter)
help-store = Найти, снабдить тегами, удалить, перенести записанные прогоны или сделать их резервную копию
help-report = Создать отчёт с графиками по прогону или эксперименту
help-key = Создать ключ лаборатории, общий для координатора и агентов
help-demo = Выполнить каждую пробу на стенде и создать отчёт, около минуты
help-demo-output = Папка для прогонов и отчёта
help-completions = Вывести скрипт автодополнения для командной оболочки
help-completions-more = Например: goodput completions bash > /etc/bash_completion.d/goodput
help-completions-shell = Оболочка, для которой создаётся автодополнение
help-man = Записать страницы руководства
help-man-folder = Папка для goodput.1 и страниц подкоманд, по одной на каждую; если её нет, она создаётся
help-level-setter = Установить уровни факторов эксперимента на одном хосте (запускается командой goodput run)
help-exit-codes = Вывести таблицу кодов завершения

## Options of several commands

help-json = Вывести один документ JSON
help-listen = Адрес, на котором слушать
help-json-tables = Вывести один документ JSON вместо таблиц
help-runs = Папка сохранённых прогонов
help-lab-name = Имя стенда
help-result-run = Прогон: имя, начало имени, папка или last

## Credentials

help-credentials-key-file = Файл ключа лаборатории
help-credentials-ca = Файл сертификата центра (CA), вместо ключа лаборатории
help-credentials-certificate = Файл сертификата этого хоста
help-credentials-private-key = Файл закрытого ключа к сертификату

## Options of every measurement

help-measure-time = Длительность измерения
help-measure-direction = Направление данных, если смотреть с хоста --from
help-measure-spin = Активное ожидание вместо сна на обеих сторонах; занимает по одному CPU на каждом хосте
help-measure-time-each = Длительность измерения каждой точки
help-measure-warm-up-each = Прогрев перед каждым измерением, не учитывается
help-measure-host = Удалённый хост, на котором должен работать агент: адрес, имя или lab:NAME
help-measure-host-more = Имя сначала разрешается через DNS, затем ищется среди агентов.
help-measure-from = Хост на другом конце пути
help-measure-from-more = На хосте должен работать агент, либо это lab:NAME.
help-measure-port = Порт агентов для управляющих соединений
help-measure-router = Маршрутизатор, через который агенты доступны по имени; данные идут прямо между хостами
help-measure-always-save = Сохранить прогон [по умолчанию]
help-measure-save = Не сохранять прогон
help-measure-repeat = Число испытаний
help-measure-cpus = CPU, за которыми закрепляются измеряющие потоки обоих хостов, например 0,2-3
help-measure-deadline = Тайм-аут каждого ожидания в сети, например ожидания соединения
help-measure-shared = Измерять, даже если агенты заняты другими испытаниями; это отмечается в результате
help-measure-medium = Среда передачи на пути, чтобы сравнить результат с её пределом: 1000base-t, 1000base-t:9000, ethernet:RATE …
help-measure-bus = Шина ввода-вывода хоста, чтобы сравнить результат с её пределом: pci-32-33, pcie3-x4, usb2 …
help-measure-seed = Начальное число прогона
help-measure-bytes = Остановиться после такого объёма данных в каждом направлении
help-measure-count = Остановиться после стольких сообщений или датаграмм в каждом направлении
help-measure-warm-up = Прогрев перед измерением, не учитывается
help-measure-label = Метка прогона в виде KEY=VALUE; можно повторять

## Socket options

help-socket-send-buffer = Размер буфера отправки сокета на обоих хостах
help-socket-receive-buffer = Размер буфера приёма сокета на обоих хостах
help-socket-no-delay = Включить (on) или выключить (off) TCP_NODELAY; on отключает алгоритм Нейгла
help-socket-congestion = Алгоритм управления перегрузкой на обоих хостах, например cubic
help-socket-segment-size = Наибольший размер сегмента TCP в байтах (TCP_MAXSEG)

## goodput agent

help-agent-port = Порт для управляющих соединений
help-agent-data-port = Порт TCP и UDP для данных измерений
help-agent-name = Имя этого агента
help-agent-spool = Папка, где результаты хранятся, пока их не заберут, или memory
help-agent-groups = Группа этого агента, которую другие команды выбирают через --group G или @G
help-agent-routers = Маршрутизатор, через который до агента доходят с других площадок
help-agent-data-addresses = Адрес для соединений данных, устанавливаемых через маршрутизатор
help-agent-hidden = Не показывать этот агент в выводе `goodput hosts`
help-agent-policy = Файл политики или none
help-agent-folders = Папка, в которой разрешены файловые измерения
help-agent-folders-more = Для нескольких папок повторите параметр. Они добавляются к папкам из файла политики.
help-agent-smb-accounts = Пользователь и сервер, для которых разрешён пароль SMB этого хоста
help-agent-smb-accounts-more = Для нескольких учётных записей повторите параметр; они добавляются к записям из файла политики. Домен и порт, если он не 445, входят в учётную запись: 'LAB;bench@nas:1445'. Агент читает пароль из GOODPUT_SMB_PASSWORD или из файла GOODPUT_SMB_PASSWORD_FILE.
help-agent-knobs = Настройка этого хоста, которую могут менять координаторы
help-agent-knobs-more = Для нескольких настроек повторите параметр; они добавляются к настройкам из файла политики. Примеры: mtu, offload, 'sysctl net.ipv4.tcp_rmem', namespace, any. После измерения агент возвращает исходное значение.
help-agent-commands = Команда, которую могут выполнять координаторы, по её первым словам, или any
help-agent-commands-more = Для нескольких команд повторите параметр. Они добавляются к командам из файла политики.
help-agent-knob-journal = Файл, в который записываются исходные значения настроек, или memory
help-agent-check = Вывести действующую политику и завершиться
help-agent-label = Метка этого агента, например site=tokyo; можно повторять

## goodput check

help-check = Проверить путь меньше чем за 30 с: MTU, задержка, TCP, UDP, занятость CPU и настройки
help-check-require = Требование к результату, например "tcp_send_bps >= 900Mbit"; можно повторять
help-check-require-more = Если оно не выполнено, код завершения 1. Имена — члены "check" в документе JSON.

## goodput clock

help-clock = Сдвиг и дрейф часов двух хостов
help-clock-interval = Интервал между двумя отсчётами
help-clock-exchanges = Обменов на отсчёт; используется обмен с наименьшим временем оборота

## goodput compare

help-compare-first = Базовый прогон: имя, начало имени, папка или last; либо файл TOML с опубликованными значениями
help-compare-second = Прогон, сравниваемый с базовым, в той же записи; эксперименты сравниваются только с экспериментами или опубликованными значениями
help-compare-require = Условие, которому должно отвечать изменение, например "goodput_bps change >= -2 %"; можно повторять

## goodput datagram

help-datagram = Потери, джиттер и скорость UDP или наибольшая скорость без потерь
help-datagram-flows = Число потоков в каждом направлении, у каждого свой сокет и порт
help-datagram-size = Размер полезных данных одной датаграммы
help-datagram-rate = Скорость отправки в каждом направлении, например 100Mbit, 10000/s или 10kpps
help-datagram-rate-more = Единица — биты полезных данных в секунду или датаграммы в секунду.
help-datagram-burst = Датаграмм, отправляемых одной пачкой
help-datagram-search = Найти наибольшую скорость без потери датаграмм
help-datagram-search-more = Поиск не превышает --rate. Найденную скорость подтверждает последнее испытание длительностью --time. --lossless — тот же параметр.
help-datagram-loss = Наибольшие потери, допустимые для --search, например 0.1%
help-datagram-plain = Отправлять каждую датаграмму отдельным системным вызовом, без UDP_SEGMENT и UDP_GRO; счёт потерь тогда точен
help-datagram-no-offload = Отправлять несколько отдельных датаграмм за вызов (sendmmsg, recvmmsg), без UDP_SEGMENT и UDP_GRO
help-datagram-warm-up = Прогрев перед измерением, входит в итоги, но не в скорость

## goodput export

help-export-format = Формат файла; iometer — results.csv программы IOmeter 1.1, iometer-1999 — версий до 2008 года
help-export-trial = Экспортировать только это испытание
help-export-table = Таблица для экспорта как CSV или Parquet
help-export-table-more = Таблицы CSV: trials, metrics или таблица пробы (points, intervals, latency, datagrams, …). Таблицы Parquet: samples, figures.
help-export-output = Выходной файл
help-export-json = Вывести путь записанного файла или ошибку как JSON

## goodput file

help-file = Скорость чтения и записи файлов в папке, на общем ресурсе или у агента
help-file-copy = Время записи и чтения одного большого файла
help-file-disk = Последовательный и случайный доступ, измеренный как в CrystalDiskMark
help-file-replay = Воспроизвести нагрузку файлового сервера: dbench или встроенный профиль
help-file-clean = Удалить папки, оставшиеся от принудительно завершённых файловых измерений
help-file-size = Размер тестового файла
help-file-order = Порядок испытаний записи и чтения в каждом круге; write и read — только испытания этого вида
help-file-target = Измеряемое место: папка, smb://user@host/share, nfs://host/export, HOST:disk …
help-file-target-more = Папка может быть на подключённом диске или общем ресурсе. HOST:null, HOST:memory и HOST:disk[=PATH] измеряют до агента, без файлового сервера.
help-file-from = Хосты клиентов, на каждом агент
help-file-from-more = Если TARGET — папка, то это путь на этих хостах.
help-file-server = Агент на файловом сервере, чтобы измерить занятость его CPU
help-file-server-more = Измеряются также диск сервера и сеть без файлов.
help-file-server-folder = Путь общей папки на сервере, чтобы показать её диск и вытеснять её файлы из кэша перед чтением
help-file-password-file = Файл с паролем для smb://
help-file-direct = Мимо страничного кэша клиента с помощью O_DIRECT или с очисткой кэша перед каждым испытанием [по умолчанию, кроме replay]
help-file-cached = Использовать страничный кэш клиента [по умолчанию для replay]
help-file-flush = Когда сбрасывать записанные данные на диск
help-file-verify = Сколько данных прочитать обратно и сравнить, вне измеряемого времени

## goodput file clean

help-file-clean-target = Очищаемая папка или общий ресурс: путь, smb://user@host/share/folder, nfs://host/export/folder
help-file-clean-from = Хост стенда, на котором доступен TARGET
help-file-clean-list = Перечислить папки, не удаляя их
help-file-clean-workspace = Удалить эту папку goodput, даже если её команда, возможно, ещё работает

## goodput file copy

help-file-copy-local = Папка клиента, в которую и из которой копировать
help-file-copy-local-more = Измеряется также скорость диска, на котором находится эта папка.
help-file-copy-block = Размер блока каждой операции копирования
help-file-copy-depth = Число операций копирования, одновременно в работе

## goodput file disk

help-file-disk-profile = Версия CrystalDiskMark, тесты которой выполняются
help-file-disk-row = Выполнить только этот тест профиля, например "RND4K Q1T1"; можно повторять
help-file-disk-time = Длительность каждого теста

## goodput file replay

help-file-replay-load = Воспроизводимый файл нагрузки dbench или office — встроенный профиль
help-file-replay-load-more = Файл должен быть на каждом клиенте; он может быть сжат gzip.
help-file-replay-clients = Числа клиентов, для каждого отдельное измерение, например 1,2,4,8
help-file-replay-clients-more = Клиенты распределяются поровну по хостам --from.
help-file-replay-max-errors = Остановить клиента после стольких операций, результат которых иной, чем в файле нагрузки
help-file-replay-rate = Наибольшая скорость данных каждого клиента
help-file-replay-local = Воспроизвести нагрузку и в этой локальной папке клиента
help-file-replay-local-more = Это показывает, какая часть результата приходится на диск. Возьмите диск, похожий на диск сервера.
help-file-replay-net-only = Передавать те же данные по сети без обращения к файлам, как tbench
help-file-replay-net-only-more = С этим параметром TARGET — хост с агентом или общий ресурс; для общего ресурса --server указывает агент на его сервере.

## goodput hosts

help-hosts-watch = Продолжать работу и сообщать о каждом агенте, который появляется, пропадает или измеряет; остановка — Ctrl-C
help-hosts-group = Только агенты этой группы
help-hosts-router = Перечислить агентов у этого маршрутизатора, а не в локальной сети
help-hosts-json = Вывести один документ JSON; с --watch — по строке на каждое изменение
help-hosts-label = Только агенты с этой меткой; можно повторять

## goodput icf

help-icf-check = Показать, что измерит goodput load по файлу .icf, с предупреждением о каждой неучтённой настройке
help-icf-from-plan = Записать нагрузку как файл .icf, с теми же параметрами, что у goodput load
help-icf-from-plan-file = Записываемый файл .icf

## goodput icf check

help-icf-check-file = Файл конфигурации IOmeter (.icf)
help-icf-check-map = Хост для менеджера из файла в виде MANAGER=HOST или NAME#ID=HOST, если одинаковое имя у нескольких; можно повторять
help-icf-check-network-only = Не учитывать дисковые рабочие потоки
help-icf-check-allow-disk = Папка для тестовых файлов дисковых рабочих потоков; диски из файла .icf никогда не открываются
help-icf-check-time = Длительность каждого измерения
help-icf-check-warm-up = Прогрев перед каждым измерением

## goodput key

help-key-new = Создать случайный ключ лаборатории; скопируйте файл на каждый хост по защищённому каналу
help-key-new-output = Записываемый файл

## goodput lab

help-lab-up = Поднять стенд: хосты a и b на одной линии или то, что описывает файл топологии
help-lab-up-file = Файл топологии (TOML)
help-lab-up-pin = Выделить этому хосту отдельный CPU, а другим хостам остальные; нужны root и два CPU
help-lab-exec = Выполнить команду внутри хоста стенда
help-lab-exec-host = Хост: NAME или NAME@LAB, с lab: впереди или без него
help-lab-exec-command = Команда с аргументами
help-lab-down = Снять стенд со всеми его хостами и линиями
help-lab-list = Перечислить стенды, запущенные на этой машине
help-lab-keeper = Процесс, который поддерживает работу стенда (запускается командой `lab up`)
help-lab-keeper-words = Аргументы для крейта lab

## goodput lab up

help-lab-up-clients = Число клиентов сервера на одном коммутаторе, вместо хостов a и b
help-lab-up-clients-more = Хосты: server, c1, c2 … и desk, который отдаёт указания.
help-lab-up-rate = Скорость линии или линии каждого клиента, например 100Mbit
help-lab-up-server-rate = Скорость линии сервера
help-lab-up-mtu = MTU линий в байтах
help-lab-up-disk = Диск в памяти для хоста, в /srv, при желании со скоростью: server=2GiB@40MB; можно повторять, нужен root
help-lab-up-cpu-share = Ограничение CPU хоста в процентах одного CPU: server=30%; можно повторять, нужен root
help-lab-up-packet-cost = Дополнительное время CPU хоста на пакет, заданное числом пустых правил фильтра пакетов: server=1000; можно повторять
help-lab-up-bus = Эмулируемая шина, общая для всего трафика хоста: имя из goodput limits или скорость; можно повторять
help-lab-up-bus-more = Примеры: server=pci-32-33, server=800Mbit.
help-lab-up-medium = Среда передачи линий, например 10base-t, вместо --rate
help-lab-up-medium-more = Имена перечисляет `goodput limits`.
help-lab-up-no-collisions = Станции полудуплексной среды передают по очереди, без коллизий
help-lab-up-delay = Задержка каждого кадра в каждом направлении, например 5ms
help-lab-up-jitter = Наибольшая дополнительная случайная задержка каждого кадра, например 1ms
help-lab-up-loss = Потери кадров в каждом направлении, например 0.1%
help-lab-up-silent-mtu = Наибольший размер пакета IP в байтах, который пропускает коммутатор; более крупные отбрасываются без сообщения ICMP
help-lab-up-lab-seed = Начальное число для задержек, потерь и коллизий на эмулируемых линиях

## goodput latency

help-latency = Задержка без нагрузки и под нагрузкой TCP
help-latency-load = Фоновые нагрузки TCP, при которых измеряется задержка, по испытанию на каждую
help-latency-connections = Число соединений нагрузки TCP в каждом направлении
help-latency-interval = Интервал между двумя пробами задержки
help-latency-size = Размер полезных данных каждой пробы задержки и ответа на неё
help-latency-time = Длительность измерения в каждом испытании
help-latency-warm-up = Прогрев перед каждым измерением, пока заполняются очереди; не учитывается

## goodput level setter

help-level-setter-host = Хост, на котором установить уровни факторов
help-level-setter-port = Порт управления агента на HOST
help-level-setter-towards = Хост другой стороны, маршрут к которому определяет сетевой интерфейс; можно повторять
help-level-setter-client = Имя клиента, которое агент записывает для этих изменений
help-level-setter-journal = Файл на этой машине, в который записываются исходные значения настроек
help-router-by-name = Маршрутизатор, через который агенты доступны по имени

## goodput limits

help-limits-medium = Вычисляемая среда передачи, например 1000base-t, atm155-lane, ethernet:RATE, disk:SIZE; можно повторять
help-limits-bus = Вычисляемая шина, например pci-32-33 или pcie3-x4; можно повторять
help-limits-mtu = MTU IP в байтах
help-limits-ip = Версия IP, 4 или 6
help-limits-vlan = Число меток VLAN в каждом кадре
help-limits-no-timestamps = Вычислить полезную скорость TCP без меток времени
help-limits-duplex = Режим дуплекса среды
help-limits-datagram = Размер полезных данных каждой датаграммы UDP
help-limits-rtt = Время оборота на пути, чтобы вычислить нужное окно TCP (произведение скорости на задержку)
help-limits-window = Окно приёма одного соединения, чтобы вычислить его наибольшую скорость при --rtt

## goodput list

help-list-json = Вывести один документ JSON вместо таблицы

## goodput load

help-load = Скорость и CPU одного сервера с многими клиентами
help-load-server = Сервер, на котором должен работать агент: адрес, имя или lab:NAME
help-load-clients = Клиенты, на каждом агент: a,b или c[1-20]
help-load-group = Клиенты — агенты этой группы или с этой меткой
help-load-size = Размеры запросов
help-load-direction = Измеряемые направления, если смотреть с сервера
help-load-direction-more = Возможные направления: transmit, receive, duplex, mixed.
help-load-client-counts = Числа клиентов, для каждого отдельное измерение, например 1,4,8
help-load-workers = Генераторов нагрузки на клиента в каждом направлении
help-load-one-connection = Для duplex: одно соединение на оба направления вместо генератора на каждое
help-load-reads = Доля запросов, которые сервер получает, в процентах (только направление mixed)
help-load-mix = Смесь размеров запросов вместо --size в виде SIZE:SHARE:READS (в процентах), например 4KiB:70:67,64KiB:30:100
help-load-mix-more = Каждая запись — SIZE:SHARE:READS[:REPLY]; сумма долей должна быть 100.
help-load-reply = Размер ответа на каждый запрос
help-load-outstanding = Наибольшее число запросов в пути на соединение, если задан --reply
help-load-burst = Число транзакций в пачке
help-load-delay = Пауза перед каждой пачкой
help-load-transactions-per-connection = Открывать новое соединение после стольких транзакций (режим частоты соединений)
help-load-icf = Прочитать нагрузку из файла конфигурации IOmeter (.icf)
help-load-icf-more = Файл проверяет `goodput icf check`.
help-load-map = Хост для менеджера из файла .icf в виде MANAGER=HOST; можно повторять
help-load-network-only = Не учитывать дисковые рабочие потоки из файла .icf
help-load-write-icf = Записать нагрузку как файл .icf для IOmeter, не измеряя

## goodput mtu

help-mtu = Наибольший проходящий пакет, в каждом направлении
help-mtu-expect = Ожидаемый MTU пути в байтах; иной MTU — ошибка (код завершения 1)
help-mtu-largest = Наибольший пробуемый размер пакета в байтах
help-mtu-tries = Сколько пакетов одного размера (от 3 до 5) должно потеряться, пока другие доходят, чтобы этот размер считался слишком большим
help-mtu-timer = Наименьший тайм-аут ответа; четыре времени оборота, если это дольше
help-mtu-time = Предел времени поиска MTU
help-mtu-icmp = Измерять с помощью ICMP echo, без агента на HOST
help-mtu-icmp-more = ICMP измеряет только путь до HOST и требует на этой машине права на сокеты ICMP.

## goodput pingpong

help-pingpong = Задержка и скорость в зависимости от размера сообщения
help-pingpong-mode = Режим измерения: native (адаптивный, медиана с доверительным интервалом) или compat (как NetPIPE 3.7.2)
help-pingpong-compat = То же, что --mode compat
help-pingpong-smallest = Наименьший размер сообщения в развёртке
help-pingpong-largest = Наибольший размер сообщения в развёртке
help-pingpong-largest-more = По умолчанию получаются 103 размера NetPIPE.
help-pingpong-perturbation = Измерять и размеры, меньшие и большие на столько байт; 0 отключает это
help-pingpong-streaming = Передавать только в одну сторону, время измеряет получатель
help-pingpong-two-way = Передавать в обе стороны одновременно
help-pingpong-cold = Отправлять каждое сообщение из памяти, которой нет ни в одном кэше CPU
help-pingpong-integrity = Проверять каждый байт каждого сообщения на обеих сторонах
help-pingpong-buffer = Размер буферов отправки и приёма сокета
help-pingpong-congestion = Алгоритм управления перегрузкой на обоих хостах
help-pingpong-width = Режим native: желаемая ширина 95-процентного доверительного интервала в процентах медианы
help-pingpong-cap = Режим native: предел времени на каждый размер
help-pingpong-reset = Режим compat: новое соединение для каждого измеряемого цикла (-r у NetPIPE)
help-pingpong-repeats = Режим compat: постоянное число повторов (-n у NetPIPE)
help-pingpong-sample-cap = Наибольшее число сохраняемых отсчётов времени оборота
help-pingpong-np-out = Записать результаты и в этот файл в формате np.out NetPIPE

## goodput report

help-report-format = Форматы отчёта через запятую: html, page, markdown, text, svg, png, csv, json
help-report-output = Выходная папка
help-report-json = Вывести пути записанных файлов как JSON
help-report-run = Прогон: имя, начало имени, папка или last; либо файл TOML с опубликованными значениями

## goodput request

help-request = Задержка запроса и ответа и частота транзакций
help-request-kind = Вид транзакции; tcp_crr открывает новое соединение для каждой транзакции
help-request-size = Размеры запроса и ответа, например 128 (оба) или 64,8KiB
help-request-outstanding = Число транзакций в пути
help-request-rate = Сколько транзакций начинать в секунду (открытый цикл)
help-request-rate-more = Транзакции начинаются по расписанию, не дожидаясь ответов. Задержка считается от начала по расписанию.
help-request-count = Остановиться после стольких транзакций

## goodput router

help-router-port = Порт, на котором слушать
help-router-connect = Маршрутизатор другой площадки, к которому подключиться; можно повторять

## goodput run

help-run-check = Вывести план эксперимента, не измеряя
help-run-quick = Выполнить краткую форму, заданную в файле под [quick]
help-run-yes = Не просить пользователя устанавливать уровни факторов вручную, а только проверять, что они установлены
help-run-seed = Начальное число для порядка выполнения и всего остального случайного
help-run-file = Файл эксперимента (TOML) или папка, в которой есть experiment.toml
help-run-resume = Продолжить новейший незавершённый прогон этого файла или указанный прогон

## goodput serve

help-serve-listen-more = Любому адресу, кроме loopback, нужны TLS и пароль или токен.
help-serve-index = База данных с индексом прогонов: sqlite:FILE или postgres://… для общего пользования
help-serve-tls-cert = Файл сертификата TLS в формате PEM, вместе с промежуточными сертификатами
help-serve-tls-key = Файл закрытого ключа сертификата TLS
help-serve-tls-self = Создать и использовать самоподписанный сертификат TLS
help-serve-names = Дополнительное имя хоста, под которым браузеры открывают страницу; можно повторять
help-serve-allow = Что ещё может делать измерение, начатое с веб-страницы: write, folders, files, knobs, commands
help-serve-allow-more = write: записывать файлы на этой машине или сохранять прогоны в другую папку. folders: измерять в папках этой машины. files: читать файлы этой машины, например ключи и конфигурации. knobs: менять настройки этой машины в экспериментах и настройки хостов с why --allow-knob. commands: выполнять команды на хостах в экспериментах, уровни которых устанавливают команды.
help-serve-webhook-loopback = Разрешить webhook оповещений обращаться к адресам этой машины
help-serve-otlp = URL сборщика OpenTelemetry, который получает метрики расписаний и агентов (OTLP/HTTP, JSON)
help-serve-otlp-interval = Интервал между двумя отправками метрик
help-serve-router = Маршрутизатор для списка хостов и для измерений, начатых со страницы
help-serve-passwords = Файл с хешами паролей
help-serve-tokens = Файл с хешами токенов
help-serve-password = Задать пароль роли пользователя веб-страницы
help-serve-password-more = Пароль запрашивается в терминале или читается одной строкой из стандартного ввода.
help-serve-role = reader видит всё и ничего не меняет; operator ещё начинает, останавливает, планирует и ставит теги
help-serve-token = Создать токен API для программы и вывести его один раз
help-serve-token-name = Имя токена; новый заменяет прежний с этим именем

## goodput show

help-show-resolution = Вместо таблиц вывести наименьшее изменение, которое могут обнаружить повторные испытания
help-show-resolution-more = В прогоне должно быть не меньше 16 испытаний с одинаковыми настройками. С =3% выводится и то, сколько блоков нужно эксперименту, чтобы обнаружить изменение на 3 %.

## goodput store

help-store-index = База данных с индексом прогонов: sqlite:FILE или postgres://USER@HOST/DATABASE
help-store-list = Искать сохранённые прогоны и перечислить их, сначала новые
help-store-list-limit = Наибольшее число прогонов
help-store-list-after = Продолжить после этого прогона, последнего в предыдущем списке
help-store-tag = Добавить или убрать теги прогона; прогоны с тегами prune удаляет только с --tagged
help-store-tag-run = Прогон: имя, его начало или конец либо last
help-store-tag-tags = Теги
help-store-tag-remove = Убрать эти теги
help-store-rebuild = Заново построить индекс по сохранённым прогонам
help-store-prune = Удалить прогоны; без --yes только перечислить их
help-store-prune-tagged = И прогоны с тегами
help-store-prune-yes = Удалить их
help-store-move = Перенести прогоны в другую папку или базу данных
help-store-move-more = Каждый прогон сначала читается обратно там и только затем удаляется здесь.
help-store-move-to = Куда: папка прогонов или postgres://USER@HOST/DATABASE
help-store-move-keep = Копировать их, а не переносить
help-store-backup = Записать все прогоны и расписания в один файл (.tar.zst)
help-store-file = Файл
help-store-restore = Восстановить прогоны из резервной копии или импортировать архив одного прогона

## goodput store: which runs

help-store-filter-words = Слова для поиска в имени, команде, хостах и метках прогона
help-store-filter-words-more = Поиск ведётся также по пробам, тегам и имени эксперимента.
help-store-filter-probe = Только прогоны с этой пробой; можно повторять
help-store-filter-host = Только прогоны, в которых участвовал этот хост; можно повторять
help-store-filter-label = Только прогоны с этой меткой; можно повторять
help-store-filter-factor = Только прогоны с этим уровнем фактора эксперимента; можно повторять
help-store-filter-tag = Только прогоны с этим тегом; можно повторять
help-store-filter-experiment = Только прогоны этого эксперимента
help-store-filter-since = Только прогоны, начатые не раньше этой даты или не старше: 2026-11-01, 36h, 90d, 8w
help-store-filter-since-more = Даты в UTC. Время указывайте как 2026-11-01T08:00:00Z.
help-store-filter-until = Только прогоны, начатые раньше этой даты или времени
help-store-filter-outcome = Только прогоны с этим исходом; можно повторять

## goodput stream

help-stream = Скорость TCP, посчитанная у получателя
help-stream-connections = Число соединений TCP в каждом направлении
help-stream-size = Размер каждого сообщения, которое отправляется одной записью
help-stream-read-size = Наибольшее число байт за один вызов чтения
help-stream-sender = Способ отправки: write, batch:N (N сообщений на writev), sendfile, zerocopy
help-stream-receiver = Способ приёма: read или discard (MSG_TRUNC, без копирования данных)
help-stream-receive-coalescing = Объединение приёма: off или сколько ждать новых данных перед следующим чтением
help-stream-receive-coalescing-more = Столько получатель ждёт после короткого чтения, вернувшегося сразу, чтобы каждое чтение возвращало больше данных.
help-stream-rate = Наибольшая скорость каждого соединения
help-stream-rate-more = Скорость ограничивает ядро, выдавая данные с постоянной скоростью (SO_MAX_PACING_RATE).

## goodput why

help-why = Выяснить, что ограничивает скорость TCP, и доказать это вмешательствами
help-why-budget = Предел времени; если причина доказана раньше, команда завершается
help-why-allow-knob = Изменять и настройки хостов: пределы буферов и длину очереди приёма; после испытания каждая возвращается
help-why-block = Размер блока каждой операции копирования (для HOST:disk)
help-why-block-default = до 1MiB
help-why-size = Размер каждого сообщения; для HOST:disk — размер файла, иначе он выбирается по скорости

## Behind the options: what the examples do, and notes

help-agent-example = на хосте, до которого измерять
help-agent-example-2 = с файловыми измерениями в этой папке
help-check-example = путь от этой машины до nas
help-clock-example = сдвиг и дрейф за 10 s
help-clock-example-2 = между двумя другими хостами
help-datagram-example = потери и джиттер при 100 Mbit/s полезных данных
help-datagram-example-2 = наибольшая скорость с потерями не больше 0,1 %
help-file-example = копирование, затем тест накопителя, с одним выводом
help-file-note = Все файлы находятся в новой папке внутри TARGET, которая в конце удаляется.
help-file-copy-example = 600 MB в подключённую папку и из неё
help-file-copy-example-2 = файл хранит агент на nas
help-file-disk-example = как CrystalDiskMark 8
help-file-disk-note = Без --repeat выполняется пять кругов после одного, который не учитывается, как в CrystalDiskMark.
help-compare-example = последний прогон с другим
help-compare-example-2 = папки прогонов
help-compare-note = Два эксперимента сравниваются по ячейкам. Два других прогона сравниваются по испытаниям с одинаковыми настройками. У каждого изменения есть интервал и вердикт; вердикт может быть и таким, что прогоны этого не различают. Прогоны измерены один после другого: причиной могут быть изменения между ними, которые не перечислены.
help-compare-note-2 = При сравнении экспериментов показатель стоит после своей строки пробы: "tcp.goodput_bps change >= -2 %".
help-compare-note-3 = Коды завершения: 0 — сравнено, все требования выполнены; 1 — требование не выполнено или его показатель есть не в обоих прогонах; 2 — такого прогона нет, или эксперимент только один из двух.
help-hosts-note = Команда около секунды рассылает многоадресный запрос в этой сети, затем опрашивает каждый ответивший агент через TLS со взаимной проверкой. С --router она вместо этого спрашивает об агентах у маршрутизатора. Агенты с другим ключом или другой версией перечисляются с указанием причины. Скрытые агенты, агенты за маршрутизатором сети и агенты без ключа на других машинах не находятся; используйте их адрес.
help-hosts-note-2 = Простое имя в качестве HOST измерения сначала разрешает система. Если она его не знает, это агент с точно таким именем, найденный в этой сети. С --router это агент с таким именем у маршрутизатора и ничто иное. Если это имя носят два агента, ошибка их перечисляет.
help-lab-up-example = хосты a и b на одной линии
help-latency-example = задержка без нагрузки, затем под нагрузкой TCP в каждом направлении
help-limits-example = имена всех сред передачи и шин
help-load-example = 13 размеров запросов в 3 направлениях
help-mtu-example = MTU пути в обоих направлениях
help-mtu-example-2 = код завершения 1, если он не 9000
help-mtu-example-3 = до хоста без агента
help-pingpong-example = 103 размера сообщений до 1 MiB
help-pingpong-example-2 = как это делает NetPIPE 3.7.2
help-request-example = задержка запроса и ответа TCP, по байту в каждую сторону
help-request-example-2 = задержка в открытом цикле при 10 000 запросов в секунду
help-export-example = самая подробная таблица новейшего прогона
help-report-example = report.html и графики новейшего прогона
help-report-example-2 = как Markdown, в стандартный вывод
help-report-example-3 = page.html: один файл с графиками, которые можно приближать
help-router-note = Агенты подключаются командой `goodput agent --router HOST`. После этого они доступны по именам: `goodput hosts --router HOST`, `goodput stream NAME --router HOST`. Через маршрутизатор идут только указания и результаты; данные идут от хоста к хосту. Подходит и собственный маршрутизатор системы обмена сообщениями, программа zenohd: docs/fleet.md
help-run-example = вывести план и его длительность
help-run-example-2 = выполнить; Ctrl-C оставляет прогон, который можно продолжить
help-run-example-3 = продолжить его
help-serve-example = страница этой машины, для запустившего пользователя
help-serve-example-2 = задать пароль, затем:
help-serve-example-3 = для лаборатории
help-serve-note = Программе нужен токен: goodput serve token reader prometheus. Подробнее: docs/serve.md
help-store-prune-example = перечислить прогоны старше 90 дней
help-store-prune-example-2 = удалить их
help-stream-example = скорость TCP от этой машины до nas
help-why-example = что ограничивает передачу от этой машины до nas
help-why-example-disk = ограничивает ли диск nas копирование на него

## goodput help exit-codes

help-exit = Коды завершения:
help-exit-done = выполнено
help-exit-requirement-failed = измерено, но требование не выполнено (замечание уровня "error")
help-exit-usage = аргументы непонятны или не подходят друг к другу
help-exit-unreachable = хост недоступен (имя, порт, ключ или протокол)
help-exit-cannot-measure = здесь нельзя измерить (права, отсутствие возможности ядра, полный диск)
help-exit-broke-off = испытание прервалось; измеренное до этого сохранено
help-exit-interrupted = прервано; измеренное до этого сохранено

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

help-default-all-addresses-lab = с ключом лаборатории все адреса, без него loopback
help-default-host-name = имя хоста
help-default-host-addresses = адреса этого хоста
help-default-none = нет
help-default-knobs-journal-spool = knobs.journal в папке --spool
help-default-maximum = наибольшая
help-default-those-due-within = те, чей срок в пределах 0,5 ms
help-default-search-ms = 1s; с --search 300ms
help-default-set-kernel = задаёт ядро
help-default-large-buffer-chosen = большой буфер, выбранный goodput
help-default-mb-disk-gib = 600MB; для disk 1GiB
help-default-memory = память
help-default-fifth-time-as = пятая часть --time, как в dbench
help-default-no-limit = без ограничения
help-default-machine = эта машина
help-default-prompt = запрос
help-default-end-drive-benchmarks = end; для тестов накопителя как в CrystalDiskMark; для replay none
help-default-run-time-file = время работы из файла
help-default-ramp-up-time = время разгона из файла
help-default-rate-client-link = скорость линии клиента
help-default-list-all-names = перечислить все имена
help-default-mtu-medium = MTU среды
help-default-if-option-has = 0; 1, если параметр без значения
help-default-mode-medium = режим среды
help-default-fills-mtu = заполняет MTU
help-default-all-clients = все клиенты
help-default-file-measurements = 1; для файловых измерений 5
help-default-name-resolution-connect = разрешение имени 5s, соединение 3s, первый байт 3s, без продвижения 10s
help-default-new-seed-each = новое для каждого прогона
help-default-interface-mtu = MTU интерфейса + 1
help-default-native = native
help-default-kernel-autotuning = автонастройка ядра
help-default-path-mtu = по MTU пути
help-default-all-np-out = все; для np.out первая развёртка
help-default-csv-most-detailed = для CSV самая подробная таблица, для Parquet samples
help-default-standard-output = стандартный вывод
help-default-run-folder-markdown = папка прогона; markdown, text, csv и json — в стандартный вывод
help-default-seed-file = число из файла
help-default-index-sqlite-run = index.sqlite в папке прогонов
help-default-config-goodput-passwords = ~/.config/goodput/passwords, если он есть
help-default-config-goodput-tokens = ~/.config/goodput/tokens, если он есть
