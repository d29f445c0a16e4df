### Conclusions of experiments: messages with typed arguments.

## Parts of the conclusions

clause-what-where = { $what } при { $place }
clause-list-and = { $more } и { $last }
clause-list-or = { $more } или { $last }
clause-semicolon = { $one }; { $then }
clause-span = от { $low } до { $high }
clause-name-and-value = { $name } { $value }
clause-at-place = { $place }: { $details }
clause-place-range = { $place } { $range }
clause-in-places = { $combinations } ({ $places })
clause-so-many-more = и ещё { $n }
clause-in-the-one = в единственном измеренном сочетании
clause-in-none =
    ни в одном из { $n ->
        [one] { $n } сочетания
       *[other] { $n } сочетаний
    }
clause-in-all = во всех { $n } из { $n } сочетаний
clause-in-some = в { $n } из { $all } сочетаний
clause-infinitely-many = бесконечности
clause-times =
    { $factor ->
        [one] в { $factor } раз
        [few] в { $factor } раза
        [many] в { $factor } раз
       *[other] в { $factor } раза
    }
clause-infinitely-many-times = бесконечно
clause-times-span =
    { $high ->
        [few] от { $low } до { $high } раз
        [many] от { $low } до { $high } раз
       *[other] от { $low } до { $high } раза
    }

## Comparison of two alternatives, counted over the combinations

clause-result-in =
    { $result ->
        [better] лучше
        [equivalent] равноценно
        [worse] хуже
       *[open] без значимой разницы
    } { $combinations }
clause-result-in-some =
    { $result ->
        [better] лучше
        [equivalent] равноценно
        [worse] хуже
       *[open] без значимой разницы
    } в { $n } из { $all } ({ $details })
clause-result-of = результат для { $name }: { $tally }
clause-relative-to = { $one } по сравнению с { $other }
clause-differ-at-most = { $one } и { $other } расходятся не более чем на { $share }

## Is one alternative better than another?

rule-better = Что лучше
    .better = { $one } лучше, чем { $other }, для { $what } { $combinations }: { $times }
    .not-better = { $one } не лучше, чем { $other }, для { $what }: { $tally }
    .not-always = { $one } не всегда лучше, чем { $other }, для { $what }: { $tally }
    .undetermined = лучше ли { $one }, чем { $other }, для { $what }, по этим повторам определить нельзя: { $tally }
    .no-pairs = лучше ли { $one }, чем { $other }, для { $what }, определить нельзя: они нигде не измерены при прочих равных
    .better-alone = { $one } лучше, чем { $other }, { $combinations }: { $times }
    .not-better-alone = { $one } не лучше, чем { $other }: { $tally }
    .not-always-alone = { $one } не всегда лучше, чем { $other }: { $tally }
    .undetermined-alone = лучше ли { $one }, чем { $other }, по этим повторам определить нельзя: { $tally }
    .no-pairs-alone = лучше ли { $one }, чем { $other }, определить нельзя: они нигде не измерены при прочих равных
    .units-differ = { $one } и { $other } нельзя сопоставить: у их показателей разные единицы
    .try = выбирайте { $one }, если другой критерий не говорит за { $other }
    .try-other = выбирайте { $other }
    .try-criterion = выбирайте между { $one } и { $other } по другому критерию
    .try-combination = выбирайте между { $one } и { $other } по своему сочетанию остальных факторов
    .try-repeats = измерьте больше повторов или более длинные окна
    .try-measure = измерьте { $one } и { $other } при одинаковых уровнях всех остальных факторов
rule-beats = Какая проба впереди
    .try = сравнивайте две строки проб с одним и тем же показателем

## Does the value depend on a factor?

