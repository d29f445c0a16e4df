### Words of the web page. The messages stand in the order of ../en/page.ftl.

## The frame

nav-now = Сейчас
nav-runs = Прогоны
nav-hosts = Хосты
nav-new = Новый тест
nav-schedule = Расписание
nav-label = Страницы
skip-to-content = К содержанию
language-label = Язык
theme-label = Цвета
theme-system = Как в системе
theme-light = Светлые
theme-dark = Тёмные
log-out = Выйти
loading = Загрузка…
again = Повторить
cancel = Отмена
save = Сохранить
delete = Удалить
edit = Изменить
remove = Убрать
page-not-found = Такой страницы нет.
connection-lost = Связь с сервером потеряна; пробуем снова.
problem-error = Ошибка
problem-cause = Причина
problem-hint = Подсказка
server-no-answer = сервер не отвечает
severity-error = Ошибка
severity-warning = Предупреждение
severity-note = Примечание
finding-try = Попробуйте
finding-evidence = Свидетельства

## Log in

login-title = Вход
login-password = Пароль
login-submit = Войти
login-why = Этот сервер спрашивает пароль. Его знает тот, кто сервер настроил.

## Runs

runs-title = Прогоны
runs-none = Подходящих прогонов нет.
runs-none-yet = Прогонов пока нет. Начните с нового теста или с goodput demo в командной строке.
runs-search = Поиск
runs-filter = Отбор
runs-filter-clear = Снять весь отбор
runs-since = С
runs-until = По
runs-compare = { $count ->
    [one] Сравнить { $count } прогон
    [few] Сравнить { $count } прогона
   *[many] Сравнить { $count } прогонов
}
runs-compare-most = За один раз можно сравнить не больше { $most } прогонов.
runs-count = { $count ->
    [one] { $count } прогон
    [few] { $count } прогона
   *[many] { $count } прогонов
}
runs-more = Показать ещё
runs-any = любые
runs-changed = Есть новые прогоны. Показать
runs-choose-another = Выберите ещё один прогон для сравнения.
runs-choose-none = Снять выбор
runs-trials-count = { $count ->
    [one] { $count } испытание
    [few] { $count } испытания
   *[many] { $count } испытаний
}
runs-probe = Проба
runs-hosts = Хосты
runs-labels = Метки
runs-tags = Теги
runs-experiment = Эксперимент
runs-factors = Факторы экспериментов
runs-factors-show = { $count ->
    [one] Показать { $count } фактор
    [few] Показать { $count } фактора
   *[many] Показать { $count } факторов
}
runs-outcome = Исход
runs-select = Выбрать этот прогон для сравнения
outcome-complete = завершён
outcome-partial = частично
outcome-failed = сбой
outcome-running = идёт
outcome-invalid = недействителен

## One run

run-title = Прогон
run-downloads = Загрузки
download-csv = наблюдения, по одному в строке
download-csv-table = одна из таблиц результатов
download-html = отчёт без скриптов, для любого браузера
download-iometer = results.csv в виде IOmeter 1.1
download-iometer-1999 = results.csv в виде IOmeter до 2008 года
download-json = результаты для программ
download-markdown = отчёт с таблицами GitHub
download-netpipe = np.out в виде NetPIPE
download-page = эта страница с прогоном внутри, для тех, у кого нет программы
download-parquet-figures = Apache Parquet, строка на каждую величину
download-parquet-samples = Apache Parquet, строка на каждый отсчёт
download-run-tar-zst = прогон, как он записан: все события и все отсчёты
download-text = таблицы, как в терминале
run-tags-edit = Изменить теги
run-contents = Содержание
run-print = Печать
run-repeat = Повторять по расписанию
run-resume = Измерить недостающее
compare-title = Сравнение
compare-against = Сравнить остальные с { $name }
compare-too-few = Для сравнения нужны хотя бы два прогона. Выберите их на странице прогонов.
statement-sure = Насколько уверенно:
statement-more = и ещё { $count }
tags-field = Теги через запятую
table-all-columns = Все столбцы

## Charts and tables

chart-table = Показать таблицей
chart-picture = Показать графиком
chart-zoom-out = Весь диапазон
chart-zoom-in = Приблизить
chart-zoom-less = Отдалить
chart-log-of = Логарифмическая шкала: { $axis }
chart-band = полоса: { $band }
chart-read = Читать значения вдоль оси
chart-read-hint = Двигайте, чтобы читать значения
chart-legend = Обозначения
chart-minimum = наименьшее
table-rows = { $count ->
    [one] { $count } строка
    [few] { $count } строки
   *[many] { $count } строк
}

## Now

