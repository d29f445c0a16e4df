### Conclusions of experiments: messages with typed arguments.

## Parts of the conclusions

clause-what-where = { $what } with { $place }
clause-list-and = { $more } and { $last }
clause-list-or = { $more } or { $last }
clause-semicolon = { $one }; { $then }
clause-span = { $low } to { $high }
clause-name-and-value = { $name } { $value }
clause-at-place = { $place }: { $details }
clause-place-range = { $place } { $range }
clause-in-places = { $combinations } ({ $places })
clause-so-many-more = and { $n } more
clause-in-the-one = in the one combination measured
clause-in-none =
    in none of { $n ->
        [one] { $n } combination
       *[other] { $n } combinations
    }
clause-in-all = in all { $n } of { $n } combinations
clause-in-some = in { $n } of { $all } combinations
clause-infinitely-many = infinitely many
clause-times = { $factor } times
clause-infinitely-many-times = infinitely many times
clause-times-span = { $low } to { $high } times

## Comparison of two alternatives, counted over the combinations

clause-result-in =
    { $result ->
        [better] better
        [equivalent] equivalent
        [worse] worse
       *[open] no significant difference
    } { $combinations }
clause-result-in-some =
    { $result ->
        [better] better
        [equivalent] equivalent
        [worse] worse
       *[open] no significant difference
    } in { $n } of { $all } ({ $details })
clause-result-of = the result for { $name } is: { $tally }
clause-relative-to = { $one } relative to { $other }
clause-differ-at-most = { $one } and { $other } differ by at most { $share }

## Is one alternative better than another?

rule-better = Comparison of two alternatives
    .better = { $one } is better than { $other } for { $what } { $combinations }: { $times }
    .not-better = { $one } is not better than { $other } for { $what }: { $tally }
    .not-always = { $one } is not always better than { $other } for { $what }: { $tally }
    .undetermined = whether { $one } is better than { $other } for { $what } cannot be determined from these repeats: { $tally }
    .no-pairs = it cannot be determined whether { $one } is better than { $other } for { $what }: no two measurements differ only in this choice
    .better-alone = { $one } is better than { $other } { $combinations }: { $times }
    .not-better-alone = { $one } is not better than { $other }: { $tally }
    .not-always-alone = { $one } is not always better than { $other }: { $tally }
    .undetermined-alone = whether { $one } is better than { $other } cannot be determined from these repeats: { $tally }
    .no-pairs-alone = it cannot be determined whether { $one } is better than { $other }: no two measurements differ only in this choice
    .units-differ = { $one } and { $other } cannot be compared: their values have different units
    .try = choose { $one }, unless another criterion favours { $other }
    .try-other = choose { $other }
    .try-criterion = choose between { $one } and { $other } by another criterion
    .try-combination = choose between { $one } and { $other } according to your own combination of the other factors
    .try-repeats = measure more repeats, or longer windows
    .try-measure = measure { $one } and { $other } with the same levels of all other factors
rule-beats = Comparison of two probe lines
    .try = compare two probe lines that have the same metric

## Does the value depend on a factor?

rule-depends = Dependence on the factor
    .flat =
        { $what } { $lines ->
            [one] does
           *[other] do
        } not depend on { $factor }: the values lie within { $share } of each other { $combinations } ({ $span })
    .flat-from =
        { $what } { $lines ->
            [one] does
           *[other] do
        } not depend on { $factor }: from { $level } upwards the values lie within { $share } of each other { $combinations } ({ $span })
    .varies =
        { $what } { $lines ->
            [one] depends
           *[other] depend
        } on { $factor } { $combinations }: the best level gives { $times } the value of the worst
    .rises =
        { $what } { $lines ->
            [one] rises
           *[other] rise
        } with { $factor } { $combinations }: { $high } gives { $times } the value of { $low }
    .falls =
        { $what } { $lines ->
            [one] falls
           *[other] fall
        } with { $factor } { $combinations }: { $high } gives { $times } the value of { $low }
    .in-some =
        { $what } { $lines ->
            [one] depends
           *[other] depend
        } on { $factor } { $combinations }, by { $times } between its levels ({ $places })
    .elsewhere-flat =
        in { $n ->
            [one] { $n } combination
           *[other] { $n } combinations
        } ({ $places }) the effect is at most { $share }
    .elsewhere-unclear =
        in { $n ->
            [one] { $n } combination
           *[other] { $n } combinations
        } ({ $places }) the repeats vary too much to determine the effect
    .remaining-change = from { $level } upwards the remaining change is at most { $share }
    .unclear =
        whether { $what } { $lines ->
            [one] depends
           *[other] depend
        } on { $factor } cannot be determined { $combinations }: the medians of its levels differ by { $times }, which is within the variation between repeats
    .no-pairs =
        it cannot be determined whether { $what } { $lines ->
            [one] depends
           *[other] depend
        } on { $factor }: no two measurements differ only in this factor
    .the-values = the values
    .highest = the highest level
    .lowest = the lowest level
    .try = choose { $factor } by a criterion other than { $what }: its level makes no difference here
    .try-carefully = choose { $factor } carefully: it changes the result by up to { $times }
    .try-where = choose { $factor } carefully in the combinations where it has an effect; keep it unchanged in the others
    .try-measure = measure a second level of { $factor }