rule-depends = Зависит ли от фактора
    .flat =
        { $what } { $lines ->
            [one] не зависит
           *[other] не зависят
        } от { $factor }: показатели расходятся не более чем на { $share } { $combinations } ({ $span })
    .flat-from =
        { $what } { $lines ->
            [one] не зависит
           *[other] не зависят
        } от { $factor }: начиная с { $level } показатели расходятся не более чем на { $share } { $combinations } ({ $span })
    .varies =
        { $what } { $lines ->
            [one] зависит
           *[other] зависят
        } от { $factor } { $combinations }: лучший уровень отличается от худшего { $times }
    .rises =
        { $what } { $lines ->
            [one] растёт
           *[other] растут
        } с { $factor } { $combinations }: { $high } отличается от { $low } { $times }
    .falls =
        { $what } { $lines ->
            [one] падает
           *[other] падают
        } с { $factor } { $combinations }: { $high } отличается от { $low } { $times }
    .in-some =
        { $what } { $lines ->
            [one] зависит
           *[other] зависят
        } от { $factor } { $combinations }, между уровнями { $times } ({ $places })
    .elsewhere-flat = в { $n } ({ $places }) влияние не более { $share }
    .elsewhere-unclear = в { $n } повторы слишком разбросаны, чтобы это определить ({ $places })
    .remaining-change = начиная с { $level } остальное изменение не более { $share }
    .unclear =
        { $lines ->
            [one] зависит
           *[other] зависят
        } ли { $what } от { $factor }, определить нельзя { $combinations }: медианы уровней различаются { $times }, но и повторы разбросаны так же
    .no-pairs =
        { $lines ->
            [one] зависит
           *[other] зависят
        } ли { $what } от { $factor }, определить нельзя: никакие два уровня не измерены при прочих равных
    .the-values = показатели
    .highest = наибольший уровень
    .lowest = наименьший уровень
    .try = выбирайте { $factor } не по { $what }: здесь это ничего не даёт
    .try-carefully = выбирайте { $factor } внимательно: результат меняется самое большее { $times }
    .try-where = выбирайте { $factor } внимательно там, где он влияет, и не трогайте в остальных сочетаниях
    .try-measure = измерьте второй уровень { $factor }

## Which factor has the most influence, and which level is best?

rule-matters-most = Что важнее всего
    .text = для { $what } важнее всего { $factor }: при прочих равных лучший уровень по медиане отличается от худшего { $times }; затем { $others }
    .try = сначала выбирайте { $factor }
rule-best-level = Лучший уровень
    .text = { $name } — лучший { $factor } для { $what } { $combinations }, по медиане отличается от следующего { $times }
    .other = { $name } лучше в { $n } ({ $places })
    .even = в { $n } ({ $places }) ни один уровень не лучше более чем на { $share }
    .similar = значимой разницы с { $names } нет
    .none = ни один { $factor } не лучше остальных для { $what } более чем на { $share } { $combinations }
    .try = выбирайте { $name }, если другой критерий этого не исключает
    .try-criterion = выбирайте { $factor } по другому критерию

## How near is the value to the limit of the medium?

rule-ceiling = Насколько близко к пределу
    .text = { $what } доходит до { $shares }
    .share = { $share } предела ({ $figure } из { $limit }, лучшее из { $n })
    .share-with = { $share } предела при { $place } ({ $figure } из { $limit }, лучшее из { $n })
    .try = при { $place } узкое место не среда: сначала найдите его
values-above-limit = { $n } из { $all } показателей { $what } выше того, что допускает среда: { $figure } при { $place }, где предел { $limit }
    .try = проверьте названные среду и MTU и то, считает ли показатель только данные пользователя

## Combinations without a value

rule-not-measured = Не измерено
    .text = не измерено { $n } из { $all } сочетаний: { $places }
    .try = выводы не относятся к этим сочетаниям; измерьте их там, где это важно
rule-failed = Сочетания, которые не удались
    .text =
        не удались { $n } из { $all } сочетаний, всего { $times ->
            [few] { $times } раза
           *[many] { $times } раз
        } ({ $places }): { $reasons }
    .reason = { $reason } ({ $n })
    .try = найдите причину сбоя, прежде чем измерять снова

