use super::*;
use crate::tests::factor;

fn factors(count: usize) -> Vec<Factor> {
    (0..count)
        .map(|at| factor(&format!("{}{at}", letter(at).to_ascii_lowercase()), &["low", "high"]))
        .collect()
}

fn fraction(count: usize, generators: &[&str]) -> Result<FractionalFactorial, ExperimentError> {
    let generators: Vec<String> = generators.iter().map(|g| (*g).to_string()).collect();
    FractionalFactorial::from_generators(&factors(count), &generators)
}

#[test]
fn the_resolutions_of_the_tabled_designs() {
    // NIST/SEMATECH e-Handbook, 5.3.3.4.7 (after Box, Hunter and Hunter): designs, resolutions, generators.
    for (count, generators, resolution) in [
        (3, &["C=AB"][..], 3),
        (4, &["D=ABC"], 4),
        (5, &["E=ABCD"], 5),
        (5, &["D=AB", "E=AC"], 3),
        (6, &["F=ABCDE"], 6),
        (6, &["E=ABC", "F=BCD"], 4),
        (7, &["D=AB", "E=AC", "F=BC", "G=ABC"], 3),
        (7, &["E=ABC", "F=BCD", "G=ACD"], 4),
        (8, &["E=BCD", "F=ACD", "G=ABC", "H=ABD"], 4),
        (8, &["G=ABCD", "H=ABEF"], 5),
    ] {
        let fraction = fraction(count, generators).unwrap();
        assert_eq!(fraction.resolution, resolution, "{generators:?}");
        let rows = fraction.combinations(&factors(count)).len();
        assert_eq!(rows, 1 << (count - generators.len()), "{generators:?}");
    }
}

#[test]
fn the_defining_relation_and_the_aliases() {
    // The 2^(5−2) design of the e-Handbook, 5.3.3.4.4: I = ABD = ACE = BCDE.
    let f = fraction(5, &["D=AB", "E=AC"]).unwrap();
    let aliases = f.alias_groups();
    assert!(aliases.contains(&"a0 = b1×d3 = c2×e4".to_string()), "{aliases:?}");
    assert!(aliases.contains(&"b1×c2 = d3×e4".to_string()), "{aliases:?}");
    assert!(f.describe_resolution().contains("2^(5−2) fraction of resolution III"));
    let turned = fraction(3, &["C=-AB"]).unwrap();
    assert!(turned.alias_groups().contains(&"a0 = −b1×c2".to_string()), "{:?}", turned.alias_groups());
}

#[test]
fn every_main_effect_is_balanced_and_orthogonal_to_every_other() {
    let all = factors(7);
    let rows = fraction(7, &["D=AB", "E=AC", "F=-BC", "G=ABC"]).unwrap().combinations(&all);
    let sign = |row: &FactorLevels, at: usize| if row[&all[at].name] == "high" { 1 } else { -1 };
    for one in 0..7 {
        assert_eq!(rows.iter().map(|r| sign(r, one)).sum::<i32>(), 0);
        for other in one + 1..7 {
            assert_eq!(rows.iter().map(|r| sign(r, one) * sign(r, other)).sum::<i32>(), 0);
        }
    }
    assert!(rows.iter().all(|r| sign(r, 5) == -sign(r, 1) * sign(r, 2)));
}

#[test]
fn generators_that_make_no_design_are_refused() {
    let refused = |count, generators: &[&str]| fraction(count, generators).unwrap_err().to_string();
    assert_eq!(refused(4, &["D=A"]), "the generators make the effects of a0 and d3 the same");
    assert_eq!(refused(5, &["D=AB", "E=AB"]), "the generators make the effects of d3 and e4 the same");
    assert_eq!(refused(4, &["E=ABC"]), "E=ABC names E, and the last of the 4 factors is D");
    assert_eq!(refused(4, &["D=ABC", "D=AB"]), "two generators make D");
    assert_eq!(refused(5, &["D=AB", "E=AD"]), "E=AD uses D, which a generator makes itself");
    for typed in ["", "D", "D=", "=ABC", "DE=ABC", "D=ABD", "D=AAB", "I=AB", "D=A*B", "D=A=B"] {
        assert!(refused(4, &[typed]).ends_with("is no generator"), "{typed}");
    }
    let mut three = factors(4);
    three[1] = factor("b1", &["1", "2", "3"]);
    let e = FractionalFactorial::from_generators(&three, &["D=ABC".to_string()]).unwrap_err();
    assert_eq!(e.to_string(), "a fraction takes factors of two levels, and b1 has 3");
    assert_eq!(refused(26, &["D=ABC"]), "a fraction has 25 factors at most, this one has 26");
}