now-title = Сейчас
now-nothing = Сейчас ничего не измеряется.
now-stop = Остановить
now-said = Последние сообщения
now-run = Прогон
now-again = Ещё раз, с изменениями или без
now-experiment = Ячейки эксперимента
now-waiting = Ждут своей очереди
now-ended = Недавно закончились
now-terminal = Начато в терминале
now-terminal-note = Начато в терминале, там же и останавливается. Здесь испытания появляются по одному, когда заканчиваются.
now-terminal-cpu = Ради этой картинки хосты не спрашивают о CPU; он стоит в результате.
now-terminal-silent = О текущем испытании ничего не сообщается. Так бывает на линиях медленнее 1 Gbit/s, в экспериментах, когда документ читает программа (--json) и когда команда работает на другой машине или от имени другого пользователя.
now-trial-progress = Ход этого испытания
now-trials = { $count ->
    [one] пока { $count } испытание
    [few] пока { $count } испытания
   *[many] пока { $count } испытаний
}
job-waiting = ждёт
job-running = идёт
job-stopping = останавливается
job-done = готово
job-failed = сбой
job-by-page = начато на этой странице
job-since = с { $time }
job-ended = закончилось в { $time }
job-exit = код завершения { $code }
prompt-title = Требуется действие вручную
prompt-must-show = После этого проверяется:
prompt-wrong = Ещё нет: { $found }
prompt-done = Готово
prompt-skip = Пропустить этот уровень
prompt-sent = Отправлено; состояние проверяется.
prompt-operator = Ответить может оператор.
prompt-at-terminal = Отвечают в терминале, где начат эксперимент.

## What is measured at this moment

live-goodput = Полезная скорость
live-goodput-picture = { $flows ->
    [one] Полезная скорость { $flows } потока за последние секунды; числа стоят в таблице ниже.
   *[other] Полезная скорость { $flows } потоков за последние секунды; числа стоят в таблице ниже.
}
live-goodput-axis = Полезная скорость
live-time-axis = Время от первого отсчёта, s
live-flow = Поток
live-goodput-now = Сейчас
live-bytes = За окно
live-cpu = Занятость CPU
live-cpu-picture = { $hosts ->
    [one] Занятость CPU { $hosts } хоста за последние секунды; числа стоят в таблице ниже.
   *[other] Занятость CPU { $hosts } хостов за последние секунды; числа стоят в таблице ниже.
}
live-cpu-axis = Занятая доля всех CPU, %
live-host = Хост
live-busy-now = Сейчас
live-operations = Операций сейчас: { $rate }
live-shared = Эти хосты работают на одном ядре: каждый показатель — их общий.
live-shortened = Показаны последние две минуты.
live-glimpse = Это беглый взгляд. Результат вычисляется из отсчётов, которые хранят обе стороны.
live-none = Об испытании пока ничего не сообщается. На линиях медленнее 1 Gbit/s так и будет до его конца: это мешало бы измерению.
live-progress = Ход измерения
live-seconds = { $count } с
live-minutes = { $count } мин
live-hours = { $hours } ч { $minutes } мин

## Hosts

hosts-title = Хосты
hosts-agents = Агенты
hosts-none = Агентов нет. Запустите на другом хосте goodput agent.
hosts-state = Состояние
hosts-idle = свободен
hosts-held-by = занят: { $client }
hosts-until = примерно до { $time }
hosts-others-wait = { $count ->
    [one] ждёт { $count }
   *[other] ждут { $count }
}
hosts-address = Адрес
hosts-hostname = Имя хоста
hosts-kernel = Ядро
hosts-cpu = CPU
hosts-cpus = { $count } × { $model }
hosts-pinned = (закреплён за CPU { $cpu })
hosts-program = goodput
hosts-groups = Группы
hosts-labels = Метки
hosts-matrix = Что измерено между ними в последний раз
hosts-matrix-none = Между хостами пока ничего не измерено.
hosts-matrix-goodput = Полезная скорость
hosts-matrix-latency = Задержка
hosts-matrix-corner = От ↓ к →
hosts-matrix-never = не измерено
hosts-reach = Кто сейчас отвечает
hosts-reach-note = Ячейка показывает худшую из двух сторон и когда между ними в последний раз что-то измерено. У хостов стенда агентов нет.
hosts-agent-answers = отвечает
hosts-agent-refuses = отсюда распоряжений не принимает
hosts-agent-absent = агент не отвечает
hosts-agent-unknown = сказать нельзя
hosts-agent-heard = давал о себе знать { $when }
hosts-agent-gone = пропал { $when }
hosts-measured = измерено { $when }
hosts-memory = Память
hosts-congestion = Управление перегрузкой
hosts-adapters = Адаптеры
hosts-speed-unknown = скорость неизвестна
hosts-duplex-full = полный дуплекс
hosts-duplex-half = полудуплекс
hosts-mtu = MTU { $bytes }
hosts-offloads = Аппаратных ускорений включено: { $count }
hosts-record = Последняя запись
hosts-record-none = Ни в одном сохранённом прогоне нет записи об этом хосте. Остальное о нём записывается при измерении.
hosts-figure-goodput-bps = полезная скорость
hosts-figure-latency-ns-p50 = время оборота, медиана
hosts-figure-half-rtt-ns-p50 = половина времени оборота, медиана
hosts-differences = Чем различаются два хоста
hosts-first = Один хост
hosts-second = Другой
hosts-compare = Сравнить
hosts-fact = Свойство
hosts-recorded = записано { $when }
hosts-same = Из записанного между { $first } и { $second } ничего не различается.