## Where does one curve overtake another?

rule-crossing = Кривые пересекаются
    .text = две кривые { $what } пересекаются вдоль { $way }: { $details }
    .overtakes = { $winner } обгоняет { $loser } между { $before } ({ $loser } впереди { $lead }) и { $after } ({ $winner } впереди { $by }) { $combinations }
    .try = выбирайте между { $one } и { $other } в зависимости от { $way }

## Dips, collapses and saturation over the message size

rule-collapse = Обвал по размерам
    .above = { $what } обрушивается выше некоторого размера { $combinations }: { $details }
    .below = { $what } обрушивается ниже некоторого размера { $combinations }: { $details }
    .try = посмотрите, что заполняет длинная серия: память адаптера, шину, очередь коммутатора; может помочь более медленный режим линии
    .try-below = посмотрите, что задерживает каждое сообщение: объединение прерываний или опрос
rule-fall = Спад по размерам
    .text = { $what } падает выше некоторого размера { $combinations }: { $details }
    .try = посмотрите на кэши, копирования и буферы при этом размере
rule-dip = Провал по размерам
    .text = { $what } проваливается при некоторых размерах { $combinations }: { $details }
    .try = измерьте больше размеров вокруг; посмотрите на пределы сегментов и отложенные подтверждения
clause-breach-between = между { $from } и { $to } (до { $rate } при { $size }, потеря { $share })
clause-breach-from-to = от { $from } до { $to } (до { $rate } при { $size }, потеря { $share })
clause-breach-up-to = до { $to } (до { $rate } при { $size }, потеря { $share }), нормально с { $good }
clause-in-all-these = всего: { $places }
rule-no-collapse = По размерам обвалов нет
    .text = { $what } по размерам не проваливается и не обрушивается { $combinations }; потеря в { $share } была бы обнаружена
rule-saturates = Где наступает насыщение
    .text = { $what } насыщается { $combinations } начиная с { $from }: { $details }
    .interval = { $size }, доверительный интервал 95 % от { $least } до { $most }
    .try = большие размеры не повышают скорость; там ограничивает не цена сообщения

## Which levels reach a value?

rule-reaches = Кто достигает цели
    .several = { $names } достигают { $goal } для { $what }: { $details }
    .only = только { $name } достигает { $goal } для { $what }: { $details }
    .none = ни один { $factor } не достигает { $goal } для { $what }
    .several-within = { $names } не превышают { $goal } для { $what }: { $details }
    .only-within = только { $name } не превышает { $goal } для { $what }: { $details }
    .none-within = ни один { $factor } не остаётся в пределах { $goal } для { $what }
    .count = { $combinations }, лучшее значение { $best }
    .never = { $name } никогда не достигает цели { $with }
    .with-best = при { $names } (лучшее значение { $best })
    .short =
        { $names } { $n ->
            [one] не достигает
           *[other] не достигают
        } цели, лучшее значение { $best } ({ $place })
    .best = лучшее значение — { $best } ({ $place })
    .no-value = какой { $factor } достаточно быстр, определить нельзя: { $what } ни с одним уровнем не измерено
    .this-metric = этот показатель
    .try = для { $goal } выбирайте { $names }
    .try-together = для { $goal } выбирайте { $names } вместе с уровнями остальных факторов, при которых цель достигается
    .try-another = ни один уровень не достигает { $goal }: измерьте другой { $factor }
    .try-measure = измерьте какой-нибудь уровень { $factor }

## Is a more expensive level cost-effective?

