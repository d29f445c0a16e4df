### Errors of the command line. The messages stand in the order of ../en/errors.ftl.

## Lines of the terminal: the words before what is said

line-error = ошибка: { $said }
line-cause = причина: { $said }
line-hint = подсказка: { $said }
line-warning = предупреждение: { $said }
line-note = примечание: { $said }
line-how-sure = насколько уверенно: { $said }
line-try = попробуйте: { $said }

## A host that cannot be reached

error-unresolved = имя { $host } не удаётся разрешить
error-resolve-deadline = нет ответа на поиск имени { $host } за { $seconds } s
error-refused-connection = { $address } отвергает соединение
error-no-answer = нет ответа от { $address } за { $seconds } s
error-unreachable = { $address } недостижим
error-wrong-key = у { $address } другой ключ лаборатории
error-tls-version = { $address } говорит по TLS, но ни одной версией или шифром, которые принимает эта программа
error-stranger = { $address } — не агент goodput: { $who }
error-agent-without-key = агент по адресу { $address } работает без ключа лаборатории
error-key-missing = агент по адресу { $address } требует ключ лаборатории, а здесь его нет
error-key-needed = { $address } — другая машина, а ключа лаборатории здесь нет
error-unproved = { $host } не доказал, кто он
error-no-data-port = { $host } не принимает соединений для данных
error-no-way = { $from } не находит пути для данных к { $to }
error-measure-unreached = измерить нельзя: { $said }
error-interrupted = прервано
error-interrupted-before = прервано до начала испытания
error-no-key-no-listen = агент без ключа лаборатории не слушает на { $address }
error-cannot-read-key = не удаётся прочитать файл ключа { $path }
error-key-open = файл ключа { $path } открыт для других (режим { $mode })
error-key-text = текст в { $place } — не ключ лаборатории: { $why }
error-no-random = система не даёт случайных байтов
cause-name-server = сервер имён не отвечает
cause-nothing-listens = хост есть, но на этом порту никто не слушает
cause-off-or-firewall = хост выключен, адрес неверен или межсетевой экран отбрасывает пакеты
cause-speaks-plainly = она говорит открыто там, где эта сторона ждёт TLS
cause-speaks-tls = она говорит по TLS, а у этой стороны нет сертификата
cause-own-machine-only = агент без ключа отвечает только своей машине
cause-older-there = программа агента старее
cause-older-here = эта программа старее
cause-must-hold-key = агент делает, что ему велят, поэтому велящий должен владеть ключом
cause-in-between = показанное сделано не этим ключом лаборатории или не сертификатом этого хоста; возможно, кто-то стоит посередине
hint-getent = проверьте написание: `getent hosts { $host }`, или введите адрес
hint-start-agent = запустите `goodput agent` на { $host } или укажите порт в виде HOST:PORT
hint-start-agent-only = запустите `goodput agent` на { $host }
hint-ping = попробуйте `ping { $ip }` и откройте TCP { $port } в межсетевом экране { $ip }
hint-copy-key = скопируйте файл ключа с одного хоста на другой; его называет `--key-file`
hint-same-version = установите на оба хоста одну версию
hint-same-goodput = установите на оба хоста одну версию goodput
hint-other-port = порт { $port } там занят другим: укажите порт агента в виде HOST:PORT
hint-restart-with-key = перезапустите агент с файлом ключа (`--key-file`)
hint-copy-or-make-key = скопируйте сюда файл ключа другого хоста; если его ещё нет, его создаст `goodput key new` (парк с сертификатами: --ca, --certificate, --private-key)
hint-new-key = goodput key new, затем скопируйте созданный файл на другие хосты
hint-copy-key-again = скопируйте файл, созданный `goodput key new`, ещё раз; он одинаков на обоих хостах
hint-agents-known = найдены агенты: { $names }; до остальных дойдёт адрес
hint-agents-unknown = запустите там `goodput agent`; найденных агентов перечислит `goodput hosts`, до остальных дойдёт адрес
hint-port-taken = посмотрите, не занят ли порт другим агентом: `ss -ltnp`; другие порты задают --port и --data-port
hint-agent-still-runs = посмотрите, работает ли ещё `goodput agent` на { $host }, и попробуйте снова
hint-firewall-data = откройте порт данных в межсетевом экране { $host } или укажите там, куда идут данные: `goodput agent --data-address ADDRESS`

## What was typed

error-refused-option = { $option } { $value } не принимается
error-refused-configuration = файл настроек { $file } не принимается
error-refused-experiment = эксперимент { $file } не принимается
error-refused-load-file = файл нагрузки { $file } не принимается
error-subcommand-missing = не хватает подкоманды
error-unexpected-argument = неожиданный аргумент '{ $argument }'
error-unrecognized-subcommand = неизвестная подкоманда '{ $command }'
error-both-ends-same = обе стороны — один и тот же хост
cause-out-of-bounds = значение вне границ
cause-not-whole = это не целое число
cause-not-decimal = это не десятичное число
cause-no-such-choice = такого выбора нет
cause-no-unit = не указана единица
cause-not-a-number = начинается не с числа
cause-two-readings = { $unit } можно понять двояко
cause-not-a-unit = { $unit } — не единица для { $what }
hint-subcommands = список покажет goodput --help, а что получается — goodput demo
hint-value-from = введите значение от { $from } до { $to }
hint-number-without-unit = введите число от { $from } до { $to } без единицы
hint-two-readings = введите { $one } или { $other } (от { $from } до { $to })
hint-form-and-help = форма такая: { $usage }; подробнее: goodput --help
hint-leave-one-out = уберите одно из них
hint-list-runs = имена покажет goodput list; годится и папка прогона
hint-lab-up = goodput lab up
hint-other-runs-folder = назовите другую папку: --runs, или измерьте с --no-save
hint-runs-folder = назовите папку: --runs, или измерьте с --no-save

## Work on files

hint-allow-dir = запустите тот агент с --allow-dir DIR или назовите папку в его правилах (folders.allowed)
hint-logon = проверьте пользователя, домен и пароль: smb://[domain;]user@host/share, --password-file FILE
hint-share-name = посмотрите, как папка называется на сервере
hint-writable = назовите папку, в которую можно писать
hint-make-room = попросите меньше: --size, или освободите место
hint-permission = назовите папку, где этот пользователь может создавать папки, или войдите тем, кто может
hint-not-made = посмотрите, есть ли там папка; сама она не создаётся
hint-after-the-cause = устраните названное в причине и измерьте снова