## Which factor has the most influence, and which level is best?

rule-matters-most = Most influential factor
    .text = for { $what } the most influential factor is { $factor }: the best level gives { $times } the value of the worst (median, all else equal); next { $others }
    .try = choose the level of { $factor } first
rule-best-level = Best level of the factor
    .text = { $name } is the best { $factor } for { $what } { $combinations }, with { $times } the value of the next best (median)
    .other =
        { $name } is the best in { $n ->
            [one] { $n } combination
           *[other] { $n } combinations
        } ({ $places })
    .even =
        no level leads by more than { $share } in { $n ->
            [one] { $n } combination
           *[other] { $n } combinations
        } ({ $places })
    .similar = the best level does not differ significantly from { $names }
    .none = no { $factor } is better than the others for { $what } by more than { $share } { $combinations }
    .try = choose { $name }, unless another criterion rules it out
    .try-criterion = choose { $factor } by another criterion

## How near is the value to the limit of the medium?

rule-ceiling = Share of the limit reached
    .text = { $what } achieves { $shares }
    .share =
        { $share } of the limit ({ $figure } of { $limit }, best of { $n ->
            [one] { $n } value
           *[other] { $n } values
        })
    .share-with =
        { $share } of the limit with { $place } ({ $figure } of { $limit }, best of { $n ->
            [one] { $n } value
           *[other] { $n } values
        })
    .try = the medium is not the bottleneck with { $place }: find the actual bottleneck first
values-above-limit = { $n } of { $all } values of { $what } exceed the limit of the medium: { $figure } at { $place }, where the limit is { $limit }
    .try = check the specified medium and MTU, and whether the value counts user data only

## Combinations without a value

rule-not-measured = Combinations not measured
    .text =
        { $n } of { $all } combinations { $n ->
            [one] was
           *[other] were
        } not measured: { $places }
    .try = the conclusions do not cover these combinations; measure them if they matter to you
rule-failed = Failed combinations
    .text =
        { $n } of { $all } combinations failed, { $times ->
            [one] { $times } time
           *[other] { $times } times
        } in total ({ $places }): { $reasons }
    .reason = { $reason } ({ $n })
    .try = find the cause of the failure before you measure again

## Where does one curve overtake another?

rule-crossing = Crossover of two curves
    .text = two curves of { $what } cross when { $way } varies: { $details }
    .overtakes = { $winner } becomes better than { $loser } between { $before } ({ $loser } better by { $lead }) and { $after } ({ $winner } better by { $by }) { $combinations }
    .try = choose between { $one } and { $other } depending on { $way }

## Dips, collapses and saturation over the message size

rule-collapse = Performance collapse at some sizes
    .above = { $what } collapses above a certain size { $combinations }: { $details }
    .below = { $what } collapses below a certain size { $combinations }: { $details }
    .try = check which of these a long burst fills: adapter memory, bus or switch queue; a slower link mode may help
    .try-below = check what delays each message: interrupt moderation or polling
rule-fall = Lower performance above some size
    .text = { $what } decreases above a certain size { $combinations }: { $details }
    .try = check caches, copies and buffers of that size
rule-dip = Performance dip at some sizes
    .text = { $what } dips at some sizes { $combinations }: { $details }
    .try = measure more sizes around the dip; check segment limits and delayed acknowledgements
clause-breach-between = between { $from } and { $to } (down to { $rate } at { $size }, { $share } lower)
clause-breach-from-to = from { $from } to { $to } (down to { $rate } at { $size }, { $share } lower)
clause-breach-up-to = up to { $to } (down to { $rate } at { $size }, { $share } lower), normal from { $good } upwards
clause-in-all-these = in all of: { $places }
rule-no-collapse = No dip or collapse at any size
    .text = { $what } neither dips nor collapses at any measured size { $combinations }; a drop of { $share } would have been detected
rule-saturates = Size at which throughput saturates
    .text = { $what } saturates { $combinations }, from { $from } upwards: { $details }
    .interval = { $size }, 95 % confidence interval { $least } to { $most }
    .try = larger sizes do not increase the rate; the cost per message is not the limit there

## Which levels reach a value?