rule-pays = Что окупается
    .no =
        { $names } { $n ->
            [one] не окупается
           *[other] не окупаются
        } по сравнению с { $base } для { $what }
    .yes =
        { $names } { $n ->
            [one] окупается
           *[other] окупаются
        } по сравнению с { $base } для { $what }
    .mixed =
        { $names } { $n ->
            [one] окупается
           *[other] окупаются
        } по сравнению с { $base } для { $what } лишь при некоторых условиях
    .lower-is-better = какой { $factor } окупается для { $what }, определить нельзя: меньший показатель лучше, поэтому цены единицы нет
    .currencies = какой { $factor } окупается для { $what }, определить нельзя: цены в разных валютах
    .too-few = какой { $factor } окупается для { $what }, определить нельзя: нужны хотя бы два уровня с ценой и показателем
    .no-pairs = какой { $factor } окупается для { $what }, определить нельзя: { $base } нигде не измерен рядом с более дорогим при прочих равных
    .unit-costs = { $unit } стоит: { $costs }
    .level-cost = { $name } — { $cost } { $currency }
    .gain = { $name } дороже { $times } и лучше в { $n } из { $all } сравнений, самое большее { $lead }
    .gain-one = { $name } дороже { $times } и лучше в единственном сравнении, { $lead }
    .gain-none = { $name } дороже { $times } и не лучше ни в одном из { $all } сравнений
    .gain-not-one = { $name } дороже { $times } и не лучше в единственном сравнении
    .try = покупайте более дорогой
    .try-offer = сопоставьте предложенную цену с измеренным показателем вашего сочетания
    .try-base = покупайте { $base }, если критерий помимо { $what } не говорит за другой уровень
    .try-prices = укажите цену каждого уровня в [[price]]
    .try-measure = измерьте оба при одинаковых уровнях всех остальных факторов

## Is each of a group better than one alternative?

rule-group = Группа против одного
    .all = для { $what }: { $names } по сравнению с { $than }: каждый лучше, чем { $than }
    .none = для { $what }: { $names } по сравнению с { $than }: ни один не лучше, чем { $than }
    .some = для { $what }: { $names } по сравнению с { $than }: не каждый и не во всех сочетаниях лучше, чем { $than }
    .no-pairs = для { $what }: { $names } по сравнению с { $than }: результата нет, они нигде не измерены при прочих равных
    .try = выбирайте по изделию и сочетанию, а не по виду изделий
    .try-any = выбирайте любой из { $names }: каждый лучше, чем { $than }
    .try-than = выбирайте { $than }
    .try-measure = измерьте группу и { $than } при одинаковых уровнях всех остальных факторов

## Does one level reach the sum of others?

rule-sum = Целое и его части
    .reaches = { $whole } достигает суммы { $names } для { $what } { $combinations }: { $share }, самое меньшее { $least } из { $sum }
    .below = { $whole } не достигает суммы { $names } для { $what } { $combinations }: { $share }, самое меньшее { $least } из { $sum }
    .in-some = { $whole } достигает суммы { $names } лишь в { $n } из { $all } сочетаний ({ $places }) для { $what }: { $share }, самое меньшее { $least } из { $sum }
    .in-some-open = { $whole } достигает суммы { $names } лишь в { $n } из { $all } сочетаний ({ $places }) для { $what }, { $open }: { $share }, самое меньшее { $least } из { $sum }
    .undetermined = достигает ли { $whole } суммы { $names } для { $what }, по этим повторам определить нельзя: { $results }: { $share }, самое меньшее { $least } из { $sum }
    .no-pairs = достигает ли { $whole } суммы { $names } для { $what }, определить нельзя: они нигде не измерены при прочих равных
    .full-in = вся сумма в { $n } из { $all } ({ $places })
    .less-in = меньше суммы в { $n } из { $all } ({ $places })
    .open-in = без значимой разницы с суммой в { $n } из { $all } ({ $places })
    .open = без значимой разницы с суммой { $combinations }
    .try = если сумма не достигнута, ищите общее для частей: полудуплексную среду, шину, один CPU
    .try-measure = измерьте их все при одинаковых уровнях всех остальных факторов