## Experiment

experiment-title = Эксперимент
experiment-progress = Закончено ячеек: { $done } из { $of }
experiment-progress-label = Законченные ячейки
experiment-left = осталось примерно { $time }
experiment-report = Отчёт
experiment-cells = Ячейки
experiment-tally = Сколько ячеек в каждом состоянии
experiment-matrix = Ячейки { $probe }
experiment-warm-up = прогрев
experiment-repeat = повтор { $number }
experiment-now = Сейчас
experiment-factors = Факторы
experiment-by-hand = вручную
cell-number = Ячейка { $number }
cell-trials = испытания { $trials }
cell-waiting = ждёт
cell-running = идёт
cell-done = готово
cell-failed = сбой
cell-timed-out = время вышло
cell-not-set = не установлено
cell-spared = не нужна

## New test

new-title = Новый тест
new-command = Что измерять
new-operator = Начать тест может только оператор. Здесь видно, как он выглядел бы в командной строке.
new-group-hosts = Между кем
new-group-measurement = Что измеряется
new-group-common = Общее для всех тестов
new-default = обычно: { $value }
new-required = обязательно
new-line = В командной строке это
new-good = Программа принимает эту строку.
new-unread = В этой строке есть то, для чего в форме нет поля, поэтому ничего не заполнено. В терминале это:
new-start = Начать

## Schedule

schedule-title = Расписания
schedule-title-of = Расписание { $name }
schedule-all = Все расписания
schedule-none = Ничего не запланировано.
schedule-unknown = Такого расписания нет.
schedule-new = Новое расписание
schedule-edit = Изменить { $name }
schedule-name = Имя
schedule-line = Что измерять, как в командной строке
schedule-when = Когда
schedule-every = Через промежуток
schedule-calendar = По дням и времени
schedule-interval = Каждые
schedule-span = Единица
schedule-unit-seconds = секунды
schedule-unit-minutes = минуты
schedule-unit-hours = часы
schedule-unit-days = дни
schedule-days = Дни
schedule-days-none = Если дни не выбраны — каждый день.
schedule-day-monday = понедельник
schedule-day-tuesday = вторник
schedule-day-wednesday = среда
schedule-day-thursday = четверг
schedule-day-friday = пятница
schedule-day-saturday = суббота
schedule-day-sunday = воскресенье
schedule-times = Время суток, например 03:00, 15:30
schedule-zone = Часовой пояс
schedule-jitter = Начинать позже на случайное время до стольких секунд (пусто: выбирает сервер)
schedule-enabled = Действует
schedule-alerts = Кому и о чём сообщать
schedule-alert = Правило { $number }
schedule-alert-kind = Сообщать, когда
schedule-alert-bound = Граница с единицей, например 800 Mbit/s или 2 ms
schedule-alert-times = Сбоев подряд
schedule-alert-add = Добавить правило
schedule-alert-short = Правило
schedule-alert-holds = выполняется с { $since }
schedule-rule-below = главный показатель ниже
schedule-rule-above = главный показатель выше
schedule-rule-changed = история изменилась
schedule-rule-failed = прогоны не удались
schedule-webhook = Адрес, которому сообщать (webhook)
schedule-rests = отдыхает
schedule-next = Следующий
schedule-last = Последний
schedule-runs = Прогоны
schedule-failed = { $count ->
    [one] { $count } сбой
    [few] { $count } сбоя
   *[many] { $count } сбоев
}
schedule-missed = { $count ->
    [one] { $count } раз пропущен
    [few] { $count } раза пропущено
   *[many] { $count } раз пропущено
}
schedule-no-exit = принудительно завершён, или сервер закончил раньше
schedule-history = История
schedule-changes = Где изменилось
schedule-delete-sure = Удалить { $name }? Его прогоны останутся.
schedule-delete-yes = Да, удалить
schedule-wrong-name = В имени — латинские буквы, цифры, точки, дефисы и подчёркивания, не больше 64, начало — буква или цифра.
schedule-wrong-line = Введите измеряющую команду; у каждой кавычки должна быть пара.
schedule-wrong-every = Введите целое число больше 0.
schedule-wrong-times = Введите одно или несколько значений времени, например 03:00.
schedule-wrong-jitter = Введите целое число секунд или ничего.
schedule-wrong-webhook = Адрес начинается с http:// или https://.
schedule-wrong-alert = Введите число с единицей: 800 Mbit/s, 2 ms, 45000 /s. Одни K, M или G можно понять двояко.