rule-reaches = Levels that meet the goal
    .several = { $names } reach { $goal } for { $what }: { $details }
    .only = only { $name } reaches { $goal } for { $what }: { $details }
    .none = no { $factor } reaches { $goal } for { $what }
    .several-within = { $names } stay within { $goal } for { $what }: { $details }
    .only-within = only { $name } stays within { $goal } for { $what }: { $details }
    .none-within = no { $factor } stays within { $goal } for { $what }
    .count = { $combinations }, best value { $best }
    .never = { $name } never meets the goal { $with }
    .with-best = with { $names } (best value { $best })
    .short =
        { $names } { $n ->
            [one] does
           *[other] do
        } not meet the goal, best value { $best } ({ $place })
    .best = the best value is { $best } ({ $place })
    .no-value = it cannot be determined which { $factor } is fast enough: no level has a value of { $what }
    .this-metric = this metric
    .try = for { $goal } choose { $names }
    .try-together = for { $goal } choose { $names }, together with levels of the other factors that meet the goal
    .try-another = no level meets { $goal }: measure another { $factor }
    .try-measure = measure a level of { $factor }

## Is a more expensive level cost-effective?

rule-pays = Cost-effectiveness
    .no =
        { $names } { $n ->
            [one] is
           *[other] are
        } not more cost-effective than { $base } for { $what }
    .yes =
        { $names } { $n ->
            [one] is
           *[other] are
        } more cost-effective than { $base } for { $what }
    .mixed =
        only under some conditions { $n ->
            [one] is
           *[other] are
        } { $names } more cost-effective than { $base } for { $what }
    .lower-is-better = it cannot be determined which { $factor } is cost-effective for { $what }: lower values are better, so there is no price per unit
    .currencies = it cannot be determined which { $factor } is cost-effective for { $what }: the prices of the levels are in different currencies
    .too-few = it cannot be determined which { $factor } is cost-effective for { $what }: at least two levels with a price and a value are required
    .no-pairs = it cannot be determined which { $factor } is cost-effective for { $what }: no measurement compares { $base } with a more expensive level with all else equal
    .unit-costs = one { $unit } costs { $costs }
    .level-cost = { $cost } { $currency } with { $name }
    .gain = { $name } costs { $times } as much and is better in { $n } of { $all } comparisons, by { $lead } at most
    .gain-one = { $name } costs { $times } as much and is better in the only comparison, by { $lead }
    .gain-none = { $name } costs { $times } as much and is better in none of { $all } comparisons
    .gain-not-one = { $name } costs { $times } as much and is not better in the only comparison
    .try = buy the more expensive level
    .try-offer = compare the price you are offered with the measured value of your own combination
    .try-base = buy { $base }, unless a criterion other than { $what } favours another level
    .try-prices = specify the price of each level in the experiment file, under [[price]]
    .try-measure = measure both levels with the same levels of all other factors

## Is each of a group better than one alternative?

rule-group = Group compared with one alternative
    .all = for { $what }, all of { $names } are better than { $than }
    .none = for { $what }, none of { $names } is better than { $than }
    .some = for { $what }, not all of { $names } are better than { $than } in every combination
    .no-pairs = { $names } cannot be compared with { $than } for { $what }: no two measurements differ only in this choice
    .try = choose by the individual product and your combination, not by the type of product
    .try-any = choose any of { $names }: each is better than { $than }
    .try-than = choose { $than }
    .try-measure = measure the group and { $than } with the same levels of all other factors

## Does one level reach the sum of others?

rule-sum = Total compared with the sum of its parts
    .reaches = { $whole } reaches the sum of { $names } for { $what } { $combinations }: { $share } of the sum, minimum { $least } of { $sum }
    .below = { $whole } stays below the sum of { $names } for { $what } { $combinations }: { $share } of the sum, minimum { $least } of { $sum }
    .in-some = { $whole } reaches the sum of { $names } in only { $n } of { $all } combinations ({ $places }) for { $what }: { $share } of the sum, minimum { $least } of { $sum }
    .in-some-open = { $whole } reaches the sum of { $names } in only { $n } of { $all } combinations ({ $places }) for { $what }, { $open }: { $share } of the sum, minimum { $least } of { $sum }
    .undetermined = whether { $whole } reaches the sum of { $names } for { $what } cannot be determined from these repeats: { $results }: { $share } of the sum, minimum { $least } of { $sum }
    .no-pairs = it cannot be determined whether { $whole } reaches the sum of { $names } for { $what }: no two measurements differ only in this choice
    .full-in = the full sum in { $n } of { $all } ({ $places })
    .less-in = less than the sum in { $n } of { $all } ({ $places })
    .open-in = no significant difference from the sum in { $n } of { $all } ({ $places })
    .open = no significant difference from the sum { $combinations }
    .try = if the sum is not reached, check what the parts share: a half-duplex medium, a bus, one CPU
    .try-measure = measure the total and each part with the same levels of all other factors
