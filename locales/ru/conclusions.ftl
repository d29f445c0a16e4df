### Conclusions of experiments and their reports: patterns by which the English sentences are found.

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
    .text-6 = даёт ли { $whole } столько же, сколько { $clauseNames } вместе, для { $clauseWhat }, сказать нельзя: они нигде не измерены при прочих равных

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
clause-costs-as-much-ahead-one = { $name } дороже { $clauseTimes } и впереди в единственном сравнении, { $clauseLead }
clause-costs-as-much-nowhere-one = { $name } дороже { $clauseTimes } и не впереди в единственном сравнении
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
report-figures-above-limit = { $n } из { $all } показателей { $clauseWhat } выше того, что допускает среда: { $figure } при { $clausePlace }, где предел { $limit }
    .try = проверьте названные среду и MTU и то, считает ли показатель только данные пользователя
